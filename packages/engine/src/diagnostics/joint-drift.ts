/**
 * How far joints are from what they ought to be, at the poses of a workspace:
 *   drift C(q) of joints of body coordinates and of equalities that act; limits max(low − q, q − high)₊; m or rad.
 * Springs of joints of body coordinates store Σ ½ k (q − q₀)², which is no part of `simulation.energy()`.
 */
import type { Workspace } from '../dynamics/workspace.ts';
import { writeEquality } from '../joint/equality.ts';
import { updateJointCoordinates, writeJointChain } from '../joint/joint-coordinate.ts';
import type { JointWorkspace } from '../joint/joint-workspace.ts';
import { writeJointLimits, writeTendonLimits } from '../joint/limit.ts';
import { createResidual } from '../joint/residual.ts';
import { BlockRows } from '../linear-algebra/block-rows.ts';
import type { Memory } from '../linear-algebra/memory.ts';
import { rotationVector } from '../linear-algebra/quaternion.ts';
import { JOINT, type Model } from '../model/model.ts';
import type { State } from '../state/state.ts';

const residual = /* @__PURE__ */ createResidual();
const angle = /* @__PURE__ */ new Float64Array(3);

export class JointDrift {
  readonly #joints: JointWorkspace;
  readonly #rows: BlockRows;
  readonly #hasLimits: boolean;
  #violation = 0;
  readonly #receiver: { add(block: number, distance: number): void } = {
    add: (_, distance) => {
      this.#violation = Math.max(this.#violation, -distance);
    },
  };

  constructor({ joint, tendon, constraintJoint }: Model, joints: JointWorkspace, memory: Memory) {
    this.#joints = joints;
    this.#rows = new BlockRows(memory);
    this.#hasLimits = [joint.limited, tendon.limited, constraintJoint.limited].some((flags) => flags.some(Boolean));
  }

  /** Brings joints of body coordinates up to the poses; before the others. */
  update(model: Model, work: Workspace): void {
    if (model.constraintJoint.kind.length > 0) updateJointCoordinates(model, work, this.#joints.coordinates);
  }

  /** Worst |C|. */
  measureDrift(model: Model, state: State, work: Workspace): number {
    const { coordinates } = this.#joints;
    let worst = 0;
    this.#rows.clear();
    for (let b = 0; b < coordinates.chains.length; b++) {
      residual.dimension = 0;
      writeJointChain(this.#rows, model, work, coordinates, b, residual);
      worst = Math.max(worst, measureLargest());
    }
    if (model.options.disabled.has('equality')) return worst;
    for (let e = 0; e < model.size.equality; e++) {
      if (state.equalityActive[e] === 0) continue;
      residual.dimension = 0;
      writeEquality(this.#rows, model, state, work, this.#joints, e, residual);
      worst = Math.max(worst, measureLargest());
    }
    return worst;
  }

  /** Worst distance beyond a limit. */
  measureLimits(model: Model, state: State, work: Workspace): number {
    this.#violation = 0;
    if (!this.#hasLimits || model.options.disabled.has('limit')) return 0;
    this.#rows.clear();
    writeJointLimits(this.#rows, model, state, this.#joints, undefined, this.#receiver);
    writeTendonLimits(this.#rows, model, work, this.#joints, undefined, this.#receiver);
    return this.#violation;
  }

  /** Energy of springs of joints of body coordinates, J. */
  measureSprings({ constraintJoint, options }: Model): number {
    if (options.disabled.has('spring')) return 0;
    const { kind, stiffness, springReference } = constraintJoint;
    const { position, orientation } = this.#joints.coordinates;
    let energy = 0;
    for (let c = 0; c < kind.length; c++) {
      if (stiffness[c] === 0) continue;
      if (kind[c] === JOINT.ball) {
        rotationVector(angle, 0, orientation, 4 * c);
        energy += 0.5 * stiffness[c] * (angle[0] ** 2 + angle[1] ** 2 + angle[2] ** 2);
      } else energy += 0.5 * stiffness[c] * (position[c] - springReference[c]) ** 2;
    }
    return energy;
  }
}

function measureLargest(): number {
  let largest = 0;
  for (let k = 0; k < residual.dimension; k++) largest = Math.max(largest, Math.abs(residual.value[k]));
  return largest;
}
