import type { SweepRun } from '../plan/expand-plan.ts';
import type { SweepSetting } from './run-once.ts';
import type { RunResult } from './run-result.ts';

/** What a thread knows from the start. */
export interface ThreadSetting extends SweepSetting {
  /** Addresses of modules that register formulations, shapes or terms. */
  modules: readonly string[];
}

/** To a thread. */
export interface ThreadRequest {
  run: SweepRun;
}

/** From a thread: that it is loaded, then a result for each run. */
export type ThreadAnswer = { kind: 'ready' } | { kind: 'result'; result: RunResult };
