/**
 * λmax of small symmetric matrices by Jacobi's method: plane after plane is turned until its off-diagonal entry vanishes.
 * Source: Golub and Van Loan, Matrix Computations, 4th ed., 8.5.
 */
let work = /* @__PURE__ */ new Float64Array(36);

/** Largest eigenvalue of the d × d matrix that starts at an entry, row by row. Never negative. */
export function findBlockCurvature(matrix: Float64Array, start: number, d: number): number {
  if (d === 1) return Math.max(0, matrix[start]);
  if (work.length < d * d) work = new Float64Array(2 * d * d);
  let scale = 0;
  for (let i = 0; i < d * d; i++) {
    work[i] = matrix[start + i];
    scale = Math.max(scale, Math.abs(work[i]));
  }
  for (let sweep = 0; sweep < 20; sweep++) {
    let rest = 0;
    for (let p = 0; p < d; p++) {
      for (let q = p + 1; q < d; q++) {
        rest = Math.max(rest, Math.abs(work[p * d + q]));
        turnPlane(p, q, d, scale);
      }
    }
    if (rest <= 1e-15 * scale) break;
  }
  let largest = 0;
  for (let i = 0; i < d; i++) largest = Math.max(largest, work[i * d + i]);
  return largest;
}

function turnPlane(p: number, q: number, d: number, scale: number): void {
  const entry = work[p * d + q];
  if (Math.abs(entry) <= 1e-17 * scale) return;
  const tau = (work[q * d + q] - work[p * d + p]) / (2 * entry);
  const t = (tau >= 0 ? 1 : -1) / (Math.abs(tau) + Math.sqrt(1 + tau * tau));
  const c = 1 / Math.sqrt(1 + t * t);
  const s = t * c;
  for (let k = 0; k < d; k++) {
    const a = work[k * d + p];
    const b = work[k * d + q];
    work[k * d + p] = c * a - s * b;
    work[k * d + q] = s * a + c * b;
  }
  for (let k = 0; k < d; k++) {
    const a = work[p * d + k];
    const b = work[q * d + k];
    work[p * d + k] = c * a - s * b;
    work[q * d + k] = s * a + c * b;
  }
}
