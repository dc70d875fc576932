/**
 * The reverse of the end of a step of rigid bodies, from the state after it to the unknown of its solve: the acceleration a, or the velocity
 * u = v + h a + s by which positions move,
 *   q⁺ = q ⊕ h u      v⁺ = v + h a, or with gyroscopic motion (dynamics/inertial-motion.ts) v' = v + h a − Δ,  v⁺ = v' + Δ(v')
 * Δ and s of single bodies depend on their velocity: their gradients are gathered, and go back to it last (`reverseSpins`). Trees of joints end
 * with v⁺ = C(q, u) (dynamics/coriolis-transport.ts).
 */
import { hardlyTurns, isLed, isNearlyStopped, measureSpin } from '../../dynamics/inertial-motion.ts';
import { differentiateSpin } from '../../dynamics/spin-rate.ts';
import type { Workspace } from '../../dynamics/workspace.ts';
import type { InputBars } from '../../formulation/row-rates.ts';
import type { Simulation } from '../../simulation.ts';
import { CarryAdjoint } from './carry-adjoint.ts';
import type { EndBars } from './input-bars.ts';
import { reversePositionStep } from './rotation-step.ts';

/** Gradient by Δ and s of single bodies, and by what pushes change by where they act (dynamics/push-turn.ts). */
export interface SpinBars {
  readonly change: Float64Array;
  readonly shift: Float64Array;
  readonly push: Float64Array;
}

export class StepEnd {
  /** Δ. */
  readonly change: Float64Array;
  readonly #twin: Simulation;
  readonly #work: Workspace;
  readonly #isVelocity: boolean;
  /** u, v', and Δ(v'). */
  readonly #advance: Float64Array;
  readonly #pushed: Float64Array;
  readonly #after: Float64Array;
  /** Δ and s of single bodies by ω before and, of Δ, after the push; whether the end takes Δ(v) and not Δ(v'). */
  readonly #spinRate: Float64Array;
  readonly #pushedRate: Float64Array;
  readonly #isStopped: Uint8Array;
  /** Whether its push is one at the start of the step. */
  readonly #isTurned: Uint8Array;
  readonly #byAdvance: Float64Array;
  readonly #bar: Float64Array;
  readonly #carry: CarryAdjoint | undefined;

  /** `isVelocity`: the unknown is u. */
  constructor(twin: Simulation, isVelocity: boolean) {
    const nv = twin.model.size.velocity;
    this.#twin = twin;
    this.#work = twin.derived;
    this.#isVelocity = isVelocity;
    const { spinningBodies, trees } = this.#work.plan.inertial;
    this.#carry = trees.length > 0 ? new CarryAdjoint(twin.model, this.#work) : undefined;
    this.change = new Float64Array(nv);
    this.#advance = new Float64Array(nv);
    this.#pushed = new Float64Array(nv);
    this.#after = new Float64Array(nv);
    this.#byAdvance = new Float64Array(nv);
    this.#bar = new Float64Array(nv);
    this.#spinRate = new Float64Array(36 * spinningBodies.length);
    this.#pushedRate = new Float64Array(36 * spinningBodies.length);
    this.#isStopped = new Uint8Array(spinningBodies.length);
    this.#isTurned = new Uint8Array(spinningBodies.length);
  }

  /** Takes the acceleration of the step; false where its end depends on more than is known here. */
  begin(acceleration: Float64Array, h: number): boolean {
    const { model, state } = this.#twin;
    const work = this.#work;
    const v = state.velocity;
    const { inertialChange, advanceShift } = work;
    const { spinningBodies, takesMeanVelocity } = work.plan.inertial;
    for (let i = 0; i < v.length; i++) {
      const push = v[i] + h * acceleration[i];
      this.change[i] = takesMeanVelocity ? inertialChange[i] : 0;
      this.#advance[i] = push + (takesMeanVelocity ? advanceShift[i] : 0);
      this.#pushed[i] = push - this.change[i];
    }
    const way = { row: this.#advance, acceleration, inertialChange, advanceShift };
    for (const [n, b] of spinningBodies.entries()) {
      // bodies that joints or contacts lead end with the velocity of their way, unless the formulation gives one
      const i = model.body.dofStart[b] + model.body.dofCount[b] - 3;
      const turns = !hardlyTurns(this.#pushed, inertialChange, i, h);
      const isOwn = work.hasEndVelocity[i] !== 1 && turns;
      if (isOwn && (work.spinGain[b] > 0 || isLed(this.#pushed, way, i, h))) return false;
      differentiateSpin(this.#spinRate, 36 * n, model, v, work, b, h);
      this.#isStopped[n] = isNearlyStopped(model, this.#pushed, work, b) ? 1 : 0;
      this.#isTurned[n] = turns && this.#isStopped[n] === 0 ? 1 : 0;
      if (this.#isTurned[n] === 1) for (let k = i; k < i + 3; k++) this.#pushed[k] += work.pushShift[k];
      differentiateSpin(this.#pushedRate, 36 * n, model, this.#pushed, work, b, h);
    }
    this.#measurePushedChange(h);
    return this.#carry?.begin(state, work, this.#advance, h) ?? true;
  }

  // Δ(v') of bodies off their centre, of which the derivative by their rotation depends
  #measurePushedChange(h: number): void {
    const { model } = this.#twin;
    const work = this.#work;
    const before = work.inertialChange.slice();
    const shift = work.advanceShift.slice();
    for (const b of work.plan.inertial.spinningBodies) measureSpin(model, this.#pushed, work, b, h);
    this.#after.set(work.inertialChange);
    work.inertialChange.set(before);
    work.advanceShift.set(shift);
  }

  /** Zeros. */
  createSpinBars(): SpinBars {
    const n = this.#work.plan.inertial.takesMeanVelocity || this.#isVelocity ? this.change.length : 0;
    return { change: new Float64Array(n), shift: new Float64Array(n), push: new Float64Array(n) };
  }

  /** The gradient by the unknown, overwritten by the next call; adds what the end depends on besides. */
  reverse(end: EndBars, out: InputBars, spin: SpinBars): Float64Array {
    const { model } = this.#twin;
    const h = model.options.timestep;
    const nv = model.size.velocity;
    const byAdvance = this.#byAdvance.fill(0);
    const moved = this.#carry?.leaveTurned(end.position) ?? end.position;
    reversePositionStep(model, moved, this.#advance, h, out.position, byAdvance);
    const bar = this.#bar;
    if (this.#work.plan.inertial.takesMeanVelocity) {
      const pushed = end.velocity.slice();
      this.#carry?.reverse(pushed, out.position, end.position);
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
    if (!this.#isVelocity) return bar;
    // a = (u − s − v)/h
    for (let i = 0; i < nv; i++) {
      bar[i] /= h;
      out.velocity[i] -= bar[i];
      spin.shift[i] -= bar[i];
    }
    return bar;
  }

  // v⁺ = v' + Δ(v')
  #reversePush(end: Float64Array, pushed: Float64Array, out: InputBars, spin: SpinBars): void {
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
      if (this.#isTurned[n] === 1) for (let i = first + count - 3; i < first + count; i++) spin.push[i] = pushed[i];
      turnAlong(out.position, this.#work, b, first, count, this.#after, end);
    }
  }

  /** Adds what Δ and s depend on. */
  reverseSpins(out: InputBars, spin: SpinBars): void {
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
