/** Threads inside a step: the pool of a simulation, and what a thread of it runs; small, so that threads start fast. */
export { createWorkPool, serveWork, type WorkPlace, type WorkStarter, type WorkThread } from './kernels/work-pool.ts';
export type { StepThreads } from './linear-algebra/shared-work.ts';
