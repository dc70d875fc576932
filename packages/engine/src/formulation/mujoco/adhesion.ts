/**
 * Contacts with adhesion A: A pulls the bodies together as a smooth force, and a_ref of the normal grows by R A, so
 * that the row pushes A more at the same depth. The net force between the bodies is f − A: they separate when pulled with more than
 * A, sink as without adhesion, and friction is bounded by μ f. A contact that is only detected (within the gap) pulls
 * as well: magnets act at a distance.   Source: MuJoCo 3.14.0, changelog of 3.11 and its arrays.
 */
import type { ContactSet } from '../../collision/contact-set.ts';
import type { Workspace } from '../../dynamics/workspace.ts';
import { CONSTRAINT_LAW, type ConvexProblem, SOURCE } from '../../objective/convex-problem.ts';

/** Adds the adhesion of contact i, whose rows are the last block of the problem. */
export function addAdhesion(problem: ConvexProblem, work: Workspace, contacts: ContactSet, i: number): void {
  const hold = contacts.adhesion[i];
  const { rows, regularization, reference } = problem;
  const block = rows.blockCount - 1;
  const first = rows.rowStart[block];
  // the edges of a pyramid share it
  const parts = problem.law[block] === CONSTRAINT_LAW.pyramid ? 2 * (rows.rowCount - first - 1) : 1;
  reference[first] += (regularization[first] * hold) / parts;
  const start = rows.columnStart[block];
  for (let k = 0; k < rows.columnCount[block]; k++) {
    work.smoothForce[rows.column[start + k]] -= hold * rows.value[rows.valueStart[block] + k];
  }
}

/** Takes adhesion off the normal forces of contacts: what acts between the bodies. */
export function subtractAdhesion(problem: ConvexProblem, contacts: ContactSet): void {
  const { source, sourceIndex, blockCount } = problem;
  for (let b = 0; b < blockCount; b++) {
    if (source[b] !== SOURCE.contact) continue;
    contacts.force[6 * sourceIndex[b]] -= contacts.adhesion[sourceIndex[b]];
  }
}
