/**
 * Newton's method (minimize/newton.ts) on the incremental potential E(x) of a step:
 *   H p = −∇E,   x ← x + α p,   α halved from the collision-free part of p (CCD) until E falls enough (Armijo)
 * Its parts: descent-direction.ts finds p, descent-line.ts goes along it. Converged: the full step p moves no point faster than the
 * tolerance (m/s), was collision-free as a whole, and has been taken. Where the momentum that is missing at the new poses would still
 * change velocities by more than the tolerance (unbalanced-momentum.ts), more steps follow: with a line search as long as E shows a
 * difference, then a few full ones.
 * Source: Li et al. (2020), algorithm 1; the test on world points: Ferguson et al. (2021), section 5.
 */
import { type IterationTrace, minimizeByNewton, type NewtonParts } from '../../minimize/newton.ts';
import type { StoppingRule } from '../../minimize/objective.ts';
import { OUTCOME, type SolveTrace } from '../../minimize/solve-trace.ts';
import { DescentDirection } from './descent-direction.ts';
import { DescentLine } from './descent-line.ts';
import type { IpcObjective } from './ipc-objective.ts';
import { isMomentumBalanced } from './unbalanced-momentum.ts';

/** Fraction of the tolerance below which a step is not taken, for m/s and rad/s. */
const NEGLIGIBLE = 1e-9;
/** Part of the flight without forces below which the step of a body that is held is not taken, if rounding hides it. */
const HELD = 1e-9;

/** Part of the tolerance at which the balance is met with room to spare. */
const AMPLE = 0.1;
/** Step length below which E shows rounding alone, and most steps within the tolerance that are taken for the balance. */
const SHORT = 1e-2;
const MOST_UNBALANCED = 20;
/** Short steps in a row with a torn joint after which a descent is given up: it has run the wrong way, and begins again (ipc.ts). */
const MOST_SHORT = 20;
/** Most steps without line search. */
const POLISHES = 5;

/** Part of a position that a Newton step loses to rounding. */
const ROUND_OFF = 16 * Number.EPSILON;

export interface DescentOptions {
  /** m/s. */
  readonly tolerance: number;
  readonly iterations: number;
}

export class NewtonDescent implements StoppingRule, IterationTrace {
  /** Outcome, E, and speed of the last step (m/s). */
  outcome: number = OUTCOME.converged;
  energy = 0;
  residual = 0;
  iterations = 0;
  /** Whether the forces explain the momentum, to the tolerance. */
  isBalanced = true;
  readonly #objective: IpcObjective;
  readonly #direction: DescentDirection;
  readonly #line: DescentLine;
  readonly #newton: NewtonParts;
  #trace: SolveTrace | undefined;
  /** m/s: the one asked for, or what the difference of two poses can show if that is more. */
  tolerance = 0;
  #h = 0;
  /** Whether the gradient of the matrix is that at the current poses. */
  #hasGradient = false;
  /** Steps within the tolerance that left forces out of balance. */
  #unbalanced = 0;
  /** Short steps in a row. */
  #short = 0;

  constructor(objective: IpcObjective) {
    this.#objective = objective;
    const line = new DescentLine(objective);
    const direction = new DescentDirection(objective, line);
    this.#line = line;
    this.#direction = direction;
    this.#newton = { objective: line, direction, lineSearch: line, stopping: this };
  }

  /** Collision-free part of the last path. */
  get collisionFreeStep(): number {
    return this.#line.collisionFreeStep;
  }

  /** Whether it ended at a kink of a field, where no side has a gradient of zero. */
  get isAtKink(): boolean {
    return this.#direction.isAtKink;
  }

  /** Minimises E from the current poses, those at the start of the step where `isFresh`; `budget` iterations at most. */
  run(options: DescentOptions, h: number, trace: SolveTrace, budget: number, isFresh: boolean): void {
    this.#trace = trace;
    this.tolerance = Math.max(options.tolerance, this.#measureRoundOff(h));
    this.#h = h;
    this.iterations = 0;
    this.#line.begin();
    this.#direction.enter(h, isFresh);
    this.#hasGradient = false;
    this.#unbalanced = 0;
    this.#short = 0;
    minimizeByNewton(this.#newton, budget, this);
    this.isBalanced = this.#checkBalance();
    if (this.outcome === OUTCOME.converged) for (let k = 0; k < POLISHES && !this.isBalanced; k++) this.#polish();
  }

  // a step that is shorter than the tolerance, and may be than E can show: it has no line search
  #polish(): void {
    if (!(this.#direction.find() < 0) || this.#line.maxStep() < 1 || !(this.#line.evaluate(1) < Infinity)) return;
    this.#line.move(1);
    this.add(this.#line.value, this.residual, 1);
    this.isBalanced = this.#checkBalance();
  }

  // leaves ∇E of the current poses in the matrix
  #checkBalance(): boolean {
    // what is balanced there is the mean of the gradients of both sides, which the matrix has
    if (this.#direction.isAtKink) return true;
    if (!this.#hasGradient) this.#objective.assembleGradient(this.#objective.frames.current);
    this.#hasGradient = true;
    return isMomentumBalanced(this.#objective, this.tolerance, this.#h);
  }

  /** Speed of the fastest point if all of p is gone in the step, m/s. */
  measure(): number {
    return this.#direction.speed;
  }

  // a step is the difference of two places: below ε |x|/h it is round-off
  #measureRoundOff(h: number): number {
    const { current, moving, count } = this.#objective.frames;
    const { reach } = this.#objective.surfaces;
    let farthest = 0;
    for (let i = 0; i < 3 * count; i++) farthest = Math.max(farthest, Math.abs(current.position[i]));
    for (let f = 0; f < moving; f++) farthest = Math.max(farthest, reach[f]);
    return (ROUND_OFF * farthest) / h;
  }

  // the gradient has no measure that fits all scenes: one Newton step says how far the minimum is
  isMinimum(): boolean {
    return false;
  }

  // no number of the step, m or rad, is above the limit, or above what rounding leaves of the place of a body that is held
  isTooShort(slope: number): boolean {
    const { step, moving } = this.#objective.frames;
    const limit = NEGLIGIBLE * this.tolerance * this.#h;
    if (Number.isNaN(slope)) return false;
    for (let i = 0; i < step.length; i++) {
      const isShort = Math.abs(step[i]) <= limit;
      if (!isShort && !(i < 6 * moving && this.#isHidden(Math.floor(i / 6), i % 6 < 3, step[i]))) return false;
    }
    this.#line.collisionFreeStep = 1;
    return true;
  }

  /**
   * Distances round to ε (|x| + r), and forces of contacts with them: what a body moves by less is noise. It is none where nothing holds
   * the body and a weak force may add up over steps, so that the step has to be small against the flight without forces as well.
   */
  #isHidden(f: number, isMove: boolean, number: number): boolean {
    const { frames, inertia, surfaces } = this.#objective;
    const { position } = frames.current;
    const r = surfaces.reach[f];
    let size = r;
    let flight = 0;
    for (let k = 3 * f; k < 3 * f + 3; k++) {
      size = Math.max(size, Math.abs(position[k]) + r);
      flight = Math.max(flight, Math.abs(inertia.position[k] - position[k]));
    }
    // bodies without shapes turn, too
    if (!isMove && r === 0) return false;
    return (isMove ? 1 : r) * Math.abs(number) <= Math.min(ROUND_OFF * size, HELD * flight);
  }

  hasConverged(residual: number, alpha = 0): boolean {
    if (!(residual <= this.tolerance && this.#line.collisionFreeStep === 1)) return false;
    // a full step from where the balance was met with room to spare: what it leaves of ∇E is less by an order
    if (alpha === 1 && isMomentumBalanced(this.#objective, AMPLE * this.tolerance, this.#h)) {
      this.#objective.matrix.gradient.fill(0);
      this.#hasGradient = true;
    }
    // steps that E can show go on for a while
    return alpha < SHORT || this.#checkBalance() || ++this.#unbalanced > MOST_UNBALANCED;
  }

  isMinimumToRoundOff(): boolean {
    return this.hasConverged(this.#direction.speed);
  }

  isStuck(alpha: number): boolean {
    this.#short = alpha < SHORT ? this.#short + 1 : 0;
    const { joints, frames } = this.#objective;
    return this.#short >= MOST_SHORT && !frames.hasKinematic && joints.isTorn;
  }

  add(value: number, residual: number, step: number): void {
    this.iterations++;
    // where no step was taken, the gradient is that of the direction
    this.#hasGradient = step === 0;
    this.#trace?.add(value, residual, step);
  }

  // the trace of the whole step is closed where all passes of friction are done
  close(outcome: number, _size: number, value: number, residual: number): void {
    this.outcome = outcome;
    this.energy = value;
    this.residual = residual;
  }
}
