/**
 * Which dofs an impact stops in a step of the midpoint rule. The rule moves by the mean velocity; where a contact or limit changes its
 * normal velocity from u to u⁺, that leads (h/2)(u⁺ − u) deeper than the velocity at the end. Where this is more than a body falls in two steps,
 * positions of the dofs of the row advance by the velocity at the end, so that a body that hits a floor does not sink into it.
 */
import type { Workspace } from '../dynamics/workspace.ts';
import type { Model } from '../model/model.ts';
import { type ConvexProblem, SOURCE } from '../objective/convex-problem.ts';

/** Marks them in the workspace; `before` and `after` are the velocities of all dofs of the problem. */
export function markImpacts(
  work: Workspace,
  problem: ConvexProblem,
  { options: { gravity } }: Model,
  before: Float64Array,
  after: Float64Array,
  h: number,
): void {
  const { isImpact } = work;
  if (isImpact.length === 0) return;
  isImpact.fill(0);
  const { rows, source, force } = problem;
  const slight = 4 * h * (Math.sqrt(gravity[0] ** 2 + gravity[1] ** 2 + gravity[2] ** 2) + 1);
  for (let b = 0; b < rows.blockCount; b++) {
    const isOneSided =
      source[b] === SOURCE.contact || source[b] === SOURCE.jointLimit || source[b] === SOURCE.tendonLimit;
    if (!isOneSided || !(force[rows.rowStart[b]] > 0)) continue;
    const first = rows.columnStart[b];
    const values = rows.valueStart[b];
    let change = 0;
    for (let i = 0; i < rows.columnCount[b]; i++) {
      const c = rows.column[first + i];
      change += rows.value[values + i] * (after[c] - before[c]);
    }
    if (!(change > slight)) continue;
    for (let i = 0; i < rows.columnCount[b]; i++) {
      const c = rows.column[first + i];
      if (c < isImpact.length) isImpact[c] = 1;
    }
  }
}
