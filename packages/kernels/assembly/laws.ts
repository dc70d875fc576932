/**
 * The laws of blocks of rows: force, Hessian and cost at the residual; slope along a line; change of the cost. Twins, operation
 * by operation, of the engine's objective/laws/ and objective/cost-change.ts, where the formulas are explained.
 */
import { Doubles, Integers } from './doubles';
import { Island } from './island';
import { sumLanes } from './lanes';

export const SPRING: i32 = 0;
export const PYRAMID: i32 = 1;

const OPEN: i32 = 0;
const QUADRATIC: i32 = 1;
const LOW: i32 = 2;
const HIGH: i32 = 3;
const SLIDE: i32 = 4;

/** Whether an evaluation since it was last cleared has changed a Hessian. */
export let hasChanged: bool = false;
/** Curvature, added up. */
export let curvature: f64 = 0;

export function clearChanged(): void {
  hasChanged = false;
}

export function setCurvature(value: f64): void {
  curvature = value;
}

@inline
function clamp(value: f64, low: f64, high: f64): f64 {
  return min<f64>(high, max<f64>(low, value));
}

@inline
export function evaluateLaw(a: Island, b: i32): void {
  const law: i32 = a.law[b];
  if (law == PYRAMID) evaluatePyramid(a, b);
  else if (law == SPRING) evaluateSpring(a, b);
  else evaluateCone(a, b);
}

@inline
export function bendLaw(a: Island, b: i32, alpha: f64): f64 {
  const law: i32 = a.law[b];
  if (law == PYRAMID) return bendPyramid(a, b, alpha);
  if (law == SPRING) return bendSpring(a, b, alpha);
  return bendCone(a, b, alpha);
}

@inline
export function changeLaw(a: Island, b: i32, alpha: f64, before: f64): f64 {
  const law: i32 = a.law[b];
  if (law == PYRAMID) return changePyramid(a, b, alpha);
  if (law == SPRING) return changeSpring(a, b, alpha);
  return changeCone(a, b, alpha, before);
}

function evaluateSpring(a: Island, b: i32): void {
  const residual: Doubles = a.residual;
  const stiffness: Doubles = a.stiffness;
  const low: Doubles = a.low;
  const high: Doubles = a.high;
  const zone: Integers = a.zone;
  const first: i32 = a.rowStart[b];
  const end: i32 = a.rowStart[b + 1];
  const step: i32 = end - first + 1;
  let at: i32 = a.hessianStart[b];
  let cost: f64 = 0;
  for (let r: i32 = first; r < end; r++, at += step) {
    const y: f64 = residual[r];
    const d: f64 = stiffness[r];
    let f: f64 = -d * y;
    let next: i32;
    if (f < low[r]) {
      f = low[r];
      next = f == 0 ? OPEN : LOW;
      cost -= f * (y + 0.5 * a.regularization[r] * f);
    } else if (f > high[r]) {
      f = high[r];
      next = f == 0 ? OPEN : HIGH;
      cost -= f * (y + 0.5 * a.regularization[r] * f);
    } else {
      next = f == 0 && low[r] == 0 ? OPEN : QUADRATIC;
      cost += 0.5 * d * y * y;
    }
    a.force[r] = f;
    a.hessian[at] = next == QUADRATIC ? d : 0;
    if (zone[r] != next) {
      zone[r] = next;
      hasChanged = true;
    }
  }
  a.cost[b] = cost;
}

function bendSpring(a: Island, b: i32, alpha: f64): f64 {
  const direction: Doubles = a.rowDirection;
  const residual: Doubles = a.residual;
  const stiffness: Doubles = a.stiffness;
  const low: Doubles = a.low;
  const high: Doubles = a.high;
  const end: i32 = a.rowStart[b + 1];
  let slope: f64 = 0;
  let bend: f64 = 0;
  for (let r: i32 = a.rowStart[b]; r < end; r++) {
    const delta: f64 = direction[r];
    const d: f64 = stiffness[r];
    const f: f64 = -d * (residual[r] + alpha * delta);
    if (f < low[r]) slope -= low[r] * delta;
    else if (f > high[r]) slope -= high[r] * delta;
    else {
      slope -= f * delta;
      bend += d * delta * delta;
    }
  }
  curvature += bend;
  return slope;
}

function changeSpring(a: Island, b: i32, alpha: f64): f64 {
  const low: Doubles = a.low;
  const high: Doubles = a.high;
  const end: i32 = a.rowStart[b + 1];
  let sum: f64 = 0;
  for (let r: i32 = a.rowStart[b]; r < end; r++) {
    const d: f64 = a.stiffness[r];
    const y: f64 = a.residual[r];
    const delta: f64 = alpha * a.rowDirection[r];
    const now: f64 = clamp(-d * y, low[r], high[r]);
    const then: f64 = clamp(-d * (y - delta), low[r], high[r]);
    if (now == then) sum -= now * delta;
    else sum -= then * delta + (now - then) * (y + 0.5 * a.regularization[r] * (now + then));
  }
  return sum;
}

/** The two edges n ± μ t of a row as lanes. */
@inline
function edges(normal: f64, side: f64): v128 {
  const lanes: v128 = f64x2.replace_lane(f64x2.splat(side), 1, -side);
  return f64x2.add(f64x2.splat(normal), lanes);
}

/** Negative lanes, the others zero. */
@inline
function negativePart(e: v128): v128 {
  return f64x2.pmin(e, f64x2.splat(0));
}

@inline
function isNegative(e: v128): v128 {
  return f64x2.lt(e, f64x2.splat(0));
}

function evaluatePyramid(a: Island, b: i32): void {
  const friction: Doubles = a.friction;
  const residual: Doubles = a.residual;
  const force: Doubles = a.force;
  const zone: Integers = a.zone;
  const first: i32 = a.rowStart[b];
  const dimension: i32 = a.rowStart[b + 1] - first;
  const d: f64 = a.stiffness[first];
  const normal: f64 = residual[first];
  let sum: v128 = f64x2.splat(0);
  let cost: v128 = f64x2.splat(0);
  let normalEdges: i32 = 0;
  for (let k: i32 = 1; k < dimension; k++) {
    const mu: f64 = friction[first + k];
    const e: v128 = edges(normal, mu * residual[first + k]);
    const closed: v128 = negativePart(e);
    const next: i32 = i64x2.bitmask(isNegative(e));
    cost = f64x2.add(cost, f64x2.mul(closed, closed));
    sum = f64x2.add(sum, closed);
    force[first + k] = -d * mu * (f64x2.extract_lane(closed, 0) - f64x2.extract_lane(closed, 1));
    normalEdges += (next & 1) + (next >> 1);
    if (zone[first + k] == next) continue;
    hasChanged = true;
    zone[first + k] = next;
    const mixed: f64 = d * mu * <f64>((next & 1) - (next >> 1));
    const hessian: Doubles = a.hessian;
    const start: i32 = a.hessianStart[b];
    hessian[start + k] = mixed;
    hessian[start + k * dimension] = mixed;
    hessian[start + k * dimension + k] = d * mu * mu * <f64>((next & 1) + (next >> 1));
  }
  force[first] = 0 - d * sumLanes(sum);
  if (zone[first] != normalEdges) {
    zone[first] = normalEdges;
    a.hessian[a.hessianStart[b]] = d * <f64>normalEdges;
  }
  a.cost[b] = 0.5 * d * sumLanes(cost);
}

function bendPyramid(a: Island, b: i32, alpha: f64): f64 {
  const direction: Doubles = a.rowDirection;
  const residual: Doubles = a.residual;
  const friction: Doubles = a.friction;
  const first: i32 = a.rowStart[b];
  const end: i32 = a.rowStart[b + 1];
  const normalDelta: f64 = direction[first];
  const normal: f64 = residual[first] + alpha * normalDelta;
  let slope: v128 = f64x2.splat(0);
  let bend: v128 = f64x2.splat(0);
  for (let r: i32 = first + 1; r < end; r++) {
    const mu: f64 = friction[r];
    const sideDelta: f64 = mu * direction[r];
    const e: v128 = edges(normal, mu * residual[r] + alpha * sideDelta);
    const delta: v128 = edges(normalDelta, sideDelta);
    // open edges add zero
    slope = f64x2.add(slope, f64x2.mul(negativePart(e), delta));
    bend = f64x2.add(bend, v128.and(isNegative(e), f64x2.mul(delta, delta)));
  }
  const d: f64 = a.stiffness[first];
  curvature += d * sumLanes(bend);
  return d * sumLanes(slope);
}

function changePyramid(a: Island, b: i32, alpha: f64): f64 {
  const direction: Doubles = a.rowDirection;
  const residual: Doubles = a.residual;
  const friction: Doubles = a.friction;
  const first: i32 = a.rowStart[b];
  const end: i32 = a.rowStart[b + 1];
  const normal: f64 = residual[first];
  const normalDelta: f64 = alpha * direction[first];
  const half: v128 = f64x2.splat(0.5);
  let sum: v128 = f64x2.splat(0);
  for (let r: i32 = first + 1; r < end; r++) {
    const mu: f64 = friction[r];
    const e: v128 = edges(normal, mu * residual[r]);
    const delta: v128 = edges(normalDelta, mu * alpha * direction[r]);
    const then: v128 = f64x2.sub(e, delta);
    const isNow: v128 = isNegative(e);
    const wasThen: v128 = isNegative(then);
    const both: v128 = f64x2.mul(delta, f64x2.sub(e, f64x2.mul(half, delta)));
    const closes: v128 = f64x2.mul(f64x2.mul(half, e), e);
    const opens: v128 = f64x2.mul(f64x2.mul(f64x2.splat(-0.5), then), then);
    const change: v128 = v128.bitselect(v128.bitselect(both, closes, wasThen), v128.and(opens, wasThen), isNow);
    sum = f64x2.add(sum, change);
  }
  return a.stiffness[first] * sumLanes(sum);
}

function evaluateCone(a: Island, b: i32): void {
  const friction: Doubles = a.friction;
  const residual: Doubles = a.residual;
  const force: Doubles = a.force;
  const stiffness: Doubles = a.stiffness;
  const zone: Integers = a.zone;
  const hessian: Doubles = a.hessian;
  const first: i32 = a.rowStart[b];
  const dimension: i32 = a.rowStart[b + 1] - first;
  const start: i32 = a.hessianStart[b];
  const mu: f64 = friction[first];
  const normal: f64 = mu * residual[first];
  let square: f64 = 0;
  for (let k: i32 = 1; k < dimension; k++) {
    const u: f64 = friction[first + k] * residual[first + k];
    square += u * u;
  }
  const tangent: f64 = sqrt<f64>(square);
  if (normal >= mu * tangent) {
    a.cost[b] = 0;
    for (let r: i32 = 0; r < dimension; r++) force[first + r] = 0;
    if (zone[first] == OPEN) return;
    memory.fill(hessian.at(start), 0, (<usize>(dimension * dimension)) << 3);
    for (let k: i32 = 0; k < dimension; k++) zone[first + k] = OPEN;
    hasChanged = true;
    return;
  }
  if (mu * normal + tangent <= 0) {
    let cost: f64 = 0;
    for (let r: i32 = first; r < first + dimension; r++) {
      const y: f64 = residual[r];
      force[r] = -stiffness[r] * y;
      cost += stiffness[r] * y * y;
    }
    a.cost[b] = 0.5 * cost;
    if (zone[first] == QUADRATIC) return;
    memory.fill(hessian.at(start), 0, (<usize>(dimension * dimension)) << 3);
    for (let k: i32 = 0; k < dimension; k++) {
      hessian[start + k * (dimension + 1)] = stiffness[first + k];
      zone[first + k] = QUADRATIC;
    }
    hasChanged = true;
    return;
  }
  const scale: f64 = stiffness[first] / (mu * mu * (1 + mu * mu));
  const excess: f64 = normal - mu * tangent;
  a.cost[b] = 0.5 * scale * excess * excess;
  const push: f64 = -scale * excess * mu;
  force[first] = push;
  zone[first] = SLIDE;
  hessian[start] = scale * mu * mu;
  const ratio: f64 = (mu * normal) / tangent;
  const across: f64 = mu * mu - ratio;
  for (let k: i32 = 1; k < dimension; k++) {
    const scaled: f64 = friction[first + k] * residual[first + k];
    zone[first + k] = SLIDE;
    force[first + k] = (-push * friction[first + k] * scaled) / tangent;
    const uk: f64 = scaled / tangent;
    const sk: f64 = scale * friction[first + k];
    const mixed: f64 = -sk * mu * mu * uk;
    hessian[start + k] = mixed;
    hessian[start + k * dimension] = mixed;
    for (let j: i32 = 1; j < k; j++) {
      const uj: f64 = (friction[first + j] * residual[first + j]) / tangent;
      const value: f64 = ((sk * friction[first + j] * mu * normal) / tangent) * uk * uj;
      hessian[start + k * dimension + j] = value;
      hessian[start + j * dimension + k] = value;
    }
    hessian[start + k * dimension + k] = sk * friction[first + k] * (ratio * uk * uk + across);
  }
  hasChanged = true;
}

function bendCone(a: Island, b: i32, alpha: f64): f64 {
  const direction: Doubles = a.rowDirection;
  const residual: Doubles = a.residual;
  const friction: Doubles = a.friction;
  const stiffness: Doubles = a.stiffness;
  const first: i32 = a.rowStart[b];
  const end: i32 = a.rowStart[b + 1];
  const mu: f64 = friction[first];
  const normalDelta: f64 = mu * direction[first];
  const normal: f64 = mu * residual[first] + alpha * normalDelta;
  let square: f64 = 0;
  let along: f64 = 0;
  let deltaSquare: f64 = 0;
  for (let r: i32 = first + 1; r < end; r++) {
    const delta: f64 = friction[r] * direction[r];
    const u: f64 = friction[r] * residual[r] + alpha * delta;
    square += u * u;
    along += u * delta;
    deltaSquare += delta * delta;
  }
  const tangent: f64 = sqrt<f64>(square);
  if (normal >= mu * tangent) return 0;
  if (mu * normal + tangent <= 0) {
    let slope: f64 = 0;
    for (let r: i32 = first; r < end; r++) {
      const stiff: f64 = stiffness[r] * direction[r];
      slope += stiff * (residual[r] + alpha * direction[r]);
      curvature += stiff * direction[r];
    }
    return slope;
  }
  const scale: f64 = stiffness[first] / (mu * mu * (1 + mu * mu));
  const excess: f64 = normal - mu * tangent;
  const rate: f64 = along / tangent;
  const change: f64 = normalDelta - mu * rate;
  curvature += scale * (change * change - (excess * mu * (deltaSquare - rate * rate)) / tangent);
  return scale * excess * change;
}

function changeCone(a: Island, b: i32, alpha: f64, before: f64): f64 {
  const direction: Doubles = a.rowDirection;
  const residual: Doubles = a.residual;
  const friction: Doubles = a.friction;
  const stiffness: Doubles = a.stiffness;
  const first: i32 = a.rowStart[b];
  const end: i32 = a.rowStart[b + 1];
  const mu: f64 = friction[first];
  const normal: f64 = mu * residual[first];
  const normalDelta: f64 = mu * alpha * direction[first];
  let square: f64 = 0;
  let squareThen: f64 = 0;
  let along: f64 = 0;
  for (let r: i32 = first + 1; r < end; r++) {
    const u: f64 = friction[r] * residual[r];
    const delta: f64 = friction[r] * alpha * direction[r];
    square += u * u;
    squareThen += (u - delta) * (u - delta);
    along += delta * (2 * u - delta);
  }
  const tangent: f64 = sqrt<f64>(square);
  const tangentThen: f64 = sqrt<f64>(squareThen);
  const normalThen: f64 = normal - normalDelta;
  const isStuck: bool = mu * normal + tangent <= 0;
  if (isStuck && mu * normalThen + tangentThen <= 0) {
    let sum: f64 = 0;
    for (let r: i32 = first; r < end; r++) {
      const delta: f64 = alpha * direction[r];
      sum += stiffness[r] * delta * (residual[r] - 0.5 * delta);
    }
    return sum;
  }
  const excess: f64 = normal - mu * tangent;
  const excessThen: f64 = normalThen - mu * tangentThen;
  const isSliding: bool = !isStuck && excess < 0 && excessThen < 0 && mu * normalThen + tangentThen > 0;
  if (!isSliding) return a.cost[b] - before;
  const scale: f64 = stiffness[first] / (mu * mu * (1 + mu * mu));
  const change: f64 = normalDelta - (mu * along) / (tangent + tangentThen);
  return 0.5 * scale * change * (excess + excessThen);
}
