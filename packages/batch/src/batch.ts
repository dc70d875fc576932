/**
 * Many runs of one model on many threads. Threads take one environment after the other, so a long one does not hold up the
 * rest; results are in the order of the environments and do not depend on who computed them.
 */
import { compileModel, type Model, NexdynError, type Scene } from '@nexdyn/engine/core';
import type {
  BatchOptions,
  BatchResult,
  Environment,
  EnvironmentResult,
  OpenOptions,
  RecordOptions,
} from './environment.ts';
import { createResult } from './environment-result.ts';
import { EnvironmentRunner, type RunOptions } from './environment-runner.ts';
import { checkRecordBytes, countFrameBytes, MOST_RECORD_BYTES } from './frame-recorder.ts';
import { measureField, requireRecordedField } from './readout-field.ts';
import type { ThreadStarter } from './thread.ts';
import { ThreadPool } from './thread-pool.ts';
import { type ModelSource, withModel } from './variants.ts';

/** What the host offers. */
export interface BatchHost {
  startThread: ThreadStarter;
  /** Cores of the machine. */
  cores: number;
  /** Whether threads can work on one block of memory. */
  canShare: boolean;
}

/** Outcomes of environments that did not finish. */
const FAILED: ReadonlySet<string> = new Set(['diverged', 'unstable', 'timed-out', 'failed']);

/** Threads that keep a compiled model, for several batches of one scene. */
export class Batch {
  /** Of the scene as it was when the batch was opened. */
  readonly model: Model;
  /** Threads at most; 0 runs everything in the calling one. */
  readonly workers: number;
  readonly #source: ModelSource;
  readonly #pool: ThreadPool;
  #here: EnvironmentRunner | undefined;
  #isBusy = false;

  constructor(scene: Scene, host: BatchHost, { workers = host.cores, compile = {} }: OpenOptions = {}) {
    if (!isCount(workers, 0)) failOption('workers', 'a whole number, 0 or more');
    this.workers = workers;
    this.#source = { scene: structuredClone(scene), compile: { ...compile } };
    this.model = compileModel(this.#source.scene, compile);
    this.#pool = new ThreadPool(withModel(this.#source, this.model), host.startThread);
  }

  /** Runs all environments and waits for the last. */
  async run(
    environments: readonly (Environment | Float64Array)[],
    options: Omit<BatchOptions, keyof OpenOptions>,
  ): Promise<BatchResult> {
    checkOptions(options);
    checkRecord(this.model, environments.length, options);
    if (this.#isBusy) {
      throw new NexdynError('invalid-argument', 'the batch is running', { hint: 'wait for it, or open another' });
    }
    const start = performance.now();
    const all = environments.map((entry): Environment => (entry instanceof Float64Array ? { state: entry } : entry));
    const { steps, rest, record, program, gradient, signal, onResult } = options;
    const run: RunOptions = {
      steps,
      ...(rest && { rest }),
      ...(program !== undefined && { program }),
      ...(gradient && { gradient }),
      ...(record && { record: { ...record, maximumBytes: shareBytes(record, all.length) } }),
    };
    const results: EnvironmentResult[] = all.map((_, index) => createResult(index, 'cancelled'));
    const take = (result: EnvironmentResult): void => {
      results[result.index] = result;
      onResult?.(result);
    };
    const workers = Math.min(this.workers, all.length);
    this.#isBusy = true;
    try {
      if (workers === 0) await this.#runHere(all, run, signal, take);
      else await this.#pool.run({ environments: all, run, workers, signal, take });
    } finally {
      this.#isBusy = false;
    }
    return {
      results,
      failed: results.filter(({ status }) => FAILED.has(status)).map(({ index }) => index),
      steps: results.reduce((sum, result) => sum + result.steps, 0),
      wallTime: (performance.now() - start) / 1000,
      workers,
    };
  }

  /** Ends the threads, whatever they do. */
  close(): void {
    this.#pool.close();
    this.#here = undefined;
  }

  async #runHere(
    environments: readonly Environment[],
    run: RunOptions,
    signal: AbortSignal | undefined,
    take: (result: EnvironmentResult) => void,
  ): Promise<void> {
    this.#here ??= new EnvironmentRunner(this.#source, this.model);
    for (const [index, environment] of environments.entries()) {
      if (signal?.aborted) return;
      take(await this.#here.run(index, environment, run));
    }
  }
}

/** One batch on separate threads. */
export async function runBatch(
  scene: Scene,
  environments: readonly (Environment | Float64Array)[],
  options: BatchOptions,
  host: BatchHost,
): Promise<BatchResult> {
  if (!Array.isArray(environments) || options === undefined) {
    throw new NexdynError('invalid-argument', 'a batch takes a scene, a list of environments and options', {
      path: Array.isArray(environments) ? 'options' : 'environments',
      hint: 'for example simulateBatch(scene, [{}, {}], { steps: 100 })',
    });
  }
  const { workers, compile, ...rest } = options;
  const batch = new Batch(scene, host, { ...(workers !== undefined && { workers }), ...(compile && { compile }) });
  try {
    return await batch.run(environments, rest);
  } finally {
    batch.close();
  }
}

function isCount(value: number, least: number): boolean {
  return Number.isSafeInteger(value) && value >= least;
}

function failOption(path: string, hint: string): never {
  throw new NexdynError('invalid-argument', `options.${path} is not a valid number`, { path, hint });
}

function checkOptions({ steps, rest, record }: Omit<BatchOptions, keyof OpenOptions>): void {
  if (!isCount(steps, 0)) failOption('steps', 'a whole number, 0 or more');
  if (rest && !(rest.speed >= 0)) failOption('rest.speed', '0 or more');
  if (rest?.steps !== undefined && !isCount(rest.steps, 1)) failOption('rest.steps', 'a whole number, 1 or more');
  if (record?.maximumBytes !== undefined && !(record.maximumBytes > 0)) failOption('record.maximumBytes', 'above 0');
  if (record?.every !== undefined && !isCount(record.every, 1)) failOption('record.every', 'a whole number, 1 or more');
  record?.fields.forEach((name, i) => {
    requireRecordedField(name, `record.fields[${i}]`);
  });
}

/** What one environment may keep. */
function shareBytes({ maximumBytes = MOST_RECORD_BYTES }: RecordOptions, environments: number): number {
  return maximumBytes / Math.max(environments, 1);
}

/** Frames that will not fit are refused before anything runs; where rest may end it early, while it runs. */
function checkRecord(model: Model, environments: number, { steps, rest, program, record }: BatchOptions): void {
  if (!record || rest || program !== undefined) return;
  const widths = record.fields.map((name) => measureField(model, name));
  const frames = Math.ceil(steps / (record.every ?? 1)) + 1;
  const bytes = environments * frames * countFrameBytes(widths);
  checkRecordBytes(bytes, record.maximumBytes ?? MOST_RECORD_BYTES, `${frames} frames of ${environments} environments`);
}
