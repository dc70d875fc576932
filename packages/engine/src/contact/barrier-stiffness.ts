/**
 * Adaptive stiffness of the barrier.
 *
 *   least      κ̄_min = 1e11 m̄ / (4 D₀ b''(D₀ − ξ², D̂)), D₀ = (1e-8 l + ξ)², kg/m²;   most = 100 times the least
 *   first      κ₀ = −g_B·g_E/|g_B|², held between least and most: the barrier balances what else acts
 *   update     doubled, up to the most, where the least distance is below ξ + max(1e-9 l, 1e-3 d̂) in two successive iterates and shrinks
 *
 * m̄ average mass of a body (or of a lumped node), kg; l diagonal of the box around the scene, m; d̂, ξ, D̂, β as in barrier.ts;
 * b'' = ∂²(D̂² β)/∂D² = D̂² β'', without unit. Where D₀ is beyond the support, its middle ξ² + D̂/2 is taken.
 *
 * Units. κ̄ belongs to the objective ½‖x − x̃‖²_M + κ̄ Σ b with b = D̂² β in m⁴, which already includes h²: kg/m². In the objective
 * ½‖x − x̃‖²_M + h² κ Σ A d̂ β with κ in pascal the same curvature needs
 *
 *   κ = κ̄ D̂² / (h² A d̂), Pa,   A area per contact, m², h time step, s
 *
 * which is `convertStiffness`. The first guess and the update hold in any unit: g_B is the gradient at stiffness one in it.
 * A pair nearer than d̂/1000 carries an impact that the stiffness was not made for: half of such a gap is next to nothing, so that CCD cuts
 * every step, and the curvature of the barrier hides all else.
 * Source: Li et al., Incremental Potential Contact (2020), supplement, and its reference code for 1e-8, 1e-9 and 1e11.
 */
import { barrierCurvature, measureBarrierSupport } from './barrier.ts';

/** Sizes that the least stiffness depends on. */
export interface StiffnessScale {
  /** average mass of a body, kg */
  mass: number;
  /** diagonal of the box around the scene, m */
  diagonal: number;
  /** distance at which the barrier begins, m */
  dhat: number;
  /** least separation, m */
  xi: number;
}

/** Part of d̂ below which surfaces almost touch. */
const CLOSE_SHARE = 1e-3;

/** Most stiffness over least. */
export const STIFFNESS_RANGE: number = 100;

/** κ̄_min, kg/m². */
export function measureLeastStiffness(scale: StiffnessScale): number {
  const { mass, diagonal, dhat, xi } = scale;
  const support = measureBarrierSupport(dhat, xi);
  const near = 1e-8 * diagonal;
  // D₀ − ξ² = near (near + 2ξ), without the rounding of the difference
  let shifted = near * (near + 2 * xi);
  if (!(shifted < support)) shifted = 0.5 * support;
  const curvature = barrierCurvature(shifted, support) * support * support;
  return (1e11 * mass) / (4 * (shifted + xi * xi) * curvature);
}

/** κ in Pa of κ̄ in kg/m², for a time step h (s) and contacts of area A (m²). */
export function convertStiffness(stiffness: number, scale: StiffnessScale, h: number, area: number): number {
  const support = measureBarrierSupport(scale.dhat, scale.xi);
  return (stiffness * support * support) / (h * h * area * scale.dhat);
}

/**
 * κ₀ from the gradients of the barrier at stiffness one and of everything else, both with the factors they have in the
 * objective (h² for forces). Without an active barrier: one, held between the bounds as every other value.
 */
export function measureFirstStiffness(
  barrierGradient: Float64Array,
  otherGradient: Float64Array,
  least: number,
  most: number,
): number {
  let square = 0;
  let along = 0;
  for (let i = 0; i < barrierGradient.length; i++) {
    square += barrierGradient[i] * barrierGradient[i];
    along += barrierGradient[i] * otherGradient[i];
  }
  const balanced = square > 0 ? -along / square : 1;
  return Math.min(most, Math.max(least, balanced));
}

/** κ after an iterate, from the least squared distance (m², not shifted) before it and now. */
export function updateStiffness(
  stiffness: number,
  most: number,
  before: number,
  now: number,
  scale: StiffnessScale,
): number {
  const close = scale.xi + Math.max(1e-9 * scale.diagonal, CLOSE_SHARE * scale.dhat);
  const square = close * close;
  return before < square && now < square && now < before ? Math.min(most, 2 * stiffness) : stiffness;
}

/**
 * Stiffness of one contact from its load: k = m_c/(d − ξ)² + wᵀHw, kg/m² as κ̄. m_c = cᵀMc/|c|² mass seen by the contact,
 * kg; d − ξ gap, m; `curvature` = wᵀHw of everything else along the unit vector w ∝ cᵢ n of the stencil, in the unit of the
 * result (the source adds plain SI numbers). After Ando, A cubic barrier with elasticity-inclusive dynamic stiffness (2024).
 */
export function measureContactStiffness(mass: number, gap: number, curvature: number): number {
  return mass / (gap * gap) + curvature;
}
