export { PASSWORD_VARIABLE } from './connection.ts';
export { QueueControl, type QueuedSweep, type QueueStatus } from './control.ts';
export type { ModuleDescription } from './keys.ts';
export { type QueueOptions, type QueueOutcome, runOnQueue } from './run-on-queue.ts';
export { serveQueue, type WorkerOptions } from './serve-queue.ts';
export type { WorkerSign } from './worker-sign.ts';
