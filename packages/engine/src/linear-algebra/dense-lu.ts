/**
 * P A = L U of a dense square matrix with row pivots, row by row, and solves with A and Aᵀ.
 * Source: Golub and Van Loan, Matrix Computations (4th ed.), section 3.4.
 */
export class DenseLu {
  readonly #size: number;
  readonly #matrix: Float64Array;
  readonly #pivot: Int32Array;

  private constructor(matrix: Float64Array, size: number) {
    this.#size = size;
    this.#matrix = matrix;
    this.#pivot = new Int32Array(size);
  }

  /** Overwrites the matrix; undefined where it is singular or not finite. */
  static factor(matrix: Float64Array, size: number): DenseLu | undefined {
    const lu = new DenseLu(matrix, size);
    for (let k = 0; k < size; k++) if (!lu.#eliminate(k)) return undefined;
    return lu;
  }

  #eliminate(k: number): boolean {
    const n = this.#size;
    const a = this.#matrix;
    let pivot = k;
    for (let i = k + 1; i < n; i++) if (Math.abs(a[i * n + k]) > Math.abs(a[pivot * n + k])) pivot = i;
    const largest = Math.abs(a[pivot * n + k]);
    if (!(largest > 0 && largest < Infinity)) return false;
    this.#pivot[k] = pivot;
    if (pivot !== k) {
      for (let j = 0; j < n; j++) {
        const value = a[k * n + j];
        a[k * n + j] = a[pivot * n + j];
        a[pivot * n + j] = value;
      }
    }
    const inverse = 1 / a[k * n + k];
    const row = k * n;
    for (let i = k + 1; i < n; i++) {
      const o = i * n;
      const scale = a[o + k] * inverse;
      a[o + k] = scale;
      if (scale !== 0) for (let j = k + 1; j < n; j++) a[o + j] -= scale * a[row + j];
    }
    return true;
  }

  /** x ← A⁻¹ x. */
  solve(x: Float64Array): void {
    const n = this.#size;
    const a = this.#matrix;
    for (let k = 0; k < n; k++) swap(x, k, this.#pivot[k]);
    for (let i = 0; i < n; i++) {
      let sum = x[i];
      for (let j = 0; j < i; j++) sum -= a[i * n + j] * x[j];
      x[i] = sum;
    }
    for (let i = n - 1; i >= 0; i--) {
      let sum = x[i];
      for (let j = i + 1; j < n; j++) sum -= a[i * n + j] * x[j];
      x[i] = sum / a[i * n + i];
    }
  }

  /** x ← A⁻ᵀ x. */
  solveTransposed(x: Float64Array): void {
    const n = this.#size;
    const a = this.#matrix;
    for (let i = 0; i < n; i++) {
      x[i] /= a[i * n + i];
      for (let j = i + 1; j < n; j++) x[j] -= a[i * n + j] * x[i];
    }
    for (let i = n - 1; i > 0; i--) for (let j = 0; j < i; j++) x[j] -= a[i * n + j] * x[i];
    for (let k = n - 1; k >= 0; k--) swap(x, k, this.#pivot[k]);
  }

  /** Largest over least pivot: an estimate of how near A is to a singular matrix. */
  get condition(): number {
    let least = Infinity;
    let most = 0;
    for (let k = 0; k < this.#size; k++) {
      const pivot = Math.abs(this.#matrix[k * this.#size + k]);
      least = Math.min(least, pivot);
      most = Math.max(most, pivot);
    }
    return this.#size === 0 ? 1 : most / least;
  }
}

function swap(x: Float64Array, a: number, b: number): void {
  const value = x[a];
  x[a] = x[b];
  x[b] = value;
}
