/**
 * The reverse of a step: from the gradient of a number by the next state to that by the state before, controls and applied forces,
 *   end of the step   q⁺ = q ⊕ h u,  v⁺, a⁺ of x     →  x̄
 *   solve             g(x; z) = 0                    →  λ = −H⁻¹ x̄,   z̄ = λᵀ ∂g/∂z
 * with one solve by the factor of H and one sweep over the bodies for each gradient. The residual is
 *   g = σ (A a − f) − Jᵀ f_c     `mujoco`: x = a, σ = 1     `sap`: x = u = v + h a + s, σ = h
 * Under `euler` and `implicitfast` the acceleration of the step, Â a⁺ = A a with Â = A + h D, comes after the solve. D is the same for all states.
 * It knows joints, springs, dampers, motors and servos of joints, limits, equalities, dry friction and contacts of rigid bodies; other rows and the user's
 * terms by differences of these alone (row-differences.ts). `begin` says where a step has more than that, and derivatives are then taken by
 * differences of the residual (step-map.ts).
 */
import { ContactMotion } from '../../collision/contact-motion.ts';
import { ContactAdjoint } from '../../contact/contact-adjoint.ts';
import { assembleMetric, isExplicit } from '../../dynamics/integrate.ts';
import { MotionAdjoint } from '../../dynamics/motion-adjoint.ts';
import type { Workspace } from '../../dynamics/workspace.ts';
import type { ReverseSolve } from '../../formulation/reverse-solve.ts';
import type { InputBars, RateParts, RowRates } from '../../formulation/row-rates.ts';
import { wasTaken } from '../../formulation/solve-status.ts';
import { multiplyTree } from '../../linear-algebra/tree-ldl.ts';
import type { Model } from '../../model/model.ts';
import type { ConvexProblem } from '../../objective/convex-problem.ts';
import { findFormulation } from '../../scene/formulation-table.ts';
import type { Simulation } from '../../simulation.ts';
import { ConstraintPart } from './constraint-part.ts';
import { DrivePart } from './drive-part.ts';
import { ElasticPart } from './elastic-part.ts';
import { HessianSolve } from './hessian-solve.ts';
import { addBars, clearBars, createBars, createEndBars, type EndBars, listEndParts } from './input-bars.ts';
import { hasOwnForcesOnly, JointPart } from './joint-part.ts';
import { pullBackRowByRow, type ReverseStep } from './reverse-step.ts';
import { RowDifferences } from './row-differences.ts';
import { type SpinBars, StepEnd } from './step-end.ts';

export class StepAdjoint implements ReverseStep {
  readonly #twin: Simulation;
  readonly #work: Workspace;
  readonly #motion: MotionAdjoint;
  readonly #contactAdjoint: ContactAdjoint;
  readonly #contactMotion: ContactMotion;
  readonly #constraints: ConstraintPart;
  readonly #joints: JointPart;
  readonly #drives: DrivePart;
  readonly #problem: ConvexProblem;
  readonly #hessian: ReverseSolve;
  readonly #isVelocity: boolean;
  readonly #metric: Float64Array;
  /** Whether the integrator comes after a solve with M, and Â, where it is not M. */
  readonly #isAfter: boolean;
  readonly #outer: HessianSolve | undefined;
  readonly #outerMetric: Float64Array;
  #hasOuter = false;
  /** x, the acceleration a of the solve, and that of the step. */
  #solution: Float64Array = new Float64Array(0);
  readonly #acceleration: Float64Array;
  readonly #stepAcceleration: Float64Array;
  readonly #end: StepEnd;
  readonly #elastic: ElasticPart | undefined;
  /** Per body, see `#listInertial`. */
  readonly #isCarried: Uint8Array;
  readonly #difference: Float64Array;
  readonly #product: Float64Array;
  #basis: InputBars[] | undefined;
  #unknowns: Float64Array[] | undefined;
  readonly #inner: Float64Array;
  /** Made when first needed. */
  #others: RowDifferences | undefined;
  #hasOthers = false;

  /** Undefined where the scene has more than an adjoint knows, whatever its state. */
  static create(twin: Simulation): StepAdjoint | undefined {
    const { model, formulation } = twin;
    const { options, size } = model;
    const { convex, cone } = formulation;
    if (!(convex || cone) || !formulation.held || options.accuracy !== undefined) return undefined;
    if (model.constraintJoint.kind.length > 0) return undefined;
    const isMixed = size.softBody > 0 && twin.terms.length > 0;
    if (isMixed || (!convex && (size.softBody > 0 || twin.terms.length > 0))) return undefined;
    const work = twin.derived;
    if (options.integrator !== 'semiImplicit' && !isImplicitAfter(model, work)) return undefined;
    if (!hasOwnForcesOnly(model, work)) return undefined;
    const isVelocity = findFormulation(options.formulation).unknown !== 'acceleration';
    const drives = new DrivePart(model, formulation.problem!, isVelocity);
    if (drives.count > 0 && !drives.isKnown) return undefined;
    const contactAdjoint = new ContactAdjoint(model, work, twin.solvedShapes);
    const contactMotion = new ContactMotion();
    const parts = { model, work, contacts: twin.solvedContacts, contactAdjoint, contactMotion };
    const rates = (convex ?? cone)!.createRates(parts);
    if (!rates || (size.equality > 0 && !rates.readEquality)) return undefined;
    return new StepAdjoint(twin, parts, rates, drives);
  }

  private constructor(twin: Simulation, parts: RateParts, rates: RowRates, drives: DrivePart) {
    const { model, formulation } = twin;
    const { convex, cone } = formulation;
    const work = twin.derived;
    const nv = model.size.velocity;
    const isVelocity = findFormulation(model.options.formulation).unknown !== 'acceleration';
    this.#twin = twin;
    this.#work = work;
    this.#isVelocity = isVelocity;
    this.#motion = new MotionAdjoint(model, work);
    this.#contactAdjoint = parts.contactAdjoint;
    this.#contactMotion = parts.contactMotion;
    this.#problem = formulation.problem!;
    this.#joints = new JointPart(model, work);
    this.#drives = drives;
    this.#constraints = new ConstraintPart(parts, this.#problem, rates, drives);
    const entries = model.size.massMatrix;
    this.#hessian = convex ? new HessianSolve(convex, entries) : cone!.createReverse(entries);
    this.#metric = new Float64Array(entries);
    this.#isAfter = isImplicitAfter(model, work);
    this.#outer = isVelocity || !this.#isAfter ? undefined : new HessianSolve(convex!, entries);
    this.#outerMetric = new Float64Array(entries);
    this.#acceleration = new Float64Array(nv);
    this.#stepAcceleration = new Float64Array(nv);
    this.#end = new StepEnd(twin, isVelocity);
    if (model.size.softBody > 0)
      this.#elastic = new ElasticPart(model, convex!.soft, convex!.objective.islands, isVelocity);
    this.#isCarried = new Uint8Array(model.size.body);
    this.#difference = new Float64Array(nv);
    this.#product = new Float64Array(nv);
    this.#inner = new Float64Array(nv);
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
    const held = formulation.held?.read();
    if (!held) return false;
    // behind the positions of the elastic step
    const solution = held.subarray(3 * model.size.softVertex);
    this.#solution = solution;
    const hasRows = this.#problem.rowCount > 0;
    this.#hasOuter = this.#isAfter && hasRows && !isExplicit(model, work);
    if (this.#isAfter && hasRows) this.#metric.set(work.massMatrix);
    else assembleMetric(this.#metric, model, state, work, h);
    const { advanceShift } = work;
    const v = state.velocity;
    for (let i = 0; i < v.length; i++)
      this.#acceleration[i] = this.#isVelocity ? (solution[i] - advanceShift[i] - v[i]) / h : solution[i];
    this.#stepAcceleration.set(this.#acceleration);
    if (this.#hasOuter) {
      assembleMetric(this.#outerMetric, model, state, work, h);
      this.#stepAcceleration.set(work.acceleration);
      this.#outer!.begin(work, this.#outerMetric, solution);
    }
    this.#hessian.begin(work, this.#metric, solution);
    const contacts = twin.solvedContacts;
    if (this.#elastic && !this.#elastic.begin(solution, this.#problem.target, hasRows, h)) return false;
    const others = hasRows ? this.#constraints.listOthers() : [];
    if (!others || !this.#beginOthers(others)) return false;
    const { pushes } = this.#constraints;
    if (hasRows && !this.#contactMotion.differentiate(twin.solvedShapes, contacts, pushes)) return false;
    if (hasRows && !this.#constraints.begin(state)) return false;
    this.#drives.begin(state, work, h);
    this.#joints.begin(state, h, this.#drives.isRow);
    this.#listInertial();
    return this.#end.begin(this.#stepAcceleration, h);
  }

  // rows and terms without a closed form
  #beginOthers(others: readonly number[]): boolean {
    const { terms, formulation, model } = this.#twin;
    this.#hasOthers = others.length > 0 || terms.length > 0;
    if (!this.#hasOthers) return true;
    if (!formulation.convex) return false;
    this.#others ??= new RowDifferences(this.#twin);
    return this.#others.begin(this.#solution, others, this.#isVelocity ? model.options.timestep : 1);
  }

  /** Whether contact points have a kink here: derivatives are the mean of both sides. */
  get hasKink(): boolean {
    return this.#contactMotion.hasKink;
  }

  /** Estimate of the condition of H. */
  estimateCondition(): number {
    return this.#hessian.estimateCondition();
  }

  /** Adds the gradient by the inputs of a gradient by the next state; false where H has no factor. */
  pullBack(end: EndBars, out: InputBars): boolean {
    const spin = this.#end.createSpinBars();
    const bar = this.#reverseEnd(end, out, spin);
    const rigid = this.#hasOuter ? this.#reverseOuter(bar, this.#inner, out) : bar;
    const unknown = this.#elastic ? this.#reverseElasticEnd(end, rigid, out) : rigid;
    const direct = this.#elastic?.keepDirect(unknown);
    if (!this.#hessian.solve([unknown])) return false;
    this.#reverseSolve(unknown, out, spin, 0);
    if (direct) this.#elastic!.reverse(unknown, direct, out);
    this.#end.reverseSpins(out, spin);
    return true;
  }

  // unknowns of vertices behind those of dofs
  #reverseElasticEnd(end: EndBars, rigid: Float64Array, out: InputBars): Float64Array {
    const unknown = new Float64Array(rigid.length + end.softPosition.length);
    unknown.set(rigid);
    this.#elastic!.reverseEnd(end, unknown, out);
    return unknown;
  }

  /**
   * The same for every gradient by one number of the next state, rows of the Jacobian: the solve is gone through once per dof, since rows
   * depend on few unknowns each. `take` is given each row, in the order of a tangent vector, in arrays that are used again.
   */
  pullBackRows(take: (row: InputBars) => void): boolean {
    const { size } = this.#twin.model;
    const nv = size.velocity;
    if (this.#elastic) return pullBackRowByRow(this, this.#twin.model, 0, take);
    this.#basis ??= Array.from({ length: nv }, () => createBars(this.#twin.model, 0));
    const basis = this.#basis;
    const spins: SpinBars[] = [];
    this.#unknowns ??= Array.from({ length: nv }, () => new Float64Array(nv));
    const unknowns = this.#unknowns;
    for (const [k, out] of basis.entries()) {
      clearBars(out);
      const unit = this.#hasOuter ? this.#inner : unknowns[k];
      unit.fill(0);
      unit[k] = 1;
      spins.push(this.#end.createSpinBars());
      if (this.#hasOuter) this.#reverseOuter(unit, unknowns[k], out);
    }
    if (!this.#hessian.solve(unknowns)) return false;
    for (let k = 0; k < nv; k++) {
      this.#reverseSolve(unknowns[k], basis[k], spins[k], k);
      this.#end.reverseSpins(basis[k], spins[k]);
    }
    const end = createEndBars(this.#twin.model, 0);
    const out = createBars(this.#twin.model, 0);
    const spin = this.#end.createSpinBars();
    for (const part of listEndParts(end)) {
      for (let r = 0; r < part.length; r++) {
        part[r] = 1;
        clearBars(out);
        spin.change.fill(0);
        spin.shift.fill(0);
        const bar = this.#reverseEnd(end, out, spin);
        this.#end.reverseSpins(out, spin);
        for (let k = 0; k < nv; k++) if (bar[k] !== 0) addBars(out, basis[k], bar[k]);
        take(out);
        part[r] = 0;
      }
    }
    return true;
  }

  #reverseEnd(end: EndBars, out: InputBars, spin: SpinBars): Float64Array {
    this.#joints.addActivations(out, end.activation);
    return this.#end.reverse(end, out, spin);
  }

  // Â a⁺ = A a: μ = Â⁻¹ ā⁺, `inner` ā = A μ, and the derivative of μᵀ M (a − a⁺)
  #reverseOuter(bar: Float64Array, inner: Float64Array, out: InputBars): Float64Array {
    const { model, state } = this.#twin;
    const { rowStart, column } = model.massMatrix;
    this.#outer!.solveMetric(bar);
    const difference = this.#difference;
    for (let i = 0; i < bar.length; i++) difference[i] = this.#acceleration[i] - this.#stepAcceleration[i];
    // nothing here depends on x
    this.#motion.begin(bar, difference, state.velocity, true);
    this.#motion.addInertia({ acceleration: difference, scale: 1, hasCoriolis: false, hasWeight: false });
    this.#motion.finish(out.position, out.velocity);
    multiplyTree(inner, this.#metric, bar, rowStart, column);
    return inner;
  }

  // bodies whose gyroscopic and Coriolis forces are not in the solve: single ones, and those of trees that are carried
  #listInertial(): void {
    const { coriolis, plan } = this.#work;
    const { spinningBodies, trees, takesMeanVelocity } = plan.inertial;
    this.#isCarried.fill(0);
    if (!takesMeanVelocity) return;
    for (const b of spinningBodies) this.#isCarried[b] = 1;
    for (const [t, { firstBody, endBody }] of trees.entries())
      if (coriolis.isRemoved[t] === 1) this.#isCarried.fill(1, firstBody, endBody);
  }

  /** Overwrites vector n of the solve by λ. Beyond the first, the motion is that of the call before. */
  #reverseSolve(whole: Float64Array, out: InputBars, spin: SpinBars, n: number): void {
    const isAgain = n > 0;
    const twin = this.#twin;
    const { model, state } = twin;
    const h = model.options.timestep;
    const { rowStart, column } = model.massMatrix;
    const work = this.#work;
    const isVelocity = this.#isVelocity;
    const scale = isVelocity ? h : 1;
    const takesMean = work.plan.inertial.takesMeanVelocity;
    const motion = this.#motion;
    for (let i = 0; i < whole.length; i++) whole[i] = -whole[i];
    const lambda = this.#elastic ? whole.subarray(0, state.velocity.length) : whole;
    motion.begin(lambda, this.#solution, state.velocity, isAgain);
    const acceleration = this.#difference;
    for (let i = 0; i < lambda.length; i++)
      acceleration[i] = this.#acceleration[i] - (takesMean ? this.#end.change[i] / h : 0);
    motion.addInertia({ acceleration, scale, hasCoriolis: true, hasWeight: true, isCarried: this.#isCarried }, isAgain);
    if (this.#problem.rowCount > 0 && !isAgain) this.#contactAdjoint.keep(motion, twin.solvedContacts);
    if (this.#problem.rowCount > 0)
      this.#constraints.add(out, motion, state, lambda, this.#solution, this.#hessian.readWeights(n), spin.shift);
    motion.finish(out.position, out.velocity);
    if (this.#hasOthers) this.#others!.add(out, whole);
    this.#joints.add(out, lambda, scale);
    const product = this.#product;
    if (isVelocity) {
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
  }
}

// D of `implicitfast` has the dampers of actuators, which are constant where their gain does not grow with speed
function isImplicitAfter({ options, actuator }: Model, { plan }: Workspace): boolean {
  if (options.integrator === 'euler') return true;
  const isConstant = actuator.gain.every((gain, k) => k % 3 !== 2 || gain === 0);
  return options.integrator === 'implicitfast' && plan.biasRate === 'none' && isConstant;
}
