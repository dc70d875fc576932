/**
 * The reverse of a step: from the gradient of a number by the next state to that by the state before, controls and applied forces,
 *   end of the step   q⁺ = q ⊕ h u,  v⁺, a⁺ of x     →  x̄
 *   solve             g(x; z) = 0                    →  λ = −H⁻¹ x̄,   z̄ = λᵀ ∂g/∂z
 * with one solve by the factor of H and one sweep over the bodies for each gradient. The residual is
 *   g = σ (A a − f) − Jᵀ f_c     `mujoco`: x = a, σ = 1     `sap`: x = u = v + h a + s, σ = h
 * Under `euler` the acceleration of the step, Â a⁺ = A a with Â = A + h D, comes after the solve.
 * It knows joints, springs, dampers and motors of joints, limits, dry friction and contacts of rigid bodies; `begin` says where a step has
 * more than that, and derivatives are then taken by differences of the residual (step-map.ts).
 */
import { ContactMotion } from '../../collision/contact-motion.ts';
import { ContactAdjoint } from '../../contact/contact-adjoint.ts';
import { takesForcesImplicitly } from '../../dynamics/implicit-share.ts';
import { isNearlyStopped, measureSpin } from '../../dynamics/inertial-motion.ts';
import { assembleMetric, isExplicit } from '../../dynamics/integrate.ts';
import { MotionAdjoint } from '../../dynamics/motion-adjoint.ts';
import { differentiateSpin } from '../../dynamics/spin-rate.ts';
import type { Workspace } from '../../dynamics/workspace.ts';
import { MujocoBuilder } from '../../formulation/mujoco/mujoco-builder.ts';
import { SapBuilder } from '../../formulation/sap/sap-builder.ts';
import { wasTaken } from '../../formulation/solve-status.ts';
import { listDrives } from '../../joint/drive-list.ts';
import { multiplyTree } from '../../linear-algebra/tree-ldl.ts';
import type { Simulation } from '../../simulation.ts';
import { ConstraintPart } from './constraint-part.ts';
import { HessianSolve } from './hessian-solve.ts';
import { addActivations, addJointForces, hasOwnForcesOnly, type InputBars } from './joint-part.ts';
import { MujocoRates } from './mujoco-rates.ts';
import { reversePositionStep } from './rotation-step.ts';
import { SapRates } from './sap-rates.ts';

/** Gradient by the state after a step, in the parts of a tangent vector. */
export interface EndBars {
  readonly position: Float64Array;
  readonly velocity: Float64Array;
  readonly activation: Float64Array;
}

export class StepAdjoint {
  readonly #twin: Simulation;
  readonly #work: Workspace;
  readonly #motion: MotionAdjoint;
  readonly #contactAdjoint: ContactAdjoint;
  readonly #contactMotion = new ContactMotion();
  readonly #constraints: ConstraintPart;
  readonly #hessian: HessianSolve;
  readonly #isSap: boolean;
  readonly #metric: Float64Array;
  /** Â, where the acceleration of the step comes after the solve. */
  readonly #outer: HessianSolve | undefined;
  readonly #outerMetric: Float64Array;
  #hasOuter = false;
  /** x, the acceleration a of the solve, that of the step, u, v before gyroscopic forces, and Δ. */
  #solution: Float64Array = new Float64Array(0);
  readonly #acceleration: Float64Array;
  readonly #stepAcceleration: Float64Array;
  readonly #advance: Float64Array;
  readonly #pushed: Float64Array;
  readonly #change: Float64Array;
  /** Δ and s of single bodies by ω before and, of Δ, after the push; whether the end takes Δ(v) and not Δ(v'). */
  readonly #spinRate: Float64Array;
  readonly #pushedRate: Float64Array;
  readonly #isStopped: Uint8Array;
  readonly #pushedChange: Float64Array;

  /** Undefined where the scene has more than an adjoint knows, whatever its state. */
  static create(twin: Simulation): StepAdjoint | undefined {
    const { model, formulation } = twin;
    const { options, size } = model;
    const { convex } = formulation;
    if (!convex || !formulation.held || options.accuracy !== undefined) return undefined;
    const { builder } = convex;
    const isSap = builder instanceof SapBuilder;
    if (!isSap && !(builder instanceof MujocoBuilder)) return undefined;
    if (size.softBody > 0 || size.equality > 0 || model.constraintJoint.kind.length > 0) return undefined;
    if (builder.surfaceMotion.isPresent || twin.terms.length > 0) return undefined;
    if (
      isSap
        ? options.sap.contactModel !== 'sap'
        : builder.directions !== undefined || options.mujoco.variant !== 'mujoco'
    )
      return undefined;
    const work = twin.derived;
    const { inertial } = work.plan;
    if (options.integrator !== 'euler' && options.integrator !== 'semiImplicit') return undefined;
    if (inertial.trees.length > 0 || !hasOwnForcesOnly(model, work)) return undefined;
    if (listDrives(model, takesForcesImplicitly(model), false).kind.length > 0) return undefined;
    return new StepAdjoint(twin, isSap);
  }

  private constructor(twin: Simulation, isSap: boolean) {
    const { model, formulation } = twin;
    const convex = formulation.convex!;
    const work = twin.derived;
    const nv = model.size.velocity;
    this.#twin = twin;
    this.#work = work;
    this.#isSap = isSap;
    this.#motion = new MotionAdjoint(model, work);
    this.#contactAdjoint = new ContactAdjoint(model, work, twin.solvedShapes);
    const { problem } = convex.objective;
    const rates = isSap
      ? new SapRates(
          model,
          work,
          convex.builder as SapBuilder,
          twin.solvedContacts,
          this.#contactAdjoint,
          this.#contactMotion,
        )
      : new MujocoRates(convex.builder as MujocoBuilder, twin.solvedContacts);
    this.#constraints = new ConstraintPart(model, problem, rates);
    const entries = model.size.massMatrix;
    this.#hessian = new HessianSolve(convex, entries);
    this.#metric = new Float64Array(entries);
    this.#outer = isSap || model.options.integrator !== 'euler' ? undefined : new HessianSolve(convex, entries);
    this.#outerMetric = new Float64Array(entries);
    this.#acceleration = new Float64Array(nv);
    this.#stepAcceleration = new Float64Array(nv);
    this.#advance = new Float64Array(nv);
    this.#pushed = new Float64Array(nv);
    this.#change = new Float64Array(nv);
    const { spinningBodies } = work.plan.inertial;
    this.#spinRate = new Float64Array(36 * spinningBodies.length);
    this.#pushedRate = new Float64Array(36 * spinningBodies.length);
    this.#isStopped = new Uint8Array(spinningBodies.length);
    this.#pushedChange = new Float64Array(nv);
  }

  /** Takes the state of the twin; false where this step has more than an adjoint knows. Leaves the state as it is. */
  begin(): boolean {
    const twin = this.#twin;
    const { model, state, formulation } = twin;
    const work = this.#work;
    const h = model.options.timestep;
    twin.forward();
    if (!wasTaken(twin.report.status)) return false;
    if (state.bodyWrench.some((value) => value !== 0)) return false;
    const solution = formulation.held?.read();
    if (!solution) return false;
    this.#solution = solution;
    const { problem } = formulation.convex!.objective;
    const hasRows = problem.rowCount > 0;
    const isEuler = model.options.integrator === 'euler';
    this.#hasOuter = isEuler && hasRows && !isExplicit(model, work);
    if (isEuler && hasRows) this.#metric.set(work.massMatrix);
    else assembleMetric(this.#metric, model, state, work, h);
    const { advanceShift } = work;
    const v = state.velocity;
    for (let i = 0; i < v.length; i++)
      this.#acceleration[i] = this.#isSap ? (solution[i] - advanceShift[i] - v[i]) / h : solution[i];
    this.#stepAcceleration.set(this.#acceleration);
    if (this.#hasOuter) {
      assembleMetric(this.#outerMetric, model, state, work, h);
      this.#stepAcceleration.set(work.acceleration);
      this.#outer!.begin(work, this.#outerMetric, solution);
    }
    this.#hessian.begin(work, this.#metric, solution);
    const contacts = twin.solvedContacts;
    if (hasRows && contacts.count > 0 && !this.#contactMotion.differentiate(twin.solvedShapes, contacts)) return false;
    if (hasRows && !this.#constraints.isKnown(contacts)) return false;
    this.#beginSpins(h);
    return true;
  }

  /** Adds the gradient by the inputs for each gradient by the next state; false where H has no factor. */
  pullBack(ends: readonly EndBars[], outs: readonly InputBars[]): boolean {
    const { model, state } = this.#twin;
    const work = this.#work;
    const h = model.options.timestep;
    const nv = model.size.velocity;
    const unknowns: Float64Array[] = [];
    const spins: { change: Float64Array; shift: Float64Array }[] = [];
    ends.forEach((end, n) => {
      const out = outs[n];
      addActivations(out, model, state, work, h, end.activation);
      const spin = { change: new Float64Array(nv), shift: new Float64Array(nv) };
      spins.push(spin);
      unknowns.push(this.#reverseEnd(end, out, spin, h));
    });
    if (!this.#hessian.solve(unknowns)) return false;
    unknowns.forEach((lambda, n) => {
      for (let i = 0; i < nv; i++) lambda[i] = -lambda[i];
      this.#reverseSolve(lambda, outs[n], spins[n], h);
    });
    return true;
  }

  /** x̄ of a gradient by the end of the step. */
  #reverseEnd(
    end: EndBars,
    out: InputBars,
    spin: { change: Float64Array; shift: Float64Array },
    h: number,
  ): Float64Array {
    const { model } = this.#twin;
    const nv = model.size.velocity;
    const byAdvance = new Float64Array(nv);
    reversePositionStep(model, end.position, this.#advance, h, out.position, byAdvance);
    const bar = new Float64Array(nv);
    if (this.#work.plan.inertial.takesMeanVelocity) {
      // u = v + h a + s, v' = v + h a − Δ, v⁺ = v' + Δ(v')
      const pushed = end.velocity.slice();
      this.#reversePush(end.velocity, pushed, out, spin);
      for (let i = 0; i < nv; i++) {
        bar[i] = h * (byAdvance[i] + pushed[i]);
        out.velocity[i] += byAdvance[i] + pushed[i];
        spin.shift[i] += byAdvance[i];
        spin.change[i] -= pushed[i];
      }
    } else {
      for (let i = 0; i < nv; i++) {
        const sum = end.velocity[i] + byAdvance[i];
        bar[i] = h * sum;
        out.velocity[i] += sum;
      }
    }
    if (this.#isSap) {
      // a = (x − s − v)/h
      for (let i = 0; i < nv; i++) {
        bar[i] /= h;
        out.velocity[i] -= bar[i];
        spin.shift[i] -= bar[i];
      }
    }
    return this.#hasOuter ? this.#reverseOuter(bar, out) : bar;
  }

  // Â a⁺ = A a: μ = Â⁻¹ ā⁺, ā = A μ, and the derivative of μᵀ M (a − a⁺)
  #reverseOuter(bar: Float64Array, out: InputBars): Float64Array {
    const { model, state } = this.#twin;
    const { rowStart, column } = model.massMatrix;
    this.#outer!.solveMetric(bar);
    const difference = this.#pushedChange;
    for (let i = 0; i < bar.length; i++) difference[i] = this.#acceleration[i] - this.#stepAcceleration[i];
    this.#motion.begin(bar, difference, state.velocity);
    this.#motion.addInertia({ acceleration: difference, scale: 1, hasCoriolis: false, hasWeight: false });
    this.#motion.finish(out.position, out.velocity);
    const inner = new Float64Array(bar.length);
    multiplyTree(inner, this.#metric, bar, rowStart, column);
    return inner;
  }

  #reverseSolve(
    lambda: Float64Array,
    out: InputBars,
    spin: { change: Float64Array; shift: Float64Array },
    h: number,
  ): void {
    const twin = this.#twin;
    const { model, state, formulation } = twin;
    const { rowStart, column } = model.massMatrix;
    const work = this.#work;
    const isSap = this.#isSap;
    const scale = isSap ? h : 1;
    const takesMean = work.plan.inertial.takesMeanVelocity;
    const motion = this.#motion;
    motion.begin(lambda, this.#solution, state.velocity);
    const acceleration = this.#pushedChange;
    for (let i = 0; i < lambda.length; i++)
      acceleration[i] = this.#acceleration[i] - (takesMean ? this.#change[i] / h : 0);
    motion.addInertia({ acceleration, scale, hasCoriolis: !takesMean, hasWeight: true });
    const { problem } = formulation.convex!.objective;
    if (problem.rowCount > 0)
      this.#constraints.add(
        out,
        motion,
        twin.solvedContacts,
        this.#contactAdjoint,
        this.#contactMotion,
        state,
        work,
        lambda,
      );
    motion.finish(out.position, out.velocity);
    addJointForces(out, model, state, work, h, lambda, scale);
    const product = new Float64Array(lambda.length);
    if (isSap) {
      multiplyTree(product, this.#metric, lambda, rowStart, column);
      for (let i = 0; i < lambda.length; i++) {
        out.velocity[i] -= product[i];
        spin.shift[i] -= product[i];
      }
    }
    if (!takesMean) return;
    // weight and −M Δ/h stand for the bias force
    multiplyTree(product, work.massMatrix, lambda, rowStart, column);
    for (let i = 0; i < lambda.length; i++) spin.change[i] -= (scale * product[i]) / h;
    this.#reverseSpins(out, spin);
  }

  #beginSpins(h: number): void {
    const { model, state } = this.#twin;
    const work = this.#work;
    const v = state.velocity;
    const { inertialChange, advanceShift } = work;
    const { spinningBodies, takesMeanVelocity } = work.plan.inertial;
    for (let i = 0; i < v.length; i++) {
      const push = v[i] + h * this.#stepAcceleration[i];
      this.#change[i] = takesMeanVelocity ? inertialChange[i] : 0;
      this.#advance[i] = push + (takesMeanVelocity ? advanceShift[i] : 0);
      this.#pushed[i] = push - this.#change[i];
    }
    for (const [n, b] of spinningBodies.entries()) {
      differentiateSpin(this.#spinRate, 36 * n, model, v, work, b, h);
      differentiateSpin(this.#pushedRate, 36 * n, model, this.#pushed, work, b, h);
      this.#isStopped[n] = isNearlyStopped(model, this.#pushed, work, b) ? 1 : 0;
    }
    this.#measurePushedChange(h);
  }

  /** Δ(v') of bodies off their centre, of which the derivative by their rotation depends. */
  readonly #after = { change: new Float64Array(0) };

  #measurePushedChange(h: number): void {
    const { model } = this.#twin;
    const work = this.#work;
    if (this.#after.change.length === 0) this.#after.change = new Float64Array(model.size.velocity);
    const before = work.inertialChange.slice();
    const shift = work.advanceShift.slice();
    for (const b of work.plan.inertial.spinningBodies) measureSpin(model, this.#pushed, work, b, h);
    this.#after.change.set(work.inertialChange);
    work.inertialChange.set(before);
    work.advanceShift.set(shift);
  }

  // v⁺ = v' + Δ(v')
  #reversePush(end: Float64Array, pushed: Float64Array, out: InputBars, spin: { change: Float64Array }): void {
    const { model } = this.#twin;
    for (const [n, b] of this.#work.plan.inertial.spinningBodies.entries()) {
      const first = model.body.dofStart[b];
      const count = model.body.dofCount[b];
      if (this.#isStopped[n] === 1) {
        for (let i = first; i < first + count; i++) spin.change[i] += end[i];
        continue;
      }
      for (let r = 0; r < count; r++)
        for (let c = 0; c < 3; c++)
          pushed[first + count - 3 + c] += end[first + r] * this.#pushedRate[36 * n + 3 * r + c];
      turnAlong(out.position, this.#work, b, first, count, this.#after.change, end);
    }
  }

  #reverseSpins(out: InputBars, spin: { change: Float64Array; shift: Float64Array }): void {
    const { model } = this.#twin;
    const work = this.#work;
    for (const [n, b] of work.plan.inertial.spinningBodies.entries()) {
      const first = model.body.dofStart[b];
      const count = model.body.dofCount[b];
      for (let r = 0; r < count; r++) {
        for (let c = 0; c < 3; c++) {
          const o = 36 * n + 3 * r + c;
          out.velocity[first + count - 3 + c] +=
            spin.change[first + r] * this.#spinRate[o] + spin.shift[first + r] * this.#spinRate[o + 18];
        }
      }
      turnAlong(out.position, work, b, first, count, work.inertialChange, spin.change);
      turnAlong(out.position, work, b, first, count, work.advanceShift, spin.shift);
    }
  }
}

// the translation of a free body in Δ or s turns with it: δΔ = (R δφ) × Δ
function turnAlong(
  byPosition: Float64Array,
  { bodyRotation: rotation }: Workspace,
  b: number,
  first: number,
  count: number,
  value: Float64Array,
  bar: Float64Array,
): void {
  if (count !== 6) return;
  const x = value[first + 1] * bar[first + 2] - value[first + 2] * bar[first + 1];
  const y = value[first + 2] * bar[first] - value[first] * bar[first + 2];
  const z = value[first] * bar[first + 1] - value[first + 1] * bar[first];
  const r = 9 * b;
  for (let k = 0; k < 3; k++)
    byPosition[first + 3 + k] += rotation[r + k] * x + rotation[r + 3 + k] * y + rotation[r + 6 + k] * z;
}
