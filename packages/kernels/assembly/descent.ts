/**
 * Conjugate gradients of an island, whole iterations in one call: the twin of the engine's minimize/conjugate-gradient.ts with its line search,
 * objective/convex-objective.ts, and formulation/mujoco/mujoco-stopping.ts. Passes over the rows that follow each other are one: product with J and
 * curvature at the start of the line; residual, law, change of the cost and gradient.
 */
import { conjugate } from './conjugate';
import { Doubles } from './doubles';
import { Island } from './island';
import { addScaled, dot, sumLanes } from './lanes';
import { solveMetric } from './metric';
import { aimRows, moveRows } from './move-rows';
import { searchLine } from './search-line';

/** How a call ends; see OUTCOME of the engine. */
const CONVERGED: i32 = 0;
const UNFINISHED: i32 = 1;
const STALLED: i32 = 2;

/** Places of the numbers. */
const SCALE: i32 = 0;
const TOLERANCE: i32 = 1;
const SLOPE_TOLERANCE: i32 = 2;
const VALUE: i32 = 3;
const RESIDUAL: i32 = 4;
/** Where the trace begins: value, residual and step of each iteration. */
const TRACE: i32 = 5;

/** Sizes and addresses, in the order in which the engine writes them. */
@unmanaged
export class Descent {
  /** 0 Hager-Zhang, 1 Polak-Ribière. */
  rule: i32;
  /** 1 where no iteration was made yet. */
  isFirst: i32;
  /** Most iterations of this call, and of a line search. */
  limit: i32;
  searchLimit: i32;
  /** Written: iterations made. */
  count: i32;
  factor: Doubles;
  inverseDiagonal: Doubles;
  conditioned: Doubles;
  before: Doubles;
  conditionedBefore: Doubles;
  numbers: Doubles;
}

/** Iterates from where the island is; says how it ended. */
export function descendIsland(a: Island, c: Descent): i32 {
  const n: i32 = a.size;
  const bytes: usize = (<usize>n) << 3;
  const g: usize = a.gradient.at(0);
  const conditioned: usize = c.conditioned.at(0);
  const d: usize = a.direction.at(0);
  const numbers: Doubles = c.numbers;
  const scale: f64 = numbers[SCALE];
  const tolerance: f64 = numbers[TOLERANCE];
  let value: f64 = numbers[VALUE];
  let isFirst: bool = c.isFirst != 0;
  let outcome: i32 = UNFINISHED;
  let k: i32 = 0;
  for (; k < c.limit && outcome == UNFINISHED; k++) {
    // P g, and the next direction
    memory.copy(conditioned, g, bytes);
    solveMetric(a, c.conditioned, c.factor, c.inverseDiagonal);
    const beta: f64 = isFirst ? 0 : conjugate(n, g, conditioned, c.before.at(0), c.conditionedBefore.at(0), d, c.rule);
    let slope: f64 = turn(a, c, beta);
    if (!(slope < 0) && beta != 0) slope = turn(a, c, 0);
    isFirst = false;
    if (!(slope < 0)) {
      outcome = STALLED;
      break;
    }

    // step length
    a.numbers[1] = dot(d, a.momentum.at(0), n);
    a.numbers[2] = dot(d, a.metricDirection.at(0), n);
    const bend: f64 = aimRows(a, a.numbers[2]);
    const step: f64 = searchLine(a, slope, bend, numbers[SLOPE_TOLERANCE] * sqrt<f64>(square), c.searchLimit);

    // step
    addScaled(a.x.at(0), step, d, n);
    addScaled(a.momentum.at(0), step, a.metricDirection.at(0), n);
    const change: f64 = step * (a.numbers[1] + 0.5 * step * a.numbers[2]);
    const decrease: f64 = -moveRows(a, step, change);
    value -= decrease;
    const residual: f64 = scale * sqrt<f64>(dot(g, g, n));
    const entry: i32 = TRACE + 3 * k;
    numbers[entry] = value;
    numbers[entry + 1] = residual;
    numbers[entry + 2] = step;
    numbers[RESIDUAL] = residual;
    if (residual <= tolerance || (decrease >= 0 && scale * decrease < tolerance)) outcome = CONVERGED;
  }
  numbers[VALUE] = value;
  c.count = k;
  return outcome;
}

/** |d|² of the last turn. */
let square: f64 = 0;

// d ← −P g + β d, A d ← −g + β A d; remembers g and P g; returns dᵀ g
function turn(a: Island, b: Descent, beta: f64): f64 {
  const lanes: v128 = f64x2.splat(beta);
  let g: usize = a.gradient.at(0);
  let c: usize = b.conditioned.at(0);
  let before: usize = b.before.at(0);
  let cBefore: usize = b.conditionedBefore.at(0);
  let d: usize = a.direction.at(0);
  let q: usize = a.metricDirection.at(0);
  let slope: v128 = f64x2.splat(0);
  let length: v128 = f64x2.splat(0);
  let left: i32 = a.size;
  for (; left >= 2; left -= 2, g += 16, c += 16, d += 16, q += 16, before += 16, cBefore += 16) {
    const gradient: v128 = v128.load(g);
    const conditioned: v128 = v128.load(c);
    const value: v128 = f64x2.sub(f64x2.mul(lanes, v128.load(d)), conditioned);
    v128.store(before, gradient);
    v128.store(cBefore, conditioned);
    v128.store(d, value);
    v128.store(q, f64x2.sub(f64x2.mul(lanes, v128.load(q)), gradient));
    slope = f64x2.add(slope, f64x2.mul(value, gradient));
    length = f64x2.add(length, f64x2.mul(value, value));
  }
  let slopeSum: f64 = sumLanes(slope);
  square = sumLanes(length);
  if (left > 0) {
    const gradient: f64 = load<f64>(g);
    const conditioned: f64 = load<f64>(c);
    const value: f64 = beta * load<f64>(d) - conditioned;
    store<f64>(before, gradient);
    store<f64>(cBefore, conditioned);
    store<f64>(d, value);
    store<f64>(q, beta * load<f64>(q) - gradient);
    slopeSum += value * gradient;
    square += value * value;
  }
  return slopeSum;
}
