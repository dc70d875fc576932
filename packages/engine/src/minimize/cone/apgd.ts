/**
 * Accelerated projected gradient descent (Nesterov), with a step found by backtracking and restart by the gradient:
 *
 *   γ⁺ = P_K(y − g/L),  g = N y + p,       L doubled while (γ⁺ − y)ᵀ N (γ⁺ − y) > L |γ⁺ − y|²
 *   θ⁺ = (−θ² + θ √(θ² + 4)) / 2,   y⁺ = γ⁺ + β (γ⁺ − γ),   β = θ (1 − θ) / (θ² + θ⁺)
 *   where gᵀ (γ⁺ − γ) > 0:  y⁺ = γ⁺, θ⁺ = 1;       L ← 0.9 L after every iteration
 *
 * N y follows from N γ⁺ and N γ: one product per iteration, one more per doubling.
 * Sources: Mazhar, Heyn, Negrut, Tasora, Using Nesterov's method to accelerate multibody dynamics with friction and contact, ACM
 * Transactions on Graphics 34 (2015); O'Donoghue and Candès, Adaptive restart for accelerated gradient schemes (2015).
 */
import type { Memory } from '../../linear-algebra/memory.ts';
import type { ConeMethod, ConeRun } from './cone-run.ts';
import { projectCones } from './projection.ts';

/** Factor of L when it is too small, and after every iteration. */
const GROWTH = 2;
const DECAY = 0.9;
/** L stays between these shares of λmax, which may be a guess of the caller. */
const LARGEST = 1e4;
const SMALLEST = 1e-10;
/** Share by which the test may fail in rounding alone. */
const ROUNDING = 1e-12;

export class Apgd implements ConeMethod {
  readonly #memory: Memory;
  #gamma: Float64Array;
  #product: Float64Array;
  #next: Float64Array;
  #nextProduct: Float64Array;
  #y: Float64Array;
  #yProduct: Float64Array;
  #gradient: Float64Array;

  constructor(memory: Memory) {
    this.#memory = memory;
    this.#gamma = memory.f64(0);
    this.#product = memory.f64(0);
    this.#next = memory.f64(0);
    this.#nextProduct = memory.f64(0);
    this.#y = memory.f64(0);
    this.#yProduct = memory.f64(0);
    this.#gradient = memory.f64(0);
  }

  iterate(run: ConeRun): boolean {
    const { linear, size: n, cones } = run.program;
    if (this.#gamma.length < n) this.#grow(n);
    let gamma = this.#gamma;
    let product = this.#product;
    let next = this.#next;
    let nextProduct = this.#nextProduct;
    const y = this.#y;
    const yProduct = this.#yProduct;
    const gradient = this.#gradient;
    for (let i = 0; i < n; i++) gamma[i] = run.start[i];
    run.multiply(product, gamma);
    if (run.check(gamma, product)) return true;

    // first guess of L: the stretch of γ − 1
    const ceiling = LARGEST * run.curvature;
    next.fill(1, 0, n);
    run.multiply(nextProduct, next);
    let curvature = Math.min(ceiling, measureStretch(gamma, product, nextProduct, n));
    if (!(curvature > 0)) curvature = run.curvature;
    for (let i = 0; i < n; i++) {
      y[i] = gamma[i];
      yProduct[i] = product[i];
    }
    let theta = 1;

    while (run.canGoOn) {
      for (let i = 0; i < n; i++) gradient[i] = yProduct[i] + linear[i];
      // a step from y that the bound L covers
      for (;;) {
        for (let i = 0; i < n; i++) next[i] = y[i] - gradient[i] / curvature;
        projectCones(next, next, cones);
        run.multiply(nextProduct, next);
        if (curvature >= ceiling || isCovered(next, nextProduct, y, yProduct, curvature, n)) break;
        curvature = Math.min(ceiling, GROWTH * curvature);
      }
      const step = 1 / curvature;
      if (run.record(next, nextProduct, step)) return true;
      if (!Number.isFinite(run.map.residual)) return false;

      // momentum, unless it leads uphill
      const square = theta * theta;
      let nextTheta = 0.5 * (theta * Math.sqrt(square + 4) - square);
      let momentum = (theta * (1 - theta)) / (square + nextTheta);
      let slope = 0;
      for (let i = 0; i < n; i++) slope += gradient[i] * (next[i] - gamma[i]);
      if (slope > 0) {
        momentum = 0;
        nextTheta = 1;
      }
      for (let i = 0; i < n; i++) {
        y[i] = next[i] + momentum * (next[i] - gamma[i]);
        yProduct[i] = nextProduct[i] + momentum * (nextProduct[i] - product[i]);
      }
      theta = nextTheta;
      curvature = Math.max(DECAY * curvature, SMALLEST * run.curvature);
      const held = gamma;
      gamma = next;
      next = held;
      const heldProduct = product;
      product = nextProduct;
      nextProduct = heldProduct;
    }
    return true;
  }

  #grow(n: number): void {
    const length = 2 * n;
    this.#gamma = this.#memory.f64(length);
    this.#product = this.#memory.f64(length);
    this.#next = this.#memory.f64(length);
    this.#nextProduct = this.#memory.f64(length);
    this.#y = this.#memory.f64(length);
    this.#yProduct = this.#memory.f64(length);
    this.#gradient = this.#memory.f64(length);
  }
}

/** |N (γ − 1)| / |γ − 1|, from N γ and N 1. */
function measureStretch(gamma: Float64Array, product: Float64Array, onesProduct: Float64Array, n: number): number {
  let above = 0;
  let below = 0;
  for (let i = 0; i < n; i++) {
    const out = product[i] - onesProduct[i];
    const d = gamma[i] - 1;
    above += out * out;
    below += d * d;
  }
  return Math.sqrt(above / below);
}

/** Whether dᵀ N d ≤ L |d|² for d = γ⁺ − y, except for rounding. */
function isCovered(
  next: Float64Array,
  nextProduct: Float64Array,
  y: Float64Array,
  yProduct: Float64Array,
  curvature: number,
  n: number,
): boolean {
  let measured = 0;
  let square = 0;
  let noise = 0;
  for (let i = 0; i < n; i++) {
    const d = next[i] - y[i];
    measured += d * (nextProduct[i] - yProduct[i]);
    square += d * d;
    noise += Math.abs(d * nextProduct[i]) + Math.abs(d * yProduct[i]);
  }
  return measured <= curvature * square * (1 + ROUNDING) + Number.EPSILON * noise;
}
