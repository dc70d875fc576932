/** What threads share: the pool inside a step, and models that are sent; small, so that threads start fast. What the threads of a pool run is in `work.ts`. */
import { createWorkPool as createPool, type WorkStarter } from './kernels/work-pool.ts';
import type { WorkHost, WorkPool } from './linear-algebra/shared-work.ts';
import { SHARED_ISLANDS } from './objective/island-solver.ts';
import { SharedIslands } from './objective/shared-islands.ts';

export type { WorkPlace, WorkStarter, WorkThread } from './kernels/work-pool.ts';
export type { StepThreads } from './linear-algebra/shared-work.ts';
export { canSendModel, receiveModel } from './model/sent-model.ts';

/** A pool of `count` threads beside the calling one. */
export function createWorkPool(host: WorkHost, count: number, start: WorkStarter): WorkPool {
  SHARED_ISLANDS.provide(SharedIslands);
  return createPool(host, count, start);
}
