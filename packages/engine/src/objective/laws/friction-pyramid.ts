/**
 * Contact with a friction pyramid: edges n ± μ_k t_k, each a spring that only pushes.
 *   e_k± = y_n ± μ_k y_k      s = ½ D Σ min(e, 0)²      f_n = Σ f_k±,  f_k = μ_k (f_k+ − f_k−),  f_k± = −D min(e_k±, 0)
 * The rows are normal and tangents (spin, roll); the edges exist only here, so the Jacobian has one row per direction.
 * Sums run over the + edges and the − edges apart, two lanes of the compiled twin.
 * Symbols: D = 1/R of every edge (stiffness of the first row), μ_k friction of row k. Source: MuJoCo documentation, "Contact".
 */
import type { ConvexProblem } from '../convex-problem.ts';
import type { LineDerivatives } from './law.ts';

/** Force, Hessian and cost at the residual; true where an edge has opened or closed. `zone` of row k: 1 for e₊ + 2 for e₋. */
export function evaluatePyramid(problem: ConvexProblem, block: number): boolean {
  const { rows, hessianStart, stiffness, friction } = problem;
  const { residual, force, zone, hessian } = problem.data;
  const first = rows.rowStart[block];
  const dimension = rows.rowStart[block + 1] - first;
  const start = hessianStart[block];
  const d = stiffness[first];
  const normal = residual[first];
  let hasChanged = false;
  let plusSum = 0;
  let minusSum = 0;
  let plusCost = 0;
  let minusCost = 0;
  let normalEdges = 0;
  for (let k = 1; k < dimension; k++) {
    const mu = friction[first + k];
    const side = mu * residual[first + k];
    const plus = Math.min(normal + side, 0);
    const minus = Math.min(normal - side, 0);
    const next = (plus < 0 ? 1 : 0) + (minus < 0 ? 2 : 0);
    plusCost += plus * plus;
    minusCost += minus * minus;
    plusSum += plus;
    minusSum += minus;
    force[first + k] = -d * mu * (plus - minus);
    const active = (next & 1) + (next >> 1);
    normalEdges += active;
    if (zone[first + k] === next) continue;
    hasChanged = true;
    zone[first + k] = next;
    const mixed = d * mu * ((next & 1) - (next >> 1));
    hessian[start + k] = mixed;
    hessian[start + k * dimension] = mixed;
    hessian[start + k * dimension + k] = d * mu * mu * active;
  }
  force[first] = 0 - d * (plusSum + minusSum);
  zone[first] = normalEdges;
  hessian[start] = d * normalEdges;
  problem.data.cost[block] = 0.5 * d * (plusCost + minusCost);
  return hasChanged;
}

/** Slope of s along y + α δ. */
export function differentiatePyramidAlongLine(
  problem: ConvexProblem,
  block: number,
  direction: Float64Array,
  alpha: number,
  line: LineDerivatives,
): number {
  const { rows, stiffness, friction } = problem;
  const { residual } = problem.data;
  const first = rows.rowStart[block];
  const last = rows.rowStart[block + 1];
  const normalDelta = direction[first];
  const normal = residual[first] + alpha * normalDelta;
  let plusSlope = 0;
  let minusSlope = 0;
  let plusCurvature = 0;
  let minusCurvature = 0;
  for (let r = first + 1; r < last; r++) {
    const mu = friction[r];
    const sideDelta = mu * direction[r];
    const side = mu * residual[r] + alpha * sideDelta;
    if (normal + side < 0) {
      const delta = normalDelta + sideDelta;
      plusSlope += (normal + side) * delta;
      plusCurvature += delta * delta;
    }
    if (normal - side < 0) {
      const delta = normalDelta - sideDelta;
      minusSlope += (normal - side) * delta;
      minusCurvature += delta * delta;
    }
  }
  const d = stiffness[first];
  line.curvature += d * (plusCurvature + minusCurvature);
  return d * (plusSlope + minusSlope);
}
