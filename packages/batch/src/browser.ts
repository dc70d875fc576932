/** Batches in a browser, on Web Workers. Works without cross-origin isolation: nothing is shared between them. */
import type { Model } from '@nexdyn/engine';
import { Batch, type BatchHost, runBatch } from './batch.ts';
import type { BatchOptions, BatchResult, Environment, EnvironmentResult } from './environment.ts';
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
  return { startThread, cores: navigator.hardwareConcurrency || 1 };
}

const startThread: ThreadStarter = ({ onResult, onEnd }) => {
  // written out so that bundlers see it
  const worker = new Worker(new URL('./browser-thread.js', import.meta.url), { type: 'module' });
  worker.onmessage = ({ data }: MessageEvent<EnvironmentResult>) => onResult(data);
  worker.onerror = ({ message }) => {
    worker.terminate();
    onEnd(`the thread ended: ${message}`);
  };
  return { post: (request) => worker.postMessage(request), end: () => worker.terminate() };
};
