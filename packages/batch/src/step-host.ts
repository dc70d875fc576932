import type { WorkStarter } from '@nexdyn/engine/threads';

/** What the host offers for threads inside a step. */
export interface StepHost {
  /** Whether the calling thread may wait for others and shares its memory with them. */
  canWait: boolean;
  startWork: WorkStarter;
}
