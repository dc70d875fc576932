/**
 * Drives (joint/drives.ts) as rows of a formulation over velocities: the impulse of a drive is
 *   γ = h u = clamp(−(l̇ − v̂)/R, h low, h high)      1/R = h (h κ + d)      v̂ = f/(h κ + d)
 *   midpoint: u halfway, at l + h (l̇₀ + l̇)/4 and (l̇₀ + l̇)/2:   1/R = h (h k/4 + d/2)      v̂ = f/(h k/4 + d/2) − l̇₀
 * Drives that act are taken out of the free motion before the solve; afterwards the forces that acted are in their places.
 */
import type { Workspace } from '../../dynamics/workspace.ts';
import { Drives } from '../../joint/drives.ts';
import type { JointWorkspace } from '../../joint/joint-workspace.ts';
import type { Model } from '../../model/model.ts';
import { CONSTRAINT_LAW, type ConvexProblem, SOURCE } from '../../objective/convex-problem.ts';
import type { State } from '../../state/state.ts';

/** Where the rows of drives go. */
export interface DriveHost {
  readonly model: Model;
  readonly problem: ConvexProblem;
  readonly joints: JointWorkspace;
  /** Time step, s. */
  readonly h: number;
  /** v at the start of the step. */
  readonly startVelocity: Float64Array;
}

export class DriveRows {
  readonly count: number;
  readonly #host: DriveHost;
  readonly #drives: Drives;

  constructor(host: DriveHost) {
    this.#host = host;
    this.#drives = new Drives(host.model, host.joints);
    this.count = this.#drives.count;
  }

  /** Takes the explicit forces of drives out of the smooth force. */
  begin(state: State, work: Workspace, h: number): void {
    this.#drives.begin(state, work, h);
  }

  add(work: Workspace): void {
    const { problem, joints, h, startVelocity } = this.#host;
    const { isActive, force, stiffness, damping, low, high, isMidpoint } = this.#drives;
    for (let e = 0; e < this.count; e++) {
      if (isActive[e] === 0) continue;
      this.#drives.writeRow(joints.row, e, work);
      const before = isMidpoint ? joints.row.multiply(startVelocity) : 0;
      if (joints.row.write(problem.rows, 1) < 0) continue;
      const rate = isMidpoint ? 0.25 * h * stiffness[e] + 0.5 * damping[e] : h * stiffness[e] + damping[e];
      const row = problem.describe(CONSTRAINT_LAW.spring, SOURCE.drive, e);
      problem.setRow(row, force[e] / rate - before, 1 / (h * rate), h * low[e], h * high[e]);
    }
  }

  /** Moves what drives did from the constraint forces to their own places; the acceleration is that of the step. */
  moveForces(state: State, work: Workspace): void {
    const { problem, h, joints } = this.#host;
    const { rows, source, sourceIndex } = problem;
    const { force } = problem.data;
    const { constraintForce, acceleration } = work;
    if (this.count === 0) return;
    for (let b = 0; b < rows.blockCount; b++) {
      if (source[b] !== SOURCE.drive) continue;
      const u = force[rows.rowStart[b]] / h;
      const { row } = joints;
      this.#drives.writeRow(row, sourceIndex[b], work);
      for (let i = 0; i < row.count; i++) constraintForce[row.column[i]] -= u * row.value[i];
      const speed = row.multiply(state.velocity) + h * row.multiply(acceleration);
      this.#drives.account(sourceIndex[b], u, row, speed, work);
    }
  }
}
