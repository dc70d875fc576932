/**
 * Hessian blocks of linear tetrahedra, two at once: the twin of addHessian of the engine's soft/linear-tetrahedra.ts where
 * soft/spatial-stiffness.ts serves.
 */
import { Doubles } from './doubles';
import { projectSmall } from './small-projection';
import {
  BLOCKS,
  COROTATED,
  DEFORMATION,
  deform,
  findSlot,
  LAMBDA,
  lessTwo,
  MU,
  minus,
  pieceAt,
  plus,
  REST,
  ROTATION,
  SCALE,
  slot,
  sumThree,
  sumTwo,
  Tetrahedra,
  times,
} from './tetrahedra';
import { findRotations } from './tetrahedron-rotation';

// slots after F, B and R: g and γ (or φ) of the four vertices, κ G [γ] (or c), numbers of the law, a small matrix, blocks of the six pairs
const SHAPE: usize = 27 * 16;
const FIRST: usize = 39 * 16;
const BENT: usize = 51 * 16;
const SECOND: usize = 51 * 16;
const FACTOR: usize = 87 * 16;
const SMALL: usize = 91 * 16;
const BLOCK: usize = 120 * 16;

/** Adds from tetrahedron `first` on; gives the first one of a pair that it leaves to its twin, or a number from `count` on. */
export function addTetrahedronHessian(m: Tetrahedra, x: Doubles, values: Doubles, first: i32): i32 {
  const s: usize = m.scratch;
  const law: i32 = m.law;
  const mu: f64 = m.numbers[MU];
  const lambda: f64 = m.numbers[LAMBDA];
  const scale: f64 = m.numbers[SCALE];
  let t: i32 = first;
  for (; t < m.count; t += 2) {
    const u: i32 = min<i32>(t + 1, m.count - 1);
    deform(m, x, t, u);
    writeShape(s);
    if (law == COROTATED) {
      if (!findRotations(s)) break;
      takeCorotated(s, mu, lambda, m.isProjected != 0);
    } else {
      takeNeoHookean(s, mu, lambda);
    }
    const size: v128 = f64x2.replace_lane(f64x2.splat(scale * m.volume[t]), 1, scale * m.volume[u]);
    let e: i32 = 0;
    for (let a: i32 = 0; a < 3; a++) {
      for (let b: i32 = a + 1; b < 4; b++, e++) writeBlocks(s, law, a, b, e, size);
    }
    scatterLane(m, values, t, 0);
    if (u > t) scatterLane(m, values, u, 1);
  }
  return t;
}

/** A piece: blocks of vertices of its own are added, the others put aside. */
export function addHessianPiece(records: usize, piece: i32): void {
  const m: Tetrahedra = pieceAt(records, piece);
  m.stop = addTetrahedronHessian(m, m.x, changetype<Doubles>(m.target), m.first);
}

/** Adds what the pieces have put aside, in the order of the tetrahedra; the record is that of any piece. */
export function addDeferredBlocks(m: Tetrahedra): void {
  const values: Doubles = changetype<Doubles>(m.target);
  let at: usize = m.deferred.at(0);
  for (let k: i32 = 0; k < m.borderCount; k++) {
    const t: i32 = m.border[k];
    const v: usize = m.tetrahedra.at(4 * t);
    let place: usize = m.place.at(6 * t);
    for (let a: usize = 0; a < 3; a++) {
      for (let b: usize = a + 1; b < 4; b++, at += 72, place += 4) {
        const va: i32 = load<i32>(v + (a << 2));
        const vb: i32 = load<i32>(v + (b << 2));
        const isShared: bool = m.isShared[va] != 0;
        const isOtherShared: bool = m.isShared[vb] != 0;
        if (isShared && isOtherShared) addBlock(values.at(load<i32>(place)), at, va > vb);
        if (isShared) subtractBlock(values.at(9 * va), at, true);
        if (isOtherShared) subtractBlock(values.at(9 * vb), at, false);
      }
    }
  }
}

function addBlock(to: usize, from: usize, isStraight: bool): void {
  for (let i: usize = 0; i < 3; i++) {
    for (let j: usize = 0; j < 3; j++) {
      const at: usize = to + ((3 * i + j) << 3);
      store<f64>(at, load<f64>(at) + load<f64>(from + ((isStraight ? 3 * i + j : 3 * j + i) << 3)));
    }
  }
}

function subtractBlock(to: usize, from: usize, isStraight: bool): void {
  for (let i: usize = 0; i < 3; i++) {
    for (let j: usize = 0; j < 3; j++) {
      const at: usize = to + ((3 * i + j) << 3);
      store<f64>(at, load<f64>(at) - load<f64>(from + ((isStraight ? 3 * i + j : 3 * j + i) << 3)));
    }
  }
}

@inline
function writeShape(s: usize): void {
  for (let k: usize = 0; k < 3; k++) {
    const r: usize = s + REST + (k << 4);
    const a: v128 = v128.load(r);
    const b: v128 = v128.load(r, 48);
    const c: v128 = v128.load(r, 96);
    const g: usize = s + SHAPE + (k << 4);
    v128.store(g, f64x2.neg(plus(plus(a, b), c)));
    v128.store(g, a, 48);
    v128.store(g, b, 96);
    v128.store(g, c, 144);
  }
}

/** out ← M g of the four vertices, M at `matrix`. */
@inline
function multiplyShape(out: usize, matrix: usize, shape: usize): void {
  for (let i: usize = 0; i < 4; i++) {
    const o: usize = 48 * i;
    const x: v128 = v128.load(shape + o);
    const y: v128 = v128.load(shape + o, 16);
    const z: v128 = v128.load(shape + o, 32);
    for (let c: usize = 0; c < 3; c++) {
      const r: usize = matrix + 48 * c;
      v128.store(out + o + (c << 4), sumThree(v128.load(r), x, v128.load(r, 16), y, v128.load(r, 32), z));
    }
  }
}

@inline
function takeCorotated(s: usize, mu: f64, lambda: f64, isProjected: bool): void {
  const f: usize = s + DEFORMATION;
  const r: usize = s + ROTATION;
  const f0: v128 = slot(f, 0);
  const f1: v128 = slot(f, 1);
  const f2: v128 = slot(f, 2);
  const f3: v128 = slot(f, 3);
  const f4: v128 = slot(f, 4);
  const f5: v128 = slot(f, 5);
  const r3: v128 = slot(r, 3);
  const r4: v128 = slot(r, 4);
  const r5: v128 = slot(r, 5);
  const r6: v128 = slot(r, 6);
  const r7: v128 = slot(r, 7);
  const r8: v128 = slot(r, 8);
  const xx: v128 = sumThree(f0, slot(r, 0), f1, slot(r, 1), f2, slot(r, 2));
  const yy: v128 = sumThree(f3, r3, f4, r4, f5, r5);
  const zz: v128 = sumThree(slot(f, 6), r6, slot(f, 7), r7, slot(f, 8), r8);
  const xy: v128 = sumThree(f0, r3, f1, r4, f2, r5);
  const xz: v128 = sumThree(f0, r6, f1, r7, f2, r8);
  const yz: v128 = sumThree(f3, r6, f4, r7, f5, r8);
  const one: v128 = f64x2.splat(1);
  const trace: v128 = plus(plus(minus(xx, one), minus(yy, one)), minus(zz, one));
  const kappa: v128 = minus(times(f64x2.splat(lambda), trace), f64x2.splat(2 * mu));
  const a: v128 = plus(yy, zz);
  const b: v128 = plus(xx, zz);
  const c: v128 = plus(xx, yy);
  const c0: v128 = lessTwo(b, c, yz, yz);
  const c1: v128 = sumTwo(xy, c, yz, xz);
  const c2: v128 = sumTwo(xy, yz, b, xz);
  const scale: v128 = f64x2.div(kappa, minus(minus(times(a, c0), times(xy, c1)), times(xz, c2)));
  let g0: v128 = times(c0, scale);
  let g1: v128 = times(c1, scale);
  let g2: v128 = times(c2, scale);
  let g3: v128 = times(lessTwo(a, c, xz, xz), scale);
  let g4: v128 = times(sumTwo(a, yz, xy, xz), scale);
  let g5: v128 = times(lessTwo(a, b, xy, xy), scale);
  v128.store(s + FACTOR, f64x2.splat(2 * mu));
  v128.store(s + FACTOR, f64x2.splat(lambda), 16);
  if (isProjected) {
    const push: v128 = f64x2.splat(mu);
    const t0: v128 = plus(g0, push);
    const t4: v128 = plus(g3, push);
    const t8: v128 = plus(g5, push);
    const minor: v128 = lessTwo(t0, t4, g1, g1);
    const zero: v128 = f64x2.splat(0);
    const determinant: v128 = plus(
      minus(times(t0, lessTwo(t4, t8, g4, g4)), times(g1, lessTwo(g1, t8, g4, g2))),
      times(g2, lessTwo(g1, g4, t4, g2)),
    );
    let isFine: v128 = v128.and(f64x2.gt(t0, zero), f64x2.gt(minor, zero));
    isFine = v128.or(v128.and(isFine, f64x2.gt(determinant, zero)), v128.not(f64x2.lt(kappa, zero)));
    if (!i64x2.all_true(isFine)) {
      projectLane(
        s,
        0,
        f64x2.extract_lane(t0, 0),
        f64x2.extract_lane(g1, 0),
        f64x2.extract_lane(g2, 0),
        f64x2.extract_lane(t4, 0),
        f64x2.extract_lane(g4, 0),
        f64x2.extract_lane(t8, 0),
        i64x2.extract_lane(isFine, 0) != 0,
      );
      projectLane(
        s,
        1,
        f64x2.extract_lane(t0, 1),
        f64x2.extract_lane(g1, 1),
        f64x2.extract_lane(g2, 1),
        f64x2.extract_lane(t4, 1),
        f64x2.extract_lane(g4, 1),
        f64x2.extract_lane(t8, 1),
        i64x2.extract_lane(isFine, 1) != 0,
      );
      const w: usize = s + SMALL + 256;
      g0 = v128.bitselect(g0, minus(v128.load(w), push), isFine);
      g1 = v128.bitselect(g1, v128.load(w, 16), isFine);
      g2 = v128.bitselect(g2, v128.load(w, 32), isFine);
      g3 = v128.bitselect(g3, minus(v128.load(w, 48), push), isFine);
      g4 = v128.bitselect(g4, v128.load(w, 64), isFine);
      g5 = v128.bitselect(g5, minus(v128.load(w, 80), push), isFine);
    }
  }
  multiplyShape(s + FIRST, r, s + SHAPE);
  bendShape(s, g0, g1, g2, g3, g4, g5);
}

/** Projects the matrix of one lane; its entries xx, xy, xz, yy, yz, zz go to that lane of six slots. */
function projectLane(
  s: usize,
  lane: usize,
  xx: f64,
  xy: f64,
  xz: f64,
  yy: f64,
  yz: f64,
  zz: f64,
  isFine: bool,
): void {
  if (isFine) return;
  const a: Doubles = changetype<Doubles>(s + SMALL);
  a[0] = xx;
  a[1] = a[3] = xy;
  a[2] = a[6] = xz;
  a[4] = yy;
  a[5] = a[7] = yz;
  a[8] = zz;
  projectSmall(a, changetype<Doubles>(s + SMALL + 80));
  const w: usize = s + SMALL + 256 + (lane << 3);
  store<f64>(w, a[0]);
  store<f64>(w, a[1], 16);
  store<f64>(w, a[2], 32);
  store<f64>(w, a[4], 48);
  store<f64>(w, a[5], 64);
  store<f64>(w, a[8], 80);
}

@inline
function bendShape(s: usize, g0: v128, g1: v128, g2: v128, g3: v128, g4: v128, g5: v128): void {
  for (let v: usize = 0; v < 4; v++) {
    const q: usize = s + FIRST + 48 * v;
    const x: v128 = v128.load(q);
    const y: v128 = v128.load(q, 16);
    const z: v128 = v128.load(q, 32);
    const o: usize = s + BENT + 144 * v;
    v128.store(o, lessTwo(g1, z, g2, y));
    v128.store(o, lessTwo(g2, x, g0, z), 16);
    v128.store(o, lessTwo(g0, y, g1, x), 32);
    v128.store(o, lessTwo(g3, z, g4, y), 48);
    v128.store(o, lessTwo(g4, x, g1, z), 64);
    v128.store(o, lessTwo(g1, y, g3, x), 80);
    v128.store(o, lessTwo(g4, z, g5, y), 96);
    v128.store(o, lessTwo(g5, x, g2, z), 112);
    v128.store(o, lessTwo(g2, y, g4, x), 128);
  }
}

@inline
function takeNeoHookean(s: usize, mu: f64, lambda: f64): void {
  const f: usize = s + DEFORMATION;
  const f0: v128 = slot(f, 0);
  const f1: v128 = slot(f, 1);
  const f2: v128 = slot(f, 2);
  const f3: v128 = slot(f, 3);
  const f4: v128 = slot(f, 4);
  const f5: v128 = slot(f, 5);
  const f6: v128 = slot(f, 6);
  const f7: v128 = slot(f, 7);
  const f8: v128 = slot(f, 8);
  // cof F, in place of R
  const c: usize = s + ROTATION;
  const c0: v128 = lessTwo(f4, f8, f5, f7);
  const c1: v128 = lessTwo(f5, f6, f3, f8);
  const c2: v128 = lessTwo(f3, f7, f4, f6);
  v128.store(c, c0);
  v128.store(c, c1, 16);
  v128.store(c, c2, 32);
  v128.store(c, lessTwo(f2, f7, f1, f8), 48);
  v128.store(c, lessTwo(f0, f8, f2, f6), 64);
  v128.store(c, lessTwo(f1, f6, f0, f7), 80);
  v128.store(c, lessTwo(f1, f5, f2, f4), 96);
  v128.store(c, lessTwo(f2, f3, f0, f5), 112);
  v128.store(c, lessTwo(f0, f4, f1, f3), 128);
  let square: v128 = f64x2.splat(0);
  for (let k: usize = 0; k < 9; k++) square = plus(square, times(slot(f, k), slot(f, k)));
  const one: v128 = f64x2.splat(1);
  const share: v128 = f64x2.div(one, plus(square, one));
  multiplyShape(s + FIRST, f, s + SHAPE);
  multiplyShape(s + SECOND, c, s + SHAPE);
  const factor: usize = s + FACTOR;
  v128.store(factor, times(f64x2.splat(mu), minus(one, share)));
  v128.store(factor, times(times(f64x2.splat(2 * mu), share), share), 16);
  v128.store(factor, f64x2.splat(lambda), 32);
  const j: v128 = minus(sumThree(f0, c0, f1, c1, f2, c2), one);
  v128.store(factor, minus(times(f64x2.splat(lambda), j), f64x2.splat(0.75 * mu)), 48);
}

/** The block of vertices a and b of both tetrahedra, pair e, to its slots. */
@inline
function writeBlocks(s: usize, law: i32, a: i32, b: i32, e: i32, size: v128): void {
  const i: usize = 48 * <usize>a;
  const j: usize = 48 * <usize>b;
  const shape: usize = s + SHAPE;
  const factor: usize = s + FACTOR;
  const along: v128 = times(
    times(size, v128.load(factor)),
    sumThree(
      v128.load(shape + i),
      v128.load(shape + j),
      v128.load(shape + i, 16),
      v128.load(shape + j, 16),
      v128.load(shape + i, 32),
      v128.load(shape + j, 32),
    ),
  );
  const first: usize = s + FIRST;
  const weight: v128 = times(size, v128.load(factor, 16));
  const ix: v128 = v128.load(first + i);
  const iy: v128 = v128.load(first + i, 16);
  const iz: v128 = v128.load(first + i, 32);
  const x: v128 = times(weight, ix);
  const y: v128 = times(weight, iy);
  const z: v128 = times(weight, iz);
  const p: v128 = v128.load(first + j);
  const q: v128 = v128.load(first + j, 16);
  const r: v128 = v128.load(first + j, 32);
  let k0: v128 = plus(along, times(x, p));
  let k1: v128 = times(x, q);
  let k2: v128 = times(x, r);
  let k3: v128 = times(y, p);
  let k4: v128 = plus(along, times(y, q));
  let k5: v128 = times(y, r);
  let k6: v128 = times(z, p);
  let k7: v128 = times(z, q);
  let k8: v128 = plus(along, times(z, r));
  if (law == COROTATED) {
    const minusSize: v128 = f64x2.neg(size);
    const nx: v128 = times(minusSize, ix);
    const ny: v128 = times(minusSize, iy);
    const nz: v128 = times(minusSize, iz);
    const o: usize = s + BENT + 144 * <usize>b;
    const b0: v128 = v128.load(o);
    const b1: v128 = v128.load(o, 16);
    const b2: v128 = v128.load(o, 32);
    const b3: v128 = v128.load(o, 48);
    const b4: v128 = v128.load(o, 64);
    const b5: v128 = v128.load(o, 80);
    const b6: v128 = v128.load(o, 96);
    const b7: v128 = v128.load(o, 112);
    const b8: v128 = v128.load(o, 128);
    k0 = plus(k0, lessTwo(ny, b6, nz, b3));
    k1 = plus(k1, lessTwo(ny, b7, nz, b4));
    k2 = plus(k2, lessTwo(ny, b8, nz, b5));
    k3 = plus(k3, lessTwo(nz, b0, nx, b6));
    k4 = plus(k4, lessTwo(nz, b1, nx, b7));
    k5 = plus(k5, lessTwo(nz, b2, nx, b8));
    k6 = plus(k6, lessTwo(nx, b3, ny, b0));
    k7 = plus(k7, lessTwo(nx, b4, ny, b1));
    k8 = plus(k8, lessTwo(nx, b5, ny, b2));
  } else {
    const second: usize = s + SECOND;
    const push: v128 = times(size, v128.load(factor, 32));
    const sx: v128 = times(push, v128.load(second + i));
    const sy: v128 = times(push, v128.load(second + i, 16));
    const sz: v128 = times(push, v128.load(second + i, 32));
    const tx: v128 = v128.load(second + j);
    const ty: v128 = v128.load(second + j, 16);
    const tz: v128 = v128.load(second + j, 32);
    k0 = plus(k0, times(sx, tx));
    k1 = plus(k1, times(sx, ty));
    k2 = plus(k2, times(sx, tz));
    k3 = plus(k3, times(sy, tx));
    k4 = plus(k4, times(sy, ty));
    k5 = plus(k5, times(sy, tz));
    k6 = plus(k6, times(sz, tx));
    k7 = plus(k7, times(sz, ty));
    k8 = plus(k8, times(sz, tz));
    const ax: v128 = v128.load(shape + i);
    const ay: v128 = v128.load(shape + i, 16);
    const az: v128 = v128.load(shape + i, 32);
    const bx: v128 = v128.load(shape + j);
    const by: v128 = v128.load(shape + j, 16);
    const bz: v128 = v128.load(shape + j, 32);
    const cx: v128 = lessTwo(ay, bz, az, by);
    const cy: v128 = lessTwo(az, bx, ax, bz);
    const cz: v128 = lessTwo(ax, by, ay, bx);
    const f: usize = s + DEFORMATION;
    const scale: v128 = times(size, v128.load(factor, 48));
    const wx: v128 = times(scale, sumThree(slot(f, 0), cx, slot(f, 1), cy, slot(f, 2), cz));
    const wy: v128 = times(scale, sumThree(slot(f, 3), cx, slot(f, 4), cy, slot(f, 5), cz));
    const wz: v128 = times(scale, sumThree(slot(f, 6), cx, slot(f, 7), cy, slot(f, 8), cz));
    k1 = plus(k1, wz);
    k2 = minus(k2, wy);
    k3 = minus(k3, wz);
    k5 = plus(k5, wx);
    k6 = plus(k6, wy);
    k7 = minus(k7, wx);
  }
  const at: usize = s + BLOCK + 144 * <usize>e;
  v128.store(at, k0);
  v128.store(at, k1, 16);
  v128.store(at, k2, 32);
  v128.store(at, k3, 48);
  v128.store(at, k4, 64);
  v128.store(at, k5, 80);
  v128.store(at, k6, 96);
  v128.store(at, k7, 112);
  v128.store(at, k8, 128);
}

/** Blocks of tetrahedron t, in the lane `lane`, to their places; the other one may have the same vertices and comes after it. */
@inline
function scatterLane(m: Tetrahedra, values: Doubles, t: i32, lane: usize): void {
  const v: usize = m.tetrahedra.at(4 * t);
  let place: usize = m.place.at(6 * t);
  let at: usize = m.scratch + BLOCK + (lane << 3);
  const border: i32 = findSlot(m, t);
  let aside: usize = border < 0 ? 0 : m.deferred.at(BLOCKS * border);
  for (let a: usize = 0; a < 3; a++) {
    for (let b: usize = a + 1; b < 4; b++, at += 144, place += 4) {
      const va: i32 = load<i32>(v + (a << 2));
      const vb: i32 = load<i32>(v + (b << 2));
      const last: f64 = load<f64>(at, 128);
      const k0: v128 = v128.load64_splat(at);
      const k1: v128 = v128.load64_splat(at, 16);
      const k2: v128 = v128.load64_splat(at, 32);
      const k3: v128 = v128.load64_splat(at, 48);
      const k4: v128 = v128.load64_splat(at, 64);
      const k5: v128 = v128.load64_splat(at, 80);
      const k6: v128 = v128.load64_splat(at, 96);
      const k7: v128 = v128.load64_splat(at, 112);
      const s0: v128 = v128.shuffle<f64>(k0, k1, 0, 2);
      const s1: v128 = v128.shuffle<f64>(k2, k3, 0, 2);
      const s2: v128 = v128.shuffle<f64>(k4, k5, 0, 2);
      const s3: v128 = v128.shuffle<f64>(k6, k7, 0, 2);
      const t0: v128 = v128.shuffle<f64>(k0, k3, 0, 2);
      const t1: v128 = v128.shuffle<f64>(k6, k1, 0, 2);
      const t2: v128 = v128.shuffle<f64>(k4, k7, 0, 2);
      const t3: v128 = v128.shuffle<f64>(k2, k5, 0, 2);
      const pair: usize = values.at(load<i32>(place));
      let isShared: bool = false;
      let isOtherShared: bool = false;
      if (border >= 0) {
        isShared = m.isShared[va] != 0;
        isOtherShared = m.isShared[vb] != 0;
        v128.store(aside, s0);
        v128.store(aside, s1, 16);
        v128.store(aside, s2, 32);
        v128.store(aside, s3, 48);
        store<f64>(aside, last, 64);
        aside += 72;
      }
      if (!isShared || !isOtherShared) {
        if (va > vb) addNine(pair, s0, s1, s2, s3, last);
        else addNine(pair, t0, t1, t2, t3, last);
      }
      if (!isShared) subtractNine(values.at(9 * va), s0, s1, s2, s3, last);
      if (!isOtherShared) subtractNine(values.at(9 * vb), t0, t1, t2, t3, last);
    }
  }
}

@inline
function addNine(at: usize, a: v128, b: v128, c: v128, d: v128, last: f64): void {
  v128.store(at, plus(v128.load(at), a));
  v128.store(at, plus(v128.load(at, 16), b), 16);
  v128.store(at, plus(v128.load(at, 32), c), 32);
  v128.store(at, plus(v128.load(at, 48), d), 48);
  store<f64>(at, load<f64>(at, 64) + last, 64);
}

@inline
function subtractNine(at: usize, a: v128, b: v128, c: v128, d: v128, last: f64): void {
  v128.store(at, minus(v128.load(at), a));
  v128.store(at, minus(v128.load(at, 16), b), 16);
  v128.store(at, minus(v128.load(at, 32), c), 32);
  v128.store(at, minus(v128.load(at, 48), d), 48);
  store<f64>(at, load<f64>(at, 64) - last, 64);
}
