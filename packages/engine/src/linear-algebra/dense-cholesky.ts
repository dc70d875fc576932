/**
 * H = L Lᵀ of a dense symmetric positive definite matrix, solves with it, and its change when H changes by ± v vᵀ.
 *
 * Matrices are row-major with leading dimension n; only the lower triangle is read and written. The inverse of the diagonal
 * of L is kept apart, so that a solve multiplies where it would divide. Cost: n³/6 products to factor, n² to solve, 2 n²
 * to update. Backward errors: ‖L Lᵀ − H‖ ≤ (n+1) ε ‖L‖², (H + E) x = b with |E| ≤ (3n+1) ε |L||Lᵀ|.
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

/** Rotations of an update: cosine, its inverse and sine of every column. Grows, never shrinks. */
let rotation = new Float64Array(3 * 64);

/**
 * L becomes the factor of H + sign v vᵀ, with sign = ±1; destroys v. Returns the row at which H − v vᵀ is not positive
 * definite (L is then unusable), or -1. Each column k takes a rotation (hyperbolic when sign = −1) of its pivot and v:
 *
 *   r = √(Lₖₖ² + sign vₖ²), c = r / Lₖₖ, s = vₖ / Lₖₖ;   Lᵢₖ ← (Lᵢₖ + sign s vᵢ) / c,  vᵢ ← c vᵢ − s Lᵢₖ (new)
 *
 * The mixed form (v from the new L) keeps downdates stable. Rotations run along rows, four rows at once to hide the latency
 * of the chain in v; columns before the first nonzero of v do not change.
 * Source: Bojanczyk, Brent, van Dooren, de Hoog, A note on downdating the Cholesky factorization (1987).
 */
export function updateDense(
  factor: Float64Array,
  inverseDiagonal: Float64Array,
  n: number,
  vector: Float64Array,
  sign: 1 | -1,
): number {
  if (rotation.length < 3 * n) rotation = new Float64Array(6 * n);
  let first = 0;
  while (first < n && vector[first] === 0) first++;
  let i = first;
  for (; i + 3 < n; i += 4) {
    rotateFourRows(factor, n, vector, sign, first, i);
    for (let row = i; row < i + 4; row++) {
      if (!rotateRow(factor, inverseDiagonal, n, vector, sign, i, row)) return row;
    }
  }
  for (; i < n; i++) if (!rotateRow(factor, inverseDiagonal, n, vector, sign, first, i)) return i;
  return -1;
}

/** Applies the rotations of columns [first, i) to rows i to i + 3. */
function rotateFourRows(
  factor: Float64Array,
  n: number,
  vector: Float64Array,
  sign: number,
  first: number,
  i: number,
): void {
  const p0 = i * n;
  const p1 = p0 + n;
  const p2 = p1 + n;
  const p3 = p2 + n;
  let v0 = vector[i];
  let v1 = vector[i + 1];
  let v2 = vector[i + 2];
  let v3 = vector[i + 3];
  for (let k = first; k < i; k++) {
    const c = rotation[3 * k];
    const inverse = rotation[3 * k + 1];
    const s = rotation[3 * k + 2];
    const signed = sign * s;
    const l0 = (factor[p0 + k] + signed * v0) * inverse;
    const l1 = (factor[p1 + k] + signed * v1) * inverse;
    const l2 = (factor[p2 + k] + signed * v2) * inverse;
    const l3 = (factor[p3 + k] + signed * v3) * inverse;
    factor[p0 + k] = l0;
    factor[p1 + k] = l1;
    factor[p2 + k] = l2;
    factor[p3 + k] = l3;
    v0 = c * v0 - s * l0;
    v1 = c * v1 - s * l1;
    v2 = c * v2 - s * l2;
    v3 = c * v3 - s * l3;
  }
  vector[i] = v0;
  vector[i + 1] = v1;
  vector[i + 2] = v2;
  vector[i + 3] = v3;
}

/** Applies the rotations of columns [first, i) to row i and finds that of column i; false when its pivot is lost. */
function rotateRow(
  factor: Float64Array,
  inverseDiagonal: Float64Array,
  n: number,
  vector: Float64Array,
  sign: number,
  first: number,
  i: number,
): boolean {
  const p = i * n;
  let v = vector[i];
  for (let k = first; k < i; k++) {
    const s = rotation[3 * k + 2];
    const l = (factor[p + k] + sign * s * v) * rotation[3 * k + 1];
    factor[p + k] = l;
    v = rotation[3 * k] * v - s * l;
  }
  const pivot = factor[p + i];
  // as a product, so that a downdate that leaves little loses no more than it must
  const square = sign > 0 ? pivot * pivot + v * v : (pivot - v) * (pivot + v);
  if (!(square > 0)) return false;
  const r = Math.sqrt(square);
  const inverse = 1 / r;
  rotation[3 * i] = r * inverseDiagonal[i];
  rotation[3 * i + 1] = pivot * inverse;
  rotation[3 * i + 2] = v * inverseDiagonal[i];
  factor[p + i] = r;
  inverseDiagonal[i] = inverse;
  return true;
}
