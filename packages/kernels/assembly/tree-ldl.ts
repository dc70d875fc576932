/**
 * M = Lᵀ D L over the dofs of a forest: the compiled twin of the engine's linear-algebra/tree-ldl.ts, in the same order of
 * operations, so that both give the same bits. Row updates run two lanes wide.
 */
import { Doubles, Integers } from './doubles';

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
  while (remaining > 0) {
    store<f64>(target, load<f64>(target) - scale * load<f64>(source));
    target += 8;
    source += 8;
    remaining--;
  }
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
    const value: f64 = load<f64>(x + ((<usize>i) << 3));
    if (value == 0) continue;
    const last: i32 = rowStart[i + 1] - 1;
    for (let k: i32 = rowStart[i]; k < last; k++) {
      const at: usize = x + ((<usize>column[k]) << 3);
      store<f64>(at, load<f64>(at) - factor[k] * value);
    }
  }
  let k: i32 = rowStart[first];
  for (let i: i32 = first; i < end; i++) {
    const at: usize = x + ((<usize>i) << 3);
    let value: f64 = load<f64>(at) * inverseDiagonal[i];
    const last: i32 = rowStart[i + 1] - 1;
    for (; k < last; k++) value -= factor[k] * load<f64>(x + ((<usize>column[k]) << 3));
    k++;
    store<f64>(at, value);
  }
}
