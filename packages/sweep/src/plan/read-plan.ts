/** Checks a plan as a user wrote it: the first fault raises an error with its place and a hint. */
import { listFormulations, NexdynError } from '@nexdyn/engine';
import { checkFormula, parseFormula } from '@nexdyn/engine/formulas';
import type { SweepPlan } from './plan.ts';
import { checkAxis, checkPath, type Fields } from './read-axis.ts';

const FIELDS = [
  '$schema',
  'format',
  'version',
  'name',
  'scene',
  'seconds',
  'axes',
  'formulations',
  'keyframes',
  'set',
  'derive',
  'measure',
  'stop',
  'every',
  'best',
  'limits',
];

export function readPlan(value: unknown): SweepPlan {
  if (typeof value !== 'object' || value === null || (value as Fields).format !== 'nexdyn-sweep') {
    throw refuse('', 'this is not a plan of a sweep', 'it begins with "format": "nexdyn-sweep", "version": 1');
  }
  const plan = value as Fields;
  if (plan.version !== 1) throw refuse('version', `there is no version ${plan.version} of plans`, 'write 1');
  checkFields(plan, FIELDS, '');
  if (typeof plan.scene !== 'string' && !isObject(plan.scene)) {
    throw refuse('scene', 'the scene is missing', 'give a file beside the plan, a name of the gallery, or a scene');
  }
  if (!(isNumber(plan.seconds) && plan.seconds >= 0)) {
    throw refuse('seconds', 'the simulated time is missing', 'a number of seconds, 0 or more');
  }
  checkColumns(plan);
  const known = listFormulations().map(({ id }) => id);
  for (const [n, id] of readList(plan.formulations, 'formulations').entries()) {
    if (!known.includes(id as string)) {
      throw refuse(`formulations[${n}]`, `there is no formulation '${id}'`, `choose from ${known.join(', ')}`);
    }
  }
  for (const [n, keyframe] of readList(plan.keyframes, 'keyframes').entries()) {
    if (keyframe !== null && typeof keyframe !== 'string' && !Number.isInteger(keyframe)) {
      throw refuse(`keyframes[${n}]`, 'this is no keyframe', 'a name, a number, or null for the initial pose');
    }
  }
  checkTexts(plan);
  checkNumbers(plan);
  checkBest(plan);
  return value as SweepPlan;
}

/** Axes have columns and paths of their own. */
function checkColumns(plan: Fields): void {
  const measures = isObject(plan.measure) ? plan.measure : {};
  const names = new Set<string>();
  const setters = new Map<string, string>();
  for (const field of ['set', 'derive'] as const) {
    const values = plan[field];
    for (const path of isObject(values) ? Object.keys(values) : []) {
      checkPath(path, field);
      setters.set(path, field);
    }
  }
  for (const [n, axis] of readList(plan.axes, 'axes').entries()) {
    const place = `axes[${n}]`;
    for (const { name, paths } of checkAxis(axis, place)) {
      if (names.has(name)) throw refuse(place, `'${name}' is varied twice`, 'leave one out, or give them other names');
      if (RESERVED.includes(name)) throw refuse(place, `'${name}' is a column of every table`, 'give it another name');
      if (Object.hasOwn(measures, name))
        throw refuse(`measure.${name}`, `an axis has the name '${name}'`, 'choose another name');
      names.add(name);
      for (const path of paths) {
        const other = setters.get(path);
        if (other !== undefined) throw refuse(place, `'${path}' is given by ${other} as well`, 'leave one of them out');
        setters.set(path, place);
      }
    }
  }
}

function checkTexts(plan: Fields): void {
  if (plan.set !== undefined && !isObject(plan.set)) throw refuse('set', 'this is no object', '{"timestep": 0.002}');
  for (const field of ['derive', 'measure'] as const) {
    if (plan[field] !== undefined && !isObject(plan[field])) {
      throw refuse(field, 'this is no object', 'write names and formulas, as in {"slip": "max(bodies.cube.speed)"}');
    }
    for (const [name, text] of Object.entries((plan[field] ?? {}) as Fields)) {
      const place = `${field}.${name}`;
      if (typeof text !== 'string') throw refuse(place, 'this is no formula', 'write it in quotes');
      if (field === 'measure' && RESERVED.includes(name)) {
        throw refuse(place, `'${name}' is a column of every table`, 'choose another name');
      }
      checkFormula(parseFormula(text, place), place, { allowReductions: field === 'measure' });
    }
  }
  for (const [n, stop] of readList(plan.stop, 'stop').entries()) {
    const place = `stop[${n}]`;
    if (!isObject(stop) || typeof stop.when !== 'string') throw refuse(place, 'the condition is missing', 'when: "…"');
    checkFields(stop, ['when', 'name', 'for'], place);
    if (stop.for !== undefined && !(isNumber(stop.for) && stop.for >= 0))
      throw refuse(`${place}.for`, 'this is no time', 'seconds, 0 or more');
    checkFormula(parseFormula(stop.when, `${place}.when`), `${place}.when`, { allowReductions: false });
  }
}

function checkNumbers(plan: Fields): void {
  const { every, limits } = plan;
  if (every !== undefined && !(Number.isSafeInteger(every) && (every as number) >= 1)) {
    throw refuse('every', 'this is no number of steps', 'a whole number, 1 or more');
  }
  if (limits === undefined) return;
  if (!isObject(limits)) throw refuse('limits', 'this is no object', '{"runSeconds": 60}');
  checkFields(limits, ['runSeconds', 'stepSeconds'], 'limits');
  for (const [name, value] of Object.entries(limits)) {
    if (!(isNumber(value) && value > 0)) throw refuse(`limits.${name}`, 'this is no time', 'seconds, above 0');
  }
}

function checkBest(plan: Fields): void {
  const { best, measure } = plan;
  if (best === undefined) return;
  const names = Object.keys((measure ?? {}) as Fields);
  if (!isObject(best) || !names.includes(best.measure as string)) {
    throw refuse('best.measure', 'this is none of the measures', `choose from ${names.join(', ')}`);
  }
  checkFields(best, ['measure', 'order'], 'best');
  if (best.order !== undefined && best.order !== 'smallest' && best.order !== 'largest') {
    throw refuse('best.order', `there is no order '${best.order}'`, 'smallest or largest');
  }
}

/** Columns of every table. */
export const RESERVED: readonly string[] = [
  'run',
  'key',
  'formulation',
  'keyframe',
  'status',
  'stopped',
  'steps',
  'time',
  'unconvergedSteps',
  'iterations',
  'energyDrift',
  'finalHash',
  'error',
];

function readList(value: unknown, place: string): unknown[] {
  if (value === undefined) return [];
  if (!Array.isArray(value)) throw refuse(place, 'this is no list', 'write [ … ]');
  if (value.length === 0 && place !== 'axes' && place !== 'stop')
    throw refuse(place, 'the list is empty', 'leave it out, or give it entries');
  return value;
}

export function checkFields(value: Fields, known: readonly string[], place: string): void {
  const unknown = Object.keys(value).find((field) => !known.includes(field));
  if (unknown === undefined) return;
  throw new NexdynError('unknown-field', `there is no field '${unknown}'`, {
    path: place || 'plan',
    hint: `fields are ${known.join(', ')}`,
  });
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}

function refuse(path: string, reason: string, hint: string): NexdynError {
  return new NexdynError('invalid-value', reason, { path: path || 'plan', hint });
}
