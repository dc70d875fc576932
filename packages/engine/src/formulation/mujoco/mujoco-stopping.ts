/**
 * MuJoCo's stopping rule. With s = 1 / (mean inertia × dofs), for an island 1 / Σ diag M, stop when
 *   s |g| < tolerance,   s × decrease < tolerance,   or   ½ s gᵀ H⁻¹ g < tolerance (Newton).
 */
import type { Objective, StoppingRule } from '../../minimize/objective.ts';

export class MujocoStopping implements StoppingRule {
  readonly tolerance: number;
  /** s. */
  scale = 1;

  constructor(tolerance: number) {
    this.tolerance = tolerance;
  }

  measure({ gradient, size }: Objective): number {
    let square = 0;
    for (let i = 0; i < size; i++) square += gradient[i] * gradient[i];
    return this.scale * Math.sqrt(square);
  }

  hasSettled(_: Objective, decrease: number): boolean {
    return this.scale * decrease < this.tolerance;
  }

  isNegligible(promise: number): boolean {
    return this.scale * promise < this.tolerance;
  }
}
