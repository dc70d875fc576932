/**
 * The inertial predictor: the motion of a body without contacts and joints.
 *   x̃ = x + h v + h² f/m                       v⁺ = v + h f/m
 *   R exp(h ω⁺/2) I ω⁺ = R exp(−h ω/2) I ω + h τ
 * x m; v m/s; f N; ω rad/s and τ N m in body axes; I inertia in body axes. The second line says that R_mid I ω, the angular
 * momentum at the middle of a step, changes only by the torque. It is conserved exactly at any speed of rotation, as is |I ω|, and the
 * step is time-reversible, so energy does not drift. It is solved for ω⁺ by Newton's method.
 * The alternative, R I ω at the end of the step, loses energy and lets a spinning body settle on its longest axis.
 */
import { cosSin } from '../../../linear-algebra/elementary.ts';

const pair = /* @__PURE__ */ new Float64Array(2);
const goal = /* @__PURE__ */ new Float64Array(3);
const spin = /* @__PURE__ */ new Float64Array(3);
const turned = /* @__PURE__ */ new Float64Array(3);
const residual = /* @__PURE__ */ new Float64Array(3);
const jacobian = /* @__PURE__ */ new Float64Array(9);
const LIMIT = 30;

/** out = ω⁺ from ω at w, the torque at t (body axes, without gyroscopic part) and the inertia at m (3 × 3). */
export function predictSpin(
  out: Float64Array,
  o: number,
  omega: Float64Array,
  w: number,
  torque: Float64Array,
  t: number,
  inertia: Float64Array,
  m: number,
  h: number,
): void {
  multiply(spin, inertia, m, omega[w], omega[w + 1], omega[w + 2]);
  turnVector(goal, spin, -0.5 * h * omega[w], -0.5 * h * omega[w + 1], -0.5 * h * omega[w + 2]);
  for (let k = 0; k < 3; k++) goal[k] += h * torque[t + k];
  const scale = Math.abs(goal[0]) + Math.abs(goal[1]) + Math.abs(goal[2]);
  let x = omega[w];
  let y = omega[w + 1];
  let z = omega[w + 2];
  for (let n = 0; n < LIMIT; n++) {
    multiply(spin, inertia, m, x, y, z);
    turnVector(turned, spin, 0.5 * h * x, 0.5 * h * y, 0.5 * h * z);
    for (let k = 0; k < 3; k++) residual[k] = turned[k] - goal[k];
    if (Math.abs(residual[0]) + Math.abs(residual[1]) + Math.abs(residual[2]) <= 4e-16 * scale) break;
    writeJacobian(inertia, m, h, x, y, z);
    if (!solveThree(jacobian, residual)) break;
    x -= residual[0];
    y -= residual[1];
    z -= residual[2];
  }
  out[o] = x;
  out[o + 1] = y;
  out[o + 2] = z;
}

// ∂(E I ω)/∂ω = E I − (h/2) [E I ω]× J(h ω/2), with J the left Jacobian of SO(3) to first order
function writeJacobian(inertia: Float64Array, m: number, h: number, x: number, y: number, z: number): void {
  for (let c = 0; c < 3; c++) {
    column[0] = inertia[m + c];
    column[1] = inertia[m + 3 + c];
    column[2] = inertia[m + 6 + c];
    turnVector(moved, column, 0.5 * h * x, 0.5 * h * y, 0.5 * h * z);
    // J e_c ≈ e_c + ½ (h ω/2) × e_c
    const q = 0.25 * h;
    const jx = (c === 0 ? 1 : 0) + q * (c === 2 ? y : c === 1 ? -z : 0);
    const jy = (c === 1 ? 1 : 0) + q * (c === 0 ? z : c === 2 ? -x : 0);
    const jz = (c === 2 ? 1 : 0) + q * (c === 1 ? x : c === 0 ? -y : 0);
    const s = 0.5 * h;
    jacobian[c] = moved[0] - s * (turned[1] * jz - turned[2] * jy);
    jacobian[3 + c] = moved[1] - s * (turned[2] * jx - turned[0] * jz);
    jacobian[6 + c] = moved[2] - s * (turned[0] * jy - turned[1] * jx);
  }
}

const column = /* @__PURE__ */ new Float64Array(3);
const moved = /* @__PURE__ */ new Float64Array(3);

function multiply(out: Float64Array, a: Float64Array, m: number, x: number, y: number, z: number): void {
  for (let k = 0; k < 3; k++) out[k] = a[m + 3 * k] * x + a[m + 3 * k + 1] * y + a[m + 3 * k + 2] * z;
}

// out = exp([x y z]) v
function turnVector(out: Float64Array, v: Float64Array, x: number, y: number, z: number): void {
  const angle = Math.sqrt(x * x + y * y + z * z);
  if (angle === 0) {
    out[0] = v[0];
    out[1] = v[1];
    out[2] = v[2];
    return;
  }
  cosSin(pair, 0, 0.5 * angle);
  const s = pair[1] / angle;
  const w = pair[0];
  const qx = s * x;
  const qy = s * y;
  const qz = s * z;
  const vx = v[0];
  const vy = v[1];
  const vz = v[2];
  const tx = w * vx + qy * vz - qz * vy;
  const ty = w * vy + qz * vx - qx * vz;
  const tz = w * vz + qx * vy - qy * vx;
  out[0] = vx + 2 * (qy * tz - qz * ty);
  out[1] = vy + 2 * (qz * tx - qx * tz);
  out[2] = vz + 2 * (qx * ty - qy * tx);
}

// b ← A⁻¹ b by Cramer's rule; false where A is singular
function solveThree(a: Float64Array, b: Float64Array): boolean {
  const c0 = a[4] * a[8] - a[5] * a[7];
  const c1 = a[5] * a[6] - a[3] * a[8];
  const c2 = a[3] * a[7] - a[4] * a[6];
  const determinant = a[0] * c0 + a[1] * c1 + a[2] * c2;
  if (!(Math.abs(determinant) > 0)) return false;
  const s = 1 / determinant;
  const x = b[0];
  const y = b[1];
  const z = b[2];
  b[0] = s * (c0 * x + (a[2] * a[7] - a[1] * a[8]) * y + (a[1] * a[5] - a[2] * a[4]) * z);
  b[1] = s * (c1 * x + (a[0] * a[8] - a[2] * a[6]) * y + (a[2] * a[3] - a[0] * a[5]) * z);
  b[2] = s * (c2 * x + (a[1] * a[6] - a[0] * a[7]) * y + (a[0] * a[4] - a[1] * a[3]) * z);
  return true;
}
