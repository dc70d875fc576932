/**
 * Everything but contacts as rows of a formulation over velocities (`sap`, `ccp`), in terms of impulses γ along J:
 *   joint of body coordinates   6 − freedom rows per chain, any γ; its armature γ = −m (q̇ − q̇₀) is
 *                               a row as well: it joins two bodies and cannot be part of A, which knows each tree alone
 *   equality                    any γ
 *   dry friction                |γ| ≤ h · loss
 *   limit                       γ ≥ 0, a row within reach (limit-reach.ts)
 *   servo, spring, damper       see drive-rows.ts
 * How fast an error is undone and how soft a row is, the formulation says.
 */
import { TENDON_ARMATURE } from '../../dynamics/tendon-plan.ts';
import type { Workspace } from '../../dynamics/workspace.ts';
import { writeEquality } from '../../joint/equality.ts';
import {
  type FrictionReceiver,
  writeDofFriction,
  writeJointFriction,
  writeTendonFriction,
} from '../../joint/friction-loss.ts';
import { writeJointChain } from '../../joint/joint-coordinate.ts';
import { writeJointDirection } from '../../joint/joint-direction.ts';
import { type LimitReceiver, writeJointLimits, writeTendonLimits } from '../../joint/limit.ts';
import { createResidual } from '../../joint/residual.ts';
import { measureTendonRate, writeTendonRow } from '../../joint/tendon-row.ts';
import type { Memory } from '../../linear-algebra/memory.ts';
import { JOINT } from '../../model/model.ts';
import { CONSTRAINT_LAW, SOURCE } from '../../objective/convex-problem.ts';
import type { State } from '../../state/state.ts';
import { type DriveHost, DriveRows } from './drive-rows.ts';
import { LimitReach } from './limit-reach.ts';

/** What a formulation says of its rows. */
export interface VelocityHost extends DriveHost {
  /** v at the start of the step, and v*. */
  readonly startVelocity: Float64Array;
  readonly freeVelocity: Float64Array;
  /** Least speed of joints that limits look ahead for, m/s or rad/s. */
  readonly leastSpeed: number;
  /** Velocity along a row that undoes a violation, m or rad; and that of a limit at a distance. */
  stabilizationBias(violation: number): number;
  limitBias(distance: number): number;
  /** Regularisations of the last block, one number per row, in the array handed back. */
  regularize(dimension: number): ArrayLike<number>;
  /** J̇ v of a row of the last block, m/s² or rad/s², where the formulation takes it into account. */
  setRate?(row: number, rate: number): void;
}

const residual = /* @__PURE__ */ createResidual();

export class VelocityRows {
  readonly drives: DriveRows;
  /** Whether the model may have such rows at all. */
  readonly isNeeded: boolean;
  readonly #host: VelocityHost;
  readonly #reach: LimitReach;
  readonly #jointLimit: LimitReceiver;
  readonly #tendonLimit: LimitReceiver;
  readonly #dofFriction: FrictionReceiver;
  readonly #tendonFriction: FrictionReceiver;

  constructor(host: VelocityHost, memory: Memory) {
    const { joint, dof, tendon, size, constraintJoint } = host.model;
    this.#host = host;
    this.drives = new DriveRows(host);
    this.isNeeded =
      size.equality > 0 ||
      this.drives.count > 0 ||
      constraintJoint.kind.length > 0 ||
      [joint.limited, tendon.limited, dof.frictionLoss, tendon.frictionLoss, tendon.armature].some((flags) =>
        flags.some(Boolean),
      );
    this.#reach = new LimitReach(host.model, host.joints, memory);
    this.#jointLimit = { add: (_, distance, _margin, j) => this.#addLimit(SOURCE.jointLimit, distance, j) };
    this.#tendonLimit = { add: (_, distance, _margin, t) => this.#addLimit(SOURCE.tendonLimit, distance, t) };
    this.#dofFriction = { add: (_, loss, i) => this.#addFriction(SOURCE.dofFriction, loss, i) };
    this.#tendonFriction = { add: (_, loss, t) => this.#addFriction(SOURCE.tendonFriction, loss, t) };
  }

  /** Adds all rows. */
  add(state: State, work: Workspace): void {
    const { disabled } = this.#host.model.options;
    this.#addChains(work);
    this.#addJointDynamics();
    this.#addTendonDynamics(work);
    this.drives.add(work);
    if (disabled.has('constraint')) return;
    if (!disabled.has('equality')) this.#addEqualities(state, work);
    if (!disabled.has('frictionLoss')) this.#addFrictions(work);
    if (!disabled.has('limit')) this.#addLimits(state, work);
  }

  #addChains(work: Workspace): void {
    const { model, problem, joints } = this.#host;
    const { chains } = joints.coordinates;
    for (let b = 0; b < chains.length; b++) {
      if (writeJointChain(problem.rows, model, work, joints.coordinates, b, residual) < 0) continue;
      this.#addBilateral(SOURCE.constraintJoint, chains[b].first);
    }
  }

  #addJointDynamics(): void {
    const { model, joints } = this.#host;
    const { velocity } = joints.coordinates;
    const { kind, armature } = model.constraintJoint;
    for (let c = 0; c < kind.length; c++) {
      if (!(armature[c] > 0)) continue;
      const directions = kind[c] === JOINT.ball ? 3 : 1;
      for (let k = 0; k < directions; k++) this.#addDirection(c, k, armature[c], velocity[3 * c + k]);
    }
  }

  // inertia along tendons, where it is not in the mass matrix: γ = −m (L̇⁺ − L̇ + h J̇ v)
  #addTendonDynamics(work: Workspace): void {
    const { model, problem, joints, h } = this.#host;
    const { tendonArmature } = work.plan;
    for (let t = 0; t < tendonArmature.length; t++) {
      if (tendonArmature[t] !== TENDON_ARMATURE.row) continue;
      if (writeTendonRow(problem.rows, model, work, joints, t) < 0) continue;
      const row = problem.describe(CONSTRAINT_LAW.spring, SOURCE.constraintJoint, model.size.constraintJoint + t);
      const reference = joints.row.multiply(this.#host.startVelocity) - h * measureTendonRate(model, work, joints, t);
      problem.setRow(row, reference, 1 / model.tendon.armature[t], -Infinity, Infinity);
    }
  }

  // γ = −stiffness (q̇ − reference) along direction k of joint c
  #addDirection(c: number, k: number, stiffness: number, reference: number): void {
    const { problem, joints } = this.#host;
    if (writeJointDirection(problem.rows, joints, c, k) < 0) return;
    const row = problem.describe(CONSTRAINT_LAW.spring, SOURCE.constraintJoint, c);
    problem.setRow(row, reference, 1 / stiffness, -Infinity, Infinity);
  }

  #addEqualities(state: State, work: Workspace): void {
    const { model, problem, joints } = this.#host;
    for (let e = 0; e < model.size.equality; e++) {
      if (state.equalityActive[e] === 0) continue;
      if (writeEquality(problem.rows, model, state, work, joints, e, residual) < 0) continue;
      this.#addBilateral(SOURCE.equality, e);
    }
  }

  #addFrictions(work: Workspace): void {
    const { model, problem, joints } = this.#host;
    writeDofFriction(problem.rows, model, work, this.#dofFriction);
    writeJointFriction(problem.rows, model, joints, this.#dofFriction);
    writeTendonFriction(problem.rows, model, work, joints, this.#tendonFriction);
  }

  #addLimits(state: State, work: Workspace): void {
    const { model, problem, joints, startVelocity, freeVelocity, h, leastSpeed } = this.#host;
    const reach = this.#reach;
    reach.measure(work, startVelocity, freeVelocity, h, leastSpeed);
    writeJointLimits(problem.rows, model, state, joints, reach.joint, this.#jointLimit);
    writeTendonLimits(problem.rows, model, work, joints, reach.tendon, this.#tendonLimit);
  }

  // the last block, with the residual in the scratch
  #addBilateral(source: number, index: number): void {
    const { problem } = this.#host;
    const first = problem.describe(CONSTRAINT_LAW.spring, source, index);
    const regularization = this.#host.regularize(residual.dimension);
    for (let k = 0; k < residual.dimension; k++) {
      problem.setRow(
        first + k,
        this.#host.stabilizationBias(residual.value[k]),
        regularization[k],
        -Infinity,
        Infinity,
      );
      this.#host.setRate?.(k, residual.rate[k]);
    }
  }

  #addLimit(source: number, distance: number, index: number): void {
    this.#addRow(source, index, this.#host.limitBias(distance), 0, Infinity);
  }

  #addFriction(source: number, loss: number, index: number): void {
    const { h } = this.#host;
    this.#addRow(source, index, 0, -h * loss, h * loss);
  }

  #addRow(source: number, index: number, reference: number, low: number, high: number): void {
    const { problem } = this.#host;
    const row = problem.describe(CONSTRAINT_LAW.spring, source, index);
    problem.setRow(row, reference, this.#host.regularize(1)[0], low, high);
  }
}
