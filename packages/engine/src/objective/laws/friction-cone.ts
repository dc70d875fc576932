/**
 * Contact with an elliptic friction cone K = {f : |f_k / μ_k| ≤ f_n}: the force is the projection of −R⁻¹ y onto K in the
 * norm of R, and s = ½ fᵀ R f. MuJoCo's elliptic cone and SAP's regularised cone are this same law.
 *
 * With μ = μ_1 √(R_1/R_n) (friction of the first row), R_k μ_k² the same for all k, U = (μ y_n, μ_k y_k), N = U_0, T = |U_k|:
 *   open      N ≥ μ T         s = 0
 *   stick     μ N + T ≤ 0     s = ½ Σ D y²
 *   slide     between         s = ½ D_m (N − μ T)²,  D_m = D_n / (μ² (1 + μ²))
 * Sources: MuJoCo documentation, "Elliptic cones"; Castro et al., An unconstrained convex formulation of compliant contact
 * (2022), section V.
 */
import { type ConvexProblem, ZONE } from '../convex-problem.ts';
import type { LineDerivatives } from './law.ts';

const scaled = /* @__PURE__ */ new Float64Array(6);

/** Force, Hessian and cost at the residual; true where the Hessian may have changed. */
export function evaluateCone(problem: ConvexProblem, block: number): boolean {
  const { rows, hessianStart, stiffness, friction } = problem;
  const { residual, force, zone, hessian } = problem.data;
  const first = rows.rowStart[block];
  const dimension = rows.rowStart[block + 1] - first;
  const start = hessianStart[block];
  const mu = friction[first];
  const normal = mu * residual[first];
  let square = 0;
  for (let k = 1; k < dimension; k++) {
    const u = friction[first + k] * residual[first + k];
    scaled[k] = u;
    square += u * u;
  }
  const tangent = Math.sqrt(square);
  if (normal >= mu * tangent) return openCone(problem, block, first, dimension);
  const before = zone[first];
  if (mu * normal + tangent <= 0) {
    let cost = 0;
    for (let r = first; r < first + dimension; r++) {
      const y = residual[r];
      force[r] = -stiffness[r] * y;
      cost += stiffness[r] * y * y;
    }
    problem.data.cost[block] = 0.5 * cost;
    if (before === ZONE.quadratic) return false;
    hessian.fill(0, start, start + dimension * dimension);
    for (let k = 0; k < dimension; k++) hessian[start + k * (dimension + 1)] = stiffness[first + k];
    zone.fill(ZONE.quadratic, first, first + dimension);
    return true;
  }
  // between the two: on the surface of the cone
  const scale = stiffness[first] / (mu * mu * (1 + mu * mu));
  const excess = normal - mu * tangent;
  problem.data.cost[block] = 0.5 * scale * excess * excess;
  const push = -scale * excess * mu;
  force[first] = push;
  for (let k = 1; k < dimension; k++) force[first + k] = (-push * friction[first + k] * scaled[k]) / tangent;
  zone.fill(ZONE.slide, first, first + dimension);
  // ∇²s in U: 1; −μ u; μ N u uᵀ/T + (μ² − μ N/T) 1, u = U/T
  hessian[start] = scale * mu * mu;
  const across = mu * mu - (mu * normal) / tangent;
  for (let k = 1; k < dimension; k++) {
    const uk = scaled[k] / tangent;
    const sk = scale * friction[first + k];
    const mixed = -sk * mu * mu * uk;
    hessian[start + k] = mixed;
    hessian[start + k * dimension] = mixed;
    for (let j = 1; j < k; j++) {
      const value = ((sk * friction[first + j] * mu * normal) / tangent) * uk * (scaled[j] / tangent);
      hessian[start + k * dimension + j] = value;
      hessian[start + j * dimension + k] = value;
    }
    hessian[start + k * dimension + k] = sk * friction[first + k] * (((mu * normal) / tangent) * uk * uk + across);
  }
  return true;
}

function openCone(problem: ConvexProblem, block: number, first: number, dimension: number): boolean {
  const { hessianStart } = problem;
  const { force, zone, hessian } = problem.data;
  problem.data.cost[block] = 0;
  for (let r = first; r < first + dimension; r++) force[r] = 0;
  if (zone[first] === ZONE.open) return false;
  hessian.fill(0, hessianStart[block], hessianStart[block] + dimension * dimension);
  zone.fill(ZONE.open, first, first + dimension);
  return true;
}

/** Slope of s along y + α δ. */
export function differentiateConeAlongLine(
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
  const mu = friction[first];
  const normalDelta = mu * direction[first];
  const normal = mu * residual[first] + alpha * normalDelta;
  let square = 0;
  let along = 0;
  let deltaSquare = 0;
  for (let r = first + 1; r < last; r++) {
    const delta = friction[r] * direction[r];
    const u = friction[r] * residual[r] + alpha * delta;
    square += u * u;
    along += u * delta;
    deltaSquare += delta * delta;
  }
  const tangent = Math.sqrt(square);
  if (normal >= mu * tangent) return 0;
  if (mu * normal + tangent <= 0) {
    let slope = 0;
    for (let r = first; r < last; r++) {
      const stiff = stiffness[r] * direction[r];
      slope += stiff * (residual[r] + alpha * direction[r]);
      line.curvature += stiff * direction[r];
    }
    return slope;
  }
  const scale = stiffness[first] / (mu * mu * (1 + mu * mu));
  const excess = normal - mu * tangent;
  const rate = along / tangent;
  const change = normalDelta - mu * rate;
  line.curvature += scale * (change * change - (excess * mu * (deltaSquare - rate * rate)) / tangent);
  return scale * excess * change;
}
