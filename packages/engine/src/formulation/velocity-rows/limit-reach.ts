/**
 * How far joints and tendons may come in a step, twice over: 2 h max(|v|, |v*|), m or rad. Formulations that act on velocities
 * give limits within that distance a row, so that a limit is met and not crossed.
 */
import type { Workspace } from '../../dynamics/workspace.ts';
import type { JointWorkspace } from '../../joint/joint-workspace.ts';
import type { Memory } from '../../linear-algebra/memory.ts';
import { JOINT, type Model } from '../../model/model.ts';

export class LimitReach {
  /** Per joint, constraint joints after the others. */
  readonly joint: Float64Array;
  readonly tendon: Float64Array;
  readonly #model: Model;
  readonly #joints: JointWorkspace;

  constructor(model: Model, joints: JointWorkspace, memory: Memory) {
    const { size, constraintJoint } = model;
    this.#model = model;
    this.#joints = joints;
    this.joint = memory.f64(size.joint + constraintJoint.kind.length);
    this.tendon = memory.f64(size.tendon);
  }

  /** Takes v at the start of the step and v*; speeds are at least the least one. */
  measure(work: Workspace, start: Float64Array, free: Float64Array, h: number, least = 0): void {
    const { joint, tendon, size, constraintJoint } = this.#model;
    const { velocity } = this.#joints.coordinates;
    for (let c = 0; c < constraintJoint.kind.length; c++) {
      if (constraintJoint.limited[c] === 0) continue;
      const count = constraintJoint.kind[c] === JOINT.ball ? 3 : 1;
      const speed = Math.max(least, measureSpeed(velocity, 3 * c, count), this.#measureJoint(c, count, free));
      this.joint[size.joint + c] = 2 * h * speed;
    }
    for (let j = 0; j < size.joint; j++) {
      if (joint.limited[j] === 0) continue;
      const i = joint.dofStart[j];
      const count = joint.kind[j] === JOINT.ball ? 3 : 1;
      this.joint[j] = 2 * h * Math.max(least, measureSpeed(start, i, count), measureSpeed(free, i, count));
    }
    const { rowStart, column } = work.plan.tendon;
    for (let t = 0; t < size.tendon; t++) {
      if (tendon.limited[t] === 0) continue;
      let before = 0;
      let after = 0;
      for (let k = rowStart[t]; k < rowStart[t + 1]; k++) {
        const i = column[k];
        const value = work.tendonJacobian[t * size.velocity + i];
        before += value * start[i];
        after += value * free[i];
      }
      this.tendon[t] = 2 * h * Math.max(least, Math.abs(before), Math.abs(after));
    }
  }

  // |J v| of a joint of body coordinates
  #measureJoint(c: number, count: number, v: Float64Array): number {
    const { row, coordinates } = this.#joints;
    const { rows, block, row: firstRow } = coordinates;
    let square = 0;
    for (let k = 0; k < count; k++) {
      row.clear();
      row.addBlockRow(rows, block[c], firstRow[c] + k, 1);
      square += row.multiply(v) ** 2;
    }
    return Math.sqrt(square);
  }
}

function measureSpeed(velocity: Float64Array, first: number, count: number): number {
  let square = 0;
  for (let i = first; i < first + count; i++) square += velocity[i] * velocity[i];
  return Math.sqrt(square);
}
