/**
 * Gauss-Seidel sweeps over a symmetric matrix A = L + D + Lᵀ of 3 × 3 blocks of which D and L are stored, L by columns.
 *   forward    z ← (D + L)⁻¹ r, which leaves the residual −Lᵀz
 *   backward   z ← (D + Lᵀ)⁻¹ (r − L z)
 * Each runs over half of the matrix. One after the other around a correction that is symmetric, they are a symmetric preconditioner.
 */
import type { BlockSparseMatrix } from '../block-sparse-matrix.ts';
import type { CompiledSoft } from '../compiled-functions.ts';

/** z ← (D + L)⁻¹ r; residual ← r − A z = −Lᵀz. `inverse` holds D⁻¹. */
export function sweepForward(
  z: Float64Array,
  residual: Float64Array,
  { count, start, high, values: a }: BlockSparseMatrix,
  inverse: Float64Array,
  r: Float64Array,
  compiled?: CompiledSoft,
): void {
  if (compiled) {
    compiled.sweepForward(
      z.byteOffset,
      residual.byteOffset,
      a.byteOffset,
      start.byteOffset,
      high.byteOffset,
      count,
      inverse.byteOffset,
      r.byteOffset,
    );
    return;
  }
  const n = 3 * count;
  for (let i = 0; i < n; i++) z[i] = r[i];
  for (let low = 0, i = 0, p = 9 * count; low < count; low++, i += 3) {
    const d = 3 * i;
    const r0 = z[i];
    const r1 = z[i + 1];
    const r2 = z[i + 2];
    const z0 = inverse[d] * r0 + inverse[d + 1] * r1 + inverse[d + 2] * r2;
    const z1 = inverse[d + 3] * r0 + inverse[d + 4] * r1 + inverse[d + 5] * r2;
    const z2 = inverse[d + 6] * r0 + inverse[d + 7] * r1 + inverse[d + 8] * r2;
    z[i] = z0;
    z[i + 1] = z1;
    z[i + 2] = z2;
    for (let k = start[low]; k < start[low + 1]; k++, p += 9) {
      const j = 3 * high[k];
      z[j] -= a[p] * z0 + a[p + 1] * z1 + a[p + 2] * z2;
      z[j + 1] -= a[p + 3] * z0 + a[p + 4] * z1 + a[p + 5] * z2;
      z[j + 2] -= a[p + 6] * z0 + a[p + 7] * z1 + a[p + 8] * z2;
    }
  }
  for (let low = 0, i = 0, p = 9 * count; low < count; low++, i += 3) {
    let s0 = 0;
    let s1 = 0;
    let s2 = 0;
    for (let k = start[low]; k < start[low + 1]; k++, p += 9) {
      const j = 3 * high[k];
      const z0 = z[j];
      const z1 = z[j + 1];
      const z2 = z[j + 2];
      s0 -= a[p] * z0 + a[p + 3] * z1 + a[p + 6] * z2;
      s1 -= a[p + 1] * z0 + a[p + 4] * z1 + a[p + 7] * z2;
      s2 -= a[p + 2] * z0 + a[p + 5] * z1 + a[p + 8] * z2;
    }
    residual[i] = s0;
    residual[i + 1] = s1;
    residual[i + 2] = s2;
  }
}

/** z ← (D + Lᵀ)⁻¹ (r − L z); gives rᵀz. `right` is scratch. */
export function sweepBackward(
  z: Float64Array,
  right: Float64Array,
  { count, start, high, values: a }: BlockSparseMatrix,
  inverse: Float64Array,
  r: Float64Array,
  compiled?: CompiledSoft,
): number {
  if (compiled) {
    return compiled.sweepBackward(
      z.byteOffset,
      right.byteOffset,
      a.byteOffset,
      start.byteOffset,
      high.byteOffset,
      count,
      inverse.byteOffset,
      r.byteOffset,
    );
  }
  const n = 3 * count;
  for (let i = 0; i < n; i++) right[i] = r[i];
  for (let low = 0, i = 0, p = 9 * count; low < count; low++, i += 3) {
    const z0 = z[i];
    const z1 = z[i + 1];
    const z2 = z[i + 2];
    for (let k = start[low]; k < start[low + 1]; k++, p += 9) {
      const j = 3 * high[k];
      right[j] -= a[p] * z0 + a[p + 1] * z1 + a[p + 2] * z2;
      right[j + 1] -= a[p + 3] * z0 + a[p + 4] * z1 + a[p + 5] * z2;
      right[j + 2] -= a[p + 6] * z0 + a[p + 7] * z1 + a[p + 8] * z2;
    }
  }
  let product = 0;
  for (let low = count - 1, i = n - 3; low >= 0; low--, i -= 3) {
    let s0 = right[i];
    let s1 = right[i + 1];
    let s2 = right[i + 2];
    for (let k = start[low], p = 9 * (count + k); k < start[low + 1]; k++, p += 9) {
      const j = 3 * high[k];
      const z0 = z[j];
      const z1 = z[j + 1];
      const z2 = z[j + 2];
      s0 -= a[p] * z0 + a[p + 3] * z1 + a[p + 6] * z2;
      s1 -= a[p + 1] * z0 + a[p + 4] * z1 + a[p + 7] * z2;
      s2 -= a[p + 2] * z0 + a[p + 5] * z1 + a[p + 8] * z2;
    }
    const d = 3 * i;
    const z0 = inverse[d] * s0 + inverse[d + 1] * s1 + inverse[d + 2] * s2;
    const z1 = inverse[d + 3] * s0 + inverse[d + 4] * s1 + inverse[d + 5] * s2;
    const z2 = inverse[d + 6] * s0 + inverse[d + 7] * s1 + inverse[d + 8] * s2;
    z[i] = z0;
    z[i + 1] = z1;
    z[i + 2] = z2;
    product += r[i] * z0 + r[i + 1] * z1 + r[i + 2] * z2;
  }
  return product;
}
