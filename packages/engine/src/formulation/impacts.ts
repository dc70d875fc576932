/**
 * Which dofs an impact stops in a step of the midpoint rule. The rule moves by the mean velocity; where a contact or limit changes its
 * normal velocity from u to u⁺, that leads (h/2)(u⁺ − u) deeper than the velocity at the end. Where this is more than a body falls in two steps,
 * positions of the dofs of the row advance by the velocity at the end, so that a body that hits a floor does not sink into it.
 */
import type { Workspace } from '../dynamics/workspace.ts';
import type { Model } from '../model/model.ts';
import { type ConvexProblem, SOURCE } from '../objective/convex-problem.ts';
import type { Islands } from '../objective/islands.ts';

/** Change of a normal velocity that is no impact yet, m/s: what a body gains by its weight in four steps, and a little. */
export function findSlightChange({ options: { gravity } }: Model, h: number): number {
  return 4 * h * (Math.sqrt(gravity[0] ** 2 + gravity[1] ** 2 + gravity[2] ** 2) + 1);
}

/**
 * Marks them in the workspace; `before` and `after` are the velocities of all dofs of the problem. The problem has been split: its
 * columns are numbers within an island.
 */
export function markImpacts(
  work: Workspace,
  problem: ConvexProblem,
  islands: Islands,
  before: Float64Array,
  after: Float64Array,
  slight: number,
): void {
  const { isImpact } = work;
  if (isImpact.length === 0) return;
  const { rows, source } = problem;
  const { force } = problem.data;
  const { dof, dofStart, block, blockStart, count } = islands;
  for (let island = 0; island < count; island++) {
    const firstDof = dofStart[island];
    for (let k = blockStart[island]; k < blockStart[island + 1]; k++) {
      const b = block[k];
      const isOneSided =
        source[b] === SOURCE.contact || source[b] === SOURCE.jointLimit || source[b] === SOURCE.tendonLimit;
      if (!isOneSided || !(force[rows.rowStart[b]] > 0)) continue;
      const first = rows.columnStart[b];
      const values = rows.valueStart[b];
      let change = 0;
      for (let i = 0; i < rows.columnCount[b]; i++) {
        const d = dof[firstDof + rows.column[first + i]];
        change += rows.value[values + i] * (after[d] - before[d]);
      }
      if (!(change > slight)) continue;
      for (let i = 0; i < rows.columnCount[b]; i++) {
        const d = dof[firstDof + rows.column[first + i]];
        if (d < isImpact.length) isImpact[d] = 1;
      }
    }
  }
}
