/**
 * minimise ½ vᵀ A v + bᵀ v over |v| ≤ r for a few unknowns, A positive semidefinite:
 *   (A + λ 1) v = −b,   λ ≥ 0,   λ = 0 or |v| = r
 * λ is found by Newton's method on 1/r − 1/|v(λ)|, which is concave: from the left it rises to the root and never beyond.
 * Source: Moré and Sorensen, Computing a trust region step, SIAM J. Sci. Stat. Comput. 4 (1983).
 */
const LARGEST = 6;
const factor = /* @__PURE__ */ new Float64Array(LARGEST * LARGEST);
const half = /* @__PURE__ */ new Float64Array(LARGEST);

/** Writes v; true where |v| = r. A is row by row with n columns. */
export function minimizeInBall(v: Float64Array, A: Float64Array, b: Float64Array, n: number, radius: number): boolean {
  let trace = 0;
  let square = 0;
  for (let i = 0; i < n; i++) {
    trace += A[i * n + i];
    square += b[i] * b[i];
  }
  if (square === 0 || !(radius > 0)) {
    v.fill(0, 0, n);
    return false;
  }
  if (!(trace > 0)) {
    for (let i = 0; i < n; i++) v[i] = (-b[i] * radius) / Math.sqrt(square);
    return true;
  }
  // directions without weight take the least that keeps the matrix definite
  let lambda = 1e-14 * trace;
  for (let k = 0; k < 50; k++) {
    if (!factorShifted(A, lambda, n)) {
      lambda = 2 * lambda + 1e-12 * trace;
      continue;
    }
    for (let i = 0; i < n; i++) v[i] = -b[i];
    solveForward(v, n);
    solveBackward(v, n);
    let length = 0;
    for (let i = 0; i < n; i++) length += v[i] * v[i];
    length = Math.sqrt(length);
    if (k === 0 && length <= radius) return false;
    const excess = (length - radius) / radius;
    if (!(excess > 1e-15)) break;
    for (let i = 0; i < n; i++) half[i] = v[i];
    solveForward(half, n);
    let curvature = 0;
    for (let i = 0; i < n; i++) curvature += half[i] * half[i];
    const next = lambda + (excess * length * length) / curvature;
    if (next === lambda) break;
    lambda = next;
  }
  // exactly on the ball
  let length = 0;
  for (let i = 0; i < n; i++) length += v[i] * v[i];
  const scale = radius / Math.sqrt(length);
  for (let i = 0; i < n; i++) v[i] *= scale;
  return true;
}

// Cholesky factor of A + λ 1
function factorShifted(A: Float64Array, lambda: number, n: number): boolean {
  for (let i = 0; i < n; i++) {
    for (let j = 0; j <= i; j++) {
      let sum = A[i * n + j];
      for (let k = 0; k < j; k++) sum -= factor[i * n + k] * factor[j * n + k];
      if (i !== j) factor[i * n + j] = sum / factor[j * n + j];
      else {
        const pivot = sum + lambda;
        if (!(pivot > 0)) return false;
        factor[i * n + i] = Math.sqrt(pivot);
      }
    }
  }
  return true;
}

function solveForward(x: Float64Array, n: number): void {
  for (let i = 0; i < n; i++) {
    let sum = x[i];
    for (let k = 0; k < i; k++) sum -= factor[i * n + k] * x[k];
    x[i] = sum / factor[i * n + i];
  }
}

function solveBackward(x: Float64Array, n: number): void {
  for (let i = n - 1; i >= 0; i--) {
    let sum = x[i];
    for (let k = i + 1; k < n; k++) sum -= factor[k * n + i] * x[k];
    x[i] = sum / factor[i * n + i];
  }
}
