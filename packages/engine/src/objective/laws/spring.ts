/**
 * Rows that push like springs whose force is clamped, each for itself:
 *   f = clamp(−D y, low, high)      s = ½ D y² where it is not clamped, else −b y − ½ R b² at the bound b
 * Equality: no bounds. Limit and frictionless contact: low = 0. Dry friction: ± its force. Drive: ± its effort.
 * Symbols: y residual of the row, R = 1/D regularisation. s is convex, continuous and has a continuous first derivative.
 * Source: MuJoCo documentation, "Constraint model" (quadratic and Huber costs); math of SAP, holonomic constraints.
 */
import { type ConvexProblem, ZONE } from '../convex-problem.ts';
import type { LineDerivatives } from './law.ts';

/** Force, Hessian and cost at the residual; true where a row has changed its zone. */
export function evaluateSpring(problem: ConvexProblem, block: number): boolean {
  const { rows, hessianStart, stiffness, regularization, low, high } = problem;
  const { residual, force, zone, hessian } = problem.data;
  const first = rows.rowStart[block];
  const dimension = rows.rowStart[block + 1] - first;
  let at = hessianStart[block];
  let cost = 0;
  let hasChanged = false;
  for (let r = first; r < first + dimension; r++, at += dimension + 1) {
    const y = residual[r];
    const d = stiffness[r];
    let f = -d * y;
    let next: number;
    if (f < low[r]) {
      f = low[r];
      next = f === 0 ? ZONE.open : ZONE.low;
      cost -= f * (y + 0.5 * regularization[r] * f);
    } else if (f > high[r]) {
      f = high[r];
      next = f === 0 ? ZONE.open : ZONE.high;
      cost -= f * (y + 0.5 * regularization[r] * f);
    } else {
      next = f === 0 && low[r] === 0 ? ZONE.open : ZONE.quadratic;
      cost += 0.5 * d * y * y;
    }
    force[r] = f;
    hessian[at] = next === ZONE.quadratic ? d : 0;
    if (zone[r] !== next) {
      zone[r] = next;
      hasChanged = true;
    }
  }
  problem.data.cost[block] = cost;
  return hasChanged;
}

/** Slope of s along y + α δ. */
export function differentiateSpringAlongLine(
  problem: ConvexProblem,
  block: number,
  direction: Float64Array,
  alpha: number,
  line: LineDerivatives,
): number {
  const { rows, stiffness, low, high } = problem;
  const { residual } = problem.data;
  const last = rows.rowStart[block + 1];
  let slope = 0;
  let curvature = 0;
  for (let r = rows.rowStart[block]; r < last; r++) {
    const delta = direction[r];
    const d = stiffness[r];
    const f = -d * (residual[r] + alpha * delta);
    if (f < low[r]) slope -= low[r] * delta;
    else if (f > high[r]) slope -= high[r] * delta;
    else {
      slope -= f * delta;
      curvature += d * delta * delta;
    }
  }
  line.curvature += curvature;
  return slope;
}
