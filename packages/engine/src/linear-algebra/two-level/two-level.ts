/**
 * A preconditioner in two levels for the matrices of solids and shells: block Gauss-Seidel on all vertices, forward before and
 * backward after a correction by the rigid motions of aggregates of some seventy vertices, which is solved by Cholesky:
 *
 *   z ← (D + L)⁻¹ r,   z ← z + P C⁻¹ Pᵀ (r − A z),   z ← (D + Lᵀ)⁻¹ (r − L z),   C = Pᵀ A P
 *
 * The sweeps damp errors that change from vertex to vertex, the correction those that do not, so that the number of iterations hardly
 * grows with that of vertices. It is symmetric and positive definite for every such A.
 * Aggregates are kept while the same blocks are held. P and C may be those of another matrix nearby: that costs iterations, not accuracy.
 */
import { BlockCholesky } from '../block-cholesky/block-cholesky.ts';
import { type BlockSparseMatrix, multiplyBlockSparse } from '../block-sparse-matrix.ts';
import type { Memory } from '../memory.ts';
import { type Aggregates, findAggregates } from './aggregates.ts';
import {
  addCoarseProduct,
  type CoarsePattern,
  type CoarseScratch,
  createCoarseScratch,
  findCoarsePattern,
} from './coarse-product.ts';
import {
  createProlongation,
  fillProlongation,
  findCenters,
  type Prolongation,
  prolong,
  restrict,
} from './prolongation.ts';
import { listRows, type SymmetricRows } from './symmetric-rows.ts';
import { sweepBackward, sweepForward } from './triangular-sweeps.ts';

/** Rounds of the power iteration for λ, and the factor that makes up for what it lacks. */
const ROUNDS = 6;
const SAFETY = 1.1;
/** Added to the diagonal of C, as a part of it: aggregates on a line do not resolve the turn about it. */
const SHIFT = 1e-9;

interface Levels {
  readonly aggregates: Aggregates;
  readonly prolongation: Prolongation;
  readonly pattern: CoarsePattern;
  readonly scratch: CoarseScratch;
  readonly center: Float64Array;
  readonly coarse: Float64Array;
  readonly cholesky: BlockCholesky;
}

export class TwoLevel {
  readonly #memory: Memory;
  readonly #rows: SymmetricRows;
  readonly #isOut: Int32Array;
  readonly #residual: Float64Array;
  readonly #power: Float64Array;
  #levels: Levels | undefined;

  constructor(matrix: BlockSparseMatrix, memory: Memory) {
    this.#memory = memory;
    this.#rows = listRows(matrix, memory);
    this.#isOut = new Int32Array(matrix.count);
    this.#residual = memory.f64(3 * matrix.count);
    this.#power = memory.f64(3 * matrix.count);
  }

  /** Aggregates of the last `prepare`. */
  get aggregateCount(): number {
    return this.#levels?.aggregates.count ?? 0;
  }

  /** Whether there is a correction for these blocks taken out of the matrix. */
  isFor(isOut: Int32Array): boolean {
    if (!this.#levels) return false;
    for (let b = 0; b < isOut.length; b++) if ((isOut[b] !== 0) !== (this.#isOut[b] !== 0)) return false;
    return true;
  }

  /** Builds P and C at the vertices x. False where C is not positive definite. */
  prepare(matrix: BlockSparseMatrix, inverse: Float64Array, x: Float64Array, isOut: Int32Array): boolean {
    if (!this.isFor(isOut)) this.#group(isOut);
    const { aggregates, prolongation, pattern, scratch, center, cholesky } = this.#levels as Levels;
    const omega = 4 / (3 * SAFETY * this.#findLargest(matrix, inverse));
    findCenters(center, aggregates, x);
    fillProlongation(prolongation, aggregates, this.#rows, matrix, inverse, x, center, omega);
    cholesky.clear();
    addCoarseProduct(cholesky, pattern, prolongation, this.#rows, matrix, scratch, this.#memory.compiledSoft);
    const { values, diagonalOffset } = cholesky;
    for (let k = 0; k < aggregates.count; k++) {
      for (let c = 0; c < 6; c++) {
        const at = diagonalOffset[k] + 7 * c;
        values[at] = values[at] > 0 ? (1 + SHIFT) * values[at] : 1;
      }
    }
    return cholesky.factor() < 0;
  }

  /** z ← the preconditioner times r; gives rᵀz. */
  apply(z: Float64Array, matrix: BlockSparseMatrix, inverse: Float64Array, r: Float64Array): number {
    const { prolongation, coarse, cholesky } = this.#levels as Levels;
    const residual = this.#residual;
    const { compiledSoft } = this.#memory;
    sweepForward(z, residual, matrix, inverse, r, compiledSoft);
    restrict(coarse, prolongation, residual, compiledSoft);
    cholesky.solve(coarse);
    prolong(z, prolongation, coarse, compiledSoft);
    return sweepBackward(z, residual, matrix, inverse, r, compiledSoft);
  }

  #group(isOut: Int32Array): void {
    const memory = this.#memory;
    this.#isOut.set(isOut);
    const aggregates = findAggregates(this.#rows, isOut);
    const { count } = aggregates;
    const prolongation = createProlongation(this.#rows, aggregates, memory);
    const pattern = findCoarsePattern(this.#rows, prolongation, count, memory);
    const cholesky = new BlockCholesky(memory);
    const { low, high } = pattern;
    cholesky.analyze(new Int32Array(count).fill(6), count, low, high, low.length);
    this.#levels = {
      aggregates,
      prolongation,
      pattern,
      scratch: createCoarseScratch(this.#rows, prolongation, count, memory),
      center: memory.f64(3 * count),
      coarse: memory.f64(6 * count),
      cholesky,
    };
  }

  // the largest eigenvalue of D⁻¹A, from below
  #findLargest(matrix: BlockSparseMatrix, inverse: Float64Array): number {
    const n = 3 * matrix.count;
    const v = this.#power;
    const w = this.#residual;
    let seed = 1;
    for (let i = 0; i < n; i++) {
      seed = (seed * 48271) % 2147483647;
      v[i] = seed / 2147483647 - 0.5;
    }
    let largest = 1;
    for (let round = 0; round < ROUNDS; round++) {
      multiplyBlockSparse(w, matrix, v, 0, this.#memory.compiledSoft);
      let top = 0;
      let bottom = 0;
      for (let i = 0, d = 0; i < n; i += 3, d += 9) {
        const z0 = inverse[d] * w[i] + inverse[d + 1] * w[i + 1] + inverse[d + 2] * w[i + 2];
        const z1 = inverse[d + 3] * w[i] + inverse[d + 4] * w[i + 1] + inverse[d + 5] * w[i + 2];
        const z2 = inverse[d + 6] * w[i] + inverse[d + 7] * w[i + 1] + inverse[d + 8] * w[i + 2];
        top += z0 * w[i] + z1 * w[i + 1] + z2 * w[i + 2];
        bottom += v[i] * w[i] + v[i + 1] * w[i + 1] + v[i + 2] * w[i + 2];
        v[i] = z0;
        v[i + 1] = z1;
        v[i + 2] = z2;
      }
      // (vᵀ A D⁻¹ A v)/(vᵀ A v), Rayleigh's quotient in the product of A
      largest = top / bottom;
      const scale = 1 / largest;
      for (let i = 0; i < n; i++) v[i] *= scale;
    }
    return largest;
  }
}
