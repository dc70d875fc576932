/**
 * How far joints are from what they ought to be, at the poses of a workspace:
 *   drift C(q) of joints of body coordinates and of equalities that act; limits max(low − q, q − high)₊; m or rad.
 */
import type { Workspace } from '../dynamics/workspace.ts';
import { BlockRows } from '../linear-algebra/block-rows.ts';
import type { Memory } from '../linear-algebra/memory.ts';
import type { Model } from '../model/model.ts';
import type { State } from '../state/state.ts';
import { writeEquality } from './equality.ts';
import { updateJointCoordinates, writeJointChain } from './joint-coordinate.ts';
import type { JointWorkspace } from './joint-workspace.ts';
import { writeJointLimits, writeTendonLimits } from './limit.ts';
import { createResidual } from './residual.ts';

/** Drift from which joints, equalities and limits count as open, m or rad: loads alone open them by far less. */
export const OPEN = 1e-3;
/** Rows below this move nothing. */
const FIXED = 1e-9;

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

  /** Whether an equality is open that no motion closes: its row is zero. */
  hasFixedOpen(model: Model, state: State, work: Workspace): boolean {
    const rows = this.#rows;
    rows.clear();
    for (let e = 0; e < model.size.equality; e++) {
      if (state.equalityActive[e] === 0) continue;
      residual.dimension = 0;
      const block = writeEquality(rows, model, state, work, this.#joints, e, residual);
      for (let k = 0; k < residual.dimension; k++)
        if (Math.abs(residual.value[k]) > OPEN && (block < 0 || measureRow(rows, block, k) < FIXED)) return true;
    }
    return false;
  }

  /** Joints, equalities and limits that are open by more than `least`, m or rad, in words. */
  nameOpen(model: Model, state: State, work: Workspace, least: number = OPEN): string[] {
    const names: string[] = [];
    const { chains } = this.#joints.coordinates;
    const { constraintJoint, equality } = model;
    this.#rows.clear();
    for (let b = 0; b < chains.length; b++) {
      residual.dimension = 0;
      writeJointChain(this.#rows, model, work, this.#joints.coordinates, b, residual);
      const c = chains[b].first;
      if (measureLargest() > least) names.push(`joint ${constraintJoint.name[c] || c}`);
    }
    for (let e = 0; e < model.size.equality; e++) {
      if (state.equalityActive[e] === 0 || model.options.disabled.has('equality')) continue;
      residual.dimension = 0;
      writeEquality(this.#rows, model, state, work, this.#joints, e, residual);
      if (measureLargest() > least) names.push(`equality ${equality.name[e] || e}`);
    }
    if (this.measureLimits(model, state, work) > least) names.push('limits of joints or tendons');
    return names;
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

function measureRow({ columnCount, value, valueStart }: BlockRows, block: number, k: number): number {
  let most = 0;
  const at = valueStart[block] + k * columnCount[block];
  for (let c = at; c < at + columnCount[block]; c++) most = Math.max(most, Math.abs(value[c]));
  return most;
}
