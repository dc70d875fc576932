/**
 * A symmetric matrix of 3 × 3 blocks, few of which are not zero, with a pattern that is fixed once: one triangle is stored.
 *
 * `values` holds the diagonal blocks, then for every pair (low, high) of joined blocks, sorted by low, then high, the block in
 * the rows of high and the columns of low; all row by row. This is the layout of BlockCholesky, which takes it as it is.
 */
import { BlockGraph, requireEdge } from './block-cholesky/block-graph.ts';
import type { CompiledSoft } from './compiled-functions.ts';
import type { Memory } from './memory.ts';

export interface BlockSparseMatrix {
  /** Block rows and pairs of joined blocks. */
  readonly count: number;
  readonly pairCount: number;
  /** Pairs of block b as the lower one: pairs start[b] .. start[b + 1]. */
  readonly start: Int32Array;
  readonly low: Int32Array;
  readonly high: Int32Array;
  /** Diagonal blocks, 9 per block; then 9 per pair. */
  readonly values: Float64Array;
}

/** A zero matrix and, for every edge of the list, the place of its block in `values`. */
export interface PlacedMatrix {
  readonly matrix: BlockSparseMatrix;
  readonly place: Int32Array;
}

/** Takes the pattern from edges between different blocks, which may repeat. */
export function createBlockSparseMatrix(
  count: number,
  first: Int32Array,
  second: Int32Array,
  memory: Memory,
): PlacedMatrix {
  for (let e = 0; e < first.length; e++) requireEdge(e, first[e], second[e], count);
  // the graph needs separate storage only until the pattern is known
  const graph = new BlockGraph({ f64: (n) => new Float64Array(n), i32: (n) => new Int32Array(n) });
  graph.update(new Int32Array(count).fill(3), count, first, second, first.length);
  const { pairCount } = graph;
  const low = memory.i32(pairCount);
  const high = memory.i32(pairCount);
  const start = memory.i32(count + 1);
  for (let p = 0; p < pairCount; p++) {
    low[p] = graph.low[p];
    high[p] = graph.high[p];
    start[low[p] + 1]++;
  }
  for (let i = 0; i < count; i++) start[i + 1] += start[i];
  const place = memory.i32(first.length);
  for (let e = 0; e < first.length; e++) place[e] = 9 * (count + graph.pairOfEdge[e]);
  const values = memory.f64(9 * (count + pairCount));
  return { matrix: { count, pairCount, start, low, high, values }, place };
}

/** A zero matrix with the same pattern. */
export function createTwin(matrix: BlockSparseMatrix, memory: Memory): BlockSparseMatrix {
  return { ...matrix, values: memory.f64(matrix.values.length) };
}

/** out ← H x, both vectors from place `at` on. `compiled`: functions on the memory that all of these arrays lie in. */
export function multiplyBlockSparse(
  out: Float64Array,
  matrix: BlockSparseMatrix,
  x: Float64Array,
  at: number = 0,
  compiled?: CompiledSoft,
): void {
  const { count, start, high, values } = matrix;
  if (compiled) {
    const shift = 8 * at;
    const from = x.byteOffset + shift;
    compiled.multiplySparse(out.byteOffset + shift, from, values.byteOffset, start.byteOffset, high.byteOffset, count);
    return;
  }
  for (let i = at, p = 0; p < 9 * count; i += 3, p += 9) {
    const x0 = x[i];
    const x1 = x[i + 1];
    const x2 = x[i + 2];
    out[i] = values[p] * x0 + values[p + 1] * x1 + values[p + 2] * x2;
    out[i + 1] = values[p + 3] * x0 + values[p + 4] * x1 + values[p + 5] * x2;
    out[i + 2] = values[p + 6] * x0 + values[p + 7] * x1 + values[p + 8] * x2;
  }
  // every stored block and its transpose
  let p = 9 * count;
  for (let low = 0; low < count; low++) {
    const i = at + 3 * low;
    const x0 = x[i];
    const x1 = x[i + 1];
    const x2 = x[i + 2];
    let y0 = out[i];
    let y1 = out[i + 1];
    let y2 = out[i + 2];
    for (let k = start[low]; k < start[low + 1]; k++, p += 9) {
      const j = at + 3 * high[k];
      const z0 = x[j];
      const z1 = x[j + 1];
      const z2 = x[j + 2];
      const a0 = values[p];
      const a1 = values[p + 1];
      const a2 = values[p + 2];
      const a3 = values[p + 3];
      const a4 = values[p + 4];
      const a5 = values[p + 5];
      const a6 = values[p + 6];
      const a7 = values[p + 7];
      const a8 = values[p + 8];
      out[j] += a0 * x0 + a1 * x1 + a2 * x2;
      out[j + 1] += a3 * x0 + a4 * x1 + a5 * x2;
      out[j + 2] += a6 * x0 + a7 * x1 + a8 * x2;
      y0 += a0 * z0 + a3 * z1 + a6 * z2;
      y1 += a1 * z0 + a4 * z1 + a7 * z2;
      y2 += a2 * z0 + a5 * z1 + a8 * z2;
    }
    out[i] = y0;
    out[i + 1] = y1;
    out[i + 2] = y2;
  }
}

/** Inverses of the diagonal blocks, 9 numbers each. False where one of them is not positive definite. */
export function invertDiagonal(out: Float64Array, matrix: BlockSparseMatrix): boolean {
  const { count, values } = matrix;
  let isPositive = true;
  for (let p = 0; p < 9 * count; p += 9) {
    const xx = values[p];
    const yx = values[p + 3];
    const yy = values[p + 4];
    const zx = values[p + 6];
    const zy = values[p + 7];
    const zz = values[p + 8];
    const c0 = yy * zz - zy * zy;
    const c1 = zy * zx - yx * zz;
    const c2 = yx * zy - yy * zx;
    const determinant = xx * c0 + yx * c1 + zx * c2;
    if (!(xx > 0 && xx * yy - yx * yx > 0 && determinant > 0)) isPositive = false;
    const inverse = 1 / determinant;
    out[p] = c0 * inverse;
    out[p + 1] = out[p + 3] = c1 * inverse;
    out[p + 2] = out[p + 6] = c2 * inverse;
    out[p + 4] = (xx * zz - zx * zx) * inverse;
    out[p + 5] = out[p + 7] = (zx * yx - xx * zy) * inverse;
    out[p + 8] = (xx * yy - yx * yx) * inverse;
  }
  return isPositive;
}

/** Takes the given block rows and columns out: their diagonal blocks become `pivot` I, all else in them zero. */
export function eliminateRows(matrix: BlockSparseMatrix, isOut: Int32Array, pivot: Float64Array): void {
  const { count, pairCount, low, high, values } = matrix;
  for (let i = 0; i < count; i++) {
    if (isOut[i] === 0) continue;
    values.fill(0, 9 * i, 9 * i + 9);
    values[9 * i] = values[9 * i + 4] = values[9 * i + 8] = pivot[i];
  }
  for (let k = 0, p = 9 * count; k < pairCount; k++, p += 9) {
    if (isOut[low[k]] !== 0 || isOut[high[k]] !== 0) values.fill(0, p, p + 9);
  }
}
