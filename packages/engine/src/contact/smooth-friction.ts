/**
 * Smoothed Coulomb friction as a potential of the slip in the tangent plane, for fixed normal force and tangents.
 *
 *   E = μ N f₀(|u|), u = Tᵀ Σ cᵢ (xᵢ − xᵢ at the start), y = |u|, e = ε_v h
 *   f₀ = y²(1 − y/(3e))/e + e/3 for y < e, y beyond;   f₁ = f₀' = (y/e)(2 − y/e), 1;   f₁/y = (2 − y/e)/e, 1/y
 *   (f₂ y − f₁)/y³ = −1/(y e²), −1/y³
 *   ∂E/∂u = μ N (f₁/y) u;   ∂²E/∂u² = μ N [(f₁/y) I + ((f₂ y − f₁)/y³) u uᵀ],   2/e I at u = 0
 *
 * u slip over the step, m; e slip below which friction is static, m (ε_v, m/s, is a speed: creep below it counts as sticking);
 * μ coefficient; N normal force at the last lagging, N. f₀ in m, f₁ without unit. E is C² in u.
 * The 2 × 2 matrix has the eigenvalues f₂ ≥ 0 along u and f₁/y > 0 across it: it needs no projection.
 * Source: Li et al., Incremental Potential Contact (2020), section 5.
 */

/** f₀, m. */
export function frictionPotential(y: number, e: number): number {
  return y < e ? (y * y * (1 - y / (3 * e))) / e + e / 3 : y;
}

/** f₁ = f₀', between 0 and 1: the share of μ N that acts. */
export function frictionSlope(y: number, e: number): number {
  return y < e ? (y / e) * (2 - y / e) : 1;
}

/** f₁/y, 1/m; 2/e at y = 0. */
export function frictionSlopeOverSlip(y: number, e: number): number {
  return y < e ? (2 - y / e) / e : 1 / y;
}

/** (f₂ y − f₁)/y³, 1/m³, for y > 0. */
export function frictionCurvature(y: number, e: number): number {
  return y < e ? -1 / (y * e * e) : -1 / (y * y * y);
}

/** ∂f₀/∂u of the slip (ux, uy), two numbers at out[g..g+2), without unit. */
export function writeFrictionGradient(out: Float64Array, g: number, ux: number, uy: number, e: number): void {
  const weight = frictionSlopeOverSlip(Math.sqrt(ux * ux + uy * uy), e);
  out[g] = weight * ux;
  out[g + 1] = weight * uy;
}

/** ∂²f₀/∂u² of the slip (ux, uy), four numbers at out[h..h+4), row by row, 1/m; positive semidefinite. */
export function writeFrictionHessian(out: Float64Array, h: number, ux: number, uy: number, e: number): void {
  const y = Math.sqrt(ux * ux + uy * uy);
  // f₂ along u and f₁/y across it, from the direction of u: no difference of large numbers at large slips
  const across = frictionSlopeOverSlip(y, e);
  const along = y < e ? (2 * (1 - y / e)) / e : 0;
  const cx = y > 0 ? ux / y : 1;
  const cy = y > 0 ? uy / y : 0;
  out[h] = along * cx * cx + across * cy * cy;
  out[h + 3] = along * cy * cy + across * cx * cx;
  out[h + 1] = out[h + 2] = (along - across) * cx * cy;
}
