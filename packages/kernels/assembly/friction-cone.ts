/** Projection on the cone of friction: the twin of the engine's objective/laws/friction-cone.ts. */
import { Doubles, Integers } from './doubles';
import { addCurvature, noteChange } from './evaluation';
import { Island } from './island';
import { OPEN, QUADRATIC, SLIDE } from './zones';

export function evaluateCone(a: Island, b: i32): void {
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
    noteChange();
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
    noteChange();
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
  noteChange();
}

export function differentiateConeAlongLine(a: Island, b: i32, alpha: f64): f64 {
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
      addCurvature(stiff * direction[r]);
    }
    return slope;
  }
  const scale: f64 = stiffness[first] / (mu * mu * (1 + mu * mu));
  const excess: f64 = normal - mu * tangent;
  const rate: f64 = along / tangent;
  const change: f64 = normalDelta - mu * rate;
  addCurvature(scale * (change * change - (excess * mu * (deltaSquare - rate * rate)) / tangent));
  return scale * excess * change;
}

export function changeCone(a: Island, b: i32, alpha: f64, before: f64): f64 {
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
