/**
 * How the projected stiffness of a material changes with its deformation, for derivatives: of
 *   φ(F) = A · 𝒦(F) · B,   𝒦 = ∂P/∂F made positive semidefinite
 * with A and B changes of F, by centred differences over the nine entries of F: eigenvalues that are cut off have no simple derivative. Pa.
 */
import type { Material } from './material.ts';
import { createPrincipalStiffness, evaluateStiffness } from './principal-stiffness.ts';

/** Length of differences: F is of size 1. */
const DIFFERENCE = 1e-6;

const parts = /* @__PURE__ */ createPrincipalStiffness();
const turnedA = /* @__PURE__ */ new Float64Array(9);
const turnedB = /* @__PURE__ */ new Float64Array(9);
const half = /* @__PURE__ */ new Float64Array(9);

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

// in the frames U and V, where 𝒦 has few entries
function contract(material: Material, f: Float64Array, a: Float64Array, b: Float64Array): number {
  evaluateStiffness(parts, material, f, true);
  const { u, v, stretch, flip, twist } = parts;
  turn(turnedA, u, a, v);
  turn(turnedB, u, b, v);
  let sum = 0;
  for (let i = 0; i < 3; i++) {
    for (let k = 0; k < 3; k++) {
      sum += turnedA[4 * i] * stretch[3 * i + k] * turnedB[4 * k];
      if (i === k) continue;
      const pair = i + k - 1;
      const same = turnedB[3 * i + k];
      const other = turnedB[3 * k + i];
      sum += 0.5 * turnedA[3 * i + k] * (flip[pair] * (same + other) + twist[pair] * (same - other));
    }
  }
  return sum;
}

// out = Uᵀ A V
function turn(out: Float64Array, u: Float64Array, a: Float64Array, v: Float64Array): void {
  for (let i = 0; i < 3; i++)
    for (let k = 0; k < 3; k++) half[3 * i + k] = a[3 * i] * v[k] + a[3 * i + 1] * v[3 + k] + a[3 * i + 2] * v[6 + k];
  for (let i = 0; i < 3; i++)
    for (let k = 0; k < 3; k++) out[3 * i + k] = u[i] * half[k] + u[3 + i] * half[3 + k] + u[6 + i] * half[6 + k];
}
