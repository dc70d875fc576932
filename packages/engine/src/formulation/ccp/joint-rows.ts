/**
 * Equalities, dry friction and limits as rows of `ccp`, rigid (E = 0):
 *   equality  any γ, b = Ψ/h within ± the recovery speed      dry friction  |γ| ≤ h · loss, b = 0
 *   limit     γ ≥ 0, b = distance/h, not below minus the recovery speed; within reach (limit-reach.ts)
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
import type { CcpBuilder } from './ccp-builder.ts';

/** Least speed of joints and tendons, m/s or rad/s: v* of bodies does not know of the joints that will turn them. */
const LEAST_SPEED = 5;

const residual = /* @__PURE__ */ createResidual();

export class JointRows {
  readonly #builder: CcpBuilder;
  readonly #reach: LimitReach;
  readonly #jointLimit: LimitReceiver;
  readonly #tendonLimit: LimitReceiver;
  readonly #dofFriction: FrictionReceiver;
  readonly #tendonFriction: FrictionReceiver;

  constructor(builder: CcpBuilder, memory: Memory) {
    this.#builder = builder;
    this.#reach = new LimitReach(builder.model, builder.joints, memory);
    this.#jointLimit = { add: (_, distance, _margin, j) => this.#addLimit(SOURCE.jointLimit, distance, j) };
    this.#tendonLimit = { add: (_, distance, _margin, t) => this.#addLimit(SOURCE.tendonLimit, distance, t) };
    this.#dofFriction = { add: (_, loss, i) => this.#addFriction(SOURCE.dofFriction, loss, i) };
    this.#tendonFriction = { add: (_, loss, t) => this.#addFriction(SOURCE.tendonFriction, loss, t) };
  }

  addEqualities(state: State, work: Workspace): void {
    const builder = this.#builder;
    const { model, problem, joints } = builder;
    for (let e = 0; e < model.size.equality; e++) {
      if (state.equalityActive[e] === 0) continue;
      if (writeEquality(problem.rows, model, state, work, joints, e, residual) < 0) continue;
      const first = problem.describe(LAW.spring, SOURCE.equality, e);
      for (let k = 0; k < residual.dimension; k++) {
        problem.setRow(first + k, -builder.recover(residual.value[k]), 0, -Infinity, Infinity);
      }
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
    reach.measure(work, startVelocity, freeVelocity, h, LEAST_SPEED);
    writeJointLimits(problem.rows, model, state, joints, reach.joint, this.#jointLimit);
    writeTendonLimits(problem.rows, model, work, joints, reach.tendon, this.#tendonLimit);
  }

  #addLimit(source: number, distance: number, index: number): void {
    const { problem, options, h } = this.#builder;
    const row = problem.describe(LAW.spring, source, index);
    problem.setRow(row, -Math.max(distance / h, -options.recoverySpeed), 0, 0, Infinity);
  }

  #addFriction(source: number, loss: number, index: number): void {
    const { problem, h } = this.#builder;
    const row = problem.describe(LAW.spring, source, index);
    problem.setRow(row, 0, 0, -h * loss, h * loss);
  }
}
