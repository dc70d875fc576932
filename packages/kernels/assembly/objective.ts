/** The objective of an island along lines: the twin of the engine's objective/convex-objective.ts. */
import { Doubles, Integers } from './doubles';
import { curvature } from './evaluation';
import { Island } from './island';
import { addScaled, dot } from './lanes';
import { evaluateLaw } from './laws';
import { multiplyMetric } from './metric';
import { moveRows, slopeRows } from './move-rows';
import { addTransposed, multiplyRows } from './rows';

/** Value, momentum, forces and gradient at x. */
export function beginIsland(a: Island): f64 {
  const n: i32 = a.size;
  const dof: Integers = a.dof;
  const first: i32 = a.firstDof;
  for (let i: i32 = 0; i < n; i++) a.offset[i] = a.x[i] - a.target[dof[first + i]];
  multiplyMetric(a, a.momentum, a.offset);
  const cost: f64 = evaluateIsland(a);
  gather(a);
  return 0.5 * dot(a.offset.at(0), a.momentum.at(0), n) + cost;
}

/** Residuals and laws at x; returns the sum of the costs. */
export function evaluateIsland(a: Island): f64 {
  const block: Integers = a.block;
  const rowStart: Integers = a.rowStart;
  const residual: Doubles = a.residual;
  const reference: Doubles = a.reference;
  const end: i32 = a.endBlock;
  multiplyRows(a, residual, a.x);
  let sum: f64 = 0;
  for (let s: i32 = a.firstBlock; s < end; s++) {
    const b: i32 = block[s];
    const last: i32 = rowStart[b + 1];
    for (let r: i32 = rowStart[b]; r < last; r++) residual[r] = residual[r] - reference[r];
    evaluateLaw(a, b);
    sum += a.cost[b];
  }
  return sum;
}

/** q = A d, w = J d. */
export function aimIsland(a: Island): void {
  multiplyMetric(a, a.metricDirection, a.direction);
  multiplyRows(a, a.rowDirection, a.direction);
  a.numbers[1] = dot(a.direction.at(0), a.momentum.at(0), a.size);
  a.numbers[2] = dot(a.direction.at(0), a.metricDirection.at(0), a.size);
}

/** The same where d ← −A⁻¹ g + β d was the last change: q ← −g + β q. */
export function followIsland(a: Island, beta: f64): void {
  const n: i32 = a.size;
  for (let i: i32 = 0; i < n; i++) a.metricDirection[i] = beta * a.metricDirection[i] - a.gradient[i];
  multiplyRows(a, a.rowDirection, a.direction);
  a.numbers[1] = dot(a.direction.at(0), a.momentum.at(0), n);
  a.numbers[2] = dot(a.direction.at(0), a.metricDirection.at(0), n);
}

/** Slope at α; the curvature is left in the numbers. */
export function differentiateIslandAlongLine(a: Island, alpha: f64): f64 {
  const bend: f64 = a.numbers[2];
  const slope: f64 = slopeRows(a, alpha, a.numbers[1] + alpha * bend, bend);
  a.numbers[0] = curvature;
  return slope;
}

/** Goes to α; returns the change of the value. */
export function moveIsland(a: Island, alpha: f64): f64 {
  addScaled(a.x.at(0), alpha, a.direction.at(0), a.size);
  addScaled(a.momentum.at(0), alpha, a.metricDirection.at(0), a.size);
  return moveRows(a, alpha, alpha * (a.numbers[1] + 0.5 * alpha * a.numbers[2]));
}

// gradient = p − Jᵀ f
function gather(a: Island): void {
  memory.copy(a.gradient.at(0), a.momentum.at(0), (<usize>a.size) << 3);
  addTransposed(a, a.gradient, -1, a.force);
}
