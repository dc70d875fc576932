/**
 * Principal axes of a symmetric 3×3 matrix by Jacobi's method: A = R(q) diag(λ) R(q)ᵀ, λ₀ ≥ λ₁ ≥ λ₂.
 *
 * Each sweep turns the plane of the largest off-diagonal entry until that entry is zero; the turns are gathered in a unit
 * quaternion, so R is a rotation to round-off whatever A is. Golub and Van Loan, Matrix Computations, 8.5.
 */
import { type Doubles, matrixFromQuaternion, multiplyQuaternions, normalizeQuaternion } from './quaternion.ts';

/**
 * Eigenvalues in decreasing order and the rotation from the eigenvectors' axes to the outer ones.
 *
 * @param tensor xx, yy, zz, xy, xz, yz
 * @param values three eigenvalues (out)
 * @param quaternion w x y z (out)
 * @param tolerance share of the largest entry below which off-diagonal entries are left; the default is round-off
 */
export function diagonalizeSymmetric(
  tensor: Doubles,
  values: Doubles,
  quaternion: Doubles,
  tolerance: number = 1e-17,
): void {
  const q = quaternion;
  q[0] = 1;
  q[1] = q[2] = q[3] = 0;
  let scale = 0;
  for (let i = 0; i < 6; i++) scale = Math.max(scale, Math.abs(tensor[i]));

  for (let sweep = 0; sweep < 50; sweep++) {
    rotateTensor(tensor, q);
    // find the largest off-diagonal entry: rows r, columns c, axis k of the turn
    const xy = Math.abs(turned[3]);
    const xz = Math.abs(turned[4]);
    const yz = Math.abs(turned[5]);
    const k = xy > xz && xy > yz ? 2 : xz > yz ? 1 : 0;
    const entry = turned[5 - k];
    if (Math.abs(entry) <= tolerance * scale) break;

    // the smaller angle θ that zeroes it: t = tan θ
    const r = k === 0 ? 1 : 0;
    const c = k === 2 ? 1 : 2;
    const tau = (turned[c] - turned[r]) / (2 * entry);
    const t = tau >= 0 ? 1 / (tau + Math.sqrt(1 + tau * tau)) : -1 / (-tau + Math.sqrt(1 + tau * tau));
    const cosine = 1 / Math.sqrt(1 + t * t);
    const halfSine = (t * cosine) / Math.sqrt(2 * (1 + cosine));
    if (Math.abs(halfSine) < 1e-17) break;
    turn[0] = Math.sqrt((1 + cosine) / 2);
    turn[1] = turn[2] = turn[3] = 0;
    turn[k + 1] = k === 1 ? halfSine : -halfSine;
    multiplyQuaternions(q, 0, q, 0, turn, 0);
    normalizeQuaternion(q, 0, q, 0);
  }
  rotateTensor(tensor, q);
  values[0] = turned[0];
  values[1] = turned[1];
  values[2] = turned[2];

  // sort: three exchanges of neighbours, each a quarter turn about the third axis; near-equal values keep their axes
  for (let pass = 0; pass < 3; pass++) {
    const i = pass % 2;
    if (values[i] + 1e-14 * scale >= values[i + 1]) continue;
    const value = values[i];
    values[i] = values[i + 1];
    values[i + 1] = value;
    turn[0] = Math.SQRT1_2;
    turn[1] = turn[2] = turn[3] = 0;
    turn[((i + 2) % 3) + 1] = Math.SQRT1_2;
    multiplyQuaternions(q, 0, q, 0, turn, 0);
    normalizeQuaternion(q, 0, q, 0);
  }
}

const turn = /* @__PURE__ */ new Float64Array(4);
const turned = /* @__PURE__ */ new Float64Array(6);
const rotation = /* @__PURE__ */ new Float64Array(9);
const product = /* @__PURE__ */ new Float64Array(9);

// turned = Rᵀ A R
function rotateTensor(a: Doubles, q: Doubles): void {
  matrixFromQuaternion(rotation, 0, q, 0);
  const R = rotation;
  const P = product;
  for (let j = 0; j < 3; j++) {
    P[j] = a[0] * R[j] + a[3] * R[3 + j] + a[4] * R[6 + j];
    P[3 + j] = a[3] * R[j] + a[1] * R[3 + j] + a[5] * R[6 + j];
    P[6 + j] = a[4] * R[j] + a[5] * R[3 + j] + a[2] * R[6 + j];
  }
  turned[0] = R[0] * P[0] + R[3] * P[3] + R[6] * P[6];
  turned[1] = R[1] * P[1] + R[4] * P[4] + R[7] * P[7];
  turned[2] = R[2] * P[2] + R[5] * P[5] + R[8] * P[8];
  turned[3] = R[0] * P[1] + R[3] * P[4] + R[6] * P[7];
  turned[4] = R[0] * P[2] + R[3] * P[5] + R[6] * P[8];
  turned[5] = R[1] * P[2] + R[4] * P[5] + R[7] * P[8];
}
