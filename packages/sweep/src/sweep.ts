/** Runs a sweep on the cores of this machine, and gathers what other machines have run. */
import { NexdynError } from '@nexdyn/engine';
import type { ExpandedPlan, SweepRun } from './plan/expand-plan.ts';
import { createParquet } from './results/parquet.ts';
import { ResultWriter } from './results/result-writer.ts';
import { listRuns, type Sweep, type SweepFolder } from './results/sweep-folder.ts';
import { formatCsvHead, formatCsvLine, listColumns } from './results/table.ts';
import { checkSignals, openRun, runOnce } from './run/run-once.ts';
import { runOnThreads } from './run/run-pool.ts';
import { hasFailed, type RunResult } from './run/run-result.ts';

/** A part of the runs: those whose place leaves `index` when divided by `count`. */
export interface Shard {
  /** From 0. */
  index: number;
  count: number;
}

/** How many runs there are, and how far they are. */
export interface SweepProgress {
  /** Runs of this process, finished ones included. */
  total: number;
  done: number;
  /** Runs that were there before. */
  skipped: number;
  failed: number;
}

export interface SweepOptions {
  folder: SweepFolder;
  /** Threads. */
  workers: number;
  shard?: Shard;
  /** Run those again that failed before. Default: false. */
  retryFailed?: boolean;
  /** Addresses of modules that register formulations, shapes or terms. */
  modules?: readonly string[];
  /** No run begins after it is aborted; those under way are finished. */
  signal: AbortSignal;
  onProgress?: (progress: SweepProgress) => void;
}

/** Finds what is wrong with a plan before the first run: the first and the last line must fit the scene, and keys must differ. */
export function checkSweep({ plan, scene, runs }: Sweep, mostRuns: number): void {
  if (runs.count > mostRuns) {
    throw new NexdynError('too-large', `the plan has ${runs.count} runs`, {
      path: 'axes',
      hint: `more than ${mostRuns} need --max-runs ${runs.count}`,
    });
  }
  const same = findRepetition(runs);
  if (same) {
    throw new NexdynError('invalid-value', `runs ${same[0]} and ${same[1]} are the same`, {
      path: 'axes',
      hint: 'remove values that occur twice',
    });
  }
  for (const index of new Set([0, runs.count - 1])) {
    const run = runs.run(index);
    checkSignals(openRun(scene, plan, run), plan, run);
  }
}

/** Two runs with the same key. Only the beginnings of keys are kept: a plan of a million runs takes 8 MB. */
function findRepetition(runs: ExpandedPlan): [number, number] | undefined {
  const beginnings = new Float64Array(runs.count);
  const begin = (key: string): number => Number.parseInt(key.slice(0, 13), 16);
  for (const { key, index } of listRuns(runs)) beginnings[index] = begin(key);
  beginnings.sort();
  const shared = new Set(beginnings.filter((value, n) => value === beginnings[n - 1]));
  if (shared.size === 0) return undefined;
  const places = new Map<string, number>();
  for (const { key, index } of listRuns(runs)) {
    if (!shared.has(begin(key))) continue;
    const other = places.get(key);
    if (other !== undefined) return [other, index];
    places.set(key, index);
  }
  return undefined;
}

/** Runs what is not finished. */
export async function runSweep(sweep: Sweep, options: SweepOptions): Promise<SweepProgress> {
  const { folder, workers, signal, onProgress } = options;
  const shard = options.shard ?? { index: 0, count: 1 };
  const total = Math.max(0, Math.ceil((sweep.runs.count - shard.index) / shard.count));
  const progress: SweepProgress = { total, done: 0, skipped: 0, failed: 0 };
  onProgress?.(progress);
  const writer = new ResultWriter(folder, (result) => {
    progress.done++;
    if (hasFailed(result)) progress.failed++;
    onProgress?.(progress);
  });
  await runOnThreads({
    setting: { scene: sweep.scene, plan: sweep.plan, modules: options.modules ?? [] },
    runs: listOpenRuns(sweep, options, shard, progress),
    workers: Math.min(workers, total),
    signal,
    take: (result) => writer.write(result),
  });
  await writer.finish();
  return progress;
}

function* listOpenRuns(
  { runs }: Sweep,
  { folder, retryFailed }: SweepOptions,
  shard: Shard,
  progress: SweepProgress,
): Generator<SweepRun, undefined> {
  for (let index = shard.index; index < runs.count; index += shard.count) {
    const run = runs.run(index);
    const before = folder.readResult(run.key);
    if (!before || (retryFailed && hasFailed(before))) {
      yield run;
      continue;
    }
    progress.done++;
    progress.skipped++;
    if (hasFailed(before)) progress.failed++;
  }
  return undefined;
}

/** Numbers of runs by how they ended. */
export interface SweepStatus {
  runs: number;
  finished: number;
  missing: number;
  statuses: Record<string, number>;
}

export function countResults({ runs }: Sweep, folder: SweepFolder): SweepStatus {
  const status: SweepStatus = { runs: runs.count, finished: 0, missing: 0, statuses: {} };
  folder.refresh();
  for (const { key } of listRuns(runs)) {
    const result = folder.readResult(key);
    if (!result) {
      status.missing++;
      continue;
    }
    status.finished++;
    status.statuses[result.status] = (status.statuses[result.status] ?? 0) + 1;
  }
  return status;
}

/** Results that are copied at once. */
const COPIED = 1000;

/** Copies the results that another folder of the same sweep has and this one has not; a sound one takes the place of a failed one. */
export function gatherResults(sweep: Sweep, from: SweepFolder, to: SweepFolder): number {
  let copied = 0;
  let results: RunResult[] = [];
  const copy = (): void => {
    to.writeResultsNow(results);
    copied += results.length;
    results = [];
  };
  for (const { key } of listRuns(sweep.runs)) {
    const own = to.readResult(key);
    if (own && !hasFailed(own)) continue;
    const result = from.readResult(key);
    if (!result || (own && hasFailed(result))) continue;
    results.push(result);
    if (results.length === COPIED) copy();
  }
  copy();
  return copied;
}

/** Characters of a table that are written at once. */
const PIECE = 1 << 16;

/** Writes the table of all runs; every run must be finished. `take` sees each row as well, in order. */
export async function writeTables(
  { plan, runs }: Sweep,
  folder: SweepFolder,
  take: (run: SweepRun, result: RunResult) => void = () => {},
): Promise<void> {
  const columns = listColumns(plan, runs);
  const table = await createParquet(columns);
  const csv = folder.createFile('table.csv');
  const parquet = folder.createFile('table.parquet');
  try {
    let lines = formatCsvHead(columns);
    for (const run of listRuns(runs)) {
      const result = folder.readResult(run.key);
      if (!result) {
        throw new NexdynError('invalid-argument', `run ${run.index} has no result`, { hint: 'finish the sweep first' });
      }
      lines += formatCsvLine(columns, run, result);
      if (lines.length > PIECE) {
        csv.write(lines);
        lines = '';
      }
      const group = table.add(run, result);
      if (group) parquet.write(group);
      take(run, result);
    }
    csv.write(lines);
    parquet.write(table.finish());
    csv.commit();
    parquet.commit();
  } finally {
    csv.discard();
    parquet.discard();
  }
}

/** Time of all runs by three of them, the first, the middle and the last, s. */
export function estimateTime({ plan, scene, runs }: Sweep, workers: number): { pilots: RunResult[]; seconds: number } {
  const places = [...new Set([0, Math.floor(runs.count / 2), runs.count - 1])];
  const pilots = places.map((index) => runOnce({ scene, plan }, runs.run(index)));
  const mean = pilots.reduce((sum, { wallTime }) => sum + wallTime, 0) / pilots.length;
  return { pilots, seconds: (mean * runs.count) / Math.min(workers, runs.count) };
}
