/**
 * Corrections: the bias velocities b that remove penetration and make contacts bounce, and the curvature of joints. Without them a
 * step is always feasible, because zero velocity satisfies all constraints. With them constraints may contradict each other: a joint
 * that holds a body in the floor, or a body between two walls. Such an island is solved again without the corrections of its
 * contacts and limits and, if that is not enough, without all of them. Forces stay finite, and the step is reported as `infeasible`.
 */
import { type ConvexProblem, SOURCE } from '../../objective/convex-problem.ts';
import type { Islands } from '../../objective/islands.ts';

/** Which corrections. */
export type Corrected = 'contacts' | 'all';

/** Speed below which a correction is round-off, m/s or rad/s. */
export const LEAST_CORRECTION = 1e-3;

/** The largest speed that corrections of contacts and limits of an island ask for, m/s or rad/s. */
export function measureCorrections(problem: ConvexProblem, islands: Islands, island: number): number {
  let most = 0;
  visitCorrections(problem, islands, island, 'contacts', (row) => {
    most = Math.max(most, Math.abs(problem.reference[row]));
  });
  return most;
}

/** Takes corrections out of the rows of an island. */
export function dropCorrections(problem: ConvexProblem, islands: Islands, island: number, which: Corrected): void {
  visitCorrections(problem, islands, island, which, (row) => {
    problem.reference[row] = 0;
  });
}

// rigid rows alone: those that give way contradict nothing
function visitCorrections(
  { rows, source, reference, regularization }: ConvexProblem,
  { block, blockStart }: Islands,
  island: number,
  which: Corrected,
  visit: (row: number) => void,
): void {
  for (let s = blockStart[island]; s < blockStart[island + 1]; s++) {
    const b = block[s];
    const first = rows.rowStart[b];
    const kind = source[b];
    if (kind === SOURCE.contact || kind === SOURCE.jointLimit || kind === SOURCE.tendonLimit) {
      // the first row, apart: a gap that may close asks for nothing
      if (reference[first] > 0 && regularization[first] === 0) visit(first);
    } else if (which === 'all' && (kind === SOURCE.equality || kind === SOURCE.constraintJoint)) {
      for (let row = first; row < rows.rowStart[b + 1]; row++) if (regularization[row] === 0) visit(row);
    }
  }
}
