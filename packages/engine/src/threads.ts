/** What threads share: the pool inside a step, and models that are sent; small, so that threads start fast. What the threads of a pool run is in `work.ts`. */
export { createWorkPool, type WorkPlace, type WorkStarter, type WorkThread } from './kernels/work-pool.ts';
export type { StepThreads } from './linear-algebra/shared-work.ts';
export { canSendModel, receiveModel } from './model/sent-model.ts';
