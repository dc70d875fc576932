/** Batches in Node, on its worker threads. */
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { Model } from '@nexdyn/engine';
import { Batch, type BatchHost, runBatch } from './batch.ts';
import type { BatchOptions, BatchResult, Environment } from './environment.ts';
import type { ThreadStarter } from './thread.ts';

export type { Batch } from './batch.ts';
export type * from './environment.ts';

/**
 * Runs many environments of a model on all cores. Each has its own state and parameters, stops when it is done, and fails
 * alone; results are the same for any number of workers.
 */
export function simulateBatch(
  model: Model,
  environments: readonly (Environment | Float64Array)[],
  options: BatchOptions,
): Promise<BatchResult> {
  return runBatch(model, environments, options, createHost());
}

/** Threads that stay for several batches of one model: starting them and compiling the model is paid once. Close it at the end. */
export function openBatch(model: Model, options: { workers?: number } = {}): Batch {
  return new Batch(model, createHost(), options.workers);
}

function createHost(): BatchHost {
  return { startThread, cores: availableParallelism() };
}

const isSource = import.meta.url.endsWith('.ts');
/** Node runs compiled files: sources start the thread of the build beside them. */
const THREAD = new URL(isSource ? '../dist/node-thread.js' : './node-thread.js', import.meta.url);

const startThread: ThreadStarter = ({ onResult, onEnd }) => {
  // flags that lead this thread to sources must not lead a compiled one there
  const worker = new Worker(THREAD, isSource ? { execArgv: [] } : {});
  let isEnded = false;
  let reason = 'the thread ended';
  worker.on('message', onResult);
  worker.on('error', (error) => {
    reason = `the thread ended: ${(error as Error).message}`;
  });
  worker.on('exit', () => {
    if (!isEnded) onEnd(reason);
  });
  return {
    post: (request) => worker.postMessage(request),
    end() {
      isEnded = true;
      void worker.terminate();
    },
  };
};
