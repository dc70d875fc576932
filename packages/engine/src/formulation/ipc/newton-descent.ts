/**
 * Newton's method (minimize/newton.ts) on the incremental potential E(x) of a step:
 *   H p = −∇E,   x ← x + α p,   α halved from the collision-free part of p (CCD) until E falls enough (Armijo)
 * Its parts: descent-direction.ts finds p, descent-line.ts goes along it. Converged: the full step p moves no point faster than the
 * tolerance (m/s), was collision-free as a whole, and has been taken.
 * Source: Li et al. (2020), algorithm 1; the test on world points: Ferguson et al. (2021), section 5.
 */
import { type IterationTrace, minimizeByNewton, type NewtonParts } from '../../minimize/newton.ts';
import type { StoppingRule } from '../../minimize/objective.ts';
import { OUTCOME, type SolveTrace } from '../../minimize/solve-trace.ts';
import { DescentDirection } from './descent-direction.ts';
import { DescentLine } from './descent-line.ts';
import type { IpcObjective } from './ipc-objective.ts';

/** Fraction of the tolerance below which a step is not taken, for m/s and rad/s. */
const NEGLIGIBLE = 1e-9;

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
  readonly #objective: IpcObjective;
  readonly #direction: DescentDirection;
  readonly #line: DescentLine;
  readonly #newton: NewtonParts;
  #trace: SolveTrace | undefined;
  /** m/s: the one asked for, or what the difference of two poses can show if that is more. */
  tolerance = 0;
  #h = 0;

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

  /** Minimises E from the current poses, those at the start of the step where `isFresh`; `budget` iterations at most. */
  run(options: DescentOptions, h: number, trace: SolveTrace, budget: number, isFresh: boolean): void {
    this.#trace = trace;
    this.tolerance = Math.max(options.tolerance, this.#measureRoundOff(h));
    this.#h = h;
    this.iterations = 0;
    this.#line.begin();
    this.#direction.enter(h, isFresh);
    minimizeByNewton(this.#newton, budget, this);
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

  // no number of the step, m or rad, is above the limit: bodies without shapes turn, too
  isTooShort(slope: number): boolean {
    const { step } = this.#objective.frames;
    const limit = NEGLIGIBLE * this.tolerance * this.#h;
    if (Number.isNaN(slope)) return false;
    for (let i = 0; i < step.length; i++) if (!(Math.abs(step[i]) <= limit)) return false;
    this.#line.collisionFreeStep = 1;
    return true;
  }

  hasConverged(residual: number): boolean {
    return residual <= this.tolerance && this.#line.collisionFreeStep === 1;
  }

  isMinimumToRoundOff(): boolean {
    return this.hasConverged(this.#direction.speed);
  }

  add(value: number, residual: number, step: number): void {
    this.iterations++;
    this.#trace?.add(value, residual, step);
  }

  // the trace of the whole step is closed where all passes of friction are done
  close(outcome: number, _size: number, value: number, residual: number): void {
    this.outcome = outcome;
    this.energy = value;
    this.residual = residual;
  }
}
