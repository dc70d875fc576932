/** C = Pᵀ A P in blocks of 6 × 6: the twin of the engine's linear-algebra/two-level/coarse-product.ts. */
import { Doubles, Integers } from './doubles';

/** Sizes and addresses, in the order in which the engine writes them. */
@unmanaged
export class CoarseProduct {
  count: i32;
  /** Pattern and numbers of P. */
  start: Integers;
  aggregate: Integers;
  p: Doubles;
  /** Rows of A and its numbers. */
  rowStart: Integers;
  neighbor: Integers;
  place: Integers;
  a: Doubles;
  /** Pairs of C and where its blocks are. */
  pairStart: Integers;
  low: Integers;
  diagonalOffset: Integers;
  edgeOffset: Integers;
  c: Doubles;
  /** Scratch: per aggregate −1, a list of aggregates, 18 numbers for each of them. */
  slotOf: Integers;
  entry: Integers;
  product: Doubles;
}

export function addCoarseProduct(m: CoarseProduct): void {
  const start: Integers = m.start;
  const aggregate: Integers = m.aggregate;
  for (let i: i32 = 0; i < m.count; i++) {
    const first: i32 = start[i];
    const end: i32 = start[i + 1];
    if (first == end) continue;
    let slots: i32 = addRow(m, i, m.a.at(9 * i), false, 0);
    const last: i32 = m.rowStart[i + 1];
    for (let e: i32 = m.rowStart[i]; e < last; e++) {
      const j: i32 = m.neighbor[e];
      slots = addRow(m, j, m.a.at(m.place[e]), j > i, slots);
    }
    for (let e: i32 = first; e < end; e++) {
      const k: i32 = aggregate[e];
      const p: usize = m.p.at(18 * e);
      for (let s: i32 = 0; s < slots; s++) {
        const l: i32 = m.entry[s];
        if (l > k) continue;
        let o: i32 = 0;
        if (l == k) {
          o = m.diagonalOffset[k];
        } else {
          let q: i32 = m.pairStart[k];
          while (m.low[q] != l) q++;
          o = m.edgeOffset[q];
        }
        addTransposedProduct(m.c.at(o), p, m.product.at(18 * s));
      }
    }
    for (let s: i32 = 0; s < slots; s++) m.slotOf[m.entry[s]] = -1;
  }
}

/** Adds the block of A at `block` (or its transpose) times the row of P of vertex j; gives the number of slots in use. */
@inline
function addRow(m: CoarseProduct, j: i32, block: usize, isTransposed: bool, slots: i32): i32 {
  const end: i32 = m.start[j + 1];
  for (let e: i32 = m.start[j]; e < end; e++) {
    const l: i32 = m.aggregate[e];
    let s: i32 = m.slotOf[l];
    if (s < 0) {
      s = slots++;
      m.slotOf[l] = s;
      m.entry[s] = l;
      memory.fill(m.product.at(18 * s), 0, 144);
    }
    const row: usize = isTransposed ? 8 : 24;
    const column: usize = isTransposed ? 24 : 8;
    const p: usize = m.p.at(18 * e);
    let out: usize = m.product.at(18 * s);
    let q: usize = block;
    for (let i: i32 = 0; i < 3; i++, q += row, out += 48) {
      const a0: v128 = v128.load64_splat(q);
      const a1: v128 = v128.load64_splat(q + column);
      const a2: v128 = v128.load64_splat(q + 2 * column);
      addSum(out, p, a0, a1, a2);
      addSum(out + 16, p + 16, a0, a1, a2);
      addSum(out + 32, p + 32, a0, a1, a2);
    }
  }
  return slots;
}

/** Two numbers at out += a₀ p + a₁ (p one row on) + a₂ (p two rows on). */
@inline
function addSum(out: usize, p: usize, a0: v128, a1: v128, a2: v128): void {
  const sum: v128 = f64x2.add(
    f64x2.add(f64x2.mul(a0, v128.load(p)), f64x2.mul(a1, v128.load(p, 48))),
    f64x2.mul(a2, v128.load(p, 96)),
  );
  v128.store(out, f64x2.add(v128.load(out), sum));
}

@inline
function addTransposedProduct(c: usize, p: usize, w: usize): void {
  for (let i: i32 = 0; i < 6; i++, p += 8, c += 48) {
    const p0: v128 = v128.load64_splat(p);
    const p1: v128 = v128.load64_splat(p, 48);
    const p2: v128 = v128.load64_splat(p, 96);
    addSum(c, w, p0, p1, p2);
    addSum(c + 16, w + 16, p0, p1, p2);
    addSum(c + 32, w + 32, p0, p1, p2);
  }
}
