/**
 * The runs of a plan, one line each. Axes are combined like the digits of a number: formulations, keyframes, then the axes in their
 * order, the last one fastest. A run is made from its place alone, so that a plan of any size takes no memory before it is asked for.
 */
import { hash } from 'node:crypto';
import { type FormulationId, NexdynError } from '@nexdyn/engine/core';
import { evaluateFormula, type Formula, parseFormula } from '@nexdyn/engine/formulas';
import { readQuantile } from '../sampling/distribution.ts';
import { listLatinPoints } from '../sampling/latin-hypercube.ts';
import { RandomStream } from '../sampling/random.ts';
import { listSobolPoints } from '../sampling/sobol.ts';
import type { Axis, ParameterName, SampledParameter, SweepPlan } from './plan.ts';
import { nameColumn } from './read-axis.ts';

/** One run of a sweep: everything that decides its result. */
export interface SweepRun {
  /** Place in the plan, from 0. */
  index: number;
  /** SHA-256 of scene, settings, parameters, seeds and version: the same run has the same key everywhere. */
  key: string;
  /** null: what the scene says. */
  formulation: FormulationId | null;
  /** Absent: the first, if any. */
  keyframe?: string | number | null;
  /** Values of the axes by column. */
  parameters: Readonly<Record<string, unknown>>;
  /** Values of the scene by path, those of the axes and those that are derived from them. */
  set: Readonly<Record<string, unknown>>;
}

/** What keys depend on besides the plan. */
export interface KeySource {
  /** SHA-256 of the scene in its JSON form. */
  sceneHash: string;
  /** Version of the engine. */
  version: string;
  /** SHA-256 of each module that registers formulations, shapes or terms. */
  modules: readonly string[];
}

/** The runs of a plan. */
export interface ExpandedPlan {
  readonly count: number;
  /** Columns of the axes, in their order. */
  readonly columns: readonly string[];
  run(index: number): SweepRun;
}

/** Columns and paths of one position on an axis. */
interface Digit {
  count: number;
  names: readonly string[];
  read(position: number): { column: string; paths: readonly string[]; value: unknown }[];
}

/** Samples of an axis that are kept in memory, at most. */
const MOST_SAMPLES = 10_000_000;

export function expandPlan(plan: SweepPlan, source: KeySource): ExpandedPlan {
  const { formulations, keyframes } = plan;
  const digits = (plan.axes ?? []).map(createDigit);
  const derived = Object.entries(plan.derive ?? {}).map(
    ([path, text]) => [path, parseFormula(text, `derive.${path}`)] as const,
  );
  const sizes = [formulations?.length ?? 1, keyframes?.length ?? 1, ...digits.map(({ count }) => count)];
  const count = sizes.reduce((product, size) => product * size, 1);
  const settings = describeSettings(plan, source);
  return {
    count,
    columns: digits.flatMap(({ names }) => names),
    run(index) {
      const positions = splitIndex(index, sizes);
      const parameters: Record<string, unknown> = {};
      const set: Record<string, unknown> = { ...plan.set };
      for (const [n, digit] of digits.entries()) {
        for (const { column, paths, value } of digit.read(positions[n + 2]!)) {
          parameters[column] = value;
          for (const path of paths) set[path] = value;
        }
      }
      for (const [path, formula] of derived) set[path] = derive(formula, parameters, path);
      const formulation = formulations?.[positions[0]!] ?? null;
      const start = keyframes ? { keyframe: keyframes[positions[1]!]! } : {};
      const begin = JSON.stringify([formulation, keyframes ? start.keyframe : 'first', Object.entries(set)]);
      const key = hash('sha256', settings + begin + JSON.stringify(Object.entries(parameters)));
      return { index, key, formulation, ...start, parameters, set };
    },
  };
}

/** What all runs of a plan have in common, as text. Seeds are in it by the parameters that they gave. */
function describeSettings({ seconds, every, measure, stop, limits }: SweepPlan, source: KeySource): string {
  const { sceneHash, version, modules } = source;
  const own = modules.length > 0 && { modules };
  const entries = Object.entries(measure ?? {});
  return JSON.stringify({ sceneHash, version, seconds, every, measure: entries, stop, limits, ...own });
}

function splitIndex(index: number, sizes: readonly number[]): number[] {
  let rest = index;
  const positions: number[] = [];
  for (const size of [...sizes].reverse()) {
    positions.unshift(rest % size);
    rest = Math.floor(rest / size);
  }
  return positions;
}

function createDigit(axis: Axis): Digit {
  switch (axis.kind) {
    case 'range':
      return createSingle(axis, axis.count, (n) => readRange(axis, n));
    case 'list':
      return createSingle(axis, axis.values.length, (n) => axis.values[n]);
    case 'zip':
      return {
        count: axis.parameters[0]!.values.length,
        names: axis.parameters.map((parameter) => nameColumn(parameter)),
        read: (n) => axis.parameters.map((parameter) => describe(parameter, parameter.values[n])),
      };
    default:
      return createSampled(axis);
  }
}

function createSingle(parameter: ParameterName, count: number, read: (n: number) => unknown): Digit {
  return { count, names: [nameColumn(parameter)], read: (n) => [describe(parameter, read(n))] };
}

function createSampled(axis: Extract<Axis, { parameters: readonly SampledParameter[] }>): Digit {
  const { count, parameters } = axis;
  let points: number[][] | undefined;
  return {
    count,
    names: parameters.map((parameter) => nameColumn(parameter)),
    read(n) {
      points ??= samplePoints(axis);
      return parameters.map((parameter, d) => describe(parameter, readQuantile(parameter, points![n]![d]!)));
    },
  };
}

function samplePoints(axis: Extract<Axis, { parameters: readonly SampledParameter[] }>): number[][] {
  const { count } = axis;
  const width = axis.parameters.length;
  if (count * width > MOST_SAMPLES) {
    const hint = `at most ${MOST_SAMPLES} numbers: divide the plan`;
    throw new NexdynError('too-large', `${count} samples of ${width} parameters are too many`, { path: 'axes', hint });
  }
  if (axis.kind === 'sobol') return listSobolPoints(count, width, axis.skip ?? 0);
  const random = new RandomStream(axis.seed);
  if (axis.kind === 'latinHypercube') return listLatinPoints(count, width, random);
  return Array.from({ length: count }, () => Array.from({ length: width }, () => random.nextUnit()));
}

function describe(parameter: ParameterName, value: unknown) {
  const { path = [] } = parameter;
  return { column: nameColumn(parameter), paths: typeof path === 'string' ? [path] : path, value };
}

/** Both ends are met exactly. */
function readRange({ from, to, count, spacing }: Extract<Axis, { kind: 'range' }>, n: number): number {
  if (n === 0) return from;
  if (n === count - 1) return to;
  const share = n / (count - 1);
  return spacing === 'log' ? from * (to / from) ** share : from + share * (to - from);
}

function derive(formula: Formula, parameters: Readonly<Record<string, unknown>>, path: string): number {
  const value = evaluateFormula(formula, {
    time: new Float64Array(0),
    read(words) {
      const name = words.join('.');
      const found = Object.hasOwn(parameters, name) ? parameters[name] : undefined;
      if (typeof found === 'number') return found;
      throw new NexdynError('unknown-reference', `'${name}' is no axis with numbers`, {
        path: `derive.${path}`,
        hint:
          Object.keys(parameters).length > 0
            ? `axes are ${Object.keys(parameters).join(', ')}`
            : 'the plan has no axes',
      });
    },
  });
  return value as number;
}
