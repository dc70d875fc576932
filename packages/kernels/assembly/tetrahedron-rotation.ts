/**
 * The rotations R of F = R S of two matrices at once: the twin of the engine's linear-algebra/polar-rotation.ts. A lane that has
 * converged keeps its numbers while the other goes on.
 */
import { DEFORMATION, lessTwo, minus, plus, ROTATION, slot, sumThree, sumTwo, times } from './tetrahedra';

const ROUNDS: i32 = 16;
const FLAT: f64 = 1e-4;
const NEAR: f64 = 1e-8;

@inline
function squareSum(
  x0: v128,
  x1: v128,
  x2: v128,
  x3: v128,
  x4: v128,
  x5: v128,
  x6: v128,
  x7: v128,
  x8: v128,
): v128 {
  let sum: v128 = sumThree(x0, x0, x1, x1, x2, x2);
  sum = plus(plus(plus(sum, times(x3, x3)), times(x4, x4)), times(x5, x5));
  return plus(plus(plus(sum, times(x6, x6)), times(x7, x7)), times(x8, x8));
}

@inline
function distance(a: v128, b: v128): v128 {
  return f64x2.abs(minus(a, b));
}

/** Writes R from F, both in the scratch; false where one of the two has none by this method. */
export function findRotations(s: usize): bool {
  const f: usize = s + DEFORMATION;
  let x0: v128 = slot(f, 0);
  let x1: v128 = slot(f, 1);
  let x2: v128 = slot(f, 2);
  let x3: v128 = slot(f, 3);
  let x4: v128 = slot(f, 4);
  let x5: v128 = slot(f, 5);
  let x6: v128 = slot(f, 6);
  let x7: v128 = slot(f, 7);
  let x8: v128 = slot(f, 8);
  const half: v128 = f64x2.splat(0.5);
  let isNear: v128 = f64x2.splat(0);
  let isDone: v128 = f64x2.splat(0);
  for (let round: i32 = 0; round < ROUNDS; round++) {
    const c0: v128 = lessTwo(x4, x8, x5, x7);
    const c1: v128 = lessTwo(x5, x6, x3, x8);
    const c2: v128 = lessTwo(x3, x7, x4, x6);
    const c3: v128 = lessTwo(x2, x7, x1, x8);
    const c4: v128 = lessTwo(x0, x8, x2, x6);
    const c5: v128 = lessTwo(x1, x6, x0, x7);
    const c6: v128 = lessTwo(x1, x5, x2, x4);
    const c7: v128 = lessTwo(x2, x3, x0, x5);
    const c8: v128 = lessTwo(x0, x4, x1, x3);
    const determinant: v128 = sumThree(x0, c0, x1, c1, x2, c2);
    let a: v128 = half;
    let b: v128 = f64x2.div(half, determinant);
    if (!i64x2.all_true(isNear)) {
      const square: v128 = squareSum(x0, x1, x2, x3, x4, x5, x6, x7, x8);
      if (round == 0) {
        const least: v128 = times(times(f64x2.splat(FLAT), square), f64x2.sqrt(square));
        if (!i64x2.all_true(f64x2.gt(determinant, least))) return false;
      }
      const cofactor: v128 = squareSum(c0, c1, c2, c3, c4, c5, c6, c7, c8);
      const scale: v128 = f64x2.sqrt(f64x2.div(f64x2.sqrt(f64x2.div(cofactor, square)), determinant));
      a = v128.bitselect(a, times(a, scale), isNear);
      b = v128.bitselect(b, f64x2.div(b, scale), isNear);
    }
    const y0: v128 = sumTwo(a, x0, b, c0);
    const y1: v128 = sumTwo(a, x1, b, c1);
    const y2: v128 = sumTwo(a, x2, b, c2);
    const y3: v128 = sumTwo(a, x3, b, c3);
    const y4: v128 = sumTwo(a, x4, b, c4);
    const y5: v128 = sumTwo(a, x5, b, c5);
    const y6: v128 = sumTwo(a, x6, b, c6);
    const y7: v128 = sumTwo(a, x7, b, c7);
    const y8: v128 = sumTwo(a, x8, b, c8);
    let change: v128 = plus(plus(distance(y0, x0), distance(y1, x1)), distance(y2, x2));
    change = plus(plus(plus(change, distance(y3, x3)), distance(y4, x4)), distance(y5, x5));
    change = plus(plus(plus(change, distance(y6, x6)), distance(y7, x7)), distance(y8, x8));
    x0 = v128.bitselect(x0, y0, isDone);
    x1 = v128.bitselect(x1, y1, isDone);
    x2 = v128.bitselect(x2, y2, isDone);
    x3 = v128.bitselect(x3, y3, isDone);
    x4 = v128.bitselect(x4, y4, isDone);
    x5 = v128.bitselect(x5, y5, isDone);
    x6 = v128.bitselect(x6, y6, isDone);
    x7 = v128.bitselect(x7, y7, isDone);
    x8 = v128.bitselect(x8, y8, isDone);
    isDone = v128.or(isDone, f64x2.lt(change, f64x2.splat(NEAR)));
    if (i64x2.all_true(isDone)) {
      const r: usize = s + ROTATION;
      v128.store(r, x0);
      v128.store(r, x1, 16);
      v128.store(r, x2, 32);
      v128.store(r, x3, 48);
      v128.store(r, x4, 64);
      v128.store(r, x5, 80);
      v128.store(r, x6, 96);
      v128.store(r, x7, 112);
      v128.store(r, x8, 128);
      return true;
    }
    // a lane that is done stays near: its rounds have no effect
    isNear = v128.or(isDone, f64x2.lt(change, f64x2.splat(0.1)));
  }
  return false;
}
