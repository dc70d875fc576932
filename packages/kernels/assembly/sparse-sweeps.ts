/**
 * A symmetric matrix of 3 × 3 blocks: product and Gauss-Seidel sweeps, twins of the engine's linear-algebra/block-sparse-matrix.ts and
 * linear-algebra/two-level/triangular-sweeps.ts. `start` and `high` are its pattern, `a` its values: diagonal blocks first.
 */
import { Doubles, Integers } from './doubles';

export function multiplySparse(out: Doubles, x: Doubles, a: usize, start: Integers, high: Integers, count: i32): void {
  let o: usize = out.at(0);
  let v: usize = x.at(0);
  let p: usize = a;
  for (let b: i32 = 0; b < count; b++, o += 24, v += 24, p += 72) {
    const x0: f64 = load<f64>(v);
    const x1: f64 = load<f64>(v, 8);
    const x2: f64 = load<f64>(v, 16);
    store<f64>(o, load<f64>(p) * x0 + load<f64>(p, 8) * x1 + load<f64>(p, 16) * x2);
    store<f64>(o, load<f64>(p, 24) * x0 + load<f64>(p, 32) * x1 + load<f64>(p, 40) * x2, 8);
    store<f64>(o, load<f64>(p, 48) * x0 + load<f64>(p, 56) * x1 + load<f64>(p, 64) * x2, 16);
  }
  o = out.at(0);
  v = x.at(0);
  for (let low: i32 = 0; low < count; low++, o += 24, v += 24) {
    const x0: f64 = load<f64>(v);
    const x1: f64 = load<f64>(v, 8);
    const x2: f64 = load<f64>(v, 16);
    let y0: f64 = load<f64>(o);
    let y1: f64 = load<f64>(o, 8);
    let y2: f64 = load<f64>(o, 16);
    const end: i32 = start[low + 1];
    for (let k: i32 = start[low]; k < end; k++, p += 72) {
      const at: i32 = 3 * high[k];
      const q: usize = out.at(at);
      const w: usize = x.at(at);
      const z0: f64 = load<f64>(w);
      const z1: f64 = load<f64>(w, 8);
      const z2: f64 = load<f64>(w, 16);
      const a0: f64 = load<f64>(p);
      const a1: f64 = load<f64>(p, 8);
      const a2: f64 = load<f64>(p, 16);
      const a3: f64 = load<f64>(p, 24);
      const a4: f64 = load<f64>(p, 32);
      const a5: f64 = load<f64>(p, 40);
      const a6: f64 = load<f64>(p, 48);
      const a7: f64 = load<f64>(p, 56);
      const a8: f64 = load<f64>(p, 64);
      store<f64>(q, load<f64>(q) + (a0 * x0 + a1 * x1 + a2 * x2));
      store<f64>(q, load<f64>(q, 8) + (a3 * x0 + a4 * x1 + a5 * x2), 8);
      store<f64>(q, load<f64>(q, 16) + (a6 * x0 + a7 * x1 + a8 * x2), 16);
      y0 += a0 * z0 + a3 * z1 + a6 * z2;
      y1 += a1 * z0 + a4 * z1 + a7 * z2;
      y2 += a2 * z0 + a5 * z1 + a8 * z2;
    }
    store<f64>(o, y0);
    store<f64>(o, y1, 8);
    store<f64>(o, y2, 16);
  }
}

/** v[j] −= block at p times z, three numbers. */
@inline
function subtractBlock(q: usize, p: usize, z0: f64, z1: f64, z2: f64): void {
  store<f64>(q, load<f64>(q) - (load<f64>(p) * z0 + load<f64>(p, 8) * z1 + load<f64>(p, 16) * z2));
  store<f64>(q, load<f64>(q, 8) - (load<f64>(p, 24) * z0 + load<f64>(p, 32) * z1 + load<f64>(p, 40) * z2), 8);
  store<f64>(q, load<f64>(q, 16) - (load<f64>(p, 48) * z0 + load<f64>(p, 56) * z1 + load<f64>(p, 64) * z2), 16);
}

export function sweepForward(
  z: Doubles,
  residual: Doubles,
  a: usize,
  start: Integers,
  high: Integers,
  count: i32,
  inverse: usize,
  r: usize,
): void {
  memory.copy(z.at(0), r, (<usize>count) * 24);
  const first: usize = a + (<usize>count) * 72;
  let p: usize = first;
  let o: usize = z.at(0);
  let d: usize = inverse;
  for (let low: i32 = 0; low < count; low++, o += 24, d += 72) {
    const r0: f64 = load<f64>(o);
    const r1: f64 = load<f64>(o, 8);
    const r2: f64 = load<f64>(o, 16);
    const z0: f64 = load<f64>(d) * r0 + load<f64>(d, 8) * r1 + load<f64>(d, 16) * r2;
    const z1: f64 = load<f64>(d, 24) * r0 + load<f64>(d, 32) * r1 + load<f64>(d, 40) * r2;
    const z2: f64 = load<f64>(d, 48) * r0 + load<f64>(d, 56) * r1 + load<f64>(d, 64) * r2;
    store<f64>(o, z0);
    store<f64>(o, z1, 8);
    store<f64>(o, z2, 16);
    const end: i32 = start[low + 1];
    for (let k: i32 = start[low]; k < end; k++, p += 72) subtractBlock(z.at(3 * high[k]), p, z0, z1, z2);
  }
  p = first;
  o = residual.at(0);
  for (let low: i32 = 0; low < count; low++, o += 24) {
    let s0: f64 = 0;
    let s1: f64 = 0;
    let s2: f64 = 0;
    const end: i32 = start[low + 1];
    for (let k: i32 = start[low]; k < end; k++, p += 72) {
      const w: usize = z.at(3 * high[k]);
      const z0: f64 = load<f64>(w);
      const z1: f64 = load<f64>(w, 8);
      const z2: f64 = load<f64>(w, 16);
      s0 -= load<f64>(p) * z0 + load<f64>(p, 24) * z1 + load<f64>(p, 48) * z2;
      s1 -= load<f64>(p, 8) * z0 + load<f64>(p, 32) * z1 + load<f64>(p, 56) * z2;
      s2 -= load<f64>(p, 16) * z0 + load<f64>(p, 40) * z1 + load<f64>(p, 64) * z2;
    }
    store<f64>(o, s0);
    store<f64>(o, s1, 8);
    store<f64>(o, s2, 16);
  }
}

export function sweepBackward(
  z: Doubles,
  right: Doubles,
  a: usize,
  start: Integers,
  high: Integers,
  count: i32,
  inverse: usize,
  r: usize,
): f64 {
  memory.copy(right.at(0), r, (<usize>count) * 24);
  const first: usize = a + (<usize>count) * 72;
  let p: usize = first;
  let o: usize = z.at(0);
  for (let low: i32 = 0; low < count; low++, o += 24) {
    const z0: f64 = load<f64>(o);
    const z1: f64 = load<f64>(o, 8);
    const z2: f64 = load<f64>(o, 16);
    const end: i32 = start[low + 1];
    for (let k: i32 = start[low]; k < end; k++, p += 72) subtractBlock(right.at(3 * high[k]), p, z0, z1, z2);
  }
  let product: f64 = 0;
  for (let low: i32 = count - 1; low >= 0; low--) {
    const i: i32 = 3 * low;
    const t: usize = right.at(i);
    let s0: f64 = load<f64>(t);
    let s1: f64 = load<f64>(t, 8);
    let s2: f64 = load<f64>(t, 16);
    const end: i32 = start[low + 1];
    let k: i32 = start[low];
    p = first + (<usize>k) * 72;
    for (; k < end; k++, p += 72) {
      const w: usize = z.at(3 * high[k]);
      const z0: f64 = load<f64>(w);
      const z1: f64 = load<f64>(w, 8);
      const z2: f64 = load<f64>(w, 16);
      s0 -= load<f64>(p) * z0 + load<f64>(p, 24) * z1 + load<f64>(p, 48) * z2;
      s1 -= load<f64>(p, 8) * z0 + load<f64>(p, 32) * z1 + load<f64>(p, 56) * z2;
      s2 -= load<f64>(p, 16) * z0 + load<f64>(p, 40) * z1 + load<f64>(p, 64) * z2;
    }
    const d: usize = inverse + (<usize>low) * 72;
    const z0: f64 = load<f64>(d) * s0 + load<f64>(d, 8) * s1 + load<f64>(d, 16) * s2;
    const z1: f64 = load<f64>(d, 24) * s0 + load<f64>(d, 32) * s1 + load<f64>(d, 40) * s2;
    const z2: f64 = load<f64>(d, 48) * s0 + load<f64>(d, 56) * s1 + load<f64>(d, 64) * s2;
    o = z.at(i);
    store<f64>(o, z0);
    store<f64>(o, z1, 8);
    store<f64>(o, z2, 16);
    const q: usize = r + (<usize>low) * 24;
    product += load<f64>(q) * z0 + load<f64>(q, 8) * z1 + load<f64>(q, 16) * z2;
  }
  return product;
}
