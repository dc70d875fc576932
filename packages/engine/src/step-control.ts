/**
 * Error-controlled steps by step doubling. From a state, one step of length H and two of H/2 lead to q₁ and q₂; their difference
 *   e = max |q₂ − q₁|,   m and rad; rotations by their angle
 * estimates the error of q₁, and of q₂ from above. e ≤ accuracy: the two steps are taken, forces are theirs. Otherwise all goes back
 * and H halves. e grows by four when steps of order one double, by eight where they are of order two: H doubles when e is below an
 * eighth, or a sixteenth, of the accuracy. In smooth motion of order two the error of q₂ is e/3; e bounds it at contacts, too.
 * H is the output interval divided by a power of two, so that outputs fall on steps; the power is part of the state. At the
 * shortest H steps are taken in any case, and the report says that the accuracy was not met.
 * Source of the method: Hairer, Norsett, Wanner, Solving Ordinary Differential Equations I, section II.4; of control by positions
 * alone for steps with contact: Kurtz, Castro, CENIC: Convex Error-controlled Numerical Integration for Contact (2025).
 */
import type { StepHistory, StepReport } from './formulation/formulation.ts';
import type { SolveStatus } from './formulation/solve-status.ts';
import { relativeQuaternion, rotationVector } from './linear-algebra/quaternion.ts';
import { JOINT, type Model } from './model/model.ts';
import { ConstraintImpulses } from './state/constraint-impulses.ts';
import type { State } from './state/state.ts';

/** Times that the output interval is halved at most. */
const MOST_HALVINGS = 14;

const turn = /* @__PURE__ */ new Float64Array(4);
const vector = /* @__PURE__ */ new Float64Array(3);

/** What is controlled. */
export interface SteppedSystem {
  readonly model: Model;
  readonly state: State;
  readonly report: StepReport;
  /** Takes a step of length h, the first of a call or a later one; false, with the state as it was, where it cannot be taken. */
  takeStep(h: number, isFirst: boolean): boolean;
  /** What is kept beside the state: noted before steps that may be taken back, and brought back with them. */
  mark(): void;
  returnToMark(): void;
}

export class StepControl {
  readonly history: StepHistory;
  readonly #system: SteppedSystem;
  readonly #accuracy: number;
  /** Before the steps that are tried, and where the interval began. */
  readonly #before: Float64Array;
  readonly #impulses = new ConstraintImpulses(true);
  readonly #start: Float64Array;
  readonly #startImpulses = new ConstraintImpulses(true);
  /** q₁ and soft vertices. */
  readonly #position: Float64Array;
  readonly #softPosition: Float64Array;
  /** How far below the accuracy the error is before a step doubles. */
  readonly #reserve: number;

  constructor(system: SteppedSystem, accuracy: number) {
    this.#system = system;
    this.#accuracy = accuracy;
    const { integrator } = system.model.options;
    this.#reserve = integrator === 'midpoint' || integrator === 'bdf2' ? 16 : 8;
    this.#before = new Float64Array(system.state.all.length);
    this.#start = new Float64Array(system.state.all.length);
    this.#position = new Float64Array(system.state.position.length);
    this.#softPosition = new Float64Array(system.state.softPosition.length);
    this.history = { lengths: [], errors: [], rejected: 0, error: 0, isMet: true };
  }

  /** Advances by the output interval; false, with the state as it was, where a shortest step could not be taken: the report says why. */
  advance(isFirst: boolean): boolean {
    const { state, report, model } = this.#system;
    this.#start.set(state.all);
    this.#startImpulses.copyFrom(state.impulses);
    const { history } = this;
    const whole = 2 ** MOST_HALVINGS;
    const end = state.time[0] + model.options.timestep;
    history.lengths.length = 0;
    history.errors.length = 0;
    history.rejected = 0;
    history.error = 0;
    history.isMet = true;
    let worst: SolveStatus = 'converged';
    let iterations = 0;
    let halvings = Math.min(Math.max(state.stepHalvings[0], 0), MOST_HALVINGS);
    // in units of the shortest step
    for (let done = 0; done < whole; ) {
      const size = 2 ** (MOST_HALVINGS - halvings);
      // a longer step begins where it can end with the interval
      if (done % size !== 0) {
        halvings++;
        continue;
      }
      const h = model.options.timestep / 2 ** halvings;
      const error = this.#try(h, isFirst && done === 0);
      const isLast = halvings === MOST_HALVINGS;
      if (!(error <= this.#accuracy) && !(isLast && error < Infinity)) {
        if (isLast || report.status === 'timed-out') {
          state.all.set(this.#start);
          state.impulses.copyFrom(this.#startImpulses);
          return false;
        }
        history.rejected++;
        halvings++;
        continue;
      }
      done += size;
      history.lengths.push(h);
      history.errors.push(error);
      history.error = Math.max(history.error, error);
      if (error > this.#accuracy) history.isMet = false;
      worst = chooseWorse(worst, this.#status);
      iterations = Math.max(iterations, report.iterations);
      if (halvings > 0 && error < this.#accuracy / this.#reserve) halvings--;
    }
    state.time[0] = end;
    state.stepHalvings[0] = halvings;
    report.status = worst;
    report.iterations = iterations;
    // of steps that were taken back
    report.nonFinite = undefined;
    report.energyGain = undefined;
    report.steps = history;
    return true;
  }

  #status: SolveStatus = 'converged';

  // one step of h and two of h/2; the error, or Infinity where one of them could not be taken: all is then as before
  #try(h: number, isFirst: boolean): number {
    const { state, report } = this.#system;
    this.#system.mark();
    this.#before.set(state.all);
    this.#impulses.copyFrom(state.impulses);
    let error = Infinity;
    if (this.#system.takeStep(h, isFirst)) {
      this.#position.set(state.position);
      this.#softPosition.set(state.softPosition);
      this.#restore();
      if (this.#system.takeStep(0.5 * h, isFirst)) {
        this.#status = report.status;
        if (this.#system.takeStep(0.5 * h, false)) {
          this.#status = chooseWorse(this.#status, report.status);
          error = this.#measure();
        }
      }
    }
    if (!(error <= this.#accuracy) && !(error < Infinity && h <= this.#shortest)) this.#restore();
    return error;
  }

  get #shortest(): number {
    return this.#system.model.options.timestep / 2 ** MOST_HALVINGS;
  }

  #restore(): void {
    const { state } = this.#system;
    state.all.set(this.#before);
    state.impulses.copyFrom(this.#impulses);
    this.#system.returnToMark();
  }

  // max |q₂ − q₁|
  #measure(): number {
    const { state, model } = this.#system;
    const { kind, positionStart } = model.joint;
    const q = state.position;
    const other = this.#position;
    let error = 0;
    for (let j = 0; j < kind.length; j++) {
      let i = positionStart[j];
      if (kind[j] === JOINT.free) {
        for (let k = 0; k < 3; k++) error = Math.max(error, Math.abs(q[i + k] - other[i + k]));
        i += 3;
      }
      if (kind[j] === JOINT.free || kind[j] === JOINT.ball) {
        relativeQuaternion(turn, 0, q, i, other, i);
        rotationVector(vector, 0, turn, 0);
        error = Math.max(error, Math.sqrt(vector[0] ** 2 + vector[1] ** 2 + vector[2] ** 2));
      } else error = Math.max(error, Math.abs(q[i] - other[i]));
    }
    for (let i = 0; i < this.#softPosition.length; i++)
      error = Math.max(error, Math.abs(state.softPosition[i] - this.#softPosition[i]));
    return error;
  }
}

const ORDER: readonly SolveStatus[] = ['converged', 'iteration-limit', 'stalled', 'infeasible'];

/** Of two ends of steps that were taken, the one to report. */
export function chooseWorse(a: SolveStatus, b: SolveStatus): SolveStatus {
  return ORDER.indexOf(a) >= ORDER.indexOf(b) ? a : b;
}
