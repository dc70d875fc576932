/**
 * Clamped logarithmic barrier of a squared distance, without unit.
 *
 *   β(y) = −(1 − y)² ln y for 0 < y < 1, 0 for y ≥ 1, +∞ for y ≤ 0;   y = (D − ξ²)/D̂, D̂ = d̂² + 2 ξ d̂
 *
 * D = d² squared distance, m²; d̂ distance at which the barrier begins, m; ξ least separation (thickness), m: the barrier grows
 * without bound as d → ξ and is zero from d = ξ + d̂ on. Functions take the shifted distance D − ξ² and D̂.
 *
 * Stiffness in pascal. The energy of a contact is E = κ A d̂ β, J, with κ in Pa and A the area the contact represents, m² (its
 * share of the surface around the vertex or the edge). Chain rule, with β' and β'' by D:
 *
 *   ∂E = κ A d̂ β' ∂D;   ∂²E = κ A d̂ (β'' ∂D ∂Dᵀ + β' ∂²D);   normal force N = −κ A d̂ β' 2√D
 *
 * A stiffness κ̄ of the barrier without scaling, b = −(D − D̂)² ln(D/D̂) = D̂² β, J/m⁴, is the same as κ = κ̄ D̂²/(A d̂).
 * β is C² at y = 1, where β ≈ (1 − y)³. The argument is D, not d: no root, so that all derivatives of D are rational.
 * Source: Li et al., Incremental Potential Contact (2020); scaling: Li et al., Convergent Incremental Potential Contact (2023).
 */
import { log } from '../linear-algebra/elementary.ts';

/** D̂ of a barrier that begins at distance `dhat` beyond the separation `xi`, m². */
export function measureBarrierSupport(dhat: number, xi: number = 0): number {
  return dhat * (dhat + 2 * xi);
}

/** β at a shifted squared distance, without unit. */
export function barrier(D: number, Dhat: number): number {
  if (D >= Dhat) return 0;
  if (D <= 0) return Infinity;
  const y = D / Dhat;
  return -(1 - y) * (1 - y) * log(y);
}

/** ∂β/∂D = (1 − y)(2 ln y − 1/y + 1)/D̂, 1/m²; never positive. */
export function barrierSlope(D: number, Dhat: number): number {
  if (D >= Dhat) return 0;
  if (D <= 0) return -Infinity;
  const y = D / Dhat;
  return ((1 - y) * (2 * log(y) - 1 / y + 1)) / Dhat;
}

/** ∂²β/∂D² = (1/y² + 2/y − 2 ln y − 3)/D̂², 1/m⁴; never negative. */
export function barrierCurvature(D: number, Dhat: number): number {
  if (D >= Dhat) return 0;
  if (D <= 0) return Infinity;
  const y = D / Dhat;
  return (1 / (y * y) + 2 / y - 2 * log(y) - 3) / (Dhat * Dhat);
}

/** β, ∂β/∂D and ∂²β/∂D² in three numbers, the same bits from one logarithm. */
export function writeBarrier(out: Float64Array, D: number, Dhat: number): void {
  if (D >= Dhat || D <= 0) {
    const infinity = D >= Dhat ? 0 : Infinity;
    out[0] = infinity;
    out[1] = D >= Dhat ? 0 : -Infinity;
    out[2] = infinity;
    return;
  }
  const y = D / Dhat;
  const ln = log(y);
  out[0] = -(1 - y) * (1 - y) * ln;
  out[1] = ((1 - y) * (2 * ln - 1 / y + 1)) / Dhat;
  out[2] = (1 / (y * y) + 2 / y - 2 * ln - 3) / (Dhat * Dhat);
}

/** Normal force of a contact at squared distance D (not shifted) for κ A = 1 N: −d̂ β' 2√D. Times κ A: N. */
export function measureBarrierForce(D: number, dhat: number, xi: number = 0): number {
  return -dhat * barrierSlope(D - xi * xi, measureBarrierSupport(dhat, xi)) * 2 * Math.sqrt(D);
}

/** The distance at which a contact with κ A = 1 N presses with `force` (N), m: the inverse of `measureBarrierForce`, by bisection. */
export function findRestDistance(force: number, dhat: number, xi: number = 0): number {
  let low = xi;
  let high = xi + dhat;
  for (let n = 0; n < 60; n++) {
    const d = 0.5 * (low + high);
    if (measureBarrierForce(d * d, dhat, xi) > force) low = d;
    else high = d;
  }
  return high;
}
