/**
 * Unsymmetric counterpart of tree-ldl.ts: A = U D L over the dofs of a forest, without fill.
 *
 * `lower` holds row i of A left of and on the diagonal (ancestors of i, then i); `upper` holds column i above the diagonal
 * in the same places (upper[k] = A[column[k], i]). Eliminating dof i updates A[j, k] −= A[j, i] A[i, k] / A[i, i] for all
 * ancestors j, k of i.
 */

/** Overwrites A by its factor. Returns the first row whose pivot is zero or not finite, or -1. */
export function factorTreeUnsymmetric(
  lower: Float64Array,
  upper: Float64Array,
  inverseDiagonal: Float64Array,
  rowStart: Int32Array,
  column: Int32Array,
): number {
  let bad = -1;
  for (let i = inverseDiagonal.length - 1; i >= 0; i--) {
    const start = rowStart[i];
    const last = rowStart[i + 1] - 1;
    const inverse = 1 / lower[last];
    if (!(inverse - inverse === 0)) bad = i;
    inverseDiagonal[i] = inverse;
    for (let k = last - 1; k >= start; k--) {
      const rowScale = upper[k] * inverse; // acts on row j = column[k]
      const columnScale = lower[k] * inverse; // acts on column j
      let target = rowStart[column[k]];
      for (let s = start; s < k; s++, target++) {
        lower[target] -= rowScale * lower[s];
        upper[target] -= columnScale * upper[s];
      }
      lower[target] -= rowScale * lower[k];
    }
  }
  return bad;
}

/** x ← A⁻¹ x. */
export function solveTreeUnsymmetric(
  x: Float64Array,
  lower: Float64Array,
  upper: Float64Array,
  inverseDiagonal: Float64Array,
  rowStart: Int32Array,
  column: Int32Array,
): void {
  const n = inverseDiagonal.length;
  // leaves to roots with the upper part
  for (let i = n - 1; i >= 0; i--) {
    const value = x[i] * inverseDiagonal[i];
    const last = rowStart[i + 1] - 1;
    for (let k = rowStart[i]; k < last; k++) x[column[k]] -= upper[k] * value;
  }
  // roots to leaves with the lower part
  for (let i = 0; i < n; i++) {
    let value = x[i];
    const last = rowStart[i + 1] - 1;
    for (let k = rowStart[i]; k < last; k++) value -= lower[k] * x[column[k]];
    x[i] = value * inverseDiagonal[i];
  }
}
