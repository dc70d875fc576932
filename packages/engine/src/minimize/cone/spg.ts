/**
 * Spectral projected gradients: Barzilai-Borwein steps along projected directions, with a nonmonotone line search.
 *
 *   d = P_K(γ − α u) − γ,    γ⁺ = γ + σ d
 *   σ = 1 where f(γ + d) ≤ max(last ten values) + 10⁻⁴ uᵀ d, else the minimum of f on the line, which always qualifies
 *   α = dᵀ d / dᵀ N d and dᵀ N d / |N d|² in turn
 *
 * One product N d per iteration; N γ is carried and computed again now and then, and before the solve ends.
 * Sources: Birgin, Martínez, Raydan, Nonmonotone spectral projected gradient methods on convex sets, SIAM Journal on Optimization
 * 10 (2000); Barzilai and Borwein, Two-point step size gradient methods, IMA Journal of Numerical Analysis 8 (1988).
 */
import type { Memory } from '../../linear-algebra/memory.ts';
import type { ConeMethod, ConeRun } from './cone-run.ts';
import { projectCones } from './projection.ts';

const HISTORY = 10;
const SUFFICIENT = 1e-4;
/** Iterations after which N γ is computed again. */
const REFRESH = 40;
/** α stays between these, over 1/λmax. */
const SMALLEST = 1e-10;
const LARGEST = 1e10;

export class Spg implements ConeMethod {
  readonly #memory: Memory;
  readonly #values = new Float64Array(HISTORY);
  #gamma: Float64Array;
  #product: Float64Array;
  #direction: Float64Array;
  #directionProduct: Float64Array;

  constructor(memory: Memory) {
    this.#memory = memory;
    this.#gamma = memory.f64(0);
    this.#product = memory.f64(0);
    this.#direction = memory.f64(0);
    this.#directionProduct = memory.f64(0);
  }

  iterate(run: ConeRun): boolean {
    const { linear, size: n, cones } = run.program;
    if (this.#gamma.length < n) this.#grow(n);
    const gamma = this.#gamma;
    const product = this.#product;
    const d = this.#direction;
    const dProduct = this.#directionProduct;
    for (let i = 0; i < n; i++) gamma[i] = run.start[i];
    run.multiply(product, gamma);
    if (run.check(gamma, product)) return true;
    let value = 0;
    for (let i = 0; i < n; i++) value += gamma[i] * (0.5 * product[i] + linear[i]);
    this.#values.fill(value);
    let alpha = 1 / run.curvature;
    let age = 0;

    for (let k = 0; run.canGoOn; k++) {
      // the projected direction
      for (let i = 0; i < n; i++) d[i] = gamma[i] - alpha * (product[i] + linear[i]);
      projectCones(d, d, cones);
      for (let i = 0; i < n; i++) d[i] -= gamma[i];
      run.multiply(dProduct, d);
      let slope = 0;
      let curvature = 0;
      let square = 0;
      let stretch = 0;
      for (let i = 0; i < n; i++) {
        slope += d[i] * (product[i] + linear[i]);
        curvature += d[i] * dProduct[i];
        square += d[i] * d[i];
        stretch += dProduct[i] * dProduct[i];
      }

      // step length: the full step unless the value would rise above the recent ones
      const full = slope + 0.5 * curvature;
      const ceiling = largestOf(this.#values);
      let step = 1;
      if (value + full > ceiling + SUFFICIENT * slope && curvature > 0) step = Math.min(1, -slope / curvature);
      if (!(step > 0)) step = 0;
      value += step * (slope + 0.5 * step * curvature);
      for (let i = 0; i < n; i++) {
        gamma[i] += step * d[i];
        product[i] += step * dProduct[i];
      }
      const isFresh = ++age === REFRESH;
      if (isFresh) value = this.#refresh(run, gamma, product, n);
      if (isFresh) age = 0;
      let isDone = run.record(gamma, product, step);
      if (isDone && !isFresh) {
        // convergence is confirmed with an extra product
        value = this.#refresh(run, gamma, product, n);
        age = 0;
        run.bestResidual = Number.POSITIVE_INFINITY;
        isDone = run.check(gamma, product);
      }
      if (isDone) return true;
      if (!Number.isFinite(run.map.residual)) return false;
      this.#values[k % HISTORY] = value;

      // the next α
      alpha = curvature > 0 ? (k % 2 === 0 ? square / curvature : curvature / stretch) : Number.POSITIVE_INFINITY;
      alpha = Math.min(LARGEST / run.curvature, Math.max(SMALLEST / run.curvature, alpha));
    }
    return true;
  }

  /** Recomputes N γ; returns the value. */
  #refresh(run: ConeRun, gamma: Float64Array, product: Float64Array, n: number): number {
    run.multiply(product, gamma);
    const { linear } = run.program;
    let value = 0;
    for (let i = 0; i < n; i++) value += gamma[i] * (0.5 * product[i] + linear[i]);
    return value;
  }

  #grow(n: number): void {
    const length = 2 * n;
    this.#gamma = this.#memory.f64(length);
    this.#product = this.#memory.f64(length);
    this.#direction = this.#memory.f64(length);
    this.#directionProduct = this.#memory.f64(length);
  }
}

function largestOf(values: Float64Array): number {
  let largest = values[0];
  for (let i = 1; i < values.length; i++) largest = Math.max(largest, values[i]);
  return largest;
}
