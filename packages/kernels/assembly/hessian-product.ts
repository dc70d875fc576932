/** T = G J of a block: its Hessian in constraint space times its rows. */
import { Doubles } from './doubles';
import { Island } from './island';
import { SPRING } from './laws';

/** T = G J of one block; returns its number of rows, 0 where the block has no curvature. */
export function multiplyHessianBlock(a: Island, out: Doubles, b: i32): i32 {
  const first: i32 = a.rowStart[b];
  const dimension: i32 = a.rowStart[b + 1] - first;
  const n: i32 = a.columnCount[b];
  const step: usize = (<usize>n) << 3;
  const value: usize = a.value.at(a.valueStart[b]);
  const g: usize = a.hessian.at(a.hessianStart[b]);
  if (a.law[b] == SPRING) {
    let isActive: bool = false;
    for (let r: i32 = 0; r < dimension; r++) {
      const d: f64 = load<f64>(g + ((<usize>(r * (dimension + 1))) << 3));
      if (d != 0) isActive = true;
      const shift: usize = <usize>r * step;
      scale(out.at(0) + shift, d, value + shift, n);
    }
    return isActive ? dimension : 0;
  }
  if (a.zone[first] == 0) return 0;
  if (dimension == 3) {
    multiplyThree(out.at(0), g, value, step, n);
    return 3;
  }
  for (let r: i32 = 0; r < dimension; r++) {
    for (let i: i32 = 0; i < n; i++) {
      let sum: f64 = 0;
      for (let k: i32 = 0; k < dimension; k++) {
        sum += load<f64>(g + ((<usize>(r * dimension + k)) << 3)) * load<f64>(value + ((<usize>(k * n + i)) << 3));
      }
      out[r * n + i] = sum;
    }
  }
  return dimension;
}

@inline
function scale(out: usize, s: f64, x: usize, n: i32): void {
  for (let i: i32 = 0; i < n; i++, out += 8, x += 8) store<f64>(out, s * load<f64>(x));
}

@inline
function multiplyThree(out: usize, g: usize, value: usize, step: usize, n: i32): void {
  const g00: v128 = v128.load64_splat(g);
  const g01: v128 = v128.load64_splat(g, 8);
  const g02: v128 = v128.load64_splat(g, 16);
  const g11: v128 = v128.load64_splat(g, 32);
  const g12: v128 = v128.load64_splat(g, 40);
  const g22: v128 = v128.load64_splat(g, 64);
  let left: i32 = n;
  while (left > 0) {
    // the last of an odd number stands alone in its lane
    const isPair: bool = left > 1;
    const a: v128 = isPair ? v128.load(value) : v128.load64_zero(value);
    const b: v128 = isPair ? v128.load(value + step) : v128.load64_zero(value + step);
    const c: v128 = isPair ? v128.load(value + 2 * step) : v128.load64_zero(value + 2 * step);
    const t0: v128 = f64x2.add(f64x2.add(f64x2.mul(g00, a), f64x2.mul(g01, b)), f64x2.mul(g02, c));
    const t1: v128 = f64x2.add(f64x2.add(f64x2.mul(g01, a), f64x2.mul(g11, b)), f64x2.mul(g12, c));
    const t2: v128 = f64x2.add(f64x2.add(f64x2.mul(g02, a), f64x2.mul(g12, b)), f64x2.mul(g22, c));
    if (isPair) {
      v128.store(out, t0);
      v128.store(out + step, t1);
      v128.store(out + 2 * step, t2);
    } else {
      v128.store64_lane(out, t0, 0);
      v128.store64_lane(out + step, t1, 0);
      v128.store64_lane(out + 2 * step, t2, 0);
    }
    out += 16;
    value += 16;
    left -= 2;
  }
}
