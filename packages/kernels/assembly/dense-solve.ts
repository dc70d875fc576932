/** x ← (L Lᵀ)⁻¹ x: the twin of solveDense in the engine's linear-algebra/dense-cholesky.ts. Sums over pairs; rows two by two. */
import { Doubles } from './doubles';
import { sumLanes } from './lanes';

export function solveDense(x: Doubles, factor: Doubles, inverseDiagonal: Doubles, n: i32): void {
  const even: i32 = n & ~1;
  const stride: usize = (<usize>n) << 3;
  const base: usize = x.at(0);
  for (let i: i32 = 0; i < even; i += 2) {
    // i is even: pairs leave nothing over
    let p: usize = factor.at(i * n);
    let s: v128 = f64x2.splat(0);
    let t: v128 = f64x2.splat(0);
    const end: usize = x.at(i);
    for (let k: usize = base; k < end; k += 16, p += 16) {
      const value: v128 = v128.load(k);
      s = f64x2.add(s, f64x2.mul(v128.load(p), value));
      t = f64x2.add(t, f64x2.mul(v128.load(p + stride), value));
    }
    const s0: f64 = (x[i] - sumLanes(s)) * inverseDiagonal[i];
    x[i] = s0;
    x[i + 1] = (x[i + 1] - sumLanes(t) - load<f64>(p + stride) * s0) * inverseDiagonal[i + 1];
  }
  if (even < n) {
    const p: usize = factor.at(even * n);
    let s: v128 = f64x2.splat(0);
    for (let k: i32 = 0; k < even; k += 2) {
      s = f64x2.add(s, f64x2.mul(v128.load(p + ((<usize>k) << 3)), v128.load(x.at(k))));
    }
    const last: f64 = (x[even] - sumLanes(s)) * (inverseDiagonal[even] * inverseDiagonal[even]);
    x[even] = last;
    const lanes: v128 = f64x2.splat(last);
    for (let k: i32 = 0; k < even; k += 2) {
      const at: usize = x.at(k);
      v128.store(at, f64x2.sub(v128.load(at), f64x2.mul(v128.load(p + ((<usize>k) << 3)), lanes)));
    }
  }
  for (let i: i32 = even - 2; i >= 0; i -= 2) {
    let p: usize = factor.at(i * n);
    const below: f64 = load<f64>(p + stride + ((<usize>i) << 3));
    const s1: f64 = x[i + 1] * inverseDiagonal[i + 1];
    const s0: f64 = (x[i] - below * s1) * inverseDiagonal[i];
    x[i + 1] = s1;
    x[i] = s0;
    const lanes0: v128 = f64x2.splat(s0);
    const lanes1: v128 = f64x2.splat(s1);
    const end: usize = x.at(i);
    for (let k: usize = base; k < end; k += 16, p += 16) {
      const value: v128 = f64x2.sub(v128.load(k), f64x2.mul(v128.load(p + stride), lanes1));
      v128.store(k, f64x2.sub(value, f64x2.mul(v128.load(p), lanes0)));
    }
  }
}
