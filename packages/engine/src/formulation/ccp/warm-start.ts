/**
 * Impulses from step to step, by the key of their constraint: contacts by pair of shapes and feature, others by kind
 * and index. Keys ascend in the order in which rows are built.
 */
import type { ContactSet } from '../../collision/contact-set.ts';
import { type ConvexProblem, SOURCE } from '../../objective/convex-problem.ts';
import type { ConstraintImpulses } from '../../state/constraint-impulses.ts';

/** First part of names that are not of contacts: negative, by the order of building. */
const RANK: Readonly<Record<number, number>> = {
  [SOURCE.term]: -9,
  [SOURCE.constraintJoint]: -8,
  [SOURCE.drive]: -7,
  [SOURCE.equality]: -6,
  [SOURCE.dofFriction]: -5,
  [SOURCE.tendonFriction]: -4,
  [SOURCE.jointLimit]: -3,
  [SOURCE.tendonLimit]: -2,
  [SOURCE.attachment]: -1,
};

/** Writes the impulses of the last step to `force`, 0 where a constraint is new. */
export function readImpulses(problem: ConvexProblem, contacts: ContactSet, impulses: ConstraintImpulses): void {
  const { rows, source, sourceIndex, force } = problem;
  impulses.rewind();
  for (let b = 0; b < rows.blockCount; b++) {
    const i = sourceIndex[b];
    const isContact = source[b] === SOURCE.contact;
    const at = isContact ? impulses.find(contacts.pair[i], contacts.feature[i]) : impulses.find(rankOf(problem, b), i);
    const first = rows.rowStart[b];
    for (let r = first; r < rows.rowStart[b + 1]; r++) force[r] = at < 0 ? 0 : impulses.value[at + r - first];
  }
}

/** Keeps the impulses in `force` for the next step. */
export function writeImpulses(problem: ConvexProblem, contacts: ContactSet, impulses: ConstraintImpulses): void {
  const { rows, source, sourceIndex, force } = problem;
  impulses.clear();
  for (let b = 0; b < rows.blockCount; b++) {
    const i = sourceIndex[b];
    const first = rows.rowStart[b];
    const count = rows.rowStart[b + 1] - first;
    if (source[b] === SOURCE.contact) impulses.add(contacts.pair[i], contacts.feature[i], force, first, count);
    else impulses.add(rankOf(problem, b), i, force, first, count);
  }
}

// armature of joints comes after their constraints
function rankOf({ rows, source, regularization }: ConvexProblem, b: number): number {
  return RANK[source[b]] + (source[b] === SOURCE.constraintJoint && regularization[rows.rowStart[b]] > 0 ? 0.5 : 0);
}
