/**
 * H x = b for a matrix of 3 × 3 blocks by conjugate gradients with the inverse P⁻¹ of its diagonal blocks as preconditioner,
 * which is applied on the fly. Stops when √(rᵀ P⁻¹ r) ≤ η √(bᵀ P⁻¹ b), r = b − H x. Started from zero, every iterate is a
 * descent direction of ½ xᵀ H x − bᵀ x, so a solve that is cut short serves Newton's method as well.
 * Source: Nocedal and Wright, Numerical Optimization (2nd ed.), algorithms 5.3 and 7.1.
 */
import { type BlockSparseMatrix, multiplyBlockSparse } from './block-sparse-matrix.ts';
import type { Memory } from './memory.ts';

/** Scratch of a solve. */
export interface GradientVectors {
  readonly residual: Float64Array;
  readonly direction: Float64Array;
  readonly product: Float64Array;
  readonly preconditioned: Float64Array;
}

export function createGradientVectors(size: number, memory: Memory): GradientVectors {
  return {
    residual: memory.f64(size),
    direction: memory.f64(size),
    product: memory.f64(size),
    preconditioned: memory.f64(size),
  };
}

/**
 * Writes x to `out`; returns the number of iterations, less one and negative (−1 − n) where a direction of no or negative
 * curvature ended them. `inverse` holds P⁻¹ (invertDiagonal); `b` may be `out`.
 */
export function solveByGradients(
  out: Float64Array,
  matrix: BlockSparseMatrix,
  inverse: Float64Array,
  b: Float64Array,
  tolerance: number,
  limit: number,
  vectors: GradientVectors,
): number {
  const { residual: r, direction: p, product: q, preconditioned: z } = vectors;
  const n = 3 * matrix.count;
  for (let i = 0; i < n; i++) {
    r[i] = b[i];
    out[i] = 0;
  }
  let square = precondition(z, inverse, r, n);
  const enough = tolerance * tolerance * square;
  for (let i = 0; i < n; i++) p[i] = z[i];
  let count = 0;
  while (count < limit && square > 0) {
    multiplyBlockSparse(q, matrix, p);
    let curvature = 0;
    for (let i = 0; i < n; i++) curvature += p[i] * q[i];
    // not positive definite, or the direction has vanished in round-off
    if (!(curvature > 0)) return -1 - count;
    const alpha = square / curvature;
    for (let i = 0; i < n; i++) {
      out[i] += alpha * p[i];
      r[i] -= alpha * q[i];
    }
    count++;
    const next = precondition(z, inverse, r, n);
    if (!(next > enough)) break;
    const beta = next / square;
    square = next;
    for (let i = 0; i < n; i++) p[i] = z[i] + beta * p[i];
  }
  return count;
}

/** z ← P⁻¹ r; returns rᵀ z. */
function precondition(z: Float64Array, inverse: Float64Array, r: Float64Array, n: number): number {
  let square = 0;
  for (let i = 0, k = 0; i < n; i += 3, k += 9) {
    const x = r[i];
    const y = r[i + 1];
    const w = r[i + 2];
    const z0 = inverse[k] * x + inverse[k + 1] * y + inverse[k + 2] * w;
    const z1 = inverse[k + 3] * x + inverse[k + 4] * y + inverse[k + 5] * w;
    const z2 = inverse[k + 6] * x + inverse[k + 7] * y + inverse[k + 8] * w;
    z[i] = z0;
    z[i + 1] = z1;
    z[i + 2] = z2;
    square += x * z0 + y * z1 + w * z2;
  }
  return square;
}
