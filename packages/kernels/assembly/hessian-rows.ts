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

/**
 * The same for the six columns of a free body in three rows of the factors, a whole block of a matrix. Above the diagonal of a triangle, where
 * nobody reads, it may leave numbers.
 */
export function addSix(base: usize, stride: usize, a: usize, b: usize, step: usize, isTriangle: bool): void {
  const b0: v128 = v128.load(b);
  const b1: v128 = v128.load(b + step);
  const b2: v128 = v128.load(b + 2 * step);
  addPairs(base, a, step, b0, b1, b2);
  addPairs(base + stride, a + 8, step, b0, b1, b2);
  addPairs(base + 2 * stride, a + 16, step, b0, b1, b2);
  addPairs(base + 3 * stride, a + 24, step, b0, b1, b2);
  addPairs(base + 4 * stride, a + 32, step, b0, b1, b2);
  addPairs(base + 5 * stride, a + 40, step, b0, b1, b2);
  const c0: v128 = v128.load(b, 16);
  const c1: v128 = v128.load(b + step, 16);
  const c2: v128 = v128.load(b + 2 * step, 16);
  if (!isTriangle) {
    addPairs(base + 16, a, step, c0, c1, c2);
    addPairs(base + stride + 16, a + 8, step, c0, c1, c2);
  }
  addPairs(base + 2 * stride + 16, a + 16, step, c0, c1, c2);
  addPairs(base + 3 * stride + 16, a + 24, step, c0, c1, c2);
  addPairs(base + 4 * stride + 16, a + 32, step, c0, c1, c2);
  addPairs(base + 5 * stride + 16, a + 40, step, c0, c1, c2);
  const d0: v128 = v128.load(b, 32);
  const d1: v128 = v128.load(b + step, 32);
  const d2: v128 = v128.load(b + 2 * step, 32);
  if (!isTriangle) {
    addPairs(base + 32, a, step, d0, d1, d2);
    addPairs(base + stride + 32, a + 8, step, d0, d1, d2);
    addPairs(base + 2 * stride + 32, a + 16, step, d0, d1, d2);
    addPairs(base + 3 * stride + 32, a + 24, step, d0, d1, d2);
  }
  addPairs(base + 4 * stride + 32, a + 32, step, d0, d1, d2);
  addPairs(base + 5 * stride + 32, a + 40, step, d0, d1, d2);
}

@inline
function addPairs(target: usize, a: usize, step: usize, b0: v128, b1: v128, b2: v128): void {
  const sum: v128 = f64x2.add(
    f64x2.add(f64x2.mul(v128.load64_splat(a), b0), f64x2.mul(v128.load64_splat(a + step), b1)),
    f64x2.mul(v128.load64_splat(a + 2 * step), b2),
  );
  v128.store(target, f64x2.add(v128.load(target), sum));
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
