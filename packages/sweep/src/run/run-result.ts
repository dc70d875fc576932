/** What a run came to. Everything but `wallTime` depends on the run alone, and a table has nothing else. */
import { NexdynError, type RefusedStatus } from '@nexdyn/engine/core';

/**
 * How a run ended: at its time, by a condition of the plan, with steps that missed their tolerance, at a step that could not be taken,
 * or by an error (a wrong value, a thread that died). `timed-out`: the run or a step took too long.
 */
export type RunStatus = 'completed' | 'stopped' | 'not-converged' | RefusedStatus | 'failed';

export interface RunResult {
  key: string;
  status: RunStatus;
  /** Which condition of the plan ended it. */
  stopped: string | null;
  /** Steps taken. */
  steps: number | null;
  /** Simulated time at the end, s. */
  time: number | null;
  unconvergedSteps: number | null;
  /** Of all steps. */
  iterations: number | null;
  /** Change of the total energy, J. */
  energyDrift: number | null;
  finalHash: string | null;
  /** By name; null where it is no number. */
  measures: Record<string, number | null>;
  error: { code: NexdynError['code'] | 'internal' | 'time-limit'; message: string } | null;
  /** Time that the run took, s: differs from machine to machine. */
  wallTime: number;
}

/** A run that came to nothing. */
export function createFailure(
  key: string,
  error: NonNullable<RunResult['error']>,
  status: RunStatus = 'failed',
): RunResult {
  return {
    key,
    status,
    stopped: null,
    steps: null,
    time: null,
    unconvergedSteps: null,
    iterations: null,
    energyDrift: null,
    finalHash: null,
    measures: {},
    error,
    wallTime: 0,
  };
}

export function describeError(error: unknown): NonNullable<RunResult['error']> {
  if (error instanceof NexdynError) return { code: error.code, message: error.message };
  return { code: 'internal', message: error instanceof Error ? error.message : String(error) };
}

/** Whether a run has no sound result: it could not begin, or a step could not be taken. */
export function hasFailed({ status }: Pick<RunResult, 'status'>): boolean {
  return status === 'failed' || status === 'diverged' || status === 'unstable' || status === 'timed-out';
}
