/**
 * Exact line search: the root of the slope φ'(α) of a convex function by Newton's method, kept in a bracket by bisection.
 * φ' grows from φ'(0) < 0; while it is negative Newton steps go outward, after that they stay between the last negative and
 * the last positive point. Source: Press et al., Numerical Recipes, rtsafe; with an open upper end.
 */
import type { LineSearch } from './newton.ts';
import type { Objective } from './objective.ts';

/** Bounds of the search along a line. */
export interface LineSearchOptions {
  /** Largest step; Infinity where the line may be followed as far as it falls. */
  maximum: number;
  /** Largest number of evaluations. */
  iterations: number;
}

/** What the search asks an objective for, along the line it was aimed at. */
export type Line = Pick<Objective, 'slope' | 'curvature'>;

/** Step length along the line the objective was aimed at; `slope` and `curvature` are those at 0, `tolerance` the slope that counts as zero. */
export function searchLine(
  objective: Line,
  slope: number,
  curvature: number,
  tolerance: number,
  options: LineSearchOptions,
): number {
  let low = 0;
  let high = Infinity;
  let alpha = Math.min(-slope / curvature, options.maximum);
  let before = alpha;
  for (let n = 0; n < options.iterations; n++) {
    const value = objective.slope(alpha);
    if (Math.abs(value) <= tolerance) return alpha;
    if (value < 0) {
      if (alpha >= options.maximum) return alpha;
      low = alpha;
    } else high = alpha;
    // newton, or the middle where that leaves the bracket or is slow
    const newton = -value / objective.curvature;
    let next = alpha + newton;
    const isSlow = Math.abs(newton) > 0.5 * before && high < Infinity && n > 1;
    if (!(next > low && next < high) || isSlow) next = high < Infinity ? 0.5 * (low + high) : 2 * alpha;
    next = Math.min(next, options.maximum);
    before = Math.abs(next - alpha);
    // nothing between the two numbers
    if (next === alpha || before <= 1e-15 * alpha) return alpha;
    alpha = next;
  }
  return alpha;
}

export interface ExactLineSearchOptions extends LineSearchOptions {
  /** Slope that counts as zero on the line, over the length of the direction. */
  slopeTolerance: number;
  /** Slope that counts as zero, over the slope at the start of the line. */
  relativeSlopeTolerance: number;
  /** Finds the step length, in place of `searchLine`. */
  find?: (slope: number, curvature: number, tolerance: number) => number;
}

/** Step length by the search of the options. */
export function findStep(
  objective: Line,
  slope: number,
  curvature: number,
  tolerance: number,
  options: ExactLineSearchOptions,
): number {
  return options.find?.(slope, curvature, tolerance) ?? searchLine(objective, slope, curvature, tolerance, options);
}

/** The strategy of Newton's method on convex objectives: there φ''(0) = pᵀ H p = −gᵀ p, so that the first trial is α = 1. */
export class ExactLineSearch implements LineSearch {
  readonly options: ExactLineSearchOptions;
  readonly #objective: Objective;
  readonly #direction: Float64Array;

  constructor(objective: Objective, direction: Float64Array, options: ExactLineSearchOptions) {
    this.#objective = objective;
    this.#direction = direction;
    this.options = options;
  }

  search(slope: number): number {
    const { slopeTolerance, relativeSlopeTolerance } = this.options;
    const p = this.#direction;
    let tolerance = -relativeSlopeTolerance * slope;
    if (slopeTolerance > 0) {
      let square = 0;
      for (let i = 0; i < this.#objective.size; i++) square += p[i] * p[i];
      tolerance = Math.max(slopeTolerance * Math.sqrt(square), tolerance);
    }
    this.#objective.aim(p);
    return findStep(this.#objective, slope, -slope, tolerance, this.options);
  }
}
