/**
 * Contact with a friction pyramid: edges n ± μ_k t_k, each a spring that only pushes.
 *   e_k± = y_n ± μ_k y_k      s = ½ D Σ min(e, 0)²      f_n = Σ f_k±,  f_k = μ_k (f_k+ − f_k−),  f_k± = −D min(e_k±, 0)
 * The rows are normal and tangents (spin, roll); the edges exist only here, so the Jacobian has one row per direction.
 * Symbols: D = 1/R of every edge (stiffness of the first row), μ_k friction of row k. Source: MuJoCo documentation, "Contact".
 */
import type { ConvexProblem } from '../convex-problem.ts';
import type { Bend } from './law.ts';

/** Force, Hessian and cost at the residual; true where an edge has opened or closed. `zone` of row k: 1 for e₊ + 2 for e₋. */
export function evaluatePyramid(problem: ConvexProblem, block: number): boolean {
  const { rows, residual, force, zone, hessian, hessianStart, stiffness, friction } = problem;
  const first = rows.rowStart[block];
  const dimension = rows.rowStart[block + 1] - first;
  const start = hessianStart[block];
  const d = stiffness[first];
  const normal = residual[first];
  let hasChanged = false;
  let normalForce = 0;
  let normalEdges = 0;
  let cost = 0;
  for (let k = 1; k < dimension; k++) {
    const mu = friction[first + k];
    const side = mu * residual[first + k];
    const plus = Math.min(normal + side, 0);
    const minus = Math.min(normal - side, 0);
    const next = (plus < 0 ? 1 : 0) + (minus < 0 ? 2 : 0);
    cost += plus * plus + minus * minus;
    normalForce -= d * (plus + minus);
    force[first + k] = -d * mu * (plus - minus);
    if (zone[first + k] === next) {
      normalEdges += (next & 1) + (next >> 1);
      continue;
    }
    hasChanged = true;
    zone[first + k] = next;
    const active = (next & 1) + (next >> 1);
    normalEdges += active;
    const mixed = d * mu * ((next & 1) - (next >> 1));
    hessian[start + k] = mixed;
    hessian[start + k * dimension] = mixed;
    hessian[start + k * dimension + k] = d * mu * mu * active;
  }
  force[first] = normalForce;
  zone[first] = normalEdges;
  hessian[start] = d * normalEdges;
  problem.cost[block] = 0.5 * d * cost;
  return hasChanged;
}

/** Slope of s along y + α δ. */
export function bendPyramid(
  problem: ConvexProblem,
  block: number,
  direction: Float64Array,
  alpha: number,
  bend: Bend,
): number {
  const { rows, residual, stiffness, friction } = problem;
  const first = rows.rowStart[block];
  const last = rows.rowStart[block + 1];
  const normalDelta = direction[first];
  const normal = residual[first] + alpha * normalDelta;
  let slope = 0;
  let curvature = 0;
  for (let r = first + 1; r < last; r++) {
    const mu = friction[r];
    const sideDelta = mu * direction[r];
    const side = mu * residual[r] + alpha * sideDelta;
    if (normal + side < 0) {
      const delta = normalDelta + sideDelta;
      slope += (normal + side) * delta;
      curvature += delta * delta;
    }
    if (normal - side < 0) {
      const delta = normalDelta - sideDelta;
      slope += (normal - side) * delta;
      curvature += delta * delta;
    }
  }
  const d = stiffness[first];
  bend.curvature += d * curvature;
  return d * slope;
}
