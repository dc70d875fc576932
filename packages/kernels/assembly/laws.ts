/**
 * The laws of blocks of rows: force, Hessian and cost at the residual; slope along a line; change of the cost. Twins, operation
 * by operation, of the engine's objective/laws/ and objective/cost-change.ts, where the formulas are explained.
 */
import { Doubles } from './doubles';
import { differentiateConeAlongLine, changeCone, evaluateCone } from './friction-cone';
import { differentiatePyramidAlongLine, evaluatePyramid, movePyramid } from './friction-pyramid';
import { Island } from './island';
import { differentiateSpringAlongLine, changeSpring, evaluateSpring } from './spring';

/** Values of `law` of a block; all others are cones. */
export const SPRING: i32 = 0;
export const PYRAMID: i32 = 1;

@inline
export function evaluateLaw(a: Island, b: i32): void {
  const law: i32 = a.law[b];
  if (law == PYRAMID) evaluatePyramid(a, b);
  else if (law == SPRING) evaluateSpring(a, b);
  else evaluateCone(a, b);
}

@inline
export function differentiateLawAlongLine(a: Island, b: i32, alpha: f64): f64 {
  const law: i32 = a.law[b];
  if (law == PYRAMID) return differentiatePyramidAlongLine(a, b, alpha);
  if (law == SPRING) return differentiateSpringAlongLine(a, b, alpha);
  return differentiateConeAlongLine(a, b, alpha);
}

/** Goes to α on the line: residual, force, Hessian and cost there; returns the change of the cost. */
@inline
export function moveLaw(a: Island, b: i32, alpha: f64): f64 {
  const law: i32 = a.law[b];
  if (law == PYRAMID) return movePyramid(a, b, alpha);
  const residual: Doubles = a.residual;
  const rowDirection: Doubles = a.rowDirection;
  const last: i32 = a.rowStart[b + 1];
  for (let r: i32 = a.rowStart[b]; r < last; r++) residual[r] = residual[r] + alpha * rowDirection[r];
  if (law == SPRING) {
    evaluateSpring(a, b);
    return changeSpring(a, b, alpha);
  }
  const before: f64 = a.cost[b];
  evaluateCone(a, b);
  return changeCone(a, b, alpha, before);
}
