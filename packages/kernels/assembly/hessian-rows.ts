/** Jᵀ T of a block, added to rows of a matrix: runs of neighbouring columns at once. */
import { Integers } from './doubles';
import { Target } from './hessian-target';

export function findRuns(t: Target, from: i32, last: i32): void {
  let end: i32 = last;
  for (let i: i32 = last - 1; i >= from; i--) {
    t.runEnd[i] = end;
    if (i > from && t.place[i] != t.place[i - 1] + 1) end = i;
  }
}

/**
 * Rows first to last − 1 take Σ_r a_r b_r at the columns from to end − 1 (up to their own where `isTriangle`): a at the column
 * of the row in one factor, b along the other. Rows stand `stride` bytes apart from `base` on, or at their own addresses.
 */
export function addRows(
  t: Target,
  base: usize,
  stride: usize,
  first: i32,
  last: i32,
  a: usize,
  b: usize,
  step: usize,
  dimension: i32,
  from: i32,
  end: i32,
  isTriangle: bool,
): void {
  const place: Integers = t.place;
  const runEnd: Integers = t.runEnd;
  for (let i: i32 = first; i < last; i++) {
    const row: usize = stride > 0 ? base + <usize>place[i] * stride : <usize>t.rowAddress[i];
    const limit: i32 = isTriangle ? i + 1 : end;
    const factor: usize = a + ((<usize>i) << 3);
    let j: i32 = from;
    while (j < limit) {
      const to: i32 = min<i32>(runEnd[j], limit);
      const target: usize = row + ((<usize>place[j]) << 3);
      const source: usize = b + ((<usize>j) << 3);
      if (dimension == 3) addThree(target, factor, source, step, to - j);
      else for (let r: i32 = 0; r < dimension; r++) {
        const shift: usize = <usize>r * step;
        addOne(target, load<f64>(factor + shift), source + shift, to - j);
      }
      j = to;
    }
  }
}

@inline
function addThree(target: usize, a: usize, b: usize, step: usize, count: i32): void {
  const s0: f64 = load<f64>(a);
  const s1: f64 = load<f64>(a + step);
  const s2: f64 = load<f64>(a + 2 * step);
  const a0: v128 = f64x2.splat(s0);
  const a1: v128 = f64x2.splat(s1);
  const a2: v128 = f64x2.splat(s2);
  let left: i32 = count;
  while (left >= 2) {
    const sum: v128 = f64x2.add(
      f64x2.add(f64x2.mul(a0, v128.load(b)), f64x2.mul(a1, v128.load(b + step))),
      f64x2.mul(a2, v128.load(b + 2 * step)),
    );
    v128.store(target, f64x2.add(v128.load(target), sum));
    target += 16;
    b += 16;
    left -= 2;
  }
  if (left > 0) {
    const sum: f64 = s0 * load<f64>(b) + s1 * load<f64>(b + step) + s2 * load<f64>(b + 2 * step);
    store<f64>(target, load<f64>(target) + sum);
  }
}

@inline
function addOne(target: usize, a: f64, b: usize, count: i32): void {
  const lanes: v128 = f64x2.splat(a);
  let left: i32 = count;
  while (left >= 2) {
    v128.store(target, f64x2.add(v128.load(target), f64x2.mul(lanes, v128.load(b))));
    target += 16;
    b += 16;
    left -= 2;
  }
  if (left > 0) store<f64>(target, load<f64>(target) + a * load<f64>(b));
}
