/**
 * Derivatives of the constraint forces of a convex step in Φ = −λᵀ Jᵀ f, f = −∇s(y), y = J x − r. With η = J λ and S = ∇²s:
 *   δΦ = −f · δη + (S η) · δy − η · ∂f
 * the last part by what makes a law stiffer or softer. What r and the laws depend on is the formulation's own (RowRates).
 */

import { AHEAD, isSoftContact } from '../../collision/contact-set.ts';
import type { MotionAdjoint } from '../../dynamics/motion-adjoint.ts';
import type { Workspace } from '../../dynamics/workspace.ts';
import type { InputBars, RateParts, RowRates } from '../../formulation/row-rates.ts';
import { JOINT, type Model } from '../../model/model.ts';
import { type ConvexProblem, SOURCE } from '../../objective/convex-problem.ts';
import type { State } from '../../state/state.ts';
import type { DrivePart } from './drive-part.ts';
import { EqualityPart } from './equality-part.ts';

export class ConstraintPart {
  readonly #parts: RateParts;
  readonly #model: Model;
  readonly #problem: ConvexProblem;
  readonly #rates: RowRates;
  readonly #drives: DrivePart;
  readonly #equalities: EqualityPart | undefined;
  #isOther: Uint8Array = new Uint8Array(0);
  /** Per contact: whether it has its derivatives here, and pushes. */
  #isPushing: Uint8Array = new Uint8Array(0);
  readonly #eta = new Float64Array(6);
  readonly #curved = new Float64Array(6);
  readonly #speed = new Float64Array(6);
  readonly #weights = { virtual: new Float64Array(6), motion: new Float64Array(6), twist: new Float64Array(6) };

  constructor(parts: RateParts, problem: ConvexProblem, rates: RowRates, drives: DrivePart) {
    const { model } = parts;
    this.#parts = parts;
    this.#model = model;
    this.#equalities = model.size.equality > 0 && rates.readEquality ? new EqualityPart(model, rates) : undefined;
    this.#drives = drives;
    this.#problem = problem;
    this.#rates = rates;
  }

  /** Whether a contact has its derivatives below, and pushes: else it does not matter how it moves. */
  readonly pushes = (contact: number): boolean => this.#isPushing[contact] === 1;

  #pushes(block: number): boolean {
    const { rows, data } = this.#problem;
    for (let r = rows.rowStart[block]; r < rows.rowStart[block + 1]; r++) if (data.force[r] !== 0) return true;
    return false;
  }

  /** The constraints of the solve that are not among those below; undefined where one depends on more than positions and velocities. */
  listOthers(): number[] | undefined {
    const { contacts } = this.#parts;
    const { source, sourceIndex, blockCount } = this.#problem;
    const { joint, size } = this.#model;
    const others: number[] = [];
    this.#isOther = new Uint8Array(blockCount);
    this.#isPushing = new Uint8Array(contacts.count);
    for (let b = 0; b < blockCount; b++) {
      const i = sourceIndex[b];
      let isKnown = source[b] === SOURCE.dofFriction || source[b] === SOURCE.drive;
      if (source[b] === SOURCE.contact) {
        // what a contact ahead depends on is the motion of the whole step
        if (contacts.ahead[i] === AHEAD.fast || contacts.adhesion[i] !== 0) return undefined;
        isKnown = contacts.recovery[i] === 0 && contacts.area[i] === 0 && !isSoftContact(contacts, i);
      } else if (source[b] === SOURCE.jointLimit) isKnown = i < size.joint && joint.kind[i] !== JOINT.ball;
      else if (source[b] === SOURCE.tendonLimit) isKnown = this.#rates.knowsTendons;
      else if (source[b] === SOURCE.equality) isKnown = this.#equalities !== undefined;
      if (source[b] === SOURCE.contact && isKnown && this.#pushes(b)) this.#isPushing[i] = 1;
      if (isKnown) continue;
      others.push(b);
      this.#isOther[b] = 1;
    }
    return others;
  }

  /** Takes the state at the start of the step; false where rows depend on more than is known here. */
  begin(state: State): boolean {
    this.#equalities?.begin(state);
    return this.#rates.begin();
  }

  /** Adds the derivatives of Φ but for those others; `motion` has the fields of λ and x. `weights`: F_yᵀ ψ by row, where it is not S η. */
  add(
    out: InputBars,
    motion: MotionAdjoint,
    state: State,
    lambda: Float64Array,
    solution: Float64Array,
    weights: Float64Array | undefined,
    byShift: Float64Array,
  ): void {
    const { source, blockCount } = this.#problem;
    const { work } = this.#parts;
    const equalityMotion = { x: solution, velocity: state.velocity, shift: work.advanceShift };
    for (let b = 0; b < blockCount; b++) {
      if (this.#isOther[b] === 1) continue;
      if (source[b] === SOURCE.contact) this.#addContact(out, motion, b, weights);
      else if (source[b] === SOURCE.equality)
        this.#equalities!.add(out, byShift, this.#problem, b, lambda, equalityMotion);
      else if (source[b] === SOURCE.drive) this.#drives.add(out, b, lambda, this.#model.options.timestep);
      else if (source[b] === SOURCE.tendonLimit) this.#addTendon(out, work, b, lambda);
      else this.#addRow(out, state, b, lambda);
    }
  }

  #addContact(out: InputBars, motion: MotionAdjoint, block: number, given: Float64Array | undefined): void {
    const { contacts, contactAdjoint, contactMotion } = this.#parts;
    const { rows, hessianStart, sourceIndex } = this.#problem;
    const { force, hessian } = this.#problem.data;
    const first = rows.rowStart[block];
    const dimension = rows.rowStart[block + 1] - first;
    const i = sourceIndex[block];
    if (this.#isPushing[i] === 0) return;
    const eta = this.#eta;
    const curved = this.#curved;
    const speed = this.#speed;
    const weights = this.#weights;
    // where λ moves a side, η may be zero and still change
    let isZero = contactAdjoint.isStill(motion, contacts, i);
    if (given) for (let k = 0; k < dimension; k++) if (given[first + k] !== 0) isZero = false;
    if (isZero) return;
    contactAdjoint.readVirtual(eta, motion, contacts, i, dimension);
    contactAdjoint.readSpeed(speed, contacts, i, dimension);
    for (let k = 0; k < dimension; k++) {
      let sum = given ? given[first + k] : 0;
      for (let c = 0; !given && c < dimension; c++) sum += hessian[hessianStart[block] + k * dimension + c] * eta[c];
      curved[k] = sum;
      weights.virtual[k] = -force[first + k];
      weights.motion[k] = sum;
      weights.twist[k] = this.#rates.speedRate(first + k) * sum;
    }
    this.#rates.addSpeedBars?.(weights.twist, block, i, eta, speed);
    const gapBar = this.#rates.gapBar(block, i, eta, curved, speed);
    contactAdjoint.add(motion, contactMotion, contacts, i, dimension, weights, gapBar);
    this.#rates.addInverseMass(out, block, eta, dimension);
  }

  // limits and dry friction of one dof
  #addRow(out: InputBars, state: State, block: number, lambda: Float64Array): void {
    const { rows, hessianStart, source, sourceIndex } = this.#problem;
    const { hessian } = this.#problem.data;
    const { joint } = this.#model;
    const isLimit = source[block] === SOURCE.jointLimit;
    const j = sourceIndex[block];
    const dof = isLimit ? joint.dofStart[j] : j;
    const sign = rows.value[rows.valueStart[block]];
    const eta = sign * lambda[dof];
    if (eta === 0) return;
    const row = rows.rowStart[block];
    const curved = hessian[hessianStart[block]] * eta;
    out.velocity[dof] += this.#rates.speedRate(row) * sign * curved;
    if (isLimit) {
      const q = state.position[joint.positionStart[j]];
      const distance = (sign > 0 ? q - joint.range[2 * j] : joint.range[2 * j + 1] - q) - joint.margin[j];
      out.position[dof] += sign * this.#rates.limitBar(block, distance, eta, curved);
    }
    this.#eta[0] = eta;
    this.#rates.addInverseMass(out, block, this.#eta, 1);
  }

  // limits of tendons that are sums of joint positions
  #addTendon(out: InputBars, work: Workspace, block: number, lambda: Float64Array): void {
    const { rows, hessianStart, sourceIndex } = this.#problem;
    const { hessian } = this.#problem.data;
    const { tendon, size } = this.#model;
    const t = sourceIndex[block];
    const { rowStart, column } = work.plan.tendon;
    const at = (k: number): number => work.tendonJacobian[t * size.velocity + column[k]];
    let eta = 0;
    let square = 0;
    for (let k = rowStart[t]; k < rowStart[t + 1]; k++) {
      eta += at(k) * lambda[column[k]];
      square += at(k) ** 2;
    }
    if (eta === 0 || square === 0) return;
    // the row is the Jacobian with the sign of its side
    let first = rowStart[t];
    while (at(first) === 0) first++;
    const sign = rows.value[rows.valueStart[block]] * at(first) > 0 ? 1 : -1;
    const length = work.tendonLength[t];
    const low = length - tendon.range[2 * t];
    const high = tendon.range[2 * t + 1] - length;
    const row = rows.rowStart[block];
    const curved = hessian[hessianStart[block]] * sign * eta;
    const distance = (sign > 0 ? low : high) - tendon.margin[t];
    const gapBar = this.#rates.limitBar(block, distance, sign * eta, curved);
    for (let k = rowStart[t]; k < rowStart[t + 1]; k++) {
      out.velocity[column[k]] += this.#rates.speedRate(row) * sign * curved * at(k);
      out.position[column[k]] += sign * gapBar * at(k);
    }
  }
}
