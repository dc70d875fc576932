/**
 * MuJoCo's stopping rule. With s = 1 / (mean inertia × dofs), for an island 1 / Σ diag M, stop when
 *   s |g| < tolerance,   0 ≤ s × decrease < tolerance,   or   ½ s gᵀ H⁻¹ g < tolerance (Newton),
 * the last after each step, where MuJoCo's trajectories are kept; else before it, so that one more step is taken. It leaves an error of √tolerance in
 * the acceleration: tolerances too small to be met that way ask for more, and take that step, too.
 * No iteration is made if ½ s gᵀ M⁻¹ g < tolerance (and s |g| < tolerance with Newton) at the start. At tolerance 0 none
 * of these holds: the solver ends at its iteration limit, or when rounding leaves no descent direction.
 */
import { sumProducts } from '../../linear-algebra/sum-products.ts';
import type { LinearSolver, Objective, StoppingRule } from '../../minimize/objective.ts';

/** Below it a solve goes on to round-off. */
const SMALLEST_TOLERANCE = 1e-12;

export class MujocoStopping implements StoppingRule {
  readonly tolerance: number;
  /** s. */
  scale = 1;
  readonly #objective: Objective;
  readonly #metric: LinearSolver;
  readonly #bounds: boolean;
  readonly #scratch: Float64Array;
  /** Whether a small promise ends the solve before its step. */
  readonly endsEarly: boolean;
  #isFirst = true;

  /**
   * `metric` solves with M; `boundsGradient`: whether the start must also have a small gradient; `endsEarly`: whether a small promise ends
   * the solve before its step.
   */
  constructor(
    tolerance: number,
    objective: Objective,
    metric: LinearSolver,
    boundsGradient: boolean,
    scratch: Float64Array,
    endsEarly: boolean,
  ) {
    this.tolerance = tolerance;
    this.#objective = objective;
    this.#metric = metric;
    this.#bounds = boundsGradient;
    this.#scratch = scratch;
    this.endsEarly = endsEarly && tolerance >= SMALLEST_TOLERANCE;
  }

  measure(): number {
    const { gradient, size } = this.#objective;
    return this.scale * Math.sqrt(sumProducts(gradient, gradient, size));
  }

  isMinimum(residual: number): boolean {
    this.#isFirst = true;
    const { gradient, size } = this.#objective;
    if (this.#bounds && !(residual < this.tolerance)) return false;
    const scratch = this.#scratch;
    for (let i = 0; i < size; i++) scratch[i] = gradient[i];
    this.#metric.solve(scratch);
    let promise = 0;
    for (let i = 0; i < size; i++) promise += gradient[i] * scratch[i];
    return 0.5 * this.scale * promise < this.tolerance;
  }

  /** The first step is taken whatever it promises. */
  isTooShort(slope: number): boolean {
    const isFirst = this.#isFirst;
    this.#isFirst = false;
    return this.endsEarly && !isFirst && -0.5 * this.scale * slope < this.tolerance;
  }

  hasConverged(residual: number, _step: number, decrease: number, promise: number): boolean {
    const { tolerance, scale } = this;
    return residual <= tolerance || scale * promise < tolerance || (decrease >= 0 && scale * decrease < tolerance);
  }
}
