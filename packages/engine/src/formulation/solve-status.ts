/** How a step ended, in one word. */

/**
 * How a step ended. Taken: `converged` (the solver met its tolerance), `iteration-limit`, `stalled` (no further progress in double
 * precision) and `infeasible` (constraints contradict each other; forces are finite). Not taken, the state stays as it was:
 * `diverged` (a number is not finite), `unstable` (energy appeared that nothing explains) and `timed-out`.
 */
export type SolveStatus = TakenStatus | RefusedStatus;

/** Ends of steps that were taken. */
export type TakenStatus = 'converged' | 'iteration-limit' | 'stalled' | 'infeasible';

/** Ends of steps that were not taken. */
export type RefusedStatus = 'diverged' | 'unstable' | 'timed-out';

/** Whether a step that ended like this was taken. */
export function wasTaken(status: SolveStatus): status is TakenStatus {
  return status !== 'diverged' && status !== 'unstable' && status !== 'timed-out';
}
