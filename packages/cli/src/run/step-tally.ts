/** Error-controlled steps of a whole run. */
import type { StepReport } from '@nexdyn/engine';

export interface StepTally {
  /** Steps whose error was estimated, each taken as two halves. */
  steps: number;
  /** Steps that were too long and taken back. */
  rejected: number;
  /** s. */
  shortest: number;
  longest: number;
  /** The largest estimate, m or rad. */
  error: number;
  /** Output intervals in which the shortest step was still too long. */
  unmet: number;
}

/** Adds the steps of an output interval; undefined where steps are not error-controlled. */
export function tallySteps(tally: StepTally | undefined, { steps }: StepReport): StepTally | undefined {
  if (!steps) return tally;
  const sum = tally ?? { steps: 0, rejected: 0, shortest: Infinity, longest: 0, error: 0, unmet: 0 };
  sum.steps += steps.lengths.length;
  sum.rejected += steps.rejected;
  sum.shortest = Math.min(sum.shortest, ...steps.lengths);
  sum.longest = Math.max(sum.longest, ...steps.lengths);
  sum.error = Math.max(sum.error, steps.error);
  if (!steps.isMet) sum.unmet++;
  return sum;
}
