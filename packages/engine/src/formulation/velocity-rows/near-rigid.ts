/**
 * Regularisation of a spring and damper that a time step resolves, or of the stiffest one it can:
 *   R = max(β²/(4π²) w, 1/(h k (h + τ)))      v̂ = −φ₀/(h + τ)
 * Below the first bound the period of the spring would be less than β steps; then R acts as a stabilisation.
 * Symbols: k stiffness N/m, τ dissipation time s, h time step s, w inverse mass seen by the row 1/kg, φ₀ gap m.
 * Source: Castro et al., An unconstrained convex formulation of compliant contact (2022), section V.
 */

/** Stiffness of what is meant to be rigid, N/m or N m/rad. */
const RIGID = 1e12;

export function regularizeSpring(w: number, beta: number, h: number, stiffness: number, dissipation: number): number {
  return Math.max(rigidLimit(w, beta), 1 / (h * stiffness * (h + dissipation)));
}

/** R of limits, equalities and joints: rigid, with dissipation time h. */
export function regularizeRigid(w: number, beta: number, h: number): number {
  return regularizeSpring(w, beta, h, RIGID, h);
}

/** R of the stiffest spring that h resolves. */
export function rigidLimit(w: number, beta: number): number {
  return ((beta * beta) / (4 * Math.PI * Math.PI)) * w;
}
