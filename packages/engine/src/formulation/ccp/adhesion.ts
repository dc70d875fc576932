/**
 * Contacts with adhesion A: A pulls the bodies together as a smooth force, and the friction cone
 * is that of γ + h A. The net impulse between the bodies satisfies γ_n ≥ −h A, |γ_t| ≤ μ (γ_n + h A).
 */
import type { ContactSet } from '../../collision/contact-set.ts';
import type { Workspace } from '../../dynamics/workspace.ts';
import { type ConvexProblem, SOURCE } from '../../objective/convex-problem.ts';

/** Adds the forces of adhesion to the smooth ones; false where there are none. Columns of the problem are global. */
export function addAdhesion(problem: ConvexProblem, work: Workspace, contacts: ContactSet): boolean {
  const { rows, source, sourceIndex, blockCount } = problem;
  let isPresent = false;
  for (let b = 0; b < blockCount; b++) {
    if (source[b] !== SOURCE.contact) continue;
    const hold = contacts.adhesion[sourceIndex[b]];
    if (hold === 0) continue;
    isPresent = true;
    const start = rows.columnStart[b];
    for (let k = 0; k < rows.columnCount[b]; k++) {
      work.smoothForce[rows.column[start + k]] -= hold * rows.value[rows.valueStart[b] + k];
    }
  }
  return isPresent;
}

/** Takes adhesion off the normal forces of contacts: what acts between the bodies. */
export function subtractAdhesion(problem: ConvexProblem, contacts: ContactSet): void {
  const { source, sourceIndex, blockCount } = problem;
  for (let b = 0; b < blockCount; b++) {
    if (source[b] === SOURCE.contact) contacts.force[6 * sourceIndex[b]] -= contacts.adhesion[sourceIndex[b]];
  }
}
