import { availableParallelism } from 'node:os';
import { NexdynError } from '@nexdyn/engine';
import type { ReadLimits } from '@nexdyn/formats';
import type { QueueOutcome } from '@nexdyn/queue';
import {
  checkSweep,
  countResults,
  createSweep,
  estimateTime,
  listRuns,
  runSweep,
  type Sweep,
  SweepFolder,
  type SweepProgress,
  type SweepStatus,
} from '@nexdyn/sweep';
import type { CommandIo } from '../command-io.ts';
import { formatCount } from '../counted-noun.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { listenForInterrupt } from '../interrupt.ts';
import { formatDuration } from '../progress.ts';
import { reportUnsupported } from '../unsupported-report.ts';
import { VERSION } from '../version.ts';
import { loadPlan, nameFolder, naming } from './plan-file.ts';
import { describeModules, loadQueue, reportQueueEnd } from './queue-run.ts';
import type { ShardChoice } from './shard.ts';
import { formatStatus, writeResults } from './sweep-folders.ts';
import { createSweepProgress } from './sweep-progress.ts';

export interface SweepCommandOptions {
  out?: string;
  workers?: number;
  queue?: string;
  chunk?: number;
  shard?: ShardChoice;
  dryRun?: boolean;
  retryFailed?: boolean;
  maxRuns: number;
  allowOutside?: boolean;
  root?: string;
  objects?: 'all' | 'first';
  packagePath?: string[];
  limit?: Partial<ReadLimits>;
  import?: string[];
  json?: boolean;
  quiet?: boolean;
}

/** Runs a plan, or what is left of it. */
export async function runSweepCommand(file: string, options: SweepCommandOptions, io: CommandIo): Promise<ExitCode> {
  const { plan, scene, unsupported } = await loadPlan(file, options);
  reportUnsupported(unsupported, io);
  const modules = describeModules(options.import);
  const hashes = modules.map(({ hash }) => hash);
  const sweep = createSweep(plan, scene, VERSION, hashes);
  const mostRuns = (await hasConsent(sweep, options, io)) ? sweep.runs.count : options.maxRuns;
  naming(file, (value) => checkSweep(value, mostRuns), sweep);
  if (options.queue !== undefined && options.shard) {
    throw new NexdynError('invalid-argument', '--queue and --shard exclude each other', { hint: 'leave one out' });
  }
  const workers = options.workers ?? availableParallelism();
  if (options.dryRun) return printPlan(sweep, workers, options, io);
  const folder = new SweepFolder(options.out ?? nameFolder(file));
  folder.prepare(sweep);

  const interrupt = listenForInterrupt();
  const outcome = await runParts(sweep, folder, { workers, modules }, options, interrupt.signal, io);
  const isInterrupted = interrupt.signal.aborted;
  interrupt.stop();

  const status = countResults(sweep, folder);
  if (status.missing === 0) await writeResults(sweep, folder, io);
  io.writeData(options.json ? `${JSON.stringify(status)}\n` : formatStatus(status));
  if (outcome && outcome.state !== 'finished') return reportQueueEnd(outcome, status.missing, io);
  if (isInterrupted) {
    io.writeMessage(`interrupted with ${formatCount(status.missing, 'run')} left; the same command goes on\n`);
    return EXIT.interrupted;
  }
  if (status.missing > 0) {
    io.writeMessage(
      `${formatCount(status.missing, 'run')} left to other shards; then: nexdyn sweep merge ${folder.path}\n`,
    );
  }
  return chooseExitCode(status);
}

/** Asks a person whether so many runs are meant; a machine needs --max-runs. */
async function hasConsent({ runs }: Sweep, { maxRuns }: SweepCommandOptions, io: CommandIo): Promise<boolean> {
  const { count } = runs;
  if (count <= maxRuns || !io.isTerminal || !process.stdin.isTTY) return false;
  const { createInterface } = await import('node:readline/promises');
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const gigabytes = (count * JSON.stringify(runs.run(0)).length) / 1e9;
    const size = gigabytes < 1 ? '' : `, and their list takes ${Number(gigabytes.toPrecision(2))} GB`;
    return /^y(es)?$/i.test((await terminal.question(`the plan has ${count} runs${size}: go on? [y/N] `)).trim());
  } finally {
    terminal.close();
  }
}

/** Runs what is not finished, here or by the workers of a queue. */
async function runParts(
  sweep: Sweep,
  folder: SweepFolder,
  { workers, modules }: { workers: number; modules: ReturnType<typeof describeModules> },
  options: SweepCommandOptions,
  signal: AbortSignal,
  io: CommandIo,
): Promise<QueueOutcome | undefined> {
  const progress = createSweepProgress(io, options.quiet === true);
  const onProgress = (now: SweepProgress): void => progress.update(now);
  const retryFailed = options.retryFailed === true;
  try {
    if (options.queue !== undefined) {
      const { runOnQueue } = await loadQueue();
      return await runOnQueue(sweep, {
        url: options.queue,
        folder,
        retryFailed,
        ...(options.chunk !== undefined && { chunk: options.chunk }),
        modules: modules.map(({ name, hash }) => ({ name, hash })),
        signal,
        onProgress,
        onMessage: (text) => io.writeMessage(`${text}\n`),
      });
    }
    const addresses = modules.map(({ address }) => address);
    const shard = options.shard && { shard: options.shard };
    await runSweep(sweep, { folder, workers, ...shard, retryFailed, modules: addresses, signal, onProgress });
    return undefined;
  } finally {
    progress.finish();
  }
}

/** The worst that a run came to. */
export function chooseExitCode({ statuses }: SweepStatus): ExitCode {
  const has = (...names: string[]): boolean => names.some((name) => (statuses[name] ?? 0) > 0);
  if (has('failed', 'diverged', 'unstable', 'timed-out')) return EXIT.diverged;
  return has('not-converged') ? EXIT.notConverged : EXIT.ok;
}

/** The table of runs, and how long they will take. */
function printPlan(sweep: Sweep, workers: number, options: SweepCommandOptions, io: CommandIo): ExitCode {
  const { runs } = sweep;
  const shard = options.shard ?? { index: 0, count: 1 };
  if (!options.json) io.writeData(`${['run', 'formulation', 'keyframe', ...runs.columns].join('\t')}\n`);
  let count = 0;
  for (const run of listRuns(runs)) {
    if (run.index % shard.count !== shard.index) continue;
    count++;
    const values = runs.columns.map((column) => run.parameters[column]);
    const start = run.keyframe === undefined ? '' : String(run.keyframe);
    const cells = values.map((value) => (typeof value === 'string' ? value : JSON.stringify(value)));
    const line = [run.index, run.formulation ?? '', start, ...cells].join('\t');
    io.writeData(`${options.json ? JSON.stringify(run) : line}\n`);
  }
  const { pilots, seconds } = estimateTime(sweep, workers);
  const failed = pilots.find(({ error }) => error);
  if (failed?.error) io.writeMessage(`a pilot run failed: ${failed.error.message}\n`);
  const time = formatDuration((seconds * count) / runs.count);
  io.writeMessage(`${formatCount(count, 'run')} on ${formatCount(workers, 'thread')}: about ${time}\n`);
  return EXIT.ok;
}
