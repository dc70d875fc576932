/**
 * H = L Lᵀ of a dense symmetric positive definite matrix, and solves with it.
 *
 * Matrices are row-major with leading dimension n; only the lower triangle is read and written. The inverse of the diagonal
 * of L is kept apart, so that a solve multiplies instead of dividing. Cost: n³/6 products to factor, n² to solve.
 * Backward errors: ‖L Lᵀ − H‖ ≤ (n+1) ε ‖L‖², (H + E) x = b with |E| ≤ (3n+1) ε |L||Lᵀ|.
 * Arrays must come from the memory of `compiled`, where that is given. Same bits with and without it.
 * Source: Higham, Accuracy and Stability of Numerical Algorithms (2nd ed.), theorems 10.3 and 10.4.
 */
import { factorPanel } from './block-cholesky/panel-factor.ts';
import type { CompiledFunctions } from './compiled-functions.ts';

/** Overwrites the lower triangle of H by L. Returns the first row whose pivot is not positive, or -1. */
export function factorDense(
  matrix: Float64Array,
  inverseDiagonal: Float64Array,
  n: number,
  compiled?: CompiledFunctions,
): number {
  if (compiled) return compiled.factorPanel(matrix.byteOffset, inverseDiagonal.byteOffset, n, n);
  return factorPanel(matrix, 0, inverseDiagonal, 0, n, n);
}

/** x ← H⁻¹ x. Sums over even and odd places apart, two lanes of the compiled twin. */
export function solveDense(
  x: Float64Array,
  factor: Float64Array,
  inverseDiagonal: Float64Array,
  n: number,
  compiled?: CompiledFunctions,
): void {
  if (compiled) {
    compiled.solveDense(x.byteOffset, factor.byteOffset, inverseDiagonal.byteOffset, n);
    return;
  }
  const even = n - (n % 2);
  // x ← L⁻¹ x, two rows at once
  for (let i = 0; i < even; i += 2) {
    const p = i * n;
    const q = p + n;
    let s0 = 0;
    let t0 = 0;
    let s1 = 0;
    let t1 = 0;
    for (let k = 0; k < i; k += 2) {
      const a = x[k];
      const b = x[k + 1];
      s0 += factor[p + k] * a;
      t0 += factor[p + k + 1] * b;
      s1 += factor[q + k] * a;
      t1 += factor[q + k + 1] * b;
    }
    const first = (x[i] - (s0 + t0)) * inverseDiagonal[i];
    x[i] = first;
    x[i + 1] = (x[i + 1] - (s1 + t1) - factor[q + i] * first) * inverseDiagonal[i + 1];
  }
  if (even < n) {
    const p = even * n;
    let s = 0;
    let t = 0;
    for (let k = 0; k < even; k += 2) {
      s += factor[p + k] * x[k];
      t += factor[p + k + 1] * x[k + 1];
    }
    // the last row of L and the first of Lᵀ
    const last = (x[even] - (s + t)) * (inverseDiagonal[even] * inverseDiagonal[even]);
    x[even] = last;
    for (let k = 0; k < even; k++) x[k] -= factor[p + k] * last;
  }
  // x ← L⁻ᵀ x, rows of L taken off the entries before them
  for (let i = even - 2; i >= 0; i -= 2) {
    const p = i * n;
    const q = p + n;
    const s1 = x[i + 1] * inverseDiagonal[i + 1];
    const s0 = (x[i] - factor[q + i] * s1) * inverseDiagonal[i];
    x[i + 1] = s1;
    x[i] = s0;
    for (let k = 0; k < i; k++) x[k] = x[k] - factor[q + k] * s1 - factor[p + k] * s0;
  }
}
