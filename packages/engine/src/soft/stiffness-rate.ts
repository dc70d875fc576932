/**
 * How the projected stiffness of a material changes with its deformation, for derivatives: of
 *   φ(F) = A · 𝒦(F) · B,   𝒦 = ∂P/∂F made positive semidefinite
 * with A and B changes of F. Where no eigenvalue is cut off 𝒦 is a second derivative of the energy, the third one is symmetric, and
 *   ∂φ/∂F = d/ds 𝒦(F + s A) B,   one centred difference
 * Elsewhere by centred differences over the nine entries of F: eigenvalues that are cut off have no simple derivative. Pa.
 */
import type { Material } from './material.ts';
import { createPrincipalStiffness, evaluateStiffness } from './principal-stiffness.ts';

/** Length of differences: F is of size 1. */
const DIFFERENCE = 1e-6;

const parts = /* @__PURE__ */ createPrincipalStiffness();
const turnedA = /* @__PURE__ */ new Float64Array(9);
const turnedB = /* @__PURE__ */ new Float64Array(9);
const half = /* @__PURE__ */ new Float64Array(9);
const moved = /* @__PURE__ */ new Float64Array(9);
const ahead = /* @__PURE__ */ new Float64Array(9);
const behind = /* @__PURE__ */ new Float64Array(9);
const frameU = /* @__PURE__ */ new Float64Array(9);
const frameV = /* @__PURE__ */ new Float64Array(9);
const ownA = /* @__PURE__ */ new Float64Array(9);
const ownB = /* @__PURE__ */ new Float64Array(9);

/** Share of the stiffness by which eigenvalues stay away from zero within a difference. */
const CLEAR = 1e-4;

/** out = ∂φ/∂F. */
export function differentiateStiffness(
  out: Float64Array,
  material: Material,
  f: Float64Array,
  a: Float64Array,
  b: Float64Array,
): void {
  if (isUncut(material, f)) {
    differentiateAlong(out, material, f, a, b);
    return;
  }
  // in the frames of F itself, which nearby matrices hardly turn
  frameU.set(parts.u);
  frameV.set(parts.v);
  turn(ownA, frameU, a, frameV);
  turn(ownB, frameU, b, frameV);
  moved.fill(0);
  for (let k = 0; k < 3; k++) moved[4 * k] = parts.sigma[k];
  for (let k = 0; k < 9; k++) {
    const at = moved[k];
    moved[k] = at + DIFFERENCE;
    const after = contract(material, moved, ownA, ownB);
    moved[k] = at - DIFFERENCE;
    const before = contract(material, moved, ownA, ownB);
    moved[k] = at;
    ahead[k] = (0.5 * (after - before)) / DIFFERENCE;
  }
  turnBack(out, frameU, ahead, frameV);
}

// whether no eigenvalue is cut off near F
function isUncut(material: Material, f: Float64Array): boolean {
  evaluateStiffness(parts, material, f, false);
  const least = CLEAR * material.mu;
  const { stretch: s, flip, twist } = parts;
  for (let k = 0; k < 3; k++) if (!(flip[k] > least && (twist[k] > least || twist[k] === 0))) return false;
  const s0 = s[0] - least;
  const s4 = s[4] - least;
  const s8 = s[8] - least;
  const minor = s0 * s4 - s[1] * s[1];
  return s0 > 0 && minor > 0 && minor * s8 - s0 * s[5] * s[5] - s4 * s[2] * s[2] + 2 * s[1] * s[2] * s[5] > 0;
}

function differentiateAlong(
  out: Float64Array,
  material: Material,
  f: Float64Array,
  a: Float64Array,
  b: Float64Array,
): void {
  let size = 0;
  for (let k = 0; k < 9; k++) size = Math.max(size, Math.abs(a[k]));
  out.fill(0);
  if (size === 0) return;
  const length = DIFFERENCE / size;
  for (let k = 0; k < 9; k++) moved[k] = f[k] + length * a[k];
  multiply(ahead, material, moved, b);
  for (let k = 0; k < 9; k++) moved[k] = f[k] - length * a[k];
  multiply(behind, material, moved, b);
  for (let k = 0; k < 9; k++) out[k] = (0.5 * (ahead[k] - behind[k])) / length;
}

// out = 𝒦 B = U Y Vᵀ
function multiply(out: Float64Array, material: Material, f: Float64Array, b: Float64Array): void {
  evaluateStiffness(parts, material, f, false);
  const { u, v, stretch, flip, twist } = parts;
  turn(turnedB, u, b, v);
  for (let i = 0; i < 3; i++) {
    for (let k = 0; k < 3; k++) {
      const same = turnedB[3 * i + k];
      const other = turnedB[3 * k + i];
      turnedA[3 * i + k] =
        i === k
          ? stretch[3 * i] * turnedB[0] + stretch[3 * i + 1] * turnedB[4] + stretch[3 * i + 2] * turnedB[8]
          : 0.5 * (flip[i + k - 1] * (same + other) + twist[i + k - 1] * (same - other));
    }
  }
  turnBack(out, u, turnedA, v);
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

// out = U A Vᵀ
function turnBack(out: Float64Array, u: Float64Array, a: Float64Array, v: Float64Array): void {
  for (let i = 0; i < 3; i++)
    for (let k = 0; k < 3; k++) half[3 * i + k] = u[3 * i] * a[k] + u[3 * i + 1] * a[3 + k] + u[3 * i + 2] * a[6 + k];
  for (let i = 0; i < 3; i++)
    for (let k = 0; k < 3; k++)
      out[3 * i + k] = half[3 * i] * v[3 * k] + half[3 * i + 1] * v[3 * k + 1] + half[3 * i + 2] * v[3 * k + 2];
}
