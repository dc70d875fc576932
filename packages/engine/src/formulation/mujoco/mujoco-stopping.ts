/**
 * MuJoCo's stopping rule. With s = 1 / (mean inertia × dofs), for an island 1 / Σ diag M, stop when
 *   s |g| < tolerance,   0 ≤ s × decrease < tolerance,   or   ½ s gᵀ H⁻¹ g < tolerance (Newton).
 * No step at all is taken where ½ s gᵀ M⁻¹ g < tolerance (and s |g| < tolerance with Newton) at the start. At tolerance 0 none
 * of these holds: the solver ends with its iterations, or where rounding leaves no direction in which the cost falls.
 */
import type { LinearSolver, Objective, StoppingRule } from '../../minimize/objective.ts';

export class MujocoStopping implements StoppingRule {
  readonly tolerance: number;
  /** s. */
  scale = 1;
  readonly #metric: LinearSolver;
  readonly #bounds: boolean;
  readonly #scratch: Float64Array;

  /** `metric` solves with M; `boundsGradient`: whether the start must also have a small gradient. */
  constructor(tolerance: number, metric: LinearSolver, boundsGradient: boolean, scratch: Float64Array) {
    this.tolerance = tolerance;
    this.#metric = metric;
    this.#bounds = boundsGradient;
    this.#scratch = scratch;
  }

  measure({ gradient, size }: Objective): number {
    let square = 0;
    for (let i = 0; i < size; i++) square += gradient[i] * gradient[i];
    return this.scale * Math.sqrt(square);
  }

  isMinimum({ gradient, size }: Objective, residual: number): boolean {
    if (this.#bounds && !(residual < this.tolerance)) return false;
    const scratch = this.#scratch;
    for (let i = 0; i < size; i++) scratch[i] = gradient[i];
    this.#metric.solve(scratch);
    let promise = 0;
    for (let i = 0; i < size; i++) promise += gradient[i] * scratch[i];
    return 0.5 * this.scale * promise < this.tolerance;
  }

  hasSettled(_: Objective, decrease: number): boolean {
    return decrease >= 0 && this.scale * decrease < this.tolerance;
  }

  isNegligible(promise: number): boolean {
    return this.scale * promise < this.tolerance;
  }
}
