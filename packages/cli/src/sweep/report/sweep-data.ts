/** The results of a sweep as columns of numbers, for plots: a plan of 100,000 runs takes a few megabytes. */
import { hasFailed, listRows, type Sweep, type SweepFolder } from '@nexdyn/sweep';

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
  /** Axes with numbers. */
  axes: string[];
  /** Axes on which the values form a grid, with their values in order. */
  grids: Map<string, number[]>;
  measures: string[];
}

/** More values than this are no grid. */
const MOST_GRID = 100;
/** Failed runs that are listed. */
const LISTED_FAILURES = 20;

export function readReportData(sweep: Sweep, folder: SweepFolder): ReportData {
  const { count, columns } = sweep.runs;
  const measures = Object.keys(sweep.plan.measure ?? {});
  const values = Object.fromEntries([...columns, ...measures].map((name) => [name, new Float64Array(count)]));
  const groups = new Numbering();
  const statuses = new Numbering();
  const group = new Uint16Array(count);
  const status = new Uint8Array(count);
  const failed = new Uint8Array(count);
  const failures: FailedRun[] = [];
  let failureCount = 0;
  for (const [run, result] of listRows(sweep, folder)) {
    const { index } = run;
    for (const name of columns) {
      const value = run.parameters[name];
      values[name]![index] = typeof value === 'number' ? value : Number.NaN;
    }
    for (const name of measures) values[name]![index] = result.measures[name] ?? Number.NaN;
    const start = run.keyframe === undefined ? [] : [`keyframe ${run.keyframe}`];
    group[index] = groups.number([...(run.formulation === null ? [] : [run.formulation]), ...start].join(', '));
    status[index] = statuses.number(result.status);
    if (!hasFailed(result)) continue;
    failed[index] = 1;
    failureCount++;
    if (failures.length < LISTED_FAILURES)
      failures.push({ run: index, status: result.status, error: result.error?.message ?? '' });
  }
  const axes = columns.filter((name) => values[name]!.every(Number.isFinite));
  const grids = new Map<string, number[]>();
  for (const name of axes) {
    const distinct = [...new Set(values[name])].sort((a, b) => a - b);
    if (distinct.length > 1 && distinct.length <= MOST_GRID) grids.set(name, distinct);
  }
  return {
    count,
    values,
    groups: groups.names,
    group,
    statuses: statuses.names,
    status,
    failed,
    failures,
    failureCount,
    axes,
    grids,
    measures,
  };
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
