/**
 * The interface between minimisers and problems: a convex function at a point and along a line, a solver for its Newton systems, and a rule that
 * says when to stop.
 */

/** A convex function of x ∈ Rⁿ with a continuous gradient, met at one point and along one line. */
export interface Objective {
  /** n. */
  readonly size: number;
  /** The point. */
  readonly x: Float64Array;
  /** The gradient at x. */
  readonly gradient: Float64Array;
  /** Value at x, up to a constant. */
  readonly value: number;
  /** Whether the Hessian may differ from that at the point before. */
  readonly hasNewHessian: boolean;
  /** Takes x as it stands in the array: value and gradient there. */
  begin(): void;
  /** Prepares the line x + α d. */
  aim(direction: Float64Array): void;
  /**
   * The same where d ← −P g + β d was the last change, P g the gradient that the solver of its quadratic part has conditioned: products with that
   * part follow, too. Without it: `aim`.
   */
  follow?(direction: Float64Array, beta: number): void;
  /** Derivative of the value along the line at α. */
  slope(alpha: number): number;
  /** Second derivative of the value along the line, where `slope` was asked for last. */
  readonly curvature: number;
  /** Goes to α on the line; returns by how much the value has fallen. */
  move(alpha: number): number;
}

/** Solves H d = b with the Hessian H of an objective or an approximation of it. */
export interface LinearSolver {
  /** Takes the Hessian at the objective's x; false where it cannot be factored. */
  prepare(): boolean;
  /** d ← H⁻¹ d. */
  solve(d: Float64Array): void;
  /** Whether it solves with the quadratic part of the objective, all of it. Without it: no. */
  readonly isMetric?: boolean;
}

/** When to stop. The residual is in the rule's measure: of the gradient, or of the Newton step. */
export interface StoppingRule {
  /** The residual: before the first iteration, and after each. */
  measure(): number;
  /** Whether the start is good enough to take no step at all. */
  isMinimum(residual: number): boolean;
  /** Looks at the Newton direction before the line search; whether the direction is too short to be worth a step, which ends the solve. */
  isTooShort?(slope: number): boolean;
  /**
   * Whether the solve has converged after a step of length `step` that lowered the value by `decrease`. `promise` is the decrease
   * ½ gᵀ H⁻¹ g that the quadratic model promised; Infinity for methods without a Hessian.
   */
  hasConverged(residual: number, step: number, decrease: number, promise: number): boolean;
  /** Whether x is the minimum to round-off although no step along the direction lowers the value. Without it: no. */
  isMinimumToRoundOff?(): boolean;
  /** Whether the solve is given up as stalled after a step of length `step`, before its limit of iterations. Without it: no. */
  isStuck?(step: number): boolean;
}
