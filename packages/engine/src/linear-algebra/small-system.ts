/** Gauss elimination with row pivots for systems of a few unknowns, without allocation. */

/** b ← A⁻¹ b for an n × n matrix, row by row; destroys A. False where A is singular. */
export function solveSmallSystem(matrix: Float64Array, b: Float64Array, n: number): boolean {
  for (let k = 0; k < n; k++) {
    let pivot = k;
    for (let i = k + 1; i < n; i++) {
      if (Math.abs(matrix[i * n + k]) > Math.abs(matrix[pivot * n + k])) pivot = i;
    }
    if (!(Math.abs(matrix[pivot * n + k]) > 0)) return false;
    if (pivot !== k) {
      for (let j = k; j < n; j++) {
        const value = matrix[k * n + j];
        matrix[k * n + j] = matrix[pivot * n + j];
        matrix[pivot * n + j] = value;
      }
      const value = b[k];
      b[k] = b[pivot];
      b[pivot] = value;
    }
    const inverse = 1 / matrix[k * n + k];
    for (let i = k + 1; i < n; i++) {
      const scale = matrix[i * n + k] * inverse;
      if (scale === 0) continue;
      for (let j = k + 1; j < n; j++) matrix[i * n + j] -= scale * matrix[k * n + j];
      b[i] -= scale * b[k];
    }
  }
  for (let i = n - 1; i >= 0; i--) {
    let sum = b[i];
    for (let j = i + 1; j < n; j++) sum -= matrix[i * n + j] * b[j];
    b[i] = sum / matrix[i * n + i];
  }
  return true;
}
