/**
 * The reverse of a step of `ipc` at its minimum g(x; z) = ∇E = 0: from a gradient by the velocities u that lead to x to those by the state before,
 *   x̄ = ∂u/∂xᵀ ū      H λ = x̄ (with the rows of joints, held-step.ts)      z̄ −= λᵀ ∂g/∂z
 * one solve with the factor of the true Hessian. z enters g by
 *   inertia    x̃ = x⁰ + h (v + h f/m),  R̃ = R⁰ exp(h (ω + Δ + s + h I⁻¹ τ))     −λ · ∂∇E/∂R̃ = −(B₁₂ − B₂₁, ..),  B = R̃ᵀ [λ] R J
 *   elastic    soft-adjoint.ts
 *   friction   friction-lag.ts, or friction-start.ts
 *   terms      added-start.ts: of the user, where they measure from the start
 *   servos     joint-adjoint.ts, with springs, dampers and armature of joints
 * and the impulses of pushes (push-shift.ts) by inertia and friction once more. u = (x − x⁰)/h, log(R⁰ᵀ R)/h depends on the start as well. Barrier and joints do not; κ is taken as it was.
 */
import { isSemiImplicit } from '../../dynamics/implicit-share.ts';
import type { Workspace } from '../../dynamics/workspace.ts';
import { solveSmallSystem } from '../../linear-algebra/small-system.ts';
import { reverseTurn } from '../../linear-algebra/turn-adjoint.ts';
import type { Model } from '../../model/model.ts';
import type { SoftBodies } from '../../soft/soft-bodies.ts';
import type { State } from '../../state/state.ts';
import type { PositionAdjoint, SolveBars } from '../position-adjoint.ts';
import type { InputBars } from '../row-rates.ts';
import { AddedStart } from './added-start.ts';
import { FeatureBorders } from './feature-borders.ts';
import { FrictionLag } from './friction-lag.ts';
import { FrictionStart } from './friction-start.ts';
import type { HeldStep } from './held-step.ts';
import type { IpcObjective } from './ipc-objective.ts';
import { JointAdjoint } from './joint-adjoint.ts';
import type { PushShift } from './push-shift.ts';
import type { SecondOrder } from './second-order.ts';
import { FrameRates, INPUTS } from './second-order-rates.ts';
import { SoftAdjoint } from './soft-adjoint.ts';
import { inverseTurnCoefficient } from './terms/incremental-displacement.ts';
import { ROW } from './terms/joint-rows.ts';

/** What the formulation does for its adjoint. */
export interface HeldSolve {
  /** The solution of the last solve, with the factor of its Hessian; undefined where it has none. */
  read(): Float64Array | undefined;
  /** Whether the last step was smooth: its start is kept for the next one. */
  isSmooth(): boolean;
  /** Takes friction at the current poses, as a step does at its start. */
  lag(): void;
  /** Begins the step anew and goes to its solution, with the factor of the Hessian there. */
  restore(solution: Float64Array): boolean;
}

/** Repetitions of a solve at most, the change of one that is round-off, and the share of λ that the first may change. */
const MOST_ROUNDS = 20;
const ROUND_OFF = 1e-12;
const MOST_SHARE = 0.1;

const vector = /* @__PURE__ */ new Float64Array(3);
const tensor = /* @__PURE__ */ new Float64Array(9);
const product = /* @__PURE__ */ new Float64Array(9);
const second = /* @__PURE__ */ new Float64Array(9);

export class HeldAdjoint implements PositionAdjoint {
  readonly #model: Model;
  readonly #objective: IpcObjective;
  readonly #soft: SoftBodies;
  readonly #held: HeldStep;
  readonly #solve: HeldSolve;
  readonly #friction: FrictionStart;
  readonly #lag: FrictionLag;
  readonly #added: AddedStart;
  readonly #elastic: SoftAdjoint;
  readonly #joints: JointAdjoint;
  readonly #right: Float64Array;
  readonly #lambda: Float64Array;
  readonly #start: Float64Array;
  readonly #turn: Float64Array;
  readonly #second: SecondOrder | undefined;
  readonly #push: PushShift;
  /** λ that inertia and friction see, and what of it is by the angular impulses of pushes. */
  readonly #acting: Float64Array;
  readonly #impulse: Float64Array;
  /** By frame that takes the step at order two. */
  readonly #rates: (FrameRates | undefined)[] = [];
  /** Per node, frames first and soft bodies then: whether its start is kept for the next step. */
  #isKept: Uint8Array = new Uint8Array(0);
  readonly #borders: FeatureBorders;
  #hasFriction = false;
  #hasBorder = false;
  #h = 1;

  constructor(
    model: Model,
    objective: IpcObjective,
    soft: SoftBodies,
    held: HeldStep,
    solve: HeldSolve,
    push: PushShift,
    second?: SecondOrder,
  ) {
    const { frames, matrix } = objective;
    this.#model = model;
    this.#objective = objective;
    this.#soft = soft;
    this.#held = held;
    this.#solve = solve;
    this.#second = second;
    this.#push = push;
    this.#friction = new FrictionStart(objective);
    this.#lag = new FrictionLag(objective);
    this.#borders = new FeatureBorders(objective);
    this.#added = new AddedStart(objective.added, frames);
    this.#elastic = new SoftAdjoint(objective, soft, second);
    this.#joints = new JointAdjoint(model, objective, second);
    this.#right = new Float64Array(matrix.gradient.length);
    this.#lambda = new Float64Array(frames.step.length);
    this.#start = new Float64Array(frames.step.length);
    this.#turn = new Float64Array(frames.step.length);
    this.#acting = new Float64Array(frames.step.length);
    this.#impulse = new Float64Array(frames.step.length);
  }

  /** Whether the forces of the scene are among those above, whatever its state. */
  static knows(model: Model, { plan }: Workspace, objective: IpcObjective): boolean {
    const { joint, dof, soft, options } = model;
    const isPlain = JointAdjoint.knows(model, objective);
    const hasForces =
      plan.hasDamping || plan.extraDamping.length > 0 || plan.springJoints.length > 0 || !isCompensatedEvenly(model);
    if (!isPlain || hasForces || plan.fluid || !isSemiImplicit(options.integrator)) return false;
    if (joint.stiffness.some((k) => k !== 0) || dof.frictionLoss.some((f) => f !== 0)) return false;
    return soft.attachment.vertex.length === 0 && objective.attachments.isEmpty;
  }

  /** Takes friction as it has just been lagged at the start of a step. */
  takeLag(): void {
    this.#lag.take();
  }

  begin(state: State, work: Workspace, h: number): boolean {
    const { added, joints, frames, displacement } = this.#objective;
    this.#h = h;
    if (!HeldAdjoint.knows(this.#model, work, this.#objective) || !added.hasWholeHessian) return false;
    if (frames.mocapBody.length > 0 || this.#push.isCut) return false;
    const solution = this.#solve.read();
    if (!solution) return false;
    const { rows } = joints;
    for (let r = 0; r < rows.count; r++) if (rows.kind[r] <= ROW.limit && joints.hasAllowance(r)) return false;
    if (!this.#joints.begin(state, work, h)) return false;
    this.#hasBorder = this.#borders.find();
    const isSmooth = this.#solve.isSmooth();
    if (this.#second) this.#isKept = this.#second.findTouched().map((isTouched) => (isSmooth ? 1 - isTouched : 0));
    if (!this.#elastic.begin(h)) return false;
    this.#hasFriction = !this.#friction.isEmpty;
    if (this.#hasFriction) {
      if (!displacement.startsAtPivot) return false;
      this.#friction.clear();
      if (!this.#lag.isKnown) {
        if (!this.#joints.isEmpty) return false;
        let isRestored = false;
        // the step begins anew, from forces as they were before terms were counted among them
        added.withoutForces(work, () => {
          this.#friction.measure(h, this.#solve.lag);
          isRestored = this.#solve.restore(solution);
        });
        if (!isRestored) return false;
      }
    }
    this.#added.measure();
    added.withoutForces(work, () => this.#joints.withoutDrives(work, () => this.#measureRates(state, work, h)));
    return !this.#joints.isBent || this.#canRefine();
  }

  #measureRates(state: State, work: Workspace, h: number): void {
    const second = this.#second;
    for (let g = 0; g < this.#objective.frames.moving; g++) {
      this.#rates[g] = second?.isActive[g] === 1 ? new FrameRates(this.#objective, second) : undefined;
      this.#rates[g]?.measure(g, state, work, h);
    }
  }

  givesVelocity(dof: number): boolean {
    return this.#rates[Math.floor(dof / 6)] !== undefined;
  }

  get hasKink(): boolean {
    return this.#hasBorder;
  }

  get condition(): number {
    return this.#objective.matrix.condition;
  }

  pullBack(end: SolveBars, out: InputBars): Float64Array {
    const { frames } = this.#objective;
    const right = this.#right.fill(0);
    const start = this.#start.fill(0);
    const way = end.way.slice();
    this.#reversePush(end.push, way, right, start);
    this.#reverseKept(end, right, start, out);
    for (let g = 0; g < frames.moving; g++) {
      this.#reverseWay(g, way, right, start);
      this.#reverseVelocity(g, end.velocity, right, start, out);
    }
    for (const [n, part] of this.#soft.parts.entries()) this.#elastic.reverseEnd(n, part, end, right, start, out);
    this.#solveFor(right);
    for (let i = 0; i < this.#acting.length; i++) this.#acting[i] = this.#lambda[i] - this.#impulse[i];
    const spin = new Float64Array(out.velocity.length);
    for (let g = 0; g < frames.moving; g++) this.#reverseInertia(g, start, out, spin);
    for (const [n, part] of this.#soft.parts.entries()) this.#elastic.reverse(n, part, this.#lambda, start, out);
    const rate = new Float64Array(start.length);
    this.#added.addRate(rate, this.#lambda);
    if (this.#hasFriction) {
      this.#friction.addRate(rate, this.#acting, this.#lambda);
      if (this.#lag.isKnown) this.#lag.addRate(rate, this.#acting);
    }
    for (let i = 0; i < rate.length; i++) start[i] -= rate[i];
    this.#joints.reverse(this.#lambda, start, out);
    this.#joints.reverseForces(start, out);
    for (let i = 0; i < 6 * frames.moving; i++) out.position[i] += start[i];
    for (let i = 0; i < out.softPosition.length; i++)
      out.softPosition[i] += start[6 * (frames.firstSoft + Math.floor(i / 3)) + (i % 3)];
    return spin;
  }

  // what pushes change by where they act: their angular impulses are the gradients of inertia and friction at the solution
  #reversePush(push: Float64Array, way: Float64Array, right: Float64Array, start: Float64Array): void {
    const { frames, inertia, rigidFriction, displacement, scale } = this.#objective;
    const impulse = this.#impulse;
    this.#push.reverse(impulse, push, way, start, this.#h);
    if (impulse.every((value) => value === 0)) return;
    for (let g = 0; g < frames.moving; g++) {
      const i = 6 * g + 3;
      inertia.addProduct(right, i, g, frames.current, impulse);
    }
    if (rigidFriction.count === 0) return;
    displacement.take(frames.current);
    displacement.differentiate();
    rigidFriction.addProduct(right, impulse, scale, frames.moving);
  }

  // λ ← H⁻¹ b, repeated where the factor lacks some curvature K of joints: λ ← H⁻¹ (b − K λ)
  #solveFor(b: Float64Array): void {
    const lambda = this.#lambda;
    this.#held.solveFor(lambda, b);
    if (!this.#joints.isBent) return;
    for (let round = 0; round < MOST_ROUNDS; round++) {
      const before = lambda.slice();
      const rest = b.slice();
      this.#joints.subtractCurvature(rest, lambda);
      this.#held.solveFor(lambda, rest);
      let change = 0;
      let largest = 0;
      for (let i = 0; i < lambda.length; i++) {
        change = Math.max(change, Math.abs(lambda[i] - before[i]));
        largest = Math.max(largest, Math.abs(lambda[i]));
      }
      if (!(change > ROUND_OFF * largest)) return;
    }
  }

  // whether these repetitions converge: on a motion of all bodies
  #canRefine(): boolean {
    const b = this.#right.map((_, i) => Math.sin(1 + i));
    const change = new Float64Array(b.length);
    const lambda = this.#lambda;
    const measure = (): number => lambda.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
    this.#held.solveFor(lambda, b);
    const first = measure();
    this.#joints.subtractCurvature(change, lambda);
    this.#held.solveFor(lambda, change);
    return measure() < MOST_SHARE * first;
  }

  // x', v', turn and ω' of frames, x' and v' of vertices: the start of this step for the next one (step-history.ts)
  #reverseKept({ kept }: SolveBars, right: Float64Array, start: Float64Array, out: InputBars): void {
    const { frames } = this.#objective;
    if (kept.length === 0) return;
    for (let g = 0; g < frames.moving; g++) {
      if (this.#isKept[g] === 0) continue;
      const o = 12 * g;
      const i = 6 * g;
      for (let k = 0; k < 3; k++) {
        start[i + k] += kept[o + k];
        out.velocity[i + k] += kept[o + 3 + k];
        vector[k] = kept[o + 6 + k];
        out.velocity[i + 3 + k] += kept[o + 9 + k];
      }
      this.#reverseTurn(g, right, start);
    }
    for (const [n, { first, mesh }] of this.#soft.parts.entries()) {
      if (this.#isKept[frames.moving + n] === 0) continue;
      for (let i = 3 * first; i < 3 * (first + mesh.vertexCount); i++) {
        const v = Math.floor(i / 3);
        const o = 12 * frames.moving + 6 * v + (i % 3);
        start[6 * (frames.firstSoft + v) + (i % 3)] += kept[o];
        out.softVelocity[i] += kept[o + 3];
      }
    }
  }

  // the velocity at the end of a frame of order two
  #reverseVelocity(g: number, velocity: Float64Array, right: Float64Array, start: Float64Array, out: InputBars): void {
    const rates = this.#rates[g];
    if (!rates) return;
    for (let r = 0; r < 6; r++) {
      const bar = velocity[6 * g + r];
      if (bar === 0) continue;
      for (let c = 0; c < 6; c++) right[6 * g + c] += bar * rates.byPose[6 * r + c];
      this.#addInputs(g, rates, 6 + r, bar, start, out);
    }
  }

  // inputs of a frame of order two in the order of second-order-rates.ts
  #addInputs(g: number, { byInput }: FrameRates, row: number, bar: number, start: Float64Array, out: InputBars): void {
    const o = INPUTS * row;
    const i = 6 * g;
    for (let k = 0; k < 6; k++) {
      start[i + k] += bar * byInput[o + k];
      out.velocity[i + k] += bar * byInput[o + 6 + k];
      out.kept[12 * g + k] += bar * byInput[o + 12 + k];
      out.kept[12 * g + 6 + k] += bar * byInput[o + 18 + k];
      out.force[i + k] += bar * byInput[o + 24 + k];
    }
  }

  // u = (x − x⁰)/h and log(R⁰ᵀ R)/h: δu = (L⁻¹(−φ) χ − L⁻¹(φ) χ⁰)/h with turns in the axes of the body
  #reverseWay(g: number, way: Float64Array, right: Float64Array, start: Float64Array): void {
    const h = this.#h;
    const i = 6 * g;
    for (let k = 0; k < 3; k++) {
      right[i + k] += way[i + k] / h;
      start[i + k] -= way[i + k] / h;
      vector[k] = way[i + 3 + k] / h;
    }
    this.#reverseTurn(g, right, start);
  }

  // the gradient of φ = log(R⁰ᵀ R) is in `vector`
  #reverseTurn(g: number, right: Float64Array, start: Float64Array): void {
    const { frames } = this.#objective;
    const i = 6 * g;
    frames.writeTurn(tensor, g, 0);
    const [x, y, z] = tensor;
    const b = inverseTurnCoefficient(x * x + y * y + z * z);
    const [p, q, r] = vector;
    // φ × w and φ × (φ × w)
    const cross = [y * r - z * q, z * p - x * r, x * q - y * p];
    const twice = [y * cross[2] - z * cross[1], z * cross[0] - x * cross[2], x * cross[1] - y * cross[0]];
    for (let k = 0; k < 3; k++) {
      const even = vector[k] + b * twice[k];
      tensor[k] = even - 0.5 * cross[k];
      start[i + 3 + k] -= even + 0.5 * cross[k];
    }
    const { rotation } = frames.current;
    for (let k = 0; k < 3; k++) {
      const o = 9 * g + 3 * k;
      right[i + 3 + k] += rotation[o] * tensor[0] + rotation[o + 1] * tensor[1] + rotation[o + 2] * tensor[2];
    }
  }

  #reverseInertia(g: number, start: Float64Array, out: InputBars, spin: Float64Array): void {
    const { inertia, frames } = this.#objective;
    const { mass, moment, rotation: predicted, velocity } = inertia;
    const h = this.#h;
    const i = 6 * g;
    const m = 9 * g;
    const rates = this.#rates[g];
    for (let k = 0; k < 3; k++) {
      const push = mass[3 * g + k] * this.#acting[i + k];
      if (rates) {
        this.#addInputs(g, rates, k, push, start, out);
        continue;
      }
      start[i + k] += push;
      out.velocity[i + k] += h * push;
      out.force[i + k] += h * h * this.#acting[i + k];
    }
    // B = R̃ᵀ [λ] R J
    const [x, y, z] = this.#acting.subarray(i + 3, i + 6);
    const { rotation } = frames.current;
    multiply(product, rotation.subarray(m, m + 9), moment.subarray(m, m + 9), false);
    for (let c = 0; c < 3; c++) {
      second[c] = y * product[6 + c] - z * product[3 + c];
      second[3 + c] = z * product[c] - x * product[6 + c];
      second[6 + c] = x * product[3 + c] - y * product[c];
    }
    multiply(product, predicted.subarray(m, m + 9), second, true);
    vector[0] = product[7] - product[5];
    vector[1] = product[2] - product[6];
    vector[2] = product[3] - product[1];
    if (rates) {
      for (let k = 0; k < 3; k++) this.#addInputs(g, rates, 3 + k, vector[k], start, out);
      return;
    }
    // R̃ = R⁰ exp(h u)
    this.#turn.set(vector, i + 3);
    reverseTurn(this.#turn, velocity, i + 3, h, start, spin);
    for (let k = 0; k < 3; k++) {
      out.velocity[i + 3 + k] += spin[i + 3 + k];
      vector[k] = h * spin[i + 3 + k];
    }
    for (let k = 0; k < 9; k++) tensor[k] = inertia.inertia[m + k];
    solveSmallSystem(tensor, vector, 3);
    for (let k = 0; k < 3; k++) out.force[i + 3 + k] += vector[k];
  }
}

// whether gravity compensation pushes every group of bodies at its centre of mass, where it turns nothing
function isCompensatedEvenly({ body, size }: Model): boolean {
  const share = new Map<number, number>();
  for (let b = 0; b < size.body; b++) {
    if (!(body.mass[b] > 0)) continue;
    const own = body.gravityCompensation[b];
    if ((share.get(body.weld[b]) ?? own) !== own) return false;
    share.set(body.weld[b], own);
  }
  return true;
}

// out = A B, or Aᵀ B
function multiply(out: Float64Array, a: Float64Array, b: Float64Array, isTransposed: boolean): void {
  for (let r = 0; r < 3; r++) {
    for (let c = 0; c < 3; c++) {
      let sum = 0;
      for (let k = 0; k < 3; k++) sum += a[isTransposed ? 3 * k + r : 3 * r + k] * b[3 * k + c];
      out[3 * r + c] = sum;
    }
  }
}
