/**
 * What positions have to satisfy beside contacts, at the poses of a workspace: joints of body coordinates and equalities that act, C = 0,
 * and limits that are overrun by more than a velocity should undo. One block of J per constraint; C is the `reference` of its rows.
 */
import type { Workspace } from '../../dynamics/workspace.ts';
import { writeEquality } from '../../joint/equality.ts';
import { writeJointChain } from '../../joint/joint-coordinate.ts';
import type { JointWorkspace } from '../../joint/joint-workspace.ts';
import { type LimitReceiver, writeJointLimits, writeTendonLimits } from '../../joint/limit.ts';
import { createResidual } from '../../joint/residual.ts';
import type { Memory } from '../../linear-algebra/memory.ts';
import type { Model } from '../../model/model.ts';
import { CONSTRAINT_LAW, ConvexProblem, SOURCE } from '../../objective/convex-problem.ts';
import type { State } from '../../state/state.ts';

const residual = /* @__PURE__ */ createResidual();

export class PositionRows {
  readonly problem: ConvexProblem;
  /** Whether the model has joints or equalities that are rows. */
  readonly isNeeded: boolean;
  readonly #model: Model;
  readonly #joints: JointWorkspace;
  readonly #limit: LimitReceiver;
  /** −(margin + depth) per joint and tendon: limits are rows where they are overrun by more than a depth. */
  readonly #jointReach: Float64Array;
  readonly #tendonReach: Float64Array;

  constructor(model: Model, joints: JointWorkspace, memory: Memory) {
    const { size, constraintJoint } = model;
    this.#model = model;
    this.#joints = joints;
    this.problem = new ConvexProblem(memory);
    this.isNeeded = size.equality > 0 || constraintJoint.kind.length > 0;
    this.#jointReach = memory.f64(size.joint + constraintJoint.kind.length);
    this.#tendonReach = memory.f64(size.tendon);
    this.#limit = { add: (_, distance) => this.#addScalar(distance) };
  }

  /** Writes the rows; `depth` is how far limits may be overrun, m or rad, Infinity where they are left alone. */
  write(state: State, work: Workspace, depth: number): void {
    const { options, size } = this.#model;
    const { rows } = this.problem;
    const { coordinates } = this.#joints;
    this.problem.clear();
    for (let b = 0; b < coordinates.chains.length; b++) {
      if (writeJointChain(rows, this.#model, work, coordinates, b, residual) >= 0) this.#addBlock();
    }
    if (options.disabled.has('constraint')) return;
    for (let e = 0; e < size.equality && !options.disabled.has('equality'); e++) {
      if (state.equalityActive[e] === 0) continue;
      if (writeEquality(rows, this.#model, state, work, this.#joints, e, residual) >= 0) this.#addBlock();
    }
    if (depth < Infinity && !options.disabled.has('limit')) this.#addLimits(state, work, depth);
  }

  #addLimits(state: State, work: Workspace, depth: number): void {
    const { joint, constraintJoint, tendon, size } = this.#model;
    const jointReach = this.#jointReach;
    const tendonReach = this.#tendonReach;
    for (let j = 0; j < size.joint; j++) jointReach[j] = -joint.margin[j] - depth;
    for (let c = 0; c < constraintJoint.kind.length; c++)
      jointReach[size.joint + c] = -constraintJoint.margin[c] - depth;
    for (let t = 0; t < size.tendon; t++) tendonReach[t] = -tendon.margin[t] - depth;
    writeJointLimits(this.problem.rows, this.#model, state, this.#joints, jointReach, this.#limit);
    writeTendonLimits(this.problem.rows, this.#model, work, this.#joints, tendonReach, this.#limit);
  }

  #addBlock(): void {
    const first = this.problem.describe(CONSTRAINT_LAW.spring, SOURCE.constraintJoint, 0);
    for (let k = 0; k < residual.dimension; k++)
      this.problem.setRow(first + k, residual.value[k], 0, -Infinity, Infinity);
  }

  #addScalar(value: number): void {
    const row = this.problem.describe(CONSTRAINT_LAW.spring, SOURCE.jointLimit, 0);
    this.problem.setRow(row, value, 0, -Infinity, Infinity);
  }
}
