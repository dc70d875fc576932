/** Unit quaternions w x y z at addresses: the compiled twin of the engine's linear-algebra/quaternion.ts, in the same order of operations. */
import { cosSin } from './elementary';

/** out = a ⊗ b. */
export function multiplyQuaternions(out: usize, a: usize, b: usize): void {
  const aw: f64 = load<f64>(a);
  const ax: f64 = load<f64>(a, 8);
  const ay: f64 = load<f64>(a, 16);
  const az: f64 = load<f64>(a, 24);
  const bw: f64 = load<f64>(b);
  const bx: f64 = load<f64>(b, 8);
  const by: f64 = load<f64>(b, 16);
  const bz: f64 = load<f64>(b, 24);
  store<f64>(out, aw * bw - ax * bx - ay * by - az * bz);
  store<f64>(out, aw * bx + ax * bw + ay * bz - az * by, 8);
  store<f64>(out, aw * by - ax * bz + ay * bw + az * bx, 16);
  store<f64>(out, aw * bz + ax * by - ay * bx + az * bw, 24);
}

/** out = q/|q|; the identity where |q| is zero. */
export function normalizeQuaternion(out: usize, q: usize): void {
  const w: f64 = load<f64>(q);
  const x: f64 = load<f64>(q, 8);
  const y: f64 = load<f64>(q, 16);
  const z: f64 = load<f64>(q, 24);
  const norm: f64 = Math.sqrt(w * w + x * x + y * y + z * z);
  if (norm < 1e-15) {
    store<f64>(out, 1);
    store<f64>(out, 0, 8);
    store<f64>(out, 0, 16);
    store<f64>(out, 0, 24);
  } else {
    const s: f64 = 1 / norm;
    store<f64>(out, w * s);
    store<f64>(out, x * s, 8);
    store<f64>(out, y * s, 16);
    store<f64>(out, z * s, 24);
  }
}

/** Rotation matrix of q, row by row. */
export function matrixFromQuaternion(out: usize, q: usize): void {
  const w: f64 = load<f64>(q);
  const x: f64 = load<f64>(q, 8);
  const y: f64 = load<f64>(q, 16);
  const z: f64 = load<f64>(q, 24);
  const ww: f64 = w * w;
  const xx: f64 = x * x;
  const yy: f64 = y * y;
  const zz: f64 = z * z;
  store<f64>(out, ww + xx - yy - zz);
  store<f64>(out, 2 * (x * y - w * z), 8);
  store<f64>(out, 2 * (x * z + w * y), 16);
  store<f64>(out, 2 * (x * y + w * z), 24);
  store<f64>(out, ww - xx + yy - zz, 32);
  store<f64>(out, 2 * (y * z - w * x), 40);
  store<f64>(out, 2 * (x * z - w * y), 48);
  store<f64>(out, 2 * (y * z + w * x), 56);
  store<f64>(out, ww - xx - yy + zz, 64);
}

/** out = base + sign · q v q*. */
export function addRotated(out: usize, base: usize, sign: f64, q: usize, v: usize): void {
  const w: f64 = load<f64>(q);
  const x: f64 = load<f64>(q, 8);
  const y: f64 = load<f64>(q, 16);
  const z: f64 = load<f64>(q, 24);
  const vx: f64 = load<f64>(v);
  const vy: f64 = load<f64>(v, 8);
  const vz: f64 = load<f64>(v, 16);
  const tx: f64 = w * vx + y * vz - z * vy;
  const ty: f64 = w * vy + z * vx - x * vz;
  const tz: f64 = w * vz + x * vy - y * vx;
  const rx: f64 = vx + 2 * (y * tz - z * ty);
  const ry: f64 = vy + 2 * (z * tx - x * tz);
  const rz: f64 = vz + 2 * (x * ty - y * tx);
  store<f64>(out, load<f64>(base) + sign * rx);
  store<f64>(out, load<f64>(base, 8) + sign * ry, 8);
  store<f64>(out, load<f64>(base, 16) + sign * rz, 16);
}

/** out = q v q*. */
export function rotateByQuaternion(out: usize, q: usize, v: usize): void {
  const w: f64 = load<f64>(q);
  const x: f64 = load<f64>(q, 8);
  const y: f64 = load<f64>(q, 16);
  const z: f64 = load<f64>(q, 24);
  const vx: f64 = load<f64>(v);
  const vy: f64 = load<f64>(v, 8);
  const vz: f64 = load<f64>(v, 16);
  const tx: f64 = w * vx + y * vz - z * vy;
  const ty: f64 = w * vy + z * vx - x * vz;
  const tz: f64 = w * vz + x * vy - y * vx;
  store<f64>(out, vx + 2 * (y * tz - z * ty));
  store<f64>(out, vy + 2 * (z * tx - x * tz), 8);
  store<f64>(out, vz + 2 * (x * ty - y * tx), 16);
}

/** q ← q ⊗ [cos(angle/2), sin(angle/2) axis]. */
export function turnQuaternion(q: usize, axis: usize, angle: f64): void {
  let c: f64 = 1;
  let rx: f64 = 0;
  let ry: f64 = 0;
  let rz: f64 = 0;
  if (angle != 0) {
    const both: v128 = cosSin(0.5 * angle);
    const s: f64 = f64x2.extract_lane(both, 1);
    c = f64x2.extract_lane(both, 0);
    rx = load<f64>(axis) * s;
    ry = load<f64>(axis, 8) * s;
    rz = load<f64>(axis, 16) * s;
  }
  multiplyBy(q, c, rx, ry, rz);
}

/** a ← a ⊗ q/|q|. */
export function turnByBall(a: usize, q: usize): void {
  const w: f64 = load<f64>(q);
  const x: f64 = load<f64>(q, 8);
  const y: f64 = load<f64>(q, 16);
  const z: f64 = load<f64>(q, 24);
  const norm: f64 = Math.sqrt(w * w + x * x + y * y + z * z);
  if (norm < 1e-15) return;
  const s: f64 = 1 / norm;
  multiplyBy(a, w * s, x * s, y * s, z * s);
}

/** Exponential map: q ← q ⊗ exp(h ω/2), kept at unit length. */
export function integrateQuaternion(q: usize, angular: usize, h: f64): void {
  const wx: f64 = load<f64>(angular);
  const wy: f64 = load<f64>(angular, 8);
  const wz: f64 = load<f64>(angular, 16);
  const speed: f64 = Math.sqrt(wx * wx + wy * wy + wz * wz);
  if (speed < 1e-15) return;
  const both: v128 = cosSin(0.5 * h * speed);
  const s: f64 = f64x2.extract_lane(both, 1) / speed;
  multiplyBy(q, f64x2.extract_lane(both, 0), wx * s, wy * s, wz * s);
  normalizeQuaternion(q, q);
}

function multiplyBy(q: usize, c: f64, rx: f64, ry: f64, rz: f64): void {
  const w: f64 = load<f64>(q);
  const x: f64 = load<f64>(q, 8);
  const y: f64 = load<f64>(q, 16);
  const z: f64 = load<f64>(q, 24);
  store<f64>(q, w * c - x * rx - y * ry - z * rz);
  store<f64>(q, w * rx + x * c + y * rz - z * ry, 8);
  store<f64>(q, w * ry - x * rz + y * c + z * rx, 16);
  store<f64>(q, w * rz + x * ry - y * rx + z * c, 24);
}
