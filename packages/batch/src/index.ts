/** Many runs of one scene on all cores: worker threads in Node, Web Workers in browsers, whichever the package finds itself in. */

// the calling thread has all parts; others load those they need
import '@nexdyn/engine';
import type { Scene } from '@nexdyn/engine/core';
import { createHost } from '#host';
import { Batch, runBatch } from './batch.ts';
import type { BatchOptions, BatchResult, Environment, OpenOptions } from './environment.ts';
import { ResidentBatch } from './resident/resident-batch.ts';
import type { ResidentBatchOptions } from './resident/resident-options.ts';

export type { Batch } from './batch.ts';
export type * from './environment.ts';
export type { BlockField, BlockLayout } from './resident/block-layout.ts';
export type { ResidentBatch } from './resident/resident-batch.ts';
export { type EndedEnvironment, RESIDENT_STATUS } from './resident/resident-messages.ts';
export type { ResidentBatchOptions, StepSummary } from './resident/resident-options.ts';
export { stepThreads } from './step-threads.ts';

/**
 * Runs many environments of a scene on all cores. Each has its own state and parameters, stops when it is done, and fails
 * alone; results are the same for any number of workers.
 */
export function simulateBatch(
  scene: Scene,
  environments: readonly (Environment | Float64Array)[],
  options: BatchOptions,
): Promise<BatchResult> {
  return runBatch(scene, environments, options, createHost());
}

/** Threads that stay for several batches of one scene: starting them and compiling it is paid once. Close it at the end. */
export function openBatch(scene: Scene, options: OpenOptions = {}): Batch {
  return new Batch(scene, createHost(), options);
}

/** Environments that stay in their threads, for many short calls: `step(controls)`, `reset(indices)`. Close it at the end. */
export async function createBatch(scene: Scene, options: ResidentBatchOptions): Promise<ResidentBatch> {
  const batch = new ResidentBatch(scene, createHost(), options);
  await batch.open();
  return batch;
}
