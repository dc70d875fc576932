/**
 * The next direction of conjugate gradients: the twin of the engine's minimize/conjugate-step.ts. All sums run over even and
 * odd places apart; what an odd length leaves over is added last.
 */
import { Doubles } from './doubles';
import { sumLanes } from './lanes';

const TRUNCATION: f64 = 0.01;
const SMALL: f64 = 1e-15;

/** Sizes and addresses, in the order in which the engine writes them. */
@unmanaged
export class Step {
  size: i32;
  /** 0 Hager-Zhang, 1 Polak-Ribière. */
  rule: i32;
  isFirst: i32;
  gradient: Doubles;
  conditioned: Doubles;
  before: Doubles;
  conditionedBefore: Doubles;
  direction: Doubles;
  /** Written: |d|² and β. */
  square: Doubles;
}

/** d ← −P g + β d; remembers g and P g. Returns dᵀ g. */
export function turnConjugate(a: Step): f64 {
  const n: i32 = a.size;
  const g: usize = a.gradient.at(0);
  const c: usize = a.conditioned.at(0);
  const d: usize = a.direction.at(0);
  const before: usize = a.before.at(0);
  const conditionedBefore: usize = a.conditionedBefore.at(0);
  let beta: f64 = a.isFirst ? 0 : conjugate(n, g, c, before, conditionedBefore, d, a.rule);
  let slope: f64 = turn(n, beta, g, c, d, a.square);
  if (!(slope < 0) && beta != 0) {
    beta = 0;
    slope = turn(n, beta, g, c, d, a.square);
  }
  a.square[1] = beta;
  memory.copy(before, g, (<usize>n) << 3);
  memory.copy(conditionedBefore, c, (<usize>n) << 3);
  return slope;
}

function turn(n: i32, beta: f64, g: usize, c: usize, d: usize, square: Doubles): f64 {
  const lanes: v128 = f64x2.splat(beta);
  let slope: v128 = f64x2.splat(0);
  let length: v128 = f64x2.splat(0);
  let left: i32 = n;
  for (; left >= 2; left -= 2, g += 16, c += 16, d += 16) {
    const value: v128 = f64x2.sub(f64x2.mul(lanes, v128.load(d)), v128.load(c));
    v128.store(d, value);
    slope = f64x2.add(slope, f64x2.mul(value, v128.load(g)));
    length = f64x2.add(length, f64x2.mul(value, value));
  }
  let slopeSum: f64 = sumLanes(slope);
  let lengthSum: f64 = sumLanes(length);
  if (left > 0) {
    const value: f64 = beta * load<f64>(d) - load<f64>(c);
    store<f64>(d, value);
    slopeSum += value * load<f64>(g);
    lengthSum += value * value;
  }
  square[0] = lengthSum;
  return slopeSum;
}

// β from the gradients before and after the last step, along the last direction
export function conjugate(n: i32, g: usize, c: usize, before: usize, cBefore: usize, d: usize, rule: i32): f64 {
  let changeNew: v128 = f64x2.splat(0);
  let changeChange: v128 = f64x2.splat(0);
  let alongChange: v128 = f64x2.splat(0);
  let alongNew: v128 = f64x2.splat(0);
  let oldOld: v128 = f64x2.splat(0);
  let dd: v128 = f64x2.splat(0);
  let gg: v128 = f64x2.splat(0);
  let left: i32 = n;
  for (; left >= 2; left -= 2, g += 16, c += 16, before += 16, cBefore += 16, d += 16) {
    const gi: v128 = v128.load(g);
    const bi: v128 = v128.load(before);
    const ci: v128 = v128.load(c);
    const ei: v128 = v128.load(cBefore);
    const di: v128 = v128.load(d);
    const y: v128 = f64x2.sub(gi, bi);
    changeNew = f64x2.add(changeNew, f64x2.mul(y, ci));
    changeChange = f64x2.add(changeChange, f64x2.mul(y, f64x2.sub(ci, ei)));
    alongChange = f64x2.add(alongChange, f64x2.mul(di, y));
    alongNew = f64x2.add(alongNew, f64x2.mul(di, gi));
    oldOld = f64x2.add(oldOld, f64x2.mul(bi, ei));
    dd = f64x2.add(dd, f64x2.mul(di, di));
    gg = f64x2.add(gg, f64x2.mul(gi, gi));
  }
  let yc: f64 = sumLanes(changeNew);
  let yy: f64 = sumLanes(changeChange);
  let dy: f64 = sumLanes(alongChange);
  let dg: f64 = sumLanes(alongNew);
  let old: f64 = sumLanes(oldOld);
  let dSquare: f64 = sumLanes(dd);
  let gSquare: f64 = sumLanes(gg);
  if (left > 0) {
    const gi: f64 = load<f64>(g);
    const bi: f64 = load<f64>(before);
    const ci: f64 = load<f64>(c);
    const ei: f64 = load<f64>(cBefore);
    const di: f64 = load<f64>(d);
    const y: f64 = gi - bi;
    yc += y * ci;
    yy += y * (ci - ei);
    dy += di * y;
    dg += di * gi;
    old += bi * ei;
    dSquare += di * di;
    gSquare += gi * gi;
  }
  if (rule == 1) return old > 0 ? max<f64>(0, yc / old) : 0;
  if (!(abs<f64>(dy) > SMALL * old)) return 0;
  const beta: f64 = (yc - (2 * yy * dg) / dy) / dy;
  const least: f64 = -1 / (sqrt<f64>(dSquare) * min<f64>(TRUNCATION, sqrt<f64>(gSquare)));
  return max<f64>(beta, least);
}
