/**
 * Contact with Hunt-Crossley dissipation and friction that is regularised and lags the normal impulse by one step; it does not
 * open a dilation gap. With v_n, v_t the velocity of the contact (the residual; r = 0), h the time step:
 *   γ_n = n(v_n) = h (f₀ − h k v_n)₊ (1 − d v_n)₊                  f₀ elastic force at the start of the step, N
 *   γ_t = −μ n₀ v_t / √(|v_t|² + e²)                               n₀ normal impulse that friction sees, N s
 *   s = ∫ n from v_n on + μ n₀ (√(|v_t|² + e²) − e)
 * k stiffness N/m, d dissipation s/m, e stiction velocity m/s. Numbers per block: h, k, f₀, d, μ n₀, e.
 * Source: Castro et al., Irrotational contact fields (2023), sections IV and V ("lagged").
 */
import { type ConvexProblem, LAGGED_WIDTH, ZONE } from '../convex-problem.ts';
import type { LineDerivatives } from './law.ts';

/** Force, Hessian and cost at the residual. */
export function evaluateLagged(problem: ConvexProblem, block: number): boolean {
  const { rows, hessianStart, lagged } = problem;
  const { residual, force, zone, hessian } = problem.data;
  const first = rows.rowStart[block];
  const at = LAGGED_WIDTH * block;
  const grip = lagged[at + 4];
  const e = lagged[at + 5];
  const x = residual[first + 1];
  const y = residual[first + 2];
  const speed = Math.sqrt(x * x + y * y + e * e);
  const normal = residual[first];
  force[first] = normalImpulse(lagged, at, normal);
  force[first + 1] = (-grip * x) / speed;
  force[first + 2] = (-grip * y) / speed;
  // speed − e without loss of digits where it is small
  problem.data.cost[block] = (grip * (x * x + y * y)) / (speed + e) + remainingPotential(lagged, at, normal);
  const start = hessianStart[block];
  hessian[start] = normalStiffness(lagged, at, normal);
  const across = grip / speed;
  const along = across / (speed * speed);
  hessian[start + 4] = across - along * x * x;
  hessian[start + 5] = hessian[start + 7] = -along * x * y;
  hessian[start + 8] = across - along * y * y;
  // friction has reached 0.9 of its bound at twice the stiction velocity: it counts as sliding from there on
  const isSliding = x * x + y * y > 4 * e * e;
  zone.fill(force[first] > 0 || grip > 0 ? (isSliding ? ZONE.slide : ZONE.quadratic) : ZONE.open, first, first + 3);
  return true;
}

/** Slope of s along y + α δ. */
export function differentiateLaggedAlongLine(
  problem: ConvexProblem,
  block: number,
  direction: Float64Array,
  alpha: number,
  line: LineDerivatives,
): number {
  const { rows, lagged } = problem;
  const { residual } = problem.data;
  const first = rows.rowStart[block];
  const at = LAGGED_WIDTH * block;
  const grip = lagged[at + 4];
  const e = lagged[at + 5];
  const dn = direction[first];
  const dx = direction[first + 1];
  const dy = direction[first + 2];
  const normal = residual[first] + alpha * dn;
  const x = residual[first + 1] + alpha * dx;
  const y = residual[first + 2] + alpha * dy;
  const speed = Math.sqrt(x * x + y * y + e * e);
  const rate = (x * dx + y * dy) / speed;
  line.curvature += normalStiffness(lagged, at, normal) * dn * dn + (grip * (dx * dx + dy * dy - rate * rate)) / speed;
  return grip * rate - normalImpulse(lagged, at, normal) * dn;
}

/** n(v). */
export function normalImpulse(lagged: Float64Array, at: number, v: number): number {
  const h = lagged[at];
  const elastic = lagged[at + 2] - h * lagged[at + 1] * v;
  const damping = 1 - lagged[at + 3] * v;
  return elastic > 0 && damping > 0 ? h * elastic * damping : 0;
}

/** −n'(v). */
function normalStiffness(lagged: Float64Array, at: number, v: number): number {
  const h = lagged[at];
  const k = lagged[at + 1];
  const d = lagged[at + 3];
  const elastic = lagged[at + 2] - h * k * v;
  const damping = 1 - d * v;
  return elastic > 0 && damping > 0 ? h * (k * h * damping + d * elastic) : 0;
}

/**
 * The potential at v: ∫ n from v to the speed at which the impulse ends, where it is zero. Written in the distance
 * t to that speed, all parts are positive: h ∫ (e + h k t) (c + d t) with e, c elastic force and damping factor at the end.
 */
function remainingPotential(lagged: Float64Array, at: number, v: number): number {
  const h = lagged[at];
  const k = lagged[at + 1];
  const f0 = lagged[at + 2];
  const d = lagged[at + 3];
  if (k === 0 && f0 <= 0) return 0;
  const elasticEnd = k > 0 ? f0 / (h * k) : Infinity;
  const dampingEnd = d > 0 ? 1 / d : Infinity;
  const end = Math.min(elasticEnd, dampingEnd);
  if (end === Infinity) return -h * f0 * v;
  if (v >= end) return 0;
  const t = end - v;
  const elastic = elasticEnd <= dampingEnd ? 0 : f0 - h * k * end;
  const damping = dampingEnd <= elasticEnd ? 0 : 1 - d * end;
  return h * t * (elastic * damping + t * (0.5 * (elastic * d + h * k * damping) + (t / 3) * h * k * d));
}
