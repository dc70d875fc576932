/** Energy and forces of linear tetrahedra: the twin of addGradient of the engine's soft/linear-tetrahedra.ts, two at once. */
import { Doubles } from './doubles';
import {
  COROTATED,
  DEFORMATION,
  deform,
  ENERGY,
  findSlot,
  FORCES,
  LAMBDA,
  lessTwo,
  MU,
  minus,
  pieceAt,
  plus,
  REST,
  ROTATION,
  slot,
  sumThree,
  sumTwo,
  Tetrahedra,
  times,
} from './tetrahedra';
import { findRotations } from './tetrahedron-rotation';

/** P of the two, after F, B and R. */
const STRESS: usize = 27 * 16;
const SQRT2: f64 = 1.4142135623730951;
const SQRT1_2: f64 = 0.7071067811865476;
const LN2: f64 = 0.6931471805599453;

/**
 * Adds energies from tetrahedron `first` on, and forces unless `gradient` is 0. Gives the first one of a pair that it leaves to its
 * twin, or a number from `count` on.
 */
export function addTetrahedronGradient(m: Tetrahedra, x: Doubles, gradient: usize, first: i32): i32 {
  const s: usize = m.scratch;
  const mu: f64 = m.numbers[MU];
  const lambda: f64 = m.numbers[LAMBDA];
  let energy: f64 = m.numbers[ENERGY];
  let t: i32 = first;
  for (; t < m.count; t += 2) {
    const u: i32 = min<i32>(t + 1, m.count - 1);
    deform(m, x, t, u);
    let density: v128;
    if (m.law == COROTATED) {
      if (!findRotations(s)) break;
      density = stressCorotated(s, f64x2.splat(mu), f64x2.splat(lambda));
    } else {
      density = stressNeoHookean(s, mu, lambda);
    }
    energy = addEnergy(m, energy, t, m.volume[t] * f64x2.extract_lane(density, 0));
    if (u > t) energy = addEnergy(m, energy, u, m.volume[u] * f64x2.extract_lane(density, 1));
    if (gradient != 0) addForces(m, gradient, t, u);
  }
  m.numbers[ENERGY] = energy;
  return t;
}

/** A piece: forces that go to vertices of its own are added, the others put aside. */
export function addGradientPiece(records: usize, piece: i32): void {
  const m: Tetrahedra = pieceAt(records, piece);
  m.stop = addTetrahedronGradient(m, m.x, m.target, m.first);
}

/** Adds what the pieces have put aside, in the order of the tetrahedra; the record is that of any piece. */
export function addDeferredForces(m: Tetrahedra): void {
  let from: usize = m.deferred.at(0);
  for (let k: i32 = 0; k < m.borderCount; k++, from += FORCES << 3) {
    const v: usize = m.tetrahedra.at(4 * m.border[k]);
    for (let a: i32 = 0; a < 4; a++) {
      const vertex: i32 = load<i32>(v + ((<usize>a) << 2));
      if (m.isShared[vertex] == 0) continue;
      const g: usize = m.target + 24 * <usize>vertex;
      for (let i: usize = 0; i < 3; i++) {
        const force: f64 = load<f64>(from + ((<usize>a * 3 + i) << 3));
        if (a == 0) subtract(g + (i << 3), force);
        else add(g + (i << 3), force);
      }
    }
  }
}

@inline
function addEnergy(m: Tetrahedra, sum: f64, t: i32, value: f64): f64 {
  if (changetype<usize>(m.energies) != 0) m.energies[t] = value;
  return sum + value;
}

@inline
function stressCorotated(s: usize, mu: v128, lambda: v128): v128 {
  const f: usize = s + DEFORMATION;
  const r: usize = s + ROTATION;
  let trace: v128 = f64x2.splat(-3);
  for (let k: usize = 0; k < 9; k++) trace = plus(trace, times(slot(r, k), slot(f, k)));
  const push: v128 = times(lambda, trace);
  const double: v128 = times(f64x2.splat(2), mu);
  let square: v128 = f64x2.splat(0);
  for (let k: usize = 0; k < 9; k++) {
    const turn: v128 = slot(r, k);
    const stretch: v128 = minus(slot(f, k), turn);
    square = plus(square, times(stretch, stretch));
    v128.store(s + STRESS + (k << 4), sumTwo(double, stretch, push, turn));
  }
  return plus(times(mu, square), times(times(times(f64x2.splat(0.5), lambda), trace), trace));
}

@inline
function stressNeoHookean(s: usize, mu: f64, lambda: f64): v128 {
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
  const c0: v128 = lessTwo(f4, f8, f5, f7);
  const c1: v128 = lessTwo(f5, f6, f3, f8);
  const c2: v128 = lessTwo(f3, f7, f4, f6);
  const one: v128 = f64x2.splat(1);
  const j: v128 = minus(sumThree(f0, c0, f1, c1, f2, c2), one);
  let square: v128 = f64x2.splat(0);
  for (let k: usize = 0; k < 9; k++) square = plus(square, times(slot(f, k), slot(f, k)));
  const a: v128 = times(f64x2.splat(mu), minus(one, f64x2.div(one, plus(square, one))));
  const b: v128 = minus(times(f64x2.splat(lambda), j), f64x2.splat(0.75 * mu));
  const p: usize = s + STRESS;
  v128.store(p, sumTwo(a, f0, b, c0));
  v128.store(p, sumTwo(a, f1, b, c1), 16);
  v128.store(p, sumTwo(a, f2, b, c2), 32);
  v128.store(p, sumTwo(a, f3, b, lessTwo(f2, f7, f1, f8)), 48);
  v128.store(p, sumTwo(a, f4, b, lessTwo(f0, f8, f2, f6)), 64);
  v128.store(p, sumTwo(a, f5, b, lessTwo(f1, f6, f0, f7)), 80);
  v128.store(p, sumTwo(a, f6, b, lessTwo(f1, f5, f2, f4)), 96);
  v128.store(p, sumTwo(a, f7, b, lessTwo(f2, f3, f0, f5)), 112);
  v128.store(p, sumTwo(a, f8, b, lessTwo(f0, f4, f1, f3)), 128);
  const i: v128 = minus(square, f64x2.splat(3));
  const inside: v128 = plus(one, times(f64x2.splat(0.25), i));
  const logs: v128 = f64x2.replace_lane(
    f64x2.splat(log(f64x2.extract_lane(inside, 0))),
    1,
    log(f64x2.extract_lane(inside, 1)),
  );
  const shear: v128 = times(f64x2.splat(0.5 * mu), minus(i, logs));
  const volume: v128 = times(times(f64x2.splat(0.5 * lambda), j), j);
  return minus(plus(shear, volume), times(f64x2.splat(0.75 * mu), j));
}

@inline
function addForces(m: Tetrahedra, gradient: usize, t: i32, u: i32): void {
  const s: usize = m.scratch;
  const size: v128 = f64x2.replace_lane(f64x2.splat(m.volume[t]), 1, m.volume[u]);
  const b0: v128 = slot(s + REST, 0);
  const b1: v128 = slot(s + REST, 1);
  const b2: v128 = slot(s + REST, 2);
  const b3: v128 = slot(s + REST, 3);
  const b4: v128 = slot(s + REST, 4);
  const b5: v128 = slot(s + REST, 5);
  const b6: v128 = slot(s + REST, 6);
  const b7: v128 = slot(s + REST, 7);
  const b8: v128 = slot(s + REST, 8);
  const v: usize = m.tetrahedra.at(4 * t);
  const w: usize = m.tetrahedra.at(4 * u);
  const first: i32 = findSlot(m, t);
  const second: i32 = findSlot(m, u);
  for (let i: usize = 0; i < 3; i++) {
    const p: usize = s + STRESS + 48 * i;
    const s0: v128 = times(size, v128.load(p));
    const s1: v128 = times(size, v128.load(p, 16));
    const s2: v128 = times(size, v128.load(p, 32));
    const fa: v128 = sumThree(s0, b0, s1, b1, s2, b2);
    const fb: v128 = sumThree(s0, b3, s1, b4, s2, b5);
    const fc: v128 = sumThree(s0, b6, s1, b7, s2, b8);
    const fp: v128 = plus(plus(fa, fb), fc);
    const g: usize = gradient + (i << 3);
    if (first < 0) {
      subtract(g + 24 * load<i32>(v), f64x2.extract_lane(fp, 0));
      add(g + 24 * load<i32>(v, 4), f64x2.extract_lane(fa, 0));
      add(g + 24 * load<i32>(v, 8), f64x2.extract_lane(fb, 0));
      add(g + 24 * load<i32>(v, 12), f64x2.extract_lane(fc, 0));
    } else {
      defer(m, g, v, first, i, f64x2.extract_lane(fp, 0), 0);
      defer(m, g, v, first, i, f64x2.extract_lane(fa, 0), 1);
      defer(m, g, v, first, i, f64x2.extract_lane(fb, 0), 2);
      defer(m, g, v, first, i, f64x2.extract_lane(fc, 0), 3);
    }
    if (u == t) continue;
    if (second < 0) {
      subtract(g + 24 * load<i32>(w), f64x2.extract_lane(fp, 1));
      add(g + 24 * load<i32>(w, 4), f64x2.extract_lane(fa, 1));
      add(g + 24 * load<i32>(w, 8), f64x2.extract_lane(fb, 1));
      add(g + 24 * load<i32>(w, 12), f64x2.extract_lane(fc, 1));
    } else {
      defer(m, g, w, second, i, f64x2.extract_lane(fp, 1), 0);
      defer(m, g, w, second, i, f64x2.extract_lane(fa, 1), 1);
      defer(m, g, w, second, i, f64x2.extract_lane(fb, 1), 2);
      defer(m, g, w, second, i, f64x2.extract_lane(fc, 1), 3);
    }
  }
}

// a force on vertex a of a tetrahedron on the border: added, or put aside
function defer(m: Tetrahedra, g: usize, v: usize, place: i32, i: usize, force: f64, a: i32): void {
  const vertex: i32 = load<i32>(v + ((<usize>a) << 2));
  if (m.isShared[vertex] != 0) m.deferred[FORCES * place + 3 * a + <i32>i] = force;
  else if (a == 0) subtract(g + 24 * vertex, force);
  else add(g + 24 * vertex, force);
}

@inline
function add(at: usize, value: f64): void {
  store<f64>(at, load<f64>(at) + value);
}

@inline
function subtract(at: usize, value: f64): void {
  store<f64>(at, load<f64>(at) - value);
}

/** The twin of log of the engine's linear-algebra/elementary.ts. */
function log(x: f64): f64 {
  if (!(x > 0) || x == Infinity) return x == 0 ? -Infinity : x > 0 ? Infinity : NaN;
  let m: f64 = x;
  let k: f64 = 0;
  while (m > SQRT2) {
    m *= 0.5;
    k += 1;
  }
  while (m < SQRT1_2) {
    m *= 2;
    k -= 1;
  }
  const z: f64 = (m - 1) / (m + 1);
  const square: f64 = z * z;
  let sum: f64 = 0;
  for (let n: f64 = 23; n >= 1; n -= 2) sum = sum * square + 1 / n;
  return k * LN2 + 2 * z * sum;
}
