/**
 * M = Lᵀ D L over the dofs of a forest: the compiled twin of the engine's linear-algebra/tree-ldl.ts, in the same order of
 * operations, so that both give the same bits. Row updates run two lanes wide.
 */
import { Doubles, Integers } from './doubles';

export function factorTree(n: i32, factor: Doubles, inverseDiagonal: Doubles, rowStart: Integers, column: Integers): i32 {
  let bad: i32 = -1;
  for (let i: i32 = n - 1; i >= 0; i--) {
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
  for (let i: i32 = n - 1; i >= 0; i--) {
    const value: f64 = x[i];
    if (value == 0) continue;
    const last: i32 = rowStart[i + 1] - 1;
    for (let k: i32 = rowStart[i]; k < last; k++) {
      const j: i32 = column[k];
      x[j] = x[j] - factor[k] * value;
    }
  }
  for (let i: i32 = 0; i < n; i++) {
    let value: f64 = x[i] * inverseDiagonal[i];
    const last: i32 = rowStart[i + 1] - 1;
    for (let k: i32 = rowStart[i]; k < last; k++) value -= factor[k] * x[column[k]];
    x[i] = value;
  }
}
