/**
 * The laws of blocks of rows: force, Hessian and cost at the residual; slope along a line; change of the cost. Twins, operation
 * by operation, of the engine's objective/laws/ and objective/cost-change.ts, where the formulas are explained.
 */
import { bendCone, changeCone, evaluateCone } from './friction-cone';
import { bendPyramid, changePyramid, evaluatePyramid } from './friction-pyramid';
import { Island } from './island';
import { bendSpring, changeSpring, evaluateSpring } from './spring';

/** Values of `law` of a block; all others are cones. */
export const SPRING: i32 = 0;
const PYRAMID: i32 = 1;

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
