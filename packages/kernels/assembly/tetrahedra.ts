/**
 * Two linear tetrahedra at once, one in each lane: sizes and addresses of a body, its arithmetic and its deformation gradients. Scratch
 * is in slots of 16 bytes, a number of each lane. Operations of a lane are those of the engine's soft/linear-tetrahedra.ts, in its order.
 */
import { Doubles, Integers } from './doubles';

/** In the order in which the engine writes them (soft/tetrahedron-record.ts). */
@unmanaged
export class Tetrahedra {
  count: i32;
  tetrahedra: Integers;
  inverseRest: Doubles;
  volume: Doubles;
  place: Integers;
  /** Energy, constants of the law, and the scale of the Hessian. */
  numbers: Doubles;
  scratch: usize;
  law: i32;
  isProjected: i32;
  // a piece for threads; in a record without pieces all of these are zero
  /** Its first tetrahedron (`count` is then the end of the piece), and the one at which it stopped. */
  first: i32;
  stop: i32;
  /** Addresses of positions, and of the gradient or of the numbers of the Hessian. */
  x: Doubles;
  target: usize;
  /** Per vertex: 1 where several pieces have it. Per tetrahedron: its place among those that have such a vertex, or −1. */
  isShared: Integers;
  slot: Integers;
  /** What goes to shared vertices later, in the order of the tetrahedra; and V Ψ of each tetrahedron. */
  deferred: Doubles;
  energies: Doubles;
  /** The tetrahedra with a shared vertex. */
  border: Integers;
  borderCount: i32;
}

/** Bytes of a record. */
export const RECORD_BYTES: usize = 76;
/** Numbers that a tetrahedron has to defer: of its forces, of its blocks. */
export const FORCES: i32 = 12;
export const BLOCKS: i32 = 54;

@inline
export function pieceAt(records: usize, piece: i32): Tetrahedra {
  return changetype<Tetrahedra>(records + <usize>piece * RECORD_BYTES);
}

/** Place of a tetrahedron among those that defer something, or −1. */
@inline
export function findSlot(m: Tetrahedra, t: i32): i32 {
  return changetype<usize>(m.slot) == 0 ? -1 : m.slot[t];
}

export const COROTATED: i32 = 1;

// places of the numbers
export const ENERGY: i32 = 0;
export const MU: i32 = 1;
export const LAMBDA: i32 = 2;
export const SCALE: i32 = 3;

// slots of the scratch
export const DEFORMATION: usize = 0;
export const REST: usize = 9 * 16;
export const ROTATION: usize = 18 * 16;

@inline
export function plus(a: v128, b: v128): v128 {
  return f64x2.add(a, b);
}

@inline
export function minus(a: v128, b: v128): v128 {
  return f64x2.sub(a, b);
}

@inline
export function times(a: v128, b: v128): v128 {
  return f64x2.mul(a, b);
}

/** a x + b y. */
@inline
export function sumTwo(a: v128, x: v128, b: v128, y: v128): v128 {
  return f64x2.add(f64x2.mul(a, x), f64x2.mul(b, y));
}

/** a x − b y. */
@inline
export function lessTwo(a: v128, x: v128, b: v128, y: v128): v128 {
  return f64x2.sub(f64x2.mul(a, x), f64x2.mul(b, y));
}

/** a x + b y + c z. */
@inline
export function sumThree(a: v128, x: v128, b: v128, y: v128, c: v128, z: v128): v128 {
  return f64x2.add(f64x2.add(f64x2.mul(a, x), f64x2.mul(b, y)), f64x2.mul(c, z));
}

/** Doubles at two addresses. */
@inline
export function gather(first: usize, second: usize): v128 {
  return f64x2.replace_lane(v128.load64_splat(first), 1, load<f64>(second));
}

@inline
export function slot(s: usize, k: usize): v128 {
  return v128.load(s + (k << 4));
}

/** F and B of the tetrahedra t and u to their slots. */
@inline
export function deform(m: Tetrahedra, x: Doubles, t: i32, u: i32): void {
  const s: usize = m.scratch;
  const b: usize = m.inverseRest.at(9 * t);
  const c: usize = m.inverseRest.at(9 * u);
  for (let k: usize = 0; k < 9; k++) v128.store(s + REST + (k << 4), gather(b + (k << 3), c + (k << 3)));
  const v: usize = m.tetrahedra.at(4 * t);
  const w: usize = m.tetrahedra.at(4 * u);
  const p0: usize = x.at(3 * load<i32>(v));
  const a0: usize = x.at(3 * load<i32>(v, 4));
  const b0: usize = x.at(3 * load<i32>(v, 8));
  const c0: usize = x.at(3 * load<i32>(v, 12));
  const p1: usize = x.at(3 * load<i32>(w));
  const a1: usize = x.at(3 * load<i32>(w, 4));
  const b1: usize = x.at(3 * load<i32>(w, 8));
  const c1: usize = x.at(3 * load<i32>(w, 12));
  for (let i: usize = 0; i < 24; i += 8) {
    const origin: v128 = gather(p0 + i, p1 + i);
    const ai: v128 = minus(gather(a0 + i, a1 + i), origin);
    const bi: v128 = minus(gather(b0 + i, b1 + i), origin);
    const ci: v128 = minus(gather(c0 + i, c1 + i), origin);
    const f: usize = s + DEFORMATION + 6 * i;
    for (let j: usize = 0; j < 3; j++) {
      const r: usize = s + REST + (j << 4);
      v128.store(f + (j << 4), sumThree(ai, v128.load(r), bi, v128.load(r, 48), ci, v128.load(r, 96)));
    }
  }
}
