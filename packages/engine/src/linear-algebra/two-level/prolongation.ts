/**
 * P, which takes rigid motions of aggregates to displacements of their vertices, smoothed so that it has little energy between them:
 *
 *   P = (I − ω D⁻¹ A) P₀,   P₀ᵢ = [ I  −[xᵢ − c]× ]   in the columns of the aggregate of vertex i
 *
 * six columns per aggregate: a velocity at its centre c and a rate of turning. Rigid motions are all that a solid resists with nothing
 * but inertia. A is the matrix, D its diagonal blocks, ω = 4/(3 λ) with λ the largest eigenvalue of D⁻¹A. Rows of P are lists of 3 × 6 blocks.
 * Source: Vaněk, Mandel and Brezina, Algebraic multigrid by smoothed aggregation for second and fourth order elliptic problems (1996).
 */
import type { BlockSparseMatrix } from '../block-sparse-matrix.ts';
import type { CompiledSoft } from '../compiled-functions.ts';
import type { Memory } from '../memory.ts';
import type { Aggregates } from './aggregates.ts';
import type { SymmetricRows } from './symmetric-rows.ts';

export interface Prolongation {
  /** Entries of vertex i: start[i] .. start[i + 1], ascending by aggregate. */
  readonly start: Int32Array;
  readonly aggregate: Int32Array;
  /** 18 numbers per entry: 3 rows of 6. */
  readonly values: Float64Array;
}

/** The pattern of P: a vertex sees its own aggregate and those of its neighbours. */
export function createProlongation(rows: SymmetricRows, { of, count }: Aggregates, memory: Memory): Prolongation {
  const n = of.length;
  const start = memory.i32(n + 1);
  const seen = new Int32Array(count).fill(-1);
  const list: number[] = [];
  for (let i = 0; i < n; i++) {
    const first = list.length;
    const see = (k: number): void => {
      if (k < 0 || seen[k] === i) return;
      seen[k] = i;
      list.push(k);
    };
    if (of[i] >= 0) {
      see(of[i]);
      for (let e = rows.start[i]; e < rows.start[i + 1]; e++) see(of[rows.neighbor[e]]);
      if (list.length - first > 1) sortTail(list, first);
    }
    start[i + 1] = list.length;
  }
  const aggregate = memory.i32(list.length);
  aggregate.set(list);
  return { start, aggregate, values: memory.f64(18 * list.length) };
}

function sortTail(list: number[], first: number): void {
  const tail = list.slice(first).sort((a, b) => a - b);
  for (let k = 0; k < tail.length; k++) list[first + k] = tail[k];
}

/** Mean position of the vertices of every aggregate. */
export function findCenters(center: Float64Array, { of, count }: Aggregates, x: Float64Array): void {
  const members = new Int32Array(count);
  center.fill(0);
  for (let i = 0; i < of.length; i++) {
    const k = of[i];
    if (k < 0) continue;
    members[k]++;
    for (let c = 0; c < 3; c++) center[3 * k + c] += x[3 * i + c];
  }
  for (let k = 0; k < count; k++) for (let c = 0; c < 3; c++) center[3 * k + c] /= members[k];
}

/** Writes the numbers of P. `inverse` holds D⁻¹. */
export function fillProlongation(
  { start, aggregate, values: p }: Prolongation,
  { of }: Aggregates,
  rows: SymmetricRows,
  { values: a }: BlockSparseMatrix,
  inverse: Float64Array,
  x: Float64Array,
  center: Float64Array,
  omega: number,
): void {
  p.fill(0);
  for (let i = 0; i < of.length; i++) {
    if (of[i] < 0) continue;
    const own = find(aggregate, start[i], of[i]);
    addRigid(p, own, a, 9 * i, false, x, i, center, of[i]);
    for (let e = rows.start[i]; e < rows.start[i + 1]; e++) {
      const j = rows.neighbor[e];
      if (of[j] < 0) continue;
      addRigid(p, find(aggregate, start[i], of[j]), a, rows.place[e], j > i, x, j, center, of[j]);
    }
    for (let e = start[i]; e < start[i + 1]; e++) smooth(p, 18 * e, inverse, 9 * i, omega);
    // P₀ itself
    const o = 18 * own;
    const k = 3 * of[i];
    const dx = x[3 * i] - center[k];
    const dy = x[3 * i + 1] - center[k + 1];
    const dz = x[3 * i + 2] - center[k + 2];
    p[o] += 1;
    p[o + 4] += dz;
    p[o + 5] -= dy;
    p[o + 7] += 1;
    p[o + 9] -= dz;
    p[o + 11] += dx;
    p[o + 14] += 1;
    p[o + 15] += dy;
    p[o + 16] -= dx;
  }
}

function find(aggregate: Int32Array, from: number, k: number): number {
  let e = from;
  while (aggregate[e] !== k) e++;
  return e;
}

/** Adds the block of the matrix at m (or its transpose) times P₀ of vertex j to entry e. */
function addRigid(
  p: Float64Array,
  e: number,
  a: Float64Array,
  m: number,
  isTransposed: boolean,
  x: Float64Array,
  j: number,
  center: Float64Array,
  k: number,
): void {
  const dx = x[3 * j] - center[3 * k];
  const dy = x[3 * j + 1] - center[3 * k + 1];
  const dz = x[3 * j + 2] - center[3 * k + 2];
  const row = isTransposed ? 1 : 3;
  const column = isTransposed ? 3 : 1;
  for (let i = 0, q = m, o = 18 * e; i < 3; i++, q += row, o += 6) {
    const a0 = a[q];
    const a1 = a[q + column];
    const a2 = a[q + 2 * column];
    p[o] += a0;
    p[o + 1] += a1;
    p[o + 2] += a2;
    // −[d]× by columns: (0, −dz, dy), (dz, 0, −dx), (−dy, dx, 0)
    p[o + 3] += a2 * dy - a1 * dz;
    p[o + 4] += a0 * dz - a2 * dx;
    p[o + 5] += a1 * dx - a0 * dy;
  }
}

/** The 3 × 6 block at o ← −ω D⁻¹ times it. */
function smooth(p: Float64Array, o: number, inverse: Float64Array, d: number, omega: number): void {
  for (let c = o; c < o + 6; c++) {
    const u = -omega * p[c];
    const v = -omega * p[c + 6];
    const w = -omega * p[c + 12];
    p[c] = inverse[d] * u + inverse[d + 1] * v + inverse[d + 2] * w;
    p[c + 6] = inverse[d + 3] * u + inverse[d + 4] * v + inverse[d + 5] * w;
    p[c + 12] = inverse[d + 6] * u + inverse[d + 7] * v + inverse[d + 8] * w;
  }
}

/** out ← Pᵀ r, six numbers per aggregate. */
export function restrict(
  out: Float64Array,
  { start, aggregate, values: p }: Prolongation,
  r: Float64Array,
  compiled?: CompiledSoft,
): void {
  if (compiled) {
    compiled.restrictRigid(
      out.byteOffset,
      out.length,
      start.byteOffset,
      aggregate.byteOffset,
      p.byteOffset,
      r.byteOffset,
      start.length - 1,
    );
    return;
  }
  out.fill(0);
  for (let i = 0; i < start.length - 1; i++) {
    const u = r[3 * i];
    const v = r[3 * i + 1];
    const w = r[3 * i + 2];
    for (let e = start[i]; e < start[i + 1]; e++) {
      const o = 6 * aggregate[e];
      for (let c = 0, q = 18 * e; c < 6; c++, q++) out[o + c] += p[q] * u + p[q + 6] * v + p[q + 12] * w;
    }
  }
}

/** z ← z + P y; sums over the six columns take the even ones and the odd ones apart, two lanes of the compiled twin. */
export function prolong(
  z: Float64Array,
  { start, aggregate, values: p }: Prolongation,
  y: Float64Array,
  compiled?: CompiledSoft,
): void {
  if (compiled) {
    const { byteOffset } = start;
    compiled.prolongRigid(z.byteOffset, byteOffset, aggregate.byteOffset, p.byteOffset, y.byteOffset, start.length - 1);
    return;
  }
  for (let i = 0; i < start.length - 1; i++) {
    for (let e = start[i], q = 18 * e; e < start[i + 1]; e++, q += 18) {
      const o = 6 * aggregate[e];
      const y0 = y[o];
      const y1 = y[o + 1];
      const y2 = y[o + 2];
      const y3 = y[o + 3];
      const y4 = y[o + 4];
      const y5 = y[o + 5];
      for (let c = 0, m = q; c < 3; c++, m += 6) {
        const even = p[m] * y0 + p[m + 2] * y2 + p[m + 4] * y4;
        const odd = p[m + 1] * y1 + p[m + 3] * y3 + p[m + 5] * y5;
        z[3 * i + c] += even + odd;
      }
    }
  }
}
