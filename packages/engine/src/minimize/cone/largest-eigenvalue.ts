/**
 * λmax of a symmetric positive semidefinite matrix that is known by its products, by Lanczos' method:
 *
 *   β v⁺ = N v − α v − β⁻ v⁻,   α = vᵀ N v;     λmax(T) → λmax(N) from below,  T = tridiag(β, α, β)
 *
 * The start is fixed, so the same matrix gives the same number. Vectors are not made orthogonal again: that would only
 * repeat eigenvalues that are already found. λmax(T) is the root of det(T − x 1) found by bisection with Sturm's count.
 * Source: Golub and Van Loan, Matrix Computations, 4th ed., 10.1 and 8.4.
 */
import type { Memory } from '../../linear-algebra/memory.ts';

const MOST_STEPS = 48;

export interface SymmetricProduct {
  readonly size: number;
  multiply(out: Float64Array, x: Float64Array): void;
}

export class LargestEigenvalue {
  /** Products used by the last call. */
  products = 0;
  readonly #memory: Memory;
  readonly #alpha = new Float64Array(MOST_STEPS);
  readonly #beta = new Float64Array(MOST_STEPS);
  #vector: Float64Array;
  #before: Float64Array;
  #product: Float64Array;

  constructor(memory: Memory) {
    this.#memory = memory;
    this.#vector = memory.f64(0);
    this.#before = memory.f64(0);
    this.#product = memory.f64(0);
  }

  /** Stops when a step changes the value by less than the tolerance, relative. 0 for the matrix of zeros. */
  estimate(matrix: SymmetricProduct, tolerance: number): number {
    const n = matrix.size;
    this.products = 0;
    if (n === 0) return 0;
    if (this.#vector.length < n) this.#grow(n);
    let vector = this.#vector;
    let before = this.#before;
    const product = this.#product;
    fillStart(vector, n);
    before.fill(0, 0, n);
    let beta = 0;
    let value = 0;
    const steps = Math.min(n, MOST_STEPS);
    for (let k = 0; k < steps; k++) {
      matrix.multiply(product, vector);
      this.products++;
      let alpha = 0;
      for (let i = 0; i < n; i++) alpha += product[i] * vector[i];
      // the new component of the product
      let square = 0;
      for (let i = 0; i < n; i++) {
        product[i] -= alpha * vector[i] + beta * before[i];
        square += product[i] * product[i];
      }
      this.#alpha[k] = alpha;
      const last = value;
      value = this.#findLargest(k + 1);
      beta = Math.sqrt(square);
      this.#beta[k] = beta;
      // nothing new, or nothing that matters
      if (!(beta > 1e-14 * value) || (k > 1 && value - last <= tolerance * value)) break;
      for (let i = 0; i < n; i++) before[i] = product[i] / beta;
      const held = vector;
      vector = before;
      before = held;
    }
    return value;
  }

  /** Largest eigenvalue of the leading m × m part of T. */
  #findLargest(m: number): number {
    const alpha = this.#alpha;
    const beta = this.#beta;
    let low = alpha[0];
    let high = 0;
    for (let k = 0; k < m; k++) {
      low = Math.max(low, alpha[k]);
      high = Math.max(high, alpha[k] + (k > 0 ? beta[k - 1] : 0) + (k + 1 < m ? beta[k] : 0));
    }
    while (high - low > 1e-15 * high) {
      const middle = 0.5 * (low + high);
      if (middle <= low || middle >= high) break;
      if (this.#isAbove(middle, m)) high = middle;
      else low = middle;
    }
    return high;
  }

  /** Whether x is above all eigenvalues: all pivots of T − x 1 are negative. */
  #isAbove(x: number, m: number): boolean {
    let pivot = this.#alpha[0] - x;
    for (let k = 1; k < m; k++) {
      if (!(pivot < 0)) return false;
      pivot = this.#alpha[k] - x - (this.#beta[k - 1] * this.#beta[k - 1]) / pivot;
    }
    return pivot < 0;
  }

  #grow(n: number): void {
    const length = 2 * n;
    this.#vector = this.#memory.f64(length);
    this.#before = this.#memory.f64(length);
    this.#product = this.#memory.f64(length);
  }
}

/** A unit vector without pattern: entries of either sign between a half and one and a half before they are scaled. */
function fillStart(vector: Float64Array, n: number): void {
  let state = 0x2545f491;
  let square = 0;
  for (let i = 0; i < n; i++) {
    state = (Math.imul(state, 1664525) + 1013904223) | 0;
    const size = 0.5 + (state >>> 8) / 16777216;
    vector[i] = state < 0 ? -size : size;
    square += vector[i] * vector[i];
  }
  const scale = 1 / Math.sqrt(square);
  for (let i = 0; i < n; i++) vector[i] *= scale;
}
