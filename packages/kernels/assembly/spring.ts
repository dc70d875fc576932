/** Force −D y clamped to bounds, per row: the twin of the engine's objective/laws/spring.ts. */
import { Doubles, Integers } from './doubles';
import { addCurvature, noteChange } from './evaluation';
import { Island } from './island';
import { HIGH, LOW, OPEN, QUADRATIC } from './zones';

@inline
function clamp(value: f64, low: f64, high: f64): f64 {
  return min<f64>(high, max<f64>(low, value));
}

export function evaluateSpring(a: Island, b: i32): void {
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
      noteChange();
    }
  }
  a.cost[b] = cost;
}

export function differentiateSpringAlongLine(a: Island, b: i32, alpha: f64): f64 {
  const direction: Doubles = a.rowDirection;
  const residual: Doubles = a.residual;
  const stiffness: Doubles = a.stiffness;
  const low: Doubles = a.low;
  const high: Doubles = a.high;
  const end: i32 = a.rowStart[b + 1];
  let slope: f64 = 0;
  let curvature: f64 = 0;
  for (let r: i32 = a.rowStart[b]; r < end; r++) {
    const delta: f64 = direction[r];
    const d: f64 = stiffness[r];
    const f: f64 = -d * (residual[r] + alpha * delta);
    if (f < low[r]) slope -= low[r] * delta;
    else if (f > high[r]) slope -= high[r] * delta;
    else {
      slope -= f * delta;
      curvature += d * delta * delta;
    }
  }
  addCurvature(curvature);
  return slope;
}

export function changeSpring(a: Island, b: i32, alpha: f64): f64 {
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
