/**
 * How the projected stiffness of a material changes with its deformation, for derivatives: of
 *   φ(F) = A · 𝒦(F) · B,   𝒦 = ∂P/∂F made positive semidefinite
 * with A and B changes of F. Without the projection 𝒦 is a second derivative of the energy, the third one is symmetric, and
 *   ∂φ/∂F = d/ds 𝒦(F + s A) B,   one centred difference
 * in closed form of the law of Saint Venant and Kirchhoff, P = F T(E) with T = 2 μ E + λ tr E and sym X = ½ (X + Xᵀ),
 *   B T(sym Fᵀ A) + A T(sym Fᵀ B) + F T(sym Aᵀ B)
 * and of the corotated law, P = 2 μ F + c R with c = λ (tr S − 3) − 2 μ: in the frames of its singular values, where R is 1,
 *   λ (Ω_A : B) + λ tr B Ω_A + λ tr A Ω_B + c (Ω_A Ω_B + δΩ),   δΩ S + S δΩ = −Ω_A B − Bᵀ Ω_A − Ω_B δS − δS Ω_B,   δS = A − Ω_A S
 * Where F is near a rotation, twists are near zero, and the projection cuts off those below it. That adds 2 s_A · W s_B, with F = R S, s_A the
 * axis of the skew part of Rᵀ A, and W the tensor with the eigenvectors of S and the eigenvalues w = max(0, −twist). With X a change of F in
 * the frames of its singular values σ,
 *   δ(Rᵀ A) = −Ω Rᵀ A,  Ω_ij = (X_ij − X_ji)/(σ_i + σ_j)       δW_ij = (w_i − w_j)/(σ_i − σ_j) δS_ij,  δS_ij = (σ_i X_ij + σ_j X_ji)/(σ_i + σ_j)
 * Where other eigenvalues are near zero, by centred differences over the nine entries of F. Pa.
 */
import { ELASTIC_LAW, type Material } from './material.ts';
import {
  createPrincipalStiffness,
  differentiateTwists,
  evaluateStiffness,
  fillStiffness,
} from './principal-stiffness.ts';

/** Length of differences: F is of size 1. */
const DIFFERENCE = 1e-6;
/** Singular values that differ by less count as equal in quotients of differences. */
const EQUAL = 1e-4;
/** Share of μ below which a twist is on the border: its rate is the mean of both sides. */
const BORDER = 1e-9;
/** Least sum of two singular values: below it rotations are not well defined. */
const LEAST_SUM = 1e-2;

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
const cut = /* @__PURE__ */ new Float64Array(9);
const twistRate = /* @__PURE__ */ new Float64Array(9);
const w = /* @__PURE__ */ new Float64Array(3);
const rate = /* @__PURE__ */ new Float64Array(9);
const axisA = /* @__PURE__ */ new Float64Array(3);
const axisB = /* @__PURE__ */ new Float64Array(3);
const spin = /* @__PURE__ */ new Float64Array(9);
const spinA = /* @__PURE__ */ new Float64Array(9);
const spinB = /* @__PURE__ */ new Float64Array(9);
const stretchRate = /* @__PURE__ */ new Float64Array(9);

/** Share of the stiffness by which eigenvalues stay away from zero within a difference. */
const CLEAR = 1e-4;

/** Numbers of the singular values of an element and their frames: σ, U, V. */
const FRAME = 21;

/** Singular values and frames of elements at one configuration: more gradients of the same step need them again. */
export class KeptFrames {
  readonly #frame: Float64Array;
  readonly #isKept: Uint8Array;
  #position: Float64Array = new Float64Array(0);

  constructor(count: number) {
    this.#frame = new Float64Array(FRAME * count);
    this.#isKept = new Uint8Array(count);
  }

  /** Goes to a configuration; forgets that of another one. */
  begin(position: Float64Array): void {
    const known = this.#position;
    let isSame = known.length === position.length;
    for (let i = 0; isSame && i < known.length; i++) isSame = known[i] === position[i];
    if (isSame) return;
    this.#position = position.slice();
    this.#isKept.fill(0);
  }

  /** Whether the frames of an element were kept: they are in `parts` then. */
  read(element: number): boolean {
    if (this.#isKept[element] === 0) return false;
    const o = FRAME * element;
    for (let k = 0; k < 3; k++) parts.sigma[k] = this.#frame[o + k];
    for (let k = 0; k < 9; k++) {
      parts.u[k] = this.#frame[o + 3 + k];
      parts.v[k] = this.#frame[o + 12 + k];
    }
    return true;
  }

  /** Keeps those in `parts`. */
  keep(element: number): void {
    const o = FRAME * element;
    this.#isKept[element] = 1;
    this.#frame.set(parts.sigma, o);
    this.#frame.set(parts.u, o + 3);
    this.#frame.set(parts.v, o + 12);
  }
}

/** out = ∂φ/∂F; `kept` are the frames of elements at F, and this one is `element`. */
export function differentiateStiffness(
  out: Float64Array,
  material: Material,
  f: Float64Array,
  a: Float64Array,
  b: Float64Array,
  kept?: KeptFrames,
  element: number = 0,
): void {
  if (kept?.read(element)) fillStiffness(parts, material);
  else {
    evaluateStiffness(parts, material, f, false);
    kept?.keep(element);
  }
  if (!areTwistsCutAlone(material)) {
    takeDifferences(out, material, a, b);
    return;
  }
  const isCut = writeCut(material, a, b);
  if (material.law === ELASTIC_LAW.corotated) differentiateCorotated(out, material, a, b);
  else if (material.law === ELASTIC_LAW.saintVenantKirchhoff) differentiateQuadratic(out, material, f, a, b);
  else differentiateAlong(out, material, f, a, b);
  if (isCut) for (let k = 0; k < 9; k++) out[k] += cut[k];
}

// the frames are those of F itself, which nearby matrices hardly turn
function takeDifferences(out: Float64Array, material: Material, a: Float64Array, b: Float64Array): void {
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

// whether no eigenvalue but those of twists is cut off near F, with the stiffness there in `parts`
function areTwistsCutAlone(material: Material): boolean {
  const least = CLEAR * material.mu;
  const { stretch: s, flip, sigma } = parts;
  for (let k = 0; k < 3; k++) if (!(flip[k] > least && sigma[k] + sigma[(k + 1) % 3] > LEAST_SUM)) return false;
  const s0 = s[0] - least;
  const s4 = s[4] - least;
  const s8 = s[8] - least;
  const minor = s0 * s4 - s[1] * s[1];
  return s0 > 0 && minor > 0 && minor * s8 - s0 * s[5] * s[5] - s4 * s[2] * s[2] + 2 * s[1] * s[2] * s[5] > 0;
}

// the derivative of 2 s_A · W s_B to `cut`; false where no twist is cut off. Pairs 01, 02, 12 twist about the axes 2, 1, 0.
function writeCut(material: Material, a: Float64Array, b: Float64Array): boolean {
  const { u, v, sigma, twist } = parts;
  const border = BORDER * material.mu;
  let isCut = false;
  for (let l = 0; l < 3; l++) {
    w[l] = Math.max(0, -twist[2 - l]);
    if (twist[2 - l] < border && twist[2 - l] !== 0) isCut = true;
  }
  if (!isCut) return false;
  differentiateTwists(twistRate, material, sigma);
  for (let l = 0; l < 3; l++) {
    const t = twist[2 - l];
    const share = t < -border ? -1 : t > border ? 0 : -0.5;
    for (let m = 0; m < 3; m++) rate[3 * l + m] = share * twistRate[3 * (2 - l) + m];
  }
  turn(ownA, u, a, v);
  turn(ownB, u, b, v);
  writeAxis(axisA, ownA);
  writeAxis(axisB, ownB);
  // Ω̄ = −½ ([2 W s_B]× Ãᵀ + [2 W s_A]× B̃ᵀ)
  spin.fill(0);
  addSpin(axisB, ownA);
  addSpin(axisA, ownB);
  for (let i = 0; i < 3; i++) {
    let along = 0;
    for (let l = 0; l < 3; l++) along += 2 * rate[3 * l + i] * axisA[l] * axisB[l];
    moved[4 * i] = along;
    for (let j = i + 1; j < 3; j++) {
      const sum = sigma[i] + sigma[j];
      const turned = (spin[3 * i + j] - spin[3 * j + i]) / sum;
      const bent = (2 * (axisA[i] * axisB[j] + axisA[j] * axisB[i]) * divide(i, j, sigma)) / sum;
      moved[3 * i + j] = turned + sigma[i] * bent;
      moved[3 * j + i] = sigma[j] * bent - turned;
    }
  }
  turnBack(cut, u, moved, v);
  return true;
}

// (w_i − w_j)/(σ_i − σ_j)
function divide(i: number, j: number, sigma: Float64Array): number {
  const difference = sigma[i] - sigma[j];
  if (Math.abs(difference) > EQUAL) return (w[i] - w[j]) / difference;
  return 0.5 * (rate[4 * i] - rate[3 * i + j] + rate[4 * j] - rate[3 * j + i]);
}

// the axis of the skew part
function writeAxis(out: Float64Array, m: Float64Array): void {
  out[0] = 0.5 * (m[7] - m[5]);
  out[1] = 0.5 * (m[2] - m[6]);
  out[2] = 0.5 * (m[3] - m[1]);
}

// spin −= [W s]× Mᵀ
function addSpin(axis: Float64Array, m: Float64Array): void {
  const x = w[0] * axis[0];
  const y = w[1] * axis[1];
  const z = w[2] * axis[2];
  for (let k = 0; k < 3; k++) {
    spin[k] -= y * m[3 * k + 2] - z * m[3 * k + 1];
    spin[3 + k] -= z * m[3 * k] - x * m[3 * k + 2];
    spin[6 + k] -= x * m[3 * k + 1] - y * m[3 * k];
  }
}

// with the frames of F itself in `parts`
function differentiateCorotated(out: Float64Array, { mu, lambda }: Material, a: Float64Array, b: Float64Array): void {
  const { u, v, sigma } = parts;
  turn(ownA, u, a, v);
  turn(ownB, u, b, v);
  writeSpin(spinA, ownA, sigma);
  writeSpin(spinB, ownB, sigma);
  const traceA = ownA[0] + ownA[4] + ownA[8];
  const traceB = ownB[0] + ownB[4] + ownB[8];
  let along = 0;
  for (let k = 0; k < 9; k++) along += lambda * spinA[k] * ownB[k];
  for (let i = 0; i < 3; i++)
    for (let k = 0; k < 3; k++) stretchRate[3 * i + k] = ownA[3 * i + k] - spinA[3 * i + k] * sigma[k];
  const c = lambda * (sigma[0] + sigma[1] + sigma[2] - 3) - 2 * mu;
  for (let i = 0; i < 3; i++) {
    for (let k = 0; k < 3; k++) {
      const o = 3 * i + k;
      let square = 0;
      let skew = 0;
      for (let m = 0; m < 3; m++) {
        square += spinA[3 * i + m] * spinB[3 * m + k];
        skew -= spinA[3 * i + m] * ownB[3 * m + k] + ownB[3 * m + i] * spinA[3 * m + k];
        skew -= spinB[3 * i + m] * stretchRate[3 * m + k] + stretchRate[3 * i + m] * spinB[3 * m + k];
      }
      const bent = i === k ? 0 : skew / (sigma[i] + sigma[k]);
      moved[o] = lambda * (traceB * spinA[o] + traceA * spinB[o]) + c * (square + bent) + (i === k ? along : 0);
    }
  }
  turnBack(out, u, moved, v);
}

// of the law of Saint Venant and Kirchhoff
function differentiateQuadratic(
  out: Float64Array,
  material: Material,
  f: Float64Array,
  a: Float64Array,
  b: Float64Array,
): void {
  out.fill(0);
  addTurned(out, b, material, f, a);
  addTurned(out, a, material, f, b);
  addTurned(out, f, material, a, b);
}

// out += X T(sym Yᵀ Z)
function addTurned(
  out: Float64Array,
  x: Float64Array,
  { mu, lambda }: Material,
  y: Float64Array,
  z: Float64Array,
): void {
  const xx = y[0] * z[0] + y[3] * z[3] + y[6] * z[6];
  const yy = y[1] * z[1] + y[4] * z[4] + y[7] * z[7];
  const zz = y[2] * z[2] + y[5] * z[5] + y[8] * z[8];
  const xy = mu * (y[0] * z[1] + y[3] * z[4] + y[6] * z[7] + (y[1] * z[0] + y[4] * z[3] + y[7] * z[6]));
  const xz = mu * (y[0] * z[2] + y[3] * z[5] + y[6] * z[8] + (y[2] * z[0] + y[5] * z[3] + y[8] * z[6]));
  const yz = mu * (y[1] * z[2] + y[4] * z[5] + y[7] * z[8] + (y[2] * z[1] + y[5] * z[4] + y[8] * z[7]));
  const pressure = lambda * (xx + yy + zz);
  const sx = 2 * mu * xx + pressure;
  const sy = 2 * mu * yy + pressure;
  const sz = 2 * mu * zz + pressure;
  for (let i = 0; i < 9; i += 3) {
    out[i] += x[i] * sx + x[i + 1] * xy + x[i + 2] * xz;
    out[i + 1] += x[i] * xy + x[i + 1] * sy + x[i + 2] * yz;
    out[i + 2] += x[i] * xz + x[i + 1] * yz + x[i + 2] * sz;
  }
}

// Ω
function writeSpin(out: Float64Array, x: Float64Array, sigma: Float64Array): void {
  for (let i = 0; i < 3; i++)
    for (let k = 0; k < 3; k++) out[3 * i + k] = i === k ? 0 : (x[3 * i + k] - x[3 * k + i]) / (sigma[i] + sigma[k]);
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
