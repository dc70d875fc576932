/**
 * H x = b for a matrix of 3 × 3 blocks by conjugate gradients with a preconditioner P: the diagonal blocks of H, or one that is given. Stops when √(rᵀ P⁻¹ r) ≤ η √(bᵀ P⁻¹ b), r = b − H x. Started from zero, every iterate is a
 * descent direction of ½ xᵀ H x − bᵀ x, so a solve that is cut short serves Newton's method as well.
 * Source: Nocedal and Wright, Numerical Optimization (2nd ed.), algorithms 5.3 and 7.1.
 */
import { type BlockSparseMatrix, multiplyBlockSparse } from './block-sparse-matrix.ts';
import type { CompiledSoft } from './compiled-functions.ts';
import type { Memory } from './memory.ts';

/** Scratch of a solve. */
export interface GradientVectors {
  readonly residual: Float64Array;
  readonly direction: Float64Array;
  readonly product: Float64Array;
  readonly preconditioned: Float64Array;
  /** Functions on the memory of these vectors and of the matrix. */
  readonly compiled: CompiledSoft | undefined;
}

/** What takes the place of H⁻¹: writes P⁻¹ r to z and gives rᵀz. `inverse` holds the inverses of the diagonal blocks. */
export interface Preconditioner {
  apply(z: Float64Array, matrix: BlockSparseMatrix, inverse: Float64Array, r: Float64Array): number;
}

/** The diagonal blocks alone. */
export const BLOCK_JACOBI: Preconditioner = {
  apply(z, matrix, inverse, r) {
    return precondition(z, inverse, r, 3 * matrix.count);
  },
};

export function createGradientVectors(size: number, memory: Memory): GradientVectors {
  return {
    residual: memory.f64(size),
    direction: memory.f64(size),
    product: memory.f64(size),
    preconditioned: memory.f64(size),
    compiled: memory.compiledSoft,
  };
}

/**
 * Writes x to `out`; returns the number of iterations, less one and negative (−1 − n) where a direction of no or negative
 * curvature ended them. `inverse`: see invertDiagonal; `b` may be `out`.
 */
export function solveByGradients(
  out: Float64Array,
  matrix: BlockSparseMatrix,
  inverse: Float64Array,
  b: Float64Array,
  tolerance: number,
  limit: number,
  vectors: GradientVectors,
  preconditioner: Preconditioner = BLOCK_JACOBI,
): number {
  const { residual: r, direction: p, product: q, preconditioned: z } = vectors;
  const n = 3 * matrix.count;
  for (let i = 0; i < n; i++) {
    r[i] = b[i];
    out[i] = 0;
  }
  let square = preconditioner.apply(z, matrix, inverse, r);
  const enough = tolerance * tolerance * square;
  for (let i = 0; i < n; i++) p[i] = z[i];
  let count = 0;
  while (count < limit && square > 0) {
    multiplyBlockSparse(q, matrix, p, 0, vectors.compiled);
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
    const next = preconditioner.apply(z, matrix, inverse, r);
    if (!(next > enough)) break;
    const beta = next / square;
    square = next;
    for (let i = 0; i < n; i++) p[i] = z[i] + beta * p[i];
  }
  return count;
}

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
