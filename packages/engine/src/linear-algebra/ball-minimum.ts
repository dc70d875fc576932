/**
 * minimise ½ vᵀ A v + bᵀ v over |v| ≤ r for a few unknowns, A positive definite, as MuJoCo does it:
 *   (A + λ 1) v = −b,   λ ≥ 0,   λ = 0 or |v| = r
 * λ by Newton's method on |v(λ)|² − r², which is convex and falls: from 0 on it rises to the root and never beyond. Far from the root it gains
 * half of λ with each step, so that the 20 steps may not reach it; v is scaled to the ball then, and is not the minimum.
 */
const LARGEST = 6;
const STEPS = 20;
/** Least determinant of up to three unknowns, least pivot of more; |v|² − r² and change of λ that end it. */
const SMALL = 1e-10;
const factor = /* @__PURE__ */ new Float64Array(LARGEST * LARGEST);
const half = /* @__PURE__ */ new Float64Array(LARGEST);

/** Writes v; true where |v| = r. A is row by row with n columns; v is 0 where it is singular. */
export function minimizeInBall(v: Float64Array, A: Float64Array, b: Float64Array, n: number, radius: number): boolean {
  let lambda = 0;
  for (let k = 0; k < STEPS; k++) {
    if (!factorShifted(A, lambda, n)) {
      v.fill(0, 0, n);
      return false;
    }
    for (let i = 0; i < n; i++) v[i] = -b[i];
    solveForward(v, n);
    solveBackward(v, n);
    const excess = measureSquare(v, n) - radius * radius;
    if (excess < SMALL) break;
    // vᵀ (A + λ 1)⁻¹ v
    for (let i = 0; i < n; i++) half[i] = v[i];
    solveForward(half, n);
    const step = excess / (2 * measureSquare(half, n));
    if (step < SMALL) break;
    lambda += step;
  }
  if (lambda === 0) return false;
  const scale = radius / Math.sqrt(Math.max(1e-15, measureSquare(v, n)));
  for (let i = 0; i < n; i++) v[i] *= scale;
  return true;
}

function measureSquare(v: Float64Array, n: number): number {
  let sum = 0;
  for (let i = 0; i < n; i++) sum += v[i] * v[i];
  return sum;
}

// Cholesky factor of A + λ 1; false where it is as good as singular
function factorShifted(A: Float64Array, lambda: number, n: number): boolean {
  let determinant = 1;
  for (let i = 0; i < n; i++) {
    for (let j = 0; j <= i; j++) {
      let sum = A[i * n + j];
      for (let k = 0; k < j; k++) sum -= factor[i * n + k] * factor[j * n + k];
      if (i !== j) factor[i * n + j] = sum / factor[j * n + j];
      else {
        const pivot = sum + lambda;
        if (!(pivot > (n > 3 ? SMALL : 0))) return false;
        determinant *= pivot;
        factor[i * n + i] = Math.sqrt(pivot);
      }
    }
  }
  return n > 3 || determinant >= SMALL;
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
