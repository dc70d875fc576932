/**
 * Many runs of one model on many threads. Threads take one environment after the other, so a long one does not hold up the
 * rest; results stand in the order of the environments and do not depend on who computed them.
 */
import { type Model, NexdynError } from '@nexdyn/engine';
import type { BatchOptions, BatchResult, Environment, EnvironmentResult } from './environment.ts';
import {
  createFailure,
  createResult,
  describeSource,
  EnvironmentRunner,
  type RunOptions,
} from './environment-runner.ts';
import type { Thread, ThreadStarter } from './thread.ts';

/** What the host offers. */
export interface BatchHost {
  startThread: ThreadStarter;
  /** Cores of the machine. */
  cores: number;
}

/** Runs all environments and waits for the last. */
export async function runBatch(
  model: Model,
  environments: readonly (Environment | Float64Array)[],
  options: BatchOptions,
  host: BatchHost,
): Promise<BatchResult> {
  checkOptions(options);
  const start = performance.now();
  const all = environments.map((entry): Environment => (entry instanceof Float64Array ? { state: entry } : entry));
  const { steps, rest, record } = options;
  const run: RunOptions = { steps, ...(rest && { rest }), ...(record && { record }) };
  const workers = Math.min(options.workers ?? host.cores, all.length);
  const results: EnvironmentResult[] = all.map((_, index) => createResult(index, 'cancelled'));
  const take = (result: EnvironmentResult): void => {
    results[result.index] = result;
    options.onResult?.(result);
  };
  if (workers === 0) await runHere(model, all, run, options.signal, take);
  else await runOnThreads(model, all, run, { workers, startThread: host.startThread, signal: options.signal, take });
  return {
    results,
    failed: results.filter(({ status }) => status === 'diverged' || status === 'failed').map(({ index }) => index),
    steps: results.reduce((sum, result) => sum + result.steps, 0),
    wallTime: (performance.now() - start) / 1000,
    workers,
  };
}

function checkOptions({ steps, workers, rest, record }: BatchOptions): void {
  const isCount = (value: number, least: number): boolean => Number.isSafeInteger(value) && value >= least;
  const fail = (path: string, hint: string): never => {
    throw new NexdynError('invalid-argument', `options.${path} is not a number that makes sense`, { path, hint });
  };
  if (!isCount(steps, 0)) fail('steps', 'a whole number, 0 or more');
  if (workers !== undefined && !isCount(workers, 0)) fail('workers', 'a whole number, 0 or more');
  if (rest && !(rest.speed >= 0)) fail('rest.speed', '0 or more');
  if (rest?.steps !== undefined && !isCount(rest.steps, 1)) fail('rest.steps', 'a whole number, 1 or more');
  if (record?.every !== undefined && !isCount(record.every, 1)) fail('record.every', 'a whole number, 1 or more');
}

/** One after the other in this thread, which may do other things between two of them. */
async function runHere(
  model: Model,
  environments: readonly Environment[],
  run: RunOptions,
  signal: AbortSignal | undefined,
  take: (result: EnvironmentResult) => void,
): Promise<void> {
  const runner = new EnvironmentRunner(describeSource(model), model);
  for (const [index, environment] of environments.entries()) {
    if (signal?.aborted) return;
    take(runner.run(index, environment, run));
    await Promise.resolve();
  }
}

interface ThreadPlan {
  workers: number;
  startThread: ThreadStarter;
  signal: AbortSignal | undefined;
  take: (result: EnvironmentResult) => void;
}

function runOnThreads(
  model: Model,
  environments: readonly Environment[],
  run: RunOptions,
  { workers, startThread, signal, take }: ThreadPlan,
): Promise<void> {
  const source = describeSource(model);
  let next = 0;
  let active = 0;
  return new Promise((resolve, reject) => {
    /** Starts a thread that takes environments until there are none left. */
    const start = (): void => {
      active++;
      let busy: number | undefined;
      let thread: Thread | undefined;
      const finish = (): void => {
        thread?.end();
        active--;
        if (active === 0) resolve();
      };
      const proceed = (): void => {
        if (next >= environments.length || signal?.aborted) {
          finish();
          return;
        }
        busy = next++;
        try {
          thread!.post({ kind: 'run', index: busy, environment: environments[busy]! });
        } catch (error) {
          // what cannot be sent is a failure of this environment alone
          take(createFailure(busy, { code: 'internal', message: (error as Error).message }));
          proceed();
        }
      };
      try {
        thread = startThread({
          onResult(result) {
            take(result);
            proceed();
          },
          onEnd(reason) {
            // the environment that was at work is lost, the others are not
            if (busy !== undefined) take(createFailure(busy, { code: 'internal', message: reason }));
            active--;
            if (next < environments.length && !signal?.aborted && busy !== undefined) start();
            else if (active === 0) resolve();
          },
        });
        thread.post({ kind: 'open', source, options: run });
        proceed();
      } catch (error) {
        reject(error);
      }
    };
    for (let i = 0; i < workers; i++) start();
  });
}
