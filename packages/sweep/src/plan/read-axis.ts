/** Checks one axis of a plan. */
import { NexdynError } from '@nexdyn/engine';
import { SOBOL_DIMENSIONS } from '../sampling/sobol.ts';

export type Fields = Record<string, unknown>;

const PARAMETER = ['path', 'name'];
const AXES: Readonly<Record<string, readonly string[]>> = {
  range: ['kind', ...PARAMETER, 'from', 'to', 'count', 'spacing'],
  list: ['kind', ...PARAMETER, 'values'],
  zip: ['kind', 'parameters'],
  random: ['kind', 'count', 'seed', 'parameters'],
  latinHypercube: ['kind', 'count', 'seed', 'parameters'],
  sobol: ['kind', 'count', 'skip', 'parameters'],
};
const DISTRIBUTIONS: Readonly<Record<string, readonly string[]>> = {
  uniform: ['from', 'to'],
  logUniform: ['from', 'to'],
  normal: ['mean', 'deviation'],
  logNormal: ['median', 'deviation'],
  triangular: ['from', 'mode', 'to'],
  choice: ['values'],
};

/** Distributions that reach to infinity. */
const UNBOUNDED: readonly string[] = ['normal', 'logNormal'];

/** A column of an axis, and what it sets. */
export interface AxisColumn {
  name: string;
  paths: readonly string[];
}

/** Refuses an axis that is wrong; its columns. */
export function checkAxis(value: unknown, place: string): AxisColumn[] {
  if (!isObject(value) || typeof value.kind !== 'string' || !Object.hasOwn(AXES, value.kind)) {
    throw refuse(`${place}.kind`, 'there is no such axis', `kinds are ${Object.keys(AXES).join(', ')}`);
  }
  checkKnown(value, AXES[value.kind]!, place);
  switch (value.kind) {
    case 'range':
      checkRange(value, place);
      return [describeColumn(value, place)];
    case 'list':
      checkValues(value.values, `${place}.values`);
      return [describeColumn(value, place)];
    case 'zip':
      return checkZip(value, place);
    default:
      return checkSamples(value, place);
  }
}

function checkRange({ from, to, count, spacing = 'linear' }: Fields, place: string): void {
  if (!isNumber(from) || !isNumber(to)) throw refuse(place, 'the ends of the range are missing', 'from and to');
  checkCount(count, `${place}.count`);
  if (spacing !== 'linear' && spacing !== 'log')
    throw refuse(`${place}.spacing`, `there is no spacing '${spacing}'`, 'linear or log');
  if (spacing === 'log' && !(from > 0 && to > 0))
    throw refuse(place, 'a range with log spacing has ends above 0', 'use linear spacing, or change the ends');
}

function checkZip({ parameters }: Fields, place: string): AxisColumn[] {
  const list = readParameters(parameters, place);
  const lengths = list.map((parameter, n) => {
    const at = `${place}.parameters[${n}]`;
    checkKnown(parameter, [...PARAMETER, 'values'], at);
    checkValues(parameter.values, `${at}.values`);
    return (parameter.values as unknown[]).length;
  });
  const odd = lengths.findIndex((length) => length !== lengths[0]);
  if (odd >= 0) {
    const reason = `${lengths[odd]} values beside ${lengths[0]}`;
    throw refuse(`${place}.parameters[${odd}].values`, reason, 'lists that go together have the same length');
  }
  return list.map((parameter, n) => describeColumn(parameter, `${place}.parameters[${n}]`));
}

function checkSamples({ kind, count, seed, skip, parameters }: Fields, place: string): AxisColumn[] {
  checkCount(count, `${place}.count`);
  if (kind !== 'sobol' && !(Number.isSafeInteger(seed) && (seed as number) >= 0)) {
    throw refuse(`${place}.seed`, 'the seed is missing', 'a whole number, 0 or more: the same seed, the same samples');
  }
  if (skip !== undefined && !(Number.isSafeInteger(skip) && (skip as number) >= 0)) {
    throw refuse(`${place}.skip`, 'this is no number of points', 'a whole number, 0 or more');
  }
  const list = readParameters(parameters, place);
  if (kind === 'sobol' && !skip && list.some(({ distribution }) => UNBOUNDED.includes(distribution as string))) {
    const reason = 'the first point of the sequence is 0, where a normal distribution has no value';
    throw refuse(`${place}.skip`, reason, '"skip": 1 leaves this point out');
  }
  if (kind === 'sobol' && list.length > SOBOL_DIMENSIONS) {
    const reason = `${list.length} parameters are more than the ${SOBOL_DIMENSIONS} dimensions of the table`;
    throw refuse(`${place}.parameters`, reason, 'use latinHypercube');
  }
  return list.map((parameter, n) => {
    const at = `${place}.parameters[${n}]`;
    checkDistribution(parameter, at);
    return describeColumn(parameter, at);
  });
}

function checkDistribution(parameter: Fields, place: string): void {
  const { distribution } = parameter;
  if (typeof distribution !== 'string' || !Object.hasOwn(DISTRIBUTIONS, distribution)) {
    const hint = `distributions are ${Object.keys(DISTRIBUTIONS).join(', ')}`;
    throw refuse(`${place}.distribution`, 'there is no such distribution', hint);
  }
  const fields = DISTRIBUTIONS[distribution]!;
  checkKnown(parameter, [...PARAMETER, 'distribution', ...fields], place);
  if (distribution === 'choice') {
    checkValues(parameter.values, `${place}.values`);
    return;
  }
  const missing = fields.find((field) => !isNumber(parameter[field]));
  if (missing !== undefined) throw refuse(`${place}.${missing}`, 'the number is missing', fields.join(', '));
  const { from, to, mode, deviation, median } = parameter as Record<string, number>;
  if (from !== undefined && !(from < to!)) throw refuse(place, `${from} is not below ${to}`, 'from is below to');
  if (distribution === 'logUniform' && !(from! > 0)) throw refuse(`${place}.from`, 'it is not above 0', 'use uniform');
  if (mode !== undefined && !(mode >= from! && mode <= to!))
    throw refuse(`${place}.mode`, `${mode} is not between the ends`, 'from, mode and to stand in this order');
  if (deviation !== undefined && !(deviation > 0)) throw refuse(`${place}.deviation`, 'it is not above 0', 'above 0');
  if (median !== undefined && !(median > 0)) throw refuse(`${place}.median`, 'it is not above 0', 'above 0');
}

function readParameters(value: unknown, place: string): Fields[] {
  if (!Array.isArray(value) || value.length === 0 || !value.every(isObject)) {
    throw refuse(`${place}.parameters`, 'the axis is empty', 'give a list of parameters');
  }
  return value;
}

function checkValues(values: unknown, place: string): void {
  if (!Array.isArray(values) || values.length === 0) throw refuse(place, 'the axis is empty', 'give a list of values');
}

function checkCount(count: unknown, place: string): void {
  if (count === 0) throw refuse(place, 'the axis is empty', 'a whole number, 1 or more');
  if (!Number.isSafeInteger(count) || (count as number) < 1)
    throw refuse(place, 'this is no number of values', 'a whole number, 1 or more');
}

function describeColumn(parameter: Fields, place: string): AxisColumn {
  const name = nameColumn(parameter, place);
  return { name, paths: listPaths(parameter.path) as string[] };
}

function listPaths(path: unknown): unknown[] {
  return path === undefined ? [] : Array.isArray(path) ? path : [path];
}

/** What a parameter is called: its name, else its first path. */
export function nameColumn(parameter: { path?: unknown; name?: unknown }, place = ''): string {
  const { path, name } = parameter;
  const paths = listPaths(path);
  if (!paths.every((entry) => typeof entry === 'string' && entry !== ''))
    throw refuse(`${place}.path`, 'this is no path', 'as in bodies.arm.mass, or a list of paths');
  for (const entry of paths) checkPath(entry as string, `${place}.path`);
  if (name !== undefined && (typeof name !== 'string' || !/^[\p{L}_][\p{L}\p{N}_]*$/u.test(name)))
    throw refuse(`${place}.name`, 'this is no name', 'letters, digits and _');
  if (name === 'pi') throw refuse(`${place}.name`, "'pi' is a number in formulas", 'choose another name');
  const column = (name ?? paths[0]) as string | undefined;
  if (column === undefined) throw refuse(place, 'the axis changes nothing', 'give it a path, or a name to derive from');
  return column;
}

/** Brackets are for formulas: a path has names as they are. */
export function checkPath(path: string, place: string): void {
  const plain = path.replace(/\[(['"])(.*?)\1\]/g, '.$2');
  if (plain !== path) throw refuse(place, `'${path}' is no path`, `names stand in it as they are: ${plain}`);
}

function checkKnown(value: Fields, known: readonly string[], place: string): void {
  const unknown = Object.keys(value).find((field) => !known.includes(field));
  if (unknown === undefined) return;
  const hint = `fields are ${known.join(', ')}`;
  throw new NexdynError('unknown-field', `there is no field '${unknown}'`, { path: place, hint });
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}

function refuse(path: string, reason: string, hint: string): NexdynError {
  return new NexdynError('invalid-value', reason, { path, hint });
}
