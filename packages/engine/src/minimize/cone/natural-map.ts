/**
 * The distance of γ from the minimum, the same measure for all solvers: the natural map of the program in units in which λmax(N) = |p| = 1,
 *
 *   ε(γ) = λ |γ − P_K(γ − u/λ)|,     residual = ε / max(|p|, λ |γ|, |u|),     velocity residual = ε / |p|
 *
 * with u = N γ + p and λ = λmax(N). ε is a velocity, zero at minima and nowhere else. Where forces are large compared with their effect (λ |γ| ≫ |p|, as between light and heavy bodies) the residual is small long before u is right; the velocity
 * residual is not.
 *
 * Rows that are far from acting (a limit at a distance: p ≫ 0, γ = 0) have no error and yet the largest p and u. Such rows appear and disappear from step to
 * step, and the tolerance would jump with them. With the reference `drive`
 * they do not count: residual = ε / max(ε(0), λ |γ|), ε(0) = λ |P_K(−p/λ)| the error without impulses.
 */
import type { Memory } from '../../linear-algebra/memory.ts';
import type { ConeSet } from './cone-set.ts';
import { projectCones } from './projection.ts';

/** What a residual is measured against: all of p, γ and u, or what drives and acts. */
export type Reference = 'all' | 'drive';

/** ε(0) is no smaller than this share of |p|: rounding is not to be solved for. */
const LEAST_DRIVE = 1e-9;

export class NaturalMap {
  residual = 0;
  velocityResidual = 0;
  /** λ; set before measuring. */
  curvature = 1;
  /** |p|, and ε(0) where that is the reference, else −1. */
  #linearNorm = 0;
  #drive = -1;
  readonly #memory: Memory;
  #trial: Float64Array;

  constructor(memory: Memory) {
    this.#memory = memory;
    this.#trial = memory.f64(0);
  }

  /** Takes p of a program with n rows, after λ. */
  begin(linear: Float64Array, cones: ConeSet, n: number, reference: Reference): void {
    this.#linearNorm = measureNorm(linear, n);
    this.#drive = -1;
    if (reference === 'all') return;
    if (this.#trial.length < n) this.#trial = this.#memory.f64(2 * n);
    const trial = this.#trial;
    for (let i = 0; i < n; i++) trial[i] = -linear[i] / this.curvature;
    projectCones(trial, trial, cones);
    this.#drive = Math.max(LEAST_DRIVE * this.#linearNorm, this.curvature * measureNorm(trial, n));
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
    const push = lambda * Math.sqrt(gammaSquare);
    const size =
      this.#drive < 0 ? Math.max(this.#linearNorm, push, Math.sqrt(velocitySquare)) : Math.max(this.#drive, push);
    this.residual = error === 0 ? 0 : error / size;
    this.velocityResidual = error === 0 ? 0 : error / this.#linearNorm;
  }
}

function measureNorm(x: Float64Array, n: number): number {
  let square = 0;
  for (let i = 0; i < n; i++) square += x[i] * x[i];
  return Math.sqrt(square);
}
