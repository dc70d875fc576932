/** The results of a sweep as columns of numbers, for plots: a plan of 100,000 runs takes a few megabytes. */
import { hasFailed, isNumericAxis, type RunResult, type Sweep, type SweepRun } from '@nexdyn/sweep';

/** A run that did not come to its end. */
export interface FailedRun {
  run: number;
  status: string;
  error: string;
}

export interface ReportData {
  /** Number of runs: the n-th number of each column is that of run n. */
  count: number;
  /** Axes and measures by name; NaN where there is no number. */
  values: Readonly<Record<string, Float64Array>>;
  /** Formulation and keyframe: runs of a group have a colour of their own. */
  groups: string[];
  /** Per run: its group. */
  group: Uint16Array;
  /** Ways to end, in the order in which they came, and that of each run. */
  statuses: string[];
  status: Uint8Array;
  /** Per run: 1 where it failed. */
  failed: Uint8Array;
  /** The first that failed, and how many there are. */
  failures: FailedRun[];
  failureCount: number;
  /** Axes with numbers, and those with a few names. */
  axes: string[];
  /** Axes whose names say what another axis says. */
  repeated: string[];
  /** Of axes with names: what their numbers stand for. */
  labels: Map<string, readonly string[]>;
  /** Axes with few values, which are in order. */
  grids: Map<string, number[]>;
  /** Pairs of them of which every combination occurs. */
  pairs: (readonly [string, string])[];
  measures: string[];
}

/** More values than this are no grid. */
const MOST_GRID = 100;
/** More names than this are no axis. */
const MOST_NAMES = 40;
/** Characters of a name, at most. */
const LONGEST_NAME = 40;
/** Failed runs that are listed. */
const LISTED_FAILURES = 20;

/** Gathers what a report shows, from one run after the other. */
export class ReportCollector {
  readonly #sweep: Sweep;
  readonly #measures: string[];
  readonly #values: Record<string, Float64Array>;
  /** Of axes with values that are no numbers. */
  readonly #names = new Map<string, Numbering>();
  readonly #groups = new Numbering();
  readonly #statuses = new Numbering();
  readonly #group: Uint16Array;
  readonly #status: Uint8Array;
  readonly #failed: Uint8Array;
  readonly #failures: FailedRun[] = [];
  #failureCount = 0;

  constructor(sweep: Sweep) {
    const { count, columns } = sweep.runs;
    this.#sweep = sweep;
    this.#measures = Object.keys(sweep.plan.measure ?? {});
    this.#values = Object.fromEntries([...columns, ...this.#measures].map((name) => [name, new Float64Array(count)]));
    for (const name of columns) if (!isNumericAxis(sweep.plan, name)) this.#names.set(name, new Numbering());
    this.#group = new Uint16Array(count);
    this.#status = new Uint8Array(count);
    this.#failed = new Uint8Array(count);
  }

  take({ index, parameters, formulation, keyframe }: SweepRun, { status, measures, error }: RunResult): void {
    for (const name of this.#sweep.runs.columns) this.#values[name]![index] = this.#readNumber(name, parameters[name]);
    for (const name of this.#measures) this.#values[name]![index] = measures[name] ?? Number.NaN;
    const start = keyframe === undefined ? [] : [keyframe === null ? 'initial pose' : `keyframe ${keyframe}`];
    this.#group[index] = this.#groups.number([...(formulation === null ? [] : [formulation]), ...start].join(', '));
    this.#status[index] = this.#statuses.number(status);
    if (!hasFailed({ status })) return;
    this.#failed[index] = 1;
    this.#failureCount++;
    if (this.#failures.length < LISTED_FAILURES)
      this.#failures.push({ run: index, status, error: error?.message ?? '' });
  }

  finish(): ReportData {
    const { count, columns } = this.#sweep.runs;
    const values = this.#values;
    const labels = new Map([...this.#names].map(([name, { names }]) => [name, names]));
    const complete = columns.filter((name) => values[name]!.every(Number.isFinite) && isVaried(values[name]!));
    const repeated = complete.filter((name) => labels.has(name) && isRepeated(name, complete, values, labels));
    const axes = complete.filter((name) => !repeated.includes(name));
    const grids = new Map<string, number[]>();
    for (const name of axes) {
      const distinct = listDistinct(values[name]!);
      if (distinct) grids.set(name, distinct);
    }
    const names = [...grids.keys()];
    const pairs = names.flatMap((first, n) => names.slice(n + 1).map((second) => [first, second] as const));
    return {
      count,
      values,
      groups: this.#groups.names,
      group: this.#group,
      statuses: this.#statuses.names,
      status: this.#status,
      failed: this.#failed,
      failures: this.#failures,
      failureCount: this.#failureCount,
      axes,
      repeated,
      labels,
      grids,
      pairs: pairs.filter(([a, b]) => isFull(values[a]!, values[b]!, grids.get(a)!, grids.get(b)!)),
      measures: this.#measures,
    };
  }

  #readNumber(column: string, value: unknown): number {
    const names = this.#names.get(column);
    if (!names) return value as number;
    const name = typeof value === 'string' ? value : JSON.stringify(value);
    // no drawing has room for more names, or for meshes
    return names.names.length > MOST_NAMES || name.length > LONGEST_NAME ? Number.NaN : names.number(name);
  }
}

function isVaried(column: Float64Array): boolean {
  return column.some((value) => value !== column[0]);
}

/** Whether names say what other columns say: the meshes that go with a thickness. */
function isRepeated(
  name: string,
  columns: readonly string[],
  values: Readonly<Record<string, Float64Array>>,
  labels: ReadonlyMap<string, unknown>,
): boolean {
  return columns.some((other, n) => {
    const counts = !labels.has(other) || n < columns.indexOf(name);
    return other !== name && counts && isAlike(values[name]!, values[other]!);
  });
}

/** Whether each value of one column goes with one value of the other. */
function isAlike(one: Float64Array, other: Float64Array): boolean {
  const [there, back] = [new Map<number, number>(), new Map<number, number>()];
  return one.every((value, run) => {
    const beside = other[run]!;
    if (!there.has(value)) there.set(value, beside);
    if (!back.has(beside)) back.set(beside, value);
    return there.get(value) === beside && back.get(beside) === value;
  });
}

/** The values of a column in order; undefined where there are too many for a grid. */
function listDistinct(column: Float64Array): number[] | undefined {
  const distinct = new Set<number>();
  for (const value of column) {
    distinct.add(value);
    if (distinct.size > MOST_GRID) return undefined;
  }
  return [...distinct].sort((a, b) => a - b);
}

/** Whether each value of one column is beside each value of the other. */
function isFull(
  down: Float64Array,
  across: Float64Array,
  lines: readonly number[],
  columns: readonly number[],
): boolean {
  const [line, column] = [numberValues(lines), numberValues(columns)];
  const found = new Uint8Array(lines.length * columns.length);
  down.forEach((value, run) => {
    found[line.get(value)! * columns.length + column.get(across[run]!)!] = 1;
  });
  return found.every(Boolean);
}

function numberValues(values: readonly number[]): Map<number, number> {
  return new Map(values.map((value, n) => [value, n]));
}

/** Texts by the order in which they came. */
class Numbering {
  readonly names: string[] = [];
  readonly #numbers = new Map<string, number>();

  number(name: string): number {
    const known = this.#numbers.get(name);
    if (known !== undefined) return known;
    this.#numbers.set(name, this.names.length);
    return this.names.push(name) - 1;
  }
}

/** Runs whose columns all have numbers, in order. */
export function listSound({ count, values }: ReportData, columns: readonly string[]): Uint32Array {
  const runs = new Uint32Array(count);
  let found = 0;
  for (let run = 0; run < count; run++) {
    if (columns.every((name) => Number.isFinite(values[name]![run]))) runs[found++] = run;
  }
  return runs.subarray(0, found);
}

/** Least and largest number of a column among some runs; infinite, the wrong way round, where there are none. */
export function findRange(column: Float64Array, runs: Uint32Array): [number, number] {
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (const run of runs) {
    low = Math.min(low, column[run]!);
    high = Math.max(high, column[run]!);
  }
  return [low, high];
}
