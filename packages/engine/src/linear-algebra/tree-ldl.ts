/**
 * M = Lᵀ D L for a symmetric positive definite matrix over the dofs of a forest, without fill.
 *
 * L is unit lower triangular with the pattern of M (TreeSparsity): row i holds the ancestors of dof i, then i. Eliminating
 * from the leaves to the roots touches only ancestors, and the ancestors of an ancestor j are the entries of row i before
 * j, so every inner loop runs over contiguous memory. Cost: Σᵢ depthᵢ² / 2 multiplications.
 *
 * Storage of the factor: L strictly below the diagonal, D on the diagonal; 1/D apart.
 * Source: Featherstone, Rigid Body Dynamics Algorithms (2008), section 6.5, with rows stored as prefixes.
 */

/** Overwrites the lower triangle of M by its factor. Returns the first row whose pivot is not positive, or -1. */
export function factorTree(
  factor: Float64Array,
  inverseDiagonal: Float64Array,
  rowStart: Int32Array,
  column: Int32Array,
): number {
  return factorRows(factor, inverseDiagonal, rowStart, column, 0, inverseDiagonal.length);
}

/** As factorTree, for the rows first to end − 1 of whole trees. */
export function factorRows(
  factor: Float64Array,
  inverseDiagonal: Float64Array,
  rowStart: Int32Array,
  column: Int32Array,
  first: number,
  end: number,
): number {
  let bad = -1;
  for (let i = end - 1; i >= first; i--) {
    const start = rowStart[i];
    const last = rowStart[i + 1] - 1;
    const pivot = factor[last];
    if (!(pivot > 0)) bad = i;
    const inverse = 1 / pivot;
    inverseDiagonal[i] = inverse;
    // row j -= (Lᵢⱼ Dᵢ) row i for every ancestor j
    for (let k = last - 1; k >= start; k--) {
      const scale = factor[k] * inverse;
      let target = rowStart[column[k]];
      for (let s = start; s <= k; s++) factor[target++] -= scale * factor[s];
      factor[k] = scale;
    }
  }
  return bad;
}

/** x ← M⁻¹ x. */
export function solveTree(
  x: Float64Array,
  factor: Float64Array,
  inverseDiagonal: Float64Array,
  rowStart: Int32Array,
  column: Int32Array,
): void {
  solveRows(x, 0, factor, inverseDiagonal, rowStart, column, 0, inverseDiagonal.length);
}

/**
 * As solveTree, for the rows first to end − 1 of whole trees; row i has its number at x[i + shift]. Sums run over even and odd
 * places apart, two lanes of the compiled twin.
 */
export function solveRows(
  x: Float64Array,
  shift: number,
  factor: Float64Array,
  inverseDiagonal: Float64Array,
  rowStart: Int32Array,
  column: Int32Array,
  first: number,
  end: number,
): void {
  // x ← L⁻ᵀ x, leaves first
  for (let i = end - 1; i >= first; i--) {
    const value = x[i + shift];
    if (value === 0) continue;
    const last = rowStart[i + 1] - 1;
    for (let k = rowStart[i]; k < last; k++) x[column[k] + shift] -= factor[k] * value;
  }
  // x ← L⁻¹ D⁻¹ x, roots first
  for (let i = first; i < end; i++) {
    const start = rowStart[i];
    const last = rowStart[i + 1] - 1;
    const pairs = last - ((last - start) % 2);
    let even = 0;
    let odd = 0;
    for (let k = start; k < pairs; k += 2) {
      even += factor[k] * x[column[k] + shift];
      odd += factor[k + 1] * x[column[k + 1] + shift];
    }
    let value = x[i + shift] * inverseDiagonal[i] - (even + odd);
    if (pairs < last) value -= factor[pairs] * x[column[pairs] + shift];
    x[i + shift] = value;
  }
}

/** out ← M x from the lower triangle of M. */
export function multiplyTree(
  out: Float64Array,
  matrix: Float64Array,
  x: Float64Array,
  rowStart: Int32Array,
  column: Int32Array,
): void {
  const n = out.length;
  for (let i = 0; i < n; i++) {
    const last = rowStart[i + 1] - 1;
    let sum = matrix[last] * x[i];
    for (let k = rowStart[i]; k < last; k++) {
      const j = column[k];
      sum += matrix[k] * x[j];
      out[j] += matrix[k] * x[i];
    }
    out[i] = sum;
  }
}
