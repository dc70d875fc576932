/**
 * Unit quaternions w x y z in packed arrays: q rotates from the local frame to the parent's, v' = q v q*.
 * Every function writes to `out` at offset `o`; out may be one of the inputs.
 */
import { atan2, cosSin } from './elementary.ts';

/** A packed array of doubles. */
export type Doubles = Float64Array;

const pair = /* @__PURE__ */ new Float64Array(2);

/** out = a ⊗ b. */
export function multiplyQuaternions(out: Doubles, o: number, a: Doubles, ia: number, b: Doubles, ib: number): void {
  const aw = a[ia];
  const ax = a[ia + 1];
  const ay = a[ia + 2];
  const az = a[ia + 3];
  const bw = b[ib];
  const bx = b[ib + 1];
  const by = b[ib + 2];
  const bz = b[ib + 3];
  out[o] = aw * bw - ax * bx - ay * by - az * bz;
  out[o + 1] = aw * bx + ax * bw + ay * bz - az * by;
  out[o + 2] = aw * by - ax * bz + ay * bw + az * bx;
  out[o + 3] = aw * bz + ax * by - ay * bx + az * bw;
}

/** out = a* ⊗ b: the rotation from frame b to frame a. */
export function relativeQuaternion(out: Doubles, o: number, a: Doubles, ia: number, b: Doubles, ib: number): void {
  const aw = a[ia];
  const ax = -a[ia + 1];
  const ay = -a[ia + 2];
  const az = -a[ia + 3];
  const bw = b[ib];
  const bx = b[ib + 1];
  const by = b[ib + 2];
  const bz = b[ib + 3];
  out[o] = aw * bw - ax * bx - ay * by - az * bz;
  out[o + 1] = aw * bx + ax * bw + ay * bz - az * by;
  out[o + 2] = aw * by - ax * bz + ay * bw + az * bx;
  out[o + 3] = aw * bz + ax * by - ay * bx + az * bw;
}

/** out = q/|q|; the identity where |q| is zero. */
export function normalizeQuaternion(out: Doubles, o: number, q: Doubles, iq: number): void {
  const w = q[iq];
  const x = q[iq + 1];
  const y = q[iq + 2];
  const z = q[iq + 3];
  const norm = Math.sqrt(w * w + x * x + y * y + z * z);
  if (norm < 1e-15) {
    out[o] = 1;
    out[o + 1] = 0;
    out[o + 2] = 0;
    out[o + 3] = 0;
  } else {
    const s = 1 / norm;
    out[o] = w * s;
    out[o + 1] = x * s;
    out[o + 2] = y * s;
    out[o + 3] = z * s;
  }
}

/** Rotation matrix of q, row by row. */
export function matrixFromQuaternion(out: Doubles, o: number, q: Doubles, iq: number): void {
  const w = q[iq];
  const x = q[iq + 1];
  const y = q[iq + 2];
  const z = q[iq + 3];
  const ww = w * w;
  const xx = x * x;
  const yy = y * y;
  const zz = z * z;
  out[o] = ww + xx - yy - zz;
  out[o + 1] = 2 * (x * y - w * z);
  out[o + 2] = 2 * (x * z + w * y);
  out[o + 3] = 2 * (x * y + w * z);
  out[o + 4] = ww - xx + yy - zz;
  out[o + 5] = 2 * (y * z - w * x);
  out[o + 6] = 2 * (x * z - w * y);
  out[o + 7] = 2 * (y * z + w * x);
  out[o + 8] = ww - xx - yy + zz;
}

/** out = q v q*. */
export function rotateByQuaternion(out: Doubles, o: number, q: Doubles, iq: number, v: Doubles, iv: number): void {
  const w = q[iq];
  const x = q[iq + 1];
  const y = q[iq + 2];
  const z = q[iq + 3];
  const vx = v[iv];
  const vy = v[iv + 1];
  const vz = v[iv + 2];
  const tx = w * vx + y * vz - z * vy;
  const ty = w * vy + z * vx - x * vz;
  const tz = w * vz + x * vy - y * vx;
  out[o] = vx + 2 * (y * tz - z * ty);
  out[o + 1] = vy + 2 * (z * tx - x * tz);
  out[o + 2] = vz + 2 * (x * ty - y * tx);
}

/** Quaternion of a rotation by `angle` about the unit vector `axis`. */
export function quaternionFromAxisAngle(out: Doubles, o: number, axis: Doubles, ia: number, angle: number): void {
  if (angle === 0) {
    out[o] = 1;
    out[o + 1] = 0;
    out[o + 2] = 0;
    out[o + 3] = 0;
  } else {
    cosSin(pair, 0, 0.5 * angle);
    const s = pair[1];
    out[o] = pair[0];
    out[o + 1] = axis[ia] * s;
    out[o + 2] = axis[ia + 1] * s;
    out[o + 3] = axis[ia + 2] * s;
  }
}

/** Exponential map: q ← q ⊗ exp(h ω/2) with ω in the local frame, kept at unit length. */
export function integrateQuaternion(q: Doubles, iq: number, angular: Doubles, ia: number, h: number): void {
  const wx = angular[ia];
  const wy = angular[ia + 1];
  const wz = angular[ia + 2];
  const speed = Math.sqrt(wx * wx + wy * wy + wz * wz);
  if (speed < 1e-15) return;
  cosSin(pair, 0, 0.5 * h * speed);
  const c = pair[0];
  const s = pair[1] / speed;
  const rx = wx * s;
  const ry = wy * s;
  const rz = wz * s;
  const w = q[iq];
  const x = q[iq + 1];
  const y = q[iq + 2];
  const z = q[iq + 3];
  q[iq] = w * c - x * rx - y * ry - z * rz;
  q[iq + 1] = w * rx + x * c + y * rz - z * ry;
  q[iq + 2] = w * ry - x * rz + y * c + z * rx;
  q[iq + 3] = w * rz + x * ry - y * rx + z * c;
  normalizeQuaternion(q, iq, q, iq);
}

/** Logarithm: the rotation vector of q, angle in (−π, π], rad. */
export function rotationVector(out: Doubles, o: number, q: Doubles, iq: number): void {
  const x = q[iq + 1];
  const y = q[iq + 2];
  const z = q[iq + 3];
  const sine = Math.sqrt(x * x + y * y + z * z);
  if (sine < 1e-15) {
    out[o] = 0;
    out[o + 1] = 0;
    out[o + 2] = 0;
    return;
  }
  let angle = 2 * atan2(sine, q[iq]);
  // the shorter way round
  if (angle > Math.PI) angle -= 2 * Math.PI;
  const s = angle / sine;
  out[o] = x * s;
  out[o + 1] = y * s;
  out[o + 2] = z * s;
}
