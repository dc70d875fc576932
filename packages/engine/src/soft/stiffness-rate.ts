/**
 * How the projected stiffness of a material changes with its deformation, for derivatives: of
 *   φ(F) = A · 𝒦(F) · B,   𝒦 = ∂P/∂F made positive semidefinite
 * with A and B changes of F, by centred differences over the nine entries of F: eigenvalues that are cut off have no simple derivative. Pa.
 */
import type { Material } from './material.ts';
import { createPrincipalStiffness, evaluateStiffness, expandStiffness } from './principal-stiffness.ts';

/** Length of differences: F is of size 1. */
const DIFFERENCE = 1e-6;

const parts = /* @__PURE__ */ createPrincipalStiffness();
const tangent = /* @__PURE__ */ new Float64Array(81);

/** out = ∂φ/∂F; F is as it was afterwards. */
export function differentiateStiffness(
  out: Float64Array,
  material: Material,
  f: Float64Array,
  a: Float64Array,
  b: Float64Array,
): void {
  for (let k = 0; k < 9; k++) {
    const at = f[k];
    f[k] = at + DIFFERENCE;
    const after = contract(material, f, a, b);
    f[k] = at - DIFFERENCE;
    const before = contract(material, f, a, b);
    f[k] = at;
    out[k] = (0.5 * (after - before)) / DIFFERENCE;
  }
}

function contract(material: Material, f: Float64Array, a: Float64Array, b: Float64Array): number {
  evaluateStiffness(parts, material, f, true);
  expandStiffness(tangent, parts);
  let sum = 0;
  for (let i = 0; i < 9; i++) {
    let row = 0;
    for (let j = 0; j < 9; j++) row += tangent[9 * i + j] * b[j];
    sum += a[i] * row;
  }
  return sum;
}
