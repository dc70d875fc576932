/**
 * How far γ is from the minimum, for all solvers alike: the natural map of the program in units in which λmax(N) = |p| = 1,
 *
 *   ε(γ) = λ |γ − P_K(γ − u/λ)|,     residual = ε / max(|p|, λ |γ|, |u|),     velocity residual = ε / |p|
 *
 * with u = N γ + p and λ = λmax(N). ε is a velocity, zero at minima and nowhere else. Where forces are large against what they
 * change (λ |γ| ≫ |p|, as between light and heavy bodies) the residual is small long before u is right; the velocity
 * residual is not.
 */
import type { Memory } from '../../linear-algebra/memory.ts';
import type { ConeSet } from './cone-set.ts';
import { projectCones } from './projection.ts';

export class NaturalMap {
  residual = 0;
  velocityResidual = 0;
  /** λ; set before measuring. */
  curvature = 1;
  /** |p|; set before measuring. */
  linearNorm = 0;
  readonly #memory: Memory;
  #trial: Float64Array;

  constructor(memory: Memory) {
    this.#memory = memory;
    this.#trial = memory.f64(0);
  }

  /** Measures γ with its u, n rows each. */
  measure(gamma: Float64Array, velocity: Float64Array, cones: ConeSet, n: number): void {
    if (this.#trial.length < n) this.#trial = this.#memory.f64(2 * n);
    const trial = this.#trial;
    const lambda = this.curvature;
    let gammaSquare = 0;
    let velocitySquare = 0;
    for (let i = 0; i < n; i++) {
      gammaSquare += gamma[i] * gamma[i];
      velocitySquare += velocity[i] * velocity[i];
      trial[i] = gamma[i] - velocity[i] / lambda;
    }
    projectCones(trial, trial, cones);
    let square = 0;
    for (let i = 0; i < n; i++) {
      const gap = gamma[i] - trial[i];
      square += gap * gap;
    }
    const error = lambda * Math.sqrt(square);
    const size = Math.max(this.linearNorm, lambda * Math.sqrt(gammaSquare), Math.sqrt(velocitySquare));
    this.residual = error === 0 ? 0 : error / size;
    this.velocityResidual = error === 0 ? 0 : error / this.linearNorm;
  }
}
