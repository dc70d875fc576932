/** Eigenvalues and eigenvectors of a small symmetric matrix by cyclic Jacobi rotations. Source: Golub and Van Loan, Matrix Computations, 8.5. */

const MOST_SWEEPS = 60;

/** Values and, in the same order, unit vectors; the matrix is row by row and stays as it is. */
export function findEigenvectors(matrix: Float64Array, n: number): { values: number[]; vectors: Float64Array[] } {
  const a = matrix.slice();
  const v = new Float64Array(n * n);
  for (let i = 0; i < n; i++) v[i * n + i] = 1;
  for (let sweep = 0; sweep < MOST_SWEEPS; sweep++) {
    let off = 0;
    for (let p = 0; p < n; p++) {
      for (let q = p + 1; q < n; q++) {
        off = Math.max(off, Math.abs(a[p * n + q]) / Math.sqrt(Math.abs(a[p * n + p] * a[q * n + q]) || 1));
        rotate(a, v, n, p, q);
      }
    }
    if (off < 1e-15) break;
  }
  const values = Array.from({ length: n }, (_, i) => a[i * n + i]);
  const vectors = values.map((_, k) => Float64Array.from({ length: n }, (__, i) => v[i * n + k]));
  return { values, vectors };
}

// makes the entry (p, q) zero
function rotate(a: Float64Array, v: Float64Array, n: number, p: number, q: number): void {
  const entry = a[p * n + q];
  if (entry === 0) return;
  const tau = (a[q * n + q] - a[p * n + p]) / (2 * entry);
  const t = tau >= 0 ? 1 / (tau + Math.sqrt(1 + tau * tau)) : -1 / (-tau + Math.sqrt(1 + tau * tau));
  const c = 1 / Math.sqrt(1 + t * t);
  const s = t * c;
  for (let i = 0; i < n; i++) turn(a, i * n + p, i * n + q, c, s);
  for (let i = 0; i < n; i++) turn(a, p * n + i, q * n + i, c, s);
  for (let i = 0; i < n; i++) turn(v, i * n + p, i * n + q, c, s);
}

function turn(m: Float64Array, i: number, j: number, c: number, s: number): void {
  const x = m[i];
  const y = m[j];
  m[i] = c * x - s * y;
  m[j] = s * x + c * y;
}
