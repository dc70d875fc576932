/**
 * C = Pᵀ A P, the matrix as rigid motions of aggregates see it, in 6 × 6 blocks: row by row of A, (A P)ᵢ = Σⱼ Aᵢⱼ Pⱼ, then
 * C_kl += P_ikᵀ (A P)_il. Only the pairs k ≥ l are computed.
 */
import type { BlockCholesky } from '../block-cholesky/block-cholesky.ts';
import type { BlockSparseMatrix } from '../block-sparse-matrix.ts';
import type { CompiledSoft } from '../compiled-functions.ts';
import type { Memory } from '../memory.ts';
import type { Prolongation } from './prolongation.ts';
import type { SymmetricRows } from './symmetric-rows.ts';

/** Pairs of aggregates that C joins: per aggregate k the lower ones l, ascending. */
export interface CoarsePattern {
  readonly start: Int32Array;
  readonly low: Int32Array;
  /** Per pair: k. */
  readonly high: Int32Array;
}

export function findCoarsePattern(
  rows: SymmetricRows,
  { start, aggregate }: Prolongation,
  count: number,
  memory: Memory,
): CoarsePattern {
  const lower: Set<number>[] = Array.from({ length: count }, () => new Set());
  const seen = new Int32Array(count).fill(-1);
  const reach: number[] = [];
  for (let i = 0; i < start.length - 1; i++) {
    if (start[i] === start[i + 1]) continue;
    reach.length = 0;
    const visit = (j: number): void => {
      for (let e = start[j]; e < start[j + 1]; e++) {
        if (seen[aggregate[e]] === i) continue;
        seen[aggregate[e]] = i;
        reach.push(aggregate[e]);
      }
    };
    visit(i);
    for (let e = rows.start[i]; e < rows.start[i + 1]; e++) visit(rows.neighbor[e]);
    for (let e = start[i]; e < start[i + 1]; e++)
      for (const l of reach) if (l < aggregate[e]) lower[aggregate[e]].add(l);
  }
  const pairs = memory.i32(count + 1);
  for (let k = 0; k < count; k++) pairs[k + 1] = pairs[k] + lower[k].size;
  const low = memory.i32(pairs[count]);
  const high = new Int32Array(pairs[count]);
  for (let k = 0; k < count; k++) {
    low.set(
      [...lower[k]].sort((a, b) => a - b),
      pairs[k],
    );
    high.fill(k, pairs[k], pairs[k + 1]);
  }
  return { start: pairs, low, high };
}

/** Scratch of a product: per aggregate −1, aggregates that a row of A P has, and 18 numbers for each of them. */
export interface CoarseScratch {
  readonly slotOf: Int32Array;
  readonly entry: Int32Array;
  readonly product: Float64Array;
  /** What the compiled twin reads (packages/kernels/assembly/coarse-product.ts). */
  readonly record: Int32Array;
}

export function createCoarseScratch(
  rows: SymmetricRows,
  { start, aggregate }: Prolongation,
  count: number,
  memory: Memory,
): CoarseScratch {
  // no row sees more than its neighbours' rows together, nor more than there are
  let most = 0;
  for (let i = 0; i < start.length - 1; i++) {
    let sum = start[i + 1] - start[i];
    for (let e = rows.start[i]; e < rows.start[i + 1]; e++)
      sum += start[rows.neighbor[e] + 1] - start[rows.neighbor[e]];
    most = Math.max(most, sum);
  }
  most = Math.min(most, count, aggregate.length);
  return {
    slotOf: memory.i32(count).fill(-1),
    entry: memory.i32(most),
    product: memory.f64(18 * most),
    record: memory.i32(16),
  };
}

/** Adds C to the values of a Cholesky solver that has analysed the pattern. */
export function addCoarseProduct(
  cholesky: BlockCholesky,
  { start: pairStart, low }: CoarsePattern,
  { start, aggregate, values: p }: Prolongation,
  rows: SymmetricRows,
  { values: a, count }: BlockSparseMatrix,
  { slotOf, entry, product, record }: CoarseScratch,
  compiled?: CompiledSoft,
): void {
  const { values: c, diagonalOffset, edgeOffset } = cholesky;
  if (compiled) {
    const arrays = [
      start,
      aggregate,
      p,
      rows.start,
      rows.neighbor,
      rows.place,
      a,
      pairStart,
      low,
      diagonalOffset,
      edgeOffset,
      c,
      slotOf,
      entry,
      product,
    ];
    record[0] = count;
    for (let k = 0; k < arrays.length; k++) record[k + 1] = arrays[k].byteOffset;
    compiled.addCoarseProduct(record.byteOffset);
    return;
  }
  for (let i = 0; i < count; i++) {
    if (start[i] === start[i + 1]) continue;
    let slots = 0;
    const add = (j: number, m: number, isTransposed: boolean): void => {
      for (let e = start[j]; e < start[j + 1]; e++) {
        const l = aggregate[e];
        let s = slotOf[l];
        if (s < 0) {
          s = slotOf[l] = slots++;
          entry[s] = l;
          product.fill(0, 18 * s, 18 * slots);
        }
        multiplyBlock(product, 18 * s, a, m, isTransposed, p, 18 * e);
      }
    };
    add(i, 9 * i, false);
    for (let e = rows.start[i]; e < rows.start[i + 1]; e++) add(rows.neighbor[e], rows.place[e], rows.neighbor[e] > i);
    for (let e = start[i]; e < start[i + 1]; e++) {
      const k = aggregate[e];
      for (let s = 0; s < slots; s++) {
        const l = entry[s];
        if (l > k) continue;
        const o = l === k ? diagonalOffset[k] : edgeOffset[findPair(low, pairStart[k], l)];
        addTransposedProduct(c, o, p, 18 * e, product, 18 * s);
      }
    }
    for (let s = 0; s < slots; s++) slotOf[entry[s]] = -1;
  }
}

function findPair(low: Int32Array, from: number, l: number): number {
  let e = from;
  while (low[e] !== l) e++;
  return e;
}

/** The 3 × 6 block at o += the 3 × 3 block at m (or its transpose) times the 3 × 6 block at q. */
function multiplyBlock(
  out: Float64Array,
  o: number,
  a: Float64Array,
  m: number,
  isTransposed: boolean,
  p: Float64Array,
  q: number,
): void {
  const row = isTransposed ? 1 : 3;
  const column = isTransposed ? 3 : 1;
  for (let i = 0; i < 3; i++) {
    const a0 = a[m + row * i];
    const a1 = a[m + row * i + column];
    const a2 = a[m + row * i + 2 * column];
    for (let k = 0; k < 6; k++) out[o + 6 * i + k] += a0 * p[q + k] + a1 * p[q + 6 + k] + a2 * p[q + 12 + k];
  }
}

/** The 6 × 6 block at o += (3 × 6 block at q)ᵀ (3 × 6 block at w). */
function addTransposedProduct(
  c: Float64Array,
  o: number,
  p: Float64Array,
  q: number,
  product: Float64Array,
  w: number,
): void {
  for (let i = 0; i < 6; i++) {
    const p0 = p[q + i];
    const p1 = p[q + 6 + i];
    const p2 = p[q + 12 + i];
    for (let k = 0; k < 6; k++)
      c[o + 6 * i + k] += p0 * product[w + k] + p1 * product[w + 6 + k] + p2 * product[w + 12 + k];
  }
}
