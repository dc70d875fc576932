/**
 * Newton's method with a line search, for every objective of the engine:
 *   H p = −g,   φ(α) = E(x + α p),   x ← x + α p
 * x the iterate, E the objective, g = ∇E, H = ∇²E or a positive definite modification of it, p the direction, gᵀp < 0 its slope,
 * α the step length. What differs between problems are four parts, each with its own interface:
 *   direction   which Hessian: the true one of a convex objective, or one modified until it is positive definite
 *   lineSearch  α: the exact minimum of a convex φ, or Armijo backtracking from a step limit
 *   stopping    when to end
 *   objective   how x moves
 * The loop ends as converged, at the iteration limit, or as stalled: no descent direction, or no lower point along it.
 * Source: Nocedal and Wright, Numerical Optimization (2nd ed.), algorithms 3.2 (line search Newton with modification) and 3.1
 * (backtracking).
 */
import { checkDeadline } from '../step-deadline.ts';
import type { StoppingRule } from './objective.ts';
import { OUTCOME } from './solve-trace.ts';

/** The function to minimise, met at its iterate x. */
export interface NewtonObjective {
  /** Unknowns. */
  readonly size: number;
  /** E(x), up to a constant. */
  readonly value: number;
  /** x ← x + α p along the direction found last; returns by how much E has fallen. */
  move(alpha: number): number;
  /**
   * Adapts the objective itself to the new iterate, as adaptive barrier stiffness does; true where E is another function from here
   * on, so that this iterate cannot be the last.
   */
  revise?(): boolean;
}

/** Gives directions of descent. */
export interface NewtonDirection {
  /** Before the first iteration: what earlier solves have shown does not count. */
  begin(): void;
  /** p ← −H⁻¹ g at the iterate. Returns gᵀp; a number that is not negative, or NaN, where no direction of descent was found. */
  find(): number;
  /** Learns the step length taken along p, 0 for none. Returns whether `find` would now give another direction at the same x. */
  adapt(alpha: number): boolean;
  /**
   * A first direction that needs no Hessian, such as the motion without forces. Returns whether there is one that is worth a line
   * search; any decrease counts, as it has no slope.
   */
  predict?(): boolean;
}

/** Chooses the step length along the direction found last. */
export interface LineSearch {
  /** α > 0 at which E is low enough, given gᵀp; 0 where no step lowers E. */
  search(slope: number): number;
}

/** What an iteration and a solve leave behind; a SolveTrace is one. */
export interface IterationTrace {
  /** Notes an iteration: value and residual after it, and its step length. */
  add(value: number, residual: number, step: number): void;
  /** Notes the end of a solve: its outcome (see OUTCOME), number of unknowns, value and residual. */
  close(outcome: number, size: number, value: number, residual: number): void;
}

/** What Newton's method is made of. */
export interface NewtonParts {
  /** What is minimised. */
  readonly objective: NewtonObjective;
  /** What finds directions of descent. */
  readonly direction: NewtonDirection;
  /** What chooses step lengths. */
  readonly lineSearch: LineSearch;
  /** What ends the iterations. */
  readonly stopping: StoppingRule;
}

/** Minimises from the objective's x with at most `limit` iterations; returns the outcome, see OUTCOME. */
export function minimizeByNewton(parts: NewtonParts, limit: number, trace: IterationTrace): number {
  const { objective, direction, lineSearch, stopping } = parts;
  let residual = stopping.measure();
  let outcome: number = stopping.isMinimum(residual) ? OUTCOME.converged : OUTCOME.iterationLimit;
  let k = 0;

  // a first step along the predictor, where there is one
  if (outcome === OUTCOME.iterationLimit && direction.predict?.()) {
    const alpha = lineSearch.search(0);
    if (alpha > 0) {
      objective.move(alpha);
      residual = stopping.measure();
      trace.add(objective.value, residual, alpha);
      k = 1;
    }
  }

  direction.begin();
  for (; k < limit && outcome === OUTCOME.iterationLimit; k++) {
    checkDeadline('Newton iteration');
    // direction: H p = −g
    const slope = direction.find();

    // a step below round-off is not taken
    if (stopping.isTooShort?.(slope)) {
      residual = stopping.measure();
      trace.add(objective.value, residual, 0);
      outcome = OUTCOME.converged;
      break;
    }
    if (!(slope < 0)) {
      outcome = OUTCOME.stalled;
      break;
    }

    // step length
    const alpha = lineSearch.search(slope);
    const hasOther = direction.adapt(alpha);

    // no lower point: the minimum to round-off, another direction, or stuck
    if (alpha === 0) {
      residual = stopping.measure();
      trace.add(objective.value, residual, 0);
      if (stopping.isMinimumToRoundOff?.()) outcome = OUTCOME.converged;
      else if (!hasOther) outcome = OUTCOME.stalled;
      continue;
    }

    // step
    const decrease = objective.move(alpha);
    residual = stopping.measure();
    trace.add(objective.value, residual, alpha);

    // end, unless the objective is another one from here on
    if (objective.revise?.()) continue;
    if (stopping.hasConverged(residual, alpha, decrease, -0.5 * slope)) outcome = OUTCOME.converged;
    else if (stopping.isStuck?.(alpha)) outcome = OUTCOME.stalled;
  }
  trace.close(outcome, objective.size, objective.value, residual);
  return outcome;
}
