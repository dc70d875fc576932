/**
 * Drives (joint/drives.ts) as rows of `mujoco`: with l̇⁺ = l̇ + h (J a + J̇ v) the force of a drive is
 *   u = clamp(−D (J a − a_ref), low, high)      D = h (h κ + d)      a_ref = f/D − l̇/h − J̇ v
 */
import type { Workspace } from '../../dynamics/workspace.ts';
import { Drives } from '../../joint/drives.ts';
import { CONSTRAINT_LAW, SOURCE } from '../../objective/convex-problem.ts';
import type { State } from '../../state/state.ts';
import type { MujocoBuilder } from './mujoco-builder.ts';

export class DriveBlocks {
  readonly #builder: MujocoBuilder;
  readonly #drives: Drives;

  constructor(builder: MujocoBuilder) {
    this.#builder = builder;
    this.#drives = new Drives(builder.model, builder.joints);
  }

  /** Takes the explicit forces of drives out of the smooth force. */
  begin(state: State, work: Workspace, h: number): void {
    this.#drives.begin(state, work, h);
  }

  add(work: Workspace): void {
    const { problem, joints, h } = this.#builder;
    const { count, isActive, force, stiffness, damping, low, high } = this.#drives;
    for (let e = 0; e < count; e++) {
      if (isActive[e] === 0) continue;
      this.#drives.writeRow(joints.row, e, work);
      if (joints.row.write(problem.rows, 1) < 0) continue;
      const inertia = h * (h * stiffness[e] + damping[e]);
      const row = problem.describe(CONSTRAINT_LAW.spring, SOURCE.drive, e);
      const reference = force[e] / inertia - this.#drives.measureRate(e);
      this.#builder.setRow(row, reference, 1 / inertia, low[e], high[e], 1 / h);
    }
  }

  /** Moves what drives did from the constraint forces to their own places; the acceleration is that of the step. */
  moveForces(state: State, work: Workspace): void {
    const { problem, joints, h } = this.#builder;
    const { rows, source, sourceIndex } = problem;
    const { force } = problem.data;
    if (this.#drives.count === 0) return;
    const { row } = joints;
    for (let b = 0; b < rows.blockCount; b++) {
      if (source[b] !== SOURCE.drive) continue;
      const u = force[rows.rowStart[b]];
      this.#drives.writeRow(row, sourceIndex[b], work);
      for (let i = 0; i < row.count; i++) work.constraintForce[row.column[i]] -= u * row.value[i];
      const speed = row.multiply(state.velocity) + h * row.multiply(work.acceleration);
      this.#drives.account(sourceIndex[b], u, row, speed, work);
    }
  }
}
