/** Edges n ± μ t of a pyramid that push where they are closed: the twin of the engine's objective/laws/friction-pyramid.ts. */
import { Doubles, Integers } from './doubles';
import { addCurvature, noteChange } from './evaluation';
import { Island } from './island';
import { sumLanes } from './lanes';

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

export function evaluatePyramid(a: Island, b: i32): void {
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
    if (zone[first + k] != next) setZone(a, b, k, dimension, next, d, mu);
  }
  force[first] = 0 - d * sumLanes(sum);
  if (zone[first] != normalEdges) {
    zone[first] = normalEdges;
    a.hessian[a.hessianStart[b]] = d * <f64>normalEdges;
  }
  a.cost[b] = 0.5 * d * sumLanes(cost);
}

export function differentiatePyramidAlongLine(a: Island, b: i32, alpha: f64): f64 {
  const first: i32 = a.rowStart[b];
  const end: i32 = a.rowStart[b + 1];
  const direction: Doubles = a.rowDirection;
  const residual: Doubles = a.residual;
  const friction: Doubles = a.friction;
  const normalDelta: f64 = direction[first];
  const normal: f64 = residual[first] + alpha * normalDelta;
  let slope: v128 = f64x2.splat(0);
  let curvature: v128 = f64x2.splat(0);
  for (let r: i32 = first + 1; r < end; r++) {
    const mu: f64 = friction[r];
    const sideDelta: f64 = mu * direction[r];
    const e: v128 = edges(normal, mu * residual[r] + alpha * sideDelta);
    const delta: v128 = edges(normalDelta, sideDelta);
    // open edges add zero
    slope = f64x2.add(slope, f64x2.mul(negativePart(e), delta));
    curvature = f64x2.add(curvature, v128.and(isNegative(e), f64x2.mul(delta, delta)));
  }
  const d: f64 = a.stiffness[first];
  addCurvature(d * sumLanes(curvature));
  return d * sumLanes(slope);
}

/** Goes to α on the line and evaluates there; returns the change of the cost. */
export function movePyramid(a: Island, b: i32, alpha: f64): f64 {
  const first: i32 = a.rowStart[b];
  const dimension: i32 = a.rowStart[b + 1] - first;
  const friction: Doubles = a.friction;
  const residual: Doubles = a.residual;
  const direction: Doubles = a.rowDirection;
  const force: Doubles = a.force;
  const zone: Integers = a.zone;
  const d: f64 = a.stiffness[first];
  const normalDelta: f64 = alpha * direction[first];
  const normal: f64 = residual[first] + normalDelta;
  residual[first] = normal;
  let sum: v128 = f64x2.splat(0);
  let cost: v128 = f64x2.splat(0);
  let changes: v128 = f64x2.splat(0);
  let normalEdges: i32 = 0;
  for (let k: i32 = 1; k < dimension; k++) {
    const mu: f64 = friction[first + k];
    const along: f64 = direction[first + k];
    const tangent: f64 = residual[first + k] + alpha * along;
    residual[first + k] = tangent;
    const e: v128 = edges(normal, mu * tangent);
    const isNow: v128 = isNegative(e);
    const closed: v128 = negativePart(e);
    const next: i32 = i64x2.bitmask(isNow);
    cost = f64x2.add(cost, f64x2.mul(closed, closed));
    sum = f64x2.add(sum, closed);
    force[first + k] = -d * mu * (f64x2.extract_lane(closed, 0) - f64x2.extract_lane(closed, 1));
    normalEdges += (next & 1) + (next >> 1);
    changes = f64x2.add(changes, changeEdges(e, edges(normalDelta, mu * alpha * along)));
    if (zone[first + k] != next) setZone(a, b, k, dimension, next, d, mu);
  }
  force[first] = 0 - d * sumLanes(sum);
  if (zone[first] != normalEdges) {
    zone[first] = normalEdges;
    a.hessian[a.hessianStart[b]] = d * <f64>normalEdges;
  }
  a.cost[b] = 0.5 * d * sumLanes(cost);
  return d * sumLanes(changes);
}

// pyramids with two sides: their + edges, and their − edges, are lanes of their own

/** Slope along the line, where the edges are and how they change. */
@inline
export function slopeOfEdges(plus: v128, minus: v128, plusDelta: v128, minusDelta: v128): f64 {
  return sumLanes(f64x2.mul(negativePart(plus), plusDelta)) + sumLanes(f64x2.mul(negativePart(minus), minusDelta));
}

/** Curvature along the line. */
@inline
export function curveEdges(plus: v128, minus: v128, plusDelta: v128, minusDelta: v128): f64 {
  const ofPlus: v128 = v128.and(isNegative(plus), f64x2.mul(plusDelta, plusDelta));
  const ofMinus: v128 = v128.and(isNegative(minus), f64x2.mul(minusDelta, minusDelta));
  return sumLanes(ofPlus) + sumLanes(ofMinus);
}

/** Forces to `f`, and the cost. */
@inline
export function pushEdges(plus: v128, minus: v128, mu: v128, d: f64, f: usize, cost: usize): void {
  const plusClosed: v128 = negativePart(plus);
  const minusClosed: v128 = negativePart(minus);
  v128.store(f, f64x2.mul(f64x2.mul(f64x2.splat(-d), mu), f64x2.sub(plusClosed, minusClosed)), 8);
  store<f64>(f, 0 - d * (sumLanes(plusClosed) + sumLanes(minusClosed)));
  const plusCost: v128 = f64x2.mul(plusClosed, plusClosed);
  const minusCost: v128 = f64x2.mul(minusClosed, minusClosed);
  store<f64>(cost, 0.5 * d * (sumLanes(plusCost) + sumLanes(minusCost)));
}

/** Zones and Hessian; whether an edge has opened or closed. */
@inline
export function writeEdges(plus: v128, minus: v128, mu: usize, d: f64, zone: usize, hessian: usize): bool {
  const ofPlus: i32 = i64x2.bitmask(isNegative(plus));
  const ofMinus: i32 = i64x2.bitmask(isNegative(minus));
  const first: i32 = (ofPlus & 1) | ((ofMinus & 1) << 1);
  const second: i32 = (ofPlus >> 1) | (ofMinus & 2);
  const count: i32 = popcnt<i32>(ofPlus) + popcnt<i32>(ofMinus);
  if (load<i32>(zone) == count && load<i32>(zone, 4) == first && load<i32>(zone, 8) == second) return false;
  return writeZones(zone, mu, d, hessian, count, first, second);
}

function writeZones(zone: usize, mu: usize, d: f64, hessian: usize, count: i32, first: i32, second: i32): bool {
  let isNew: bool = false;
  if (load<i32>(zone, 4) != first) {
    isNew = true;
    store<i32>(zone, first, 4);
    const friction: f64 = load<f64>(mu, 8);
    const mixed: f64 = d * friction * <f64>((first & 1) - (first >> 1));
    store<f64>(hessian, mixed, 8);
    store<f64>(hessian, mixed, 24);
    store<f64>(hessian, d * friction * friction * <f64>((first & 1) + (first >> 1)), 32);
  }
  if (load<i32>(zone, 8) != second) {
    isNew = true;
    store<i32>(zone, second, 8);
    const friction: f64 = load<f64>(mu, 16);
    const mixed: f64 = d * friction * <f64>((second & 1) - (second >> 1));
    store<f64>(hessian, mixed, 16);
    store<f64>(hessian, mixed, 48);
    store<f64>(hessian, d * friction * friction * <f64>((second & 1) + (second >> 1)), 64);
  }
  store<i32>(zone, count);
  store<f64>(hessian, d * <f64>count);
  return isNew;
}

/** ½ min(e, 0)² − ½ min(e − δ, 0)² without the difference of large numbers. */
@inline
export function changeEdges(e: v128, delta: v128): v128 {
  const half: v128 = f64x2.splat(0.5);
  const then: v128 = f64x2.sub(e, delta);
  const isNow: v128 = isNegative(e);
  const wasThen: v128 = isNegative(then);
  const both: v128 = f64x2.mul(delta, f64x2.sub(e, f64x2.mul(half, delta)));
  const closes: v128 = f64x2.mul(f64x2.mul(half, e), e);
  const opens: v128 = f64x2.mul(f64x2.mul(f64x2.splat(-0.5), then), then);
  return v128.bitselect(v128.bitselect(both, closes, wasThen), v128.and(opens, wasThen), isNow);
}

/** Row k has other edges closed than before. */
function setZone(a: Island, b: i32, k: i32, dimension: i32, next: i32, d: f64, mu: f64): void {
  noteChange();
  a.zone[a.rowStart[b] + k] = next;
  const mixed: f64 = d * mu * <f64>((next & 1) - (next >> 1));
  const hessian: Doubles = a.hessian;
  const start: i32 = a.hessianStart[b];
  hessian[start + k] = mixed;
  hessian[start + k * dimension] = mixed;
  hessian[start + k * dimension + k] = d * mu * mu * <f64>((next & 1) + (next >> 1));
}
