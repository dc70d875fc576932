/** Many runs of one model on all cores: worker threads in Node, Web Workers in browsers, whichever the package finds itself in. */

import type { Model } from '@nexdyn/engine';
import { createHost } from '#host';
import { Batch, runBatch } from './batch.ts';
import type { BatchOptions, BatchResult, Environment } from './environment.ts';

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
