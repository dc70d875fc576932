/**
 * M = Lᵀ D L over the dofs of a forest: the compiled twin of the engine's linear-algebra/tree-ldl.ts, in the same order of
 * operations, so that both give the same bits. Row updates run two lanes wide, sums over even and odd places.
 */
import { Doubles, Integers } from './doubles';
import { factorSix, isLastOfSix, solveSixDown, solveSixUp } from './dense-six';
import { loadPair, sumLanes } from './lanes';

export function factorTree(n: i32, factor: Doubles, inverseDiagonal: Doubles, rowStart: Integers, column: Integers): i32 {
  return factorRows(factor, inverseDiagonal, rowStart, column, 0, n);
}

/** Rows first to end − 1: whole trees. */
export function factorRows(
  factor: Doubles,
  inverseDiagonal: Doubles,
  rowStart: Integers,
  column: Integers,
  first: i32,
  end: i32,
): i32 {
  let bad: i32 = -1;
  for (let i: i32 = end - 1; i >= first; i--) {
    const start: i32 = rowStart[i];
    const last: i32 = rowStart[i + 1] - 1;
    if (isLastOfSix(i, last + 1 - start, column[start])) {
      i -= 5;
      const row: i32 = factorSix(factor.at(rowStart[i]), inverseDiagonal.at(i));
      if (row >= 0) bad = i + row;
      continue;
    }
    const pivot: f64 = factor[last];
    if (!(pivot > 0)) bad = i;
    const inverse: f64 = 1 / pivot;
    inverseDiagonal[i] = inverse;
    for (let k: i32 = last - 1; k >= start; k--) {
      const scale: f64 = factor[k] * inverse;
      subtractScaled(factor.at(rowStart[column[k]]), factor.at(start), k - start + 1, scale);
      factor[k] = scale;
    }
  }
  return bad;
}

/** target −= scale · source. */
@inline
function subtractScaled(target: usize, source: usize, length: i32, scale: f64): void {
  const lanes: v128 = f64x2.splat(scale);
  let remaining: i32 = length;
  while (remaining >= 4) {
    const a: v128 = f64x2.sub(v128.load(target), f64x2.mul(lanes, v128.load(source)));
    const b: v128 = f64x2.sub(v128.load(target, 16), f64x2.mul(lanes, v128.load(source, 16)));
    v128.store(target, a);
    v128.store(target, b, 16);
    target += 32;
    source += 32;
    remaining -= 4;
  }
  if (remaining >= 2) {
    v128.store(target, f64x2.sub(v128.load(target), f64x2.mul(lanes, v128.load(source))));
    target += 16;
    source += 16;
    remaining -= 2;
  }
  if (remaining > 0) store<f64>(target, load<f64>(target) - scale * load<f64>(source));
}

export function solveTree(n: i32, x: Doubles, factor: Doubles, inverseDiagonal: Doubles, rowStart: Integers, column: Integers): void {
  solveRows(x.at(0), 0, n, factor, inverseDiagonal, rowStart, column);
}

/** Rows first to end − 1: whole trees; x is the address of what row 0 has or would have. */
export function solveRows(
  x: usize,
  first: i32,
  end: i32,
  factor: Doubles,
  inverseDiagonal: Doubles,
  rowStart: Integers,
  column: Integers,
): void {
  for (let i: i32 = end - 1; i >= first; i--) {
    if (isLastOfSix(i, rowStart[i + 1] - rowStart[i], column[rowStart[i]])) {
      i -= 5;
      solveSixUp(x + ((<usize>i) << 3), factor.at(rowStart[i]));
      continue;
    }
    const value: f64 = load<f64>(x + ((<usize>i) << 3));
    if (value == 0) continue;
    const lanes: v128 = f64x2.splat(value);
    let k: usize = factor.at(rowStart[i]);
    let c: usize = column.at(rowStart[i]);
    let left: i32 = rowStart[i + 1] - 1 - rowStart[i];
    if (startsWithSix(c, left)) {
      // those of the free joint at the root
      const at: usize = x + ((<usize>load<i32>(c)) << 3);
      v128.store(at, f64x2.sub(v128.load(at), f64x2.mul(v128.load(k), lanes)));
      v128.store(at, f64x2.sub(v128.load(at, 16), f64x2.mul(v128.load(k, 16), lanes)), 16);
      v128.store(at, f64x2.sub(v128.load(at, 32), f64x2.mul(v128.load(k, 32), lanes)), 32);
      left -= 6;
      k += 48;
      c += 24;
    }
    for (; left >= 2; left -= 2, k += 16, c += 8) {
      subtractPair(x + ((<usize>load<i32>(c)) << 3), x + ((<usize>load<i32>(c, 4)) << 3), f64x2.mul(v128.load(k), lanes));
    }
    if (left > 0) {
      const at: usize = x + ((<usize>load<i32>(c)) << 3);
      store<f64>(at, load<f64>(at) - load<f64>(k) * value);
    }
  }
  for (let i: i32 = first; i < end; i++) {
    if (i + 5 < end && isLastOfSix(i + 5, rowStart[i + 6] - rowStart[i + 5], column[rowStart[i + 5]])) {
      solveSixDown(x + ((<usize>i) << 3), factor.at(rowStart[i]), inverseDiagonal.at(i));
      i += 5;
      continue;
    }
    const at: usize = x + ((<usize>i) << 3);
    let k: usize = factor.at(rowStart[i]);
    let c: usize = column.at(rowStart[i]);
    let left: i32 = rowStart[i + 1] - 1 - rowStart[i];
    let sum: v128 = f64x2.splat(0);
    if (startsWithSix(c, left)) {
      const from: usize = x + ((<usize>load<i32>(c)) << 3);
      sum = f64x2.add(sum, f64x2.mul(v128.load(k), v128.load(from)));
      sum = f64x2.add(sum, f64x2.mul(v128.load(k, 16), v128.load(from, 16)));
      sum = f64x2.add(sum, f64x2.mul(v128.load(k, 32), v128.load(from, 32)));
      left -= 6;
      k += 48;
      c += 24;
    }
    for (; left >= 2; left -= 2, k += 16, c += 8) {
      const pair: v128 = loadPair(x + ((<usize>load<i32>(c)) << 3), x + ((<usize>load<i32>(c, 4)) << 3));
      sum = f64x2.add(sum, f64x2.mul(v128.load(k), pair));
    }
    let value: f64 = load<f64>(at) * inverseDiagonal[i] - sumLanes(sum);
    if (left > 0) value -= load<f64>(k) * load<f64>(x + ((<usize>load<i32>(c)) << 3));
    store<f64>(at, value);
  }
}

/** Whether columns in ascending order begin with six neighbours. */
@inline
function startsWithSix(column: usize, count: i32): bool {
  return count >= 6 && load<i32>(column, 20) == load<i32>(column) + 5;
}

@inline
function subtractPair(first: usize, second: usize, v: v128): void {
  if (second == first + 8) {
    v128.store(first, f64x2.sub(v128.load(first), v));
  } else {
    store<f64>(first, load<f64>(first) - f64x2.extract_lane(v, 0));
    store<f64>(second, load<f64>(second) - f64x2.extract_lane(v, 1));
  }
}
