/**
 * Energy per area of a membrane in plane stress, J/m², as a function of C = FᵀF (2 × 2, in the material axes of a triangle), with
 *   S = 2 ∂Ψ/∂C,   𝔻 = 4 ∂²Ψ/∂C²,   E = ½(C − I)
 *
 *   saintVenantKirchhoff  Ψ = t (μ E:E + ½ λ̄ tr(E)²),   λ̄ = E ν/(1 − ν²): the third direction is free of stress
 *   neoHookean            Ψ = t (½ μ (tr C − 2 − ln det C) + ⅛ λ̄ (ln det C)²): grows without bound as the area goes to zero
 *   orthotropic           Ψ = t (½ Q₁₁ E₁₁² + Q₁₂ E₁₁ E₂₂ + ½ Q₂₂ E₂₂² + 2 G E₁₂²), axes 1 and 2 warp and weft
 * A strain limit e adds, for warp and weft, t L s³/(3 w) with s = E₁₁ − E_l beyond E_l = e + ½ e² (zero below), L a hundred times
 * the stiffness of that direction and w = E_l: thread that is stretched to its limit, C² everywhere.
 * Symbols: t thickness, m; μ, λ̄, Q, G Pa. Components are 11, 22, 12. Sources: Volino et al., A simple approach to nonlinear tensile
 * stiffness for accurate cloth simulation (2009); Bonet and Wood, Nonlinear continuum mechanics (2nd ed.), section 6.
 */
import { log } from '../../linear-algebra/elementary.ts';

export interface MembraneLaw {
  readonly kind: number;
  /** Stiffness times thickness, N/m: Q₁₁, Q₂₂, Q₁₂, G. The isotropic laws: λ̄ + 2μ twice, λ̄, μ. */
  readonly q11: number;
  readonly q22: number;
  readonly q12: number;
  readonly shear: number;
  /** E_l of warp and weft; Infinity where there is no limit. */
  readonly limit: number;
}

export const MEMBRANE_LAW = { saintVenantKirchhoff: 0, neoHookean: 1, orthotropic: 2 } as const;

/** Stiffness beyond a strain limit, in that of the thread. */
const LIMIT_STIFFNESS = 100;

/** S (11, 22, 12) and 𝔻 (1111, 2222, 1122, 1212, 1112, 2212) of the last evaluation. */
export const membraneStress: Float64Array = /* @__PURE__ */ new Float64Array(3);
export const membraneTangent: Float64Array = /* @__PURE__ */ new Float64Array(6);

/**
 * Ψ of C; S in `membraneStress`, and with `order` 2 also 𝔻 in `membraneTangent`, which `isProjected` makes positive semidefinite.
 */
export function evaluateMembrane(
  law: MembraneLaw,
  c11: number,
  c22: number,
  c12: number,
  order: number,
  isProjected: boolean,
): number {
  const value =
    law.kind === MEMBRANE_LAW.neoHookean
      ? evaluateNeoHookean(law, c11, c22, c12, order, isProjected)
      : evaluateQuadratic(law, c11, c22, c12);
  return law.limit < Infinity ? value + addLimits(law, c11, c22) : value;
}

function evaluateQuadratic(law: MembraneLaw, c11: number, c22: number, c12: number): number {
  const { q11, q22, q12, shear } = law;
  const e11 = 0.5 * (c11 - 1);
  const e22 = 0.5 * (c22 - 1);
  const e12 = 0.5 * c12;
  const s = membraneStress;
  s[0] = q11 * e11 + q12 * e22;
  s[1] = q22 * e22 + q12 * e11;
  s[2] = 2 * shear * e12;
  const d = membraneTangent;
  d[0] = q11;
  d[1] = q22;
  d[2] = q12;
  d[3] = shear;
  d[4] = d[5] = 0;
  return 0.5 * (s[0] * e11 + s[1] * e22) + s[2] * e12;
}

// S = μ (I − C⁻¹) + ½ λ̄ ln det C · C⁻¹,   𝔻 = λ̄ C⁻¹⊗C⁻¹ + 2 (μ − ½ λ̄ ln det C) C⁻¹⊙C⁻¹
function evaluateNeoHookean(
  law: MembraneLaw,
  c11: number,
  c22: number,
  c12: number,
  order: number,
  isProjected: boolean,
): number {
  const mu = law.shear;
  const lambda = law.q12;
  const det = c11 * c22 - c12 * c12;
  if (!(det > 0)) return Infinity;
  const logDet = log(det);
  const i11 = c22 / det;
  const i22 = c11 / det;
  const i12 = -c12 / det;
  const push = 0.5 * lambda * logDet - mu;
  const s = membraneStress;
  s[0] = mu + push * i11;
  s[1] = mu + push * i22;
  s[2] = push * i12;
  if (order === 2) {
    // where the area is blown up far, the second part is negative
    const twice = isProjected ? Math.max(0, -2 * push) : -2 * push;
    const d = membraneTangent;
    d[0] = (lambda + twice) * i11 * i11;
    d[1] = (lambda + twice) * i22 * i22;
    d[2] = lambda * i11 * i22 + twice * i12 * i12;
    d[3] = lambda * i12 * i12 + 0.5 * twice * (i11 * i22 + i12 * i12);
    d[4] = (lambda + twice) * i11 * i12;
    d[5] = (lambda + twice) * i22 * i12;
  }
  return 0.5 * mu * (c11 + c22 - 2 - logDet) + 0.125 * lambda * logDet * logDet;
}

function addLimits(law: MembraneLaw, c11: number, c22: number): number {
  return addLimit(law.limit, law.q11, c11, 0) + addLimit(law.limit, law.q22, c22, 1);
}

function addLimit(limit: number, stiffness: number, c: number, k: number): number {
  const beyond = 0.5 * (c - 1) - limit;
  if (!(beyond > 0)) return 0;
  const scale = (LIMIT_STIFFNESS * stiffness) / limit;
  membraneStress[k] += scale * beyond * beyond;
  membraneTangent[k] += 2 * scale * beyond;
  return (scale * beyond * beyond * beyond) / 3;
}
