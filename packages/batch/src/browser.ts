/** Batches in a browser, on Web Workers. Works without cross-origin isolation: nothing is shared between them. */
import type { Model } from '@nexdyn/engine';
import { runBatch } from './batch.ts';
import type { BatchOptions, BatchResult, Environment, EnvironmentResult } from './environment.ts';
import type { ThreadStarter } from './thread.ts';

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
  return runBatch(model, environments, options, { startThread, cores: navigator.hardwareConcurrency || 1 });
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
