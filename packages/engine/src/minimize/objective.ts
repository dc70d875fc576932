/** What a minimiser sees: a convex function of x ∈ Rⁿ with a continuous gradient, met at one point and along one line. */
export interface Objective {
  /** n. */
  readonly size: number;
  readonly x: Float64Array;
  readonly gradient: Float64Array;
  /** Value at x, up to a constant. */
  readonly value: number;
  /** Whether the Hessian may differ from that at the point before. */
  readonly hasNewHessian: boolean;
  /** Takes x as it stands in the array: value and gradient there. */
  begin(): void;
  /** Prepares the line x + α d. */
  aim(direction: Float64Array): void;
  /** Derivative of the value along the line at α; `curvature` is its second derivative. */
  slope(alpha: number): number;
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
}

/** When to stop. `residual` is in the rule's own measure; at most `tolerance` means converged. */
export interface StoppingRule {
  /** Before the first iteration and after every one. */
  measure(objective: Objective): number;
  readonly tolerance: number;
  /** Whether the start is good enough to take no step at all; without it, a residual within the tolerance is. */
  isMinimum?(objective: Objective, residual: number): boolean;
  /** Whether the last iteration gained so little that the minimum is reached; `decrease` is that of the value. */
  hasSettled(objective: Objective, decrease: number, step: number): boolean;
  /** Whether a Newton step that promises this decrease, ½ gᵀ H⁻¹ g, is not worth taking. */
  isNegligible(promise: number): boolean;
}
