/**
 * How far joints are from what they ought to be, at the poses of a workspace:
 *   drift C(q) of joints of body coordinates and of equalities that act; limits max(low − q, q − high)₊; m or rad.
 */
import type { Workspace } from '../dynamics/workspace.ts';
import { writeEquality } from '../joint/equality.ts';
import { updateJointCoordinates, writeJointChain } from '../joint/joint-coordinate.ts';
import type { JointWorkspace } from '../joint/joint-workspace.ts';
import { writeJointLimits, writeTendonLimits } from '../joint/limit.ts';
import { createResidual } from '../joint/residual.ts';
import { BlockRows } from '../linear-algebra/block-rows.ts';
import type { Memory } from '../linear-algebra/memory.ts';
import type { Model } from '../model/model.ts';
import type { State } from '../state/state.ts';

const residual = /* @__PURE__ */ createResidual();

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
  update(model: Model, state: State, work: Workspace): void {
    if (model.constraintJoint.kind.length === 0) return;
    this.#joints.coordinates.near = state.hingeAngle;
    updateJointCoordinates(model, work, this.#joints.coordinates);
  }

  /** Worst |C|. */
  measureDrift(model: Model, state: State, work: Workspace): number {
    let worst = this.measureJoints(model, work);
    if (model.options.disabled.has('equality')) return worst;
    for (let e = 0; e < model.size.equality; e++) {
      if (state.equalityActive[e] === 0) continue;
      residual.dimension = 0;
      writeEquality(this.#rows, model, state, work, this.#joints, e, residual);
      worst = Math.max(worst, measureLargest());
    }
    return worst;
  }

  /** Worst |C| of joints of body coordinates alone. */
  measureJoints(model: Model, work: Workspace): number {
    const { coordinates } = this.#joints;
    let worst = 0;
    this.#rows.clear();
    for (let b = 0; b < coordinates.chains.length; b++) {
      residual.dimension = 0;
      writeJointChain(this.#rows, model, work, coordinates, b, residual);
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
}

function measureLargest(): number {
  let largest = 0;
  for (let k = 0; k < residual.dimension; k++) largest = Math.max(largest, Math.abs(residual.value[k]));
  return largest;
}
