/**
 * Limits, equalities, dry friction and joints of body coordinates as rows of `sap`: springs as stiff as the step resolves
 * (see near-rigid.ts, dissipation time h), each row scaled by its own entry of W:
 *   equality  no bounds, v̂ = −C/(2h)      limit  pushes only, v̂ = −distance/(2h)      dry friction  ± h · loss, v̂ = 0
 * A limit has a row where it may be reached: within 2 h max(|v|, |v*|) of its joint's position, its margin added.
 */
import type { Workspace } from '../../dynamics/workspace.ts';
import { writeEquality } from '../../joint/equality.ts';
import {
  type FrictionReceiver,
  writeDofFriction,
  writeJointFriction,
  writeTendonFriction,
} from '../../joint/friction-loss.ts';
import { type LimitReceiver, writeJointLimits, writeTendonLimits } from '../../joint/limit.ts';
import { createResidual } from '../../joint/residual.ts';
import type { Memory } from '../../linear-algebra/memory.ts';
import { LAW, SOURCE } from '../../objective/convex-problem.ts';
import type { State } from '../../state/state.ts';
import { LimitReach } from '../limit-reach.ts';
import { regularizeRigid } from './near-rigid.ts';
import type { SapBuilder } from './sap-builder.ts';

const residual = /* @__PURE__ */ createResidual();

export class JointRows {
  readonly #builder: SapBuilder;
  readonly #reach: LimitReach;
  readonly #jointLimit: LimitReceiver;
  readonly #tendonLimit: LimitReceiver;
  readonly #dofFriction: FrictionReceiver;
  readonly #tendonFriction: FrictionReceiver;

  constructor(builder: SapBuilder, memory: Memory) {
    this.#builder = builder;
    this.#reach = new LimitReach(builder.model, builder.joints, memory);
    this.#jointLimit = { add: (_, distance, _margin, j) => this.#addLimit(SOURCE.jointLimit, distance, j) };
    this.#tendonLimit = { add: (_, distance, _margin, t) => this.#addLimit(SOURCE.tendonLimit, distance, t) };
    this.#dofFriction = { add: (_, loss, i) => this.#addFriction(SOURCE.dofFriction, loss, i) };
    this.#tendonFriction = { add: (_, loss, t) => this.#addFriction(SOURCE.tendonFriction, loss, t) };
  }

  addEqualities(state: State, work: Workspace): void {
    const { model, problem, joints } = this.#builder;
    for (let e = 0; e < model.size.equality; e++) {
      if (state.equalityActive[e] === 0) continue;
      if (writeEquality(problem.rows, model, state, work, joints, e, residual) < 0) continue;
      this.#addBilateral(SOURCE.equality, e);
    }
  }

  addFriction(work: Workspace): void {
    const { model, problem, joints } = this.#builder;
    writeDofFriction(problem.rows, model, this.#dofFriction);
    writeJointFriction(problem.rows, model, joints, this.#dofFriction);
    writeTendonFriction(problem.rows, model, work, joints, this.#tendonFriction);
  }

  addLimits(state: State, work: Workspace): void {
    const { model, problem, joints, startVelocity, freeVelocity, h } = this.#builder;
    const reach = this.#reach;
    reach.measure(work, startVelocity, freeVelocity, h);
    writeJointLimits(problem.rows, model, state, joints, reach.joint, this.#jointLimit);
    writeTendonLimits(problem.rows, model, work, joints, reach.tendon, this.#tendonLimit);
  }

  // the last block, with the residual in the scratch
  #addBilateral(source: number, index: number): void {
    const { problem, delassus, options, h } = this.#builder;
    const { rows } = problem;
    const block = rows.blockCount - 1;
    const first = problem.describe(LAW.spring, source, index);
    delassus.measure(rows, block, residual.dimension);
    for (let k = 0; k < residual.dimension; k++) {
      const regularization = regularizeRigid(delassus.matrix[7 * k], options.nearRigidJoint, h);
      problem.setRow(first + k, -residual.value[k] / (2 * h), regularization, -Infinity, Infinity);
    }
  }

  #addLimit(source: number, distance: number, index: number): void {
    const { h } = this.#builder;
    this.#addRow(source, index, -distance / (2 * h), 0, Infinity);
  }

  #addFriction(source: number, loss: number, index: number): void {
    const { h } = this.#builder;
    this.#addRow(source, index, 0, -h * loss, h * loss);
  }

  #addRow(source: number, index: number, reference: number, low: number, high: number): void {
    const { problem, options, h } = this.#builder;
    const w = this.#builder.measureRow();
    const row = problem.describe(LAW.spring, source, index);
    problem.setRow(row, reference, regularizeRigid(w, options.nearRigidJoint, h), low, high);
  }
}
