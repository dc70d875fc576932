/**
 * Bodies on a free joint with nothing below them, one after the other: 6 × 6 in place of a tree. Numbers are those of the general
 * way, products with zeros and ones left out.
 */
import { Mechanism } from './mechanism';
import { matrixFromQuaternion } from './quaternion';
import { placeFreeBody, transformPoint } from './poses';
import { updateBodyInertia, updateJointSubspace } from './spatial-inertia';

/** Pose, inertia, axes and M. */
export function placeLoneBody(m: Mechanism, b: i32): void {
  const at: usize = m.bodyPosition.at(3 * b);
  const orientation: usize = m.bodyOrientation.at(4 * b);
  const rotation: usize = m.bodyRotation.at(9 * b);
  const p: usize = m.bodyCenter.at(3 * b);
  const c: usize = m.treeCenter.at(3 * b);
  const j: i32 = m.jointStart[b];
  placeFreeBody(m, j, at, orientation);
  matrixFromQuaternion(rotation, orientation);
  transformPoint(p, at, rotation, m.inertiaCenter.at(3 * b));
  const mass: f64 = m.mass[b];
  const whole: f64 = m.subtreeMass[b];
  const hasMass: bool = whole > 0;
  store<f64>(c, hasMass ? (mass * load<f64>(p)) / whole : load<f64>(p));
  store<f64>(c, hasMass ? (mass * load<f64>(p, 8)) / whole : load<f64>(p, 8), 8);
  store<f64>(c, hasMass ? (mass * load<f64>(p, 16)) / whole : load<f64>(p, 16), 16);
  updateBodyInertia(m, b);
  updateJointSubspace(m, j);
  writeRows(m, b);
}

/** The six rows of M, which stand one after the other: 1 + 2 + 3 + 4 + 5 + 6 numbers. */
@inline
function writeRows(m: Mechanism, b: i32): void {
  const first: i32 = m.dofStart[b];
  const o: usize = m.bodyInertia.at(10 * b);
  const s: usize = m.motionSubspace.at(6 * first + 18);
  const to: usize = m.massMatrix.at(m.rowStart[first]);
  const armature: usize = m.armature.at(first);
  const mass: f64 = load<f64>(o, 72);
  store<f64>(to, mass + load<f64>(armature));
  store<f64>(to, 0, 8);
  store<f64>(to, mass + load<f64>(armature, 8), 16);
  store<f64>(to, 0, 24);
  store<f64>(to, 0, 32);
  store<f64>(to, mass + load<f64>(armature, 16), 40);
  writeTurningRow(to + 48, o, s, 0, armature);
  writeTurningRow(to + 80, o, s, 1, armature);
  writeTurningRow(to + 120, o, s, 2, armature);
}

function writeTurningRow(to: usize, o: usize, axes: usize, k: usize, armature: usize): void {
  const s: usize = axes + 48 * k;
  const wx: f64 = load<f64>(s);
  const wy: f64 = load<f64>(s, 8);
  const wz: f64 = load<f64>(s, 16);
  const vx: f64 = load<f64>(s, 24);
  const vy: f64 = load<f64>(s, 32);
  const vz: f64 = load<f64>(s, 40);
  const xy: f64 = load<f64>(o, 24);
  const xz: f64 = load<f64>(o, 32);
  const yz: f64 = load<f64>(o, 40);
  const mx: f64 = load<f64>(o, 48);
  const my: f64 = load<f64>(o, 56);
  const mz: f64 = load<f64>(o, 64);
  const mass: f64 = load<f64>(o, 72);
  const ax: f64 = load<f64>(o) * wx + xy * wy + xz * wz + my * vz - mz * vy;
  const ay: f64 = xy * wx + load<f64>(o, 8) * wy + yz * wz + mz * vx - mx * vz;
  const az: f64 = xz * wx + yz * wy + load<f64>(o, 16) * wz + mx * vy - my * vx;
  const lx: f64 = mass * vx - my * wz + mz * wy;
  const ly: f64 = mass * vy - mz * wx + mx * wz;
  const lz: f64 = mass * vz - mx * wy + my * wx;
  store<f64>(to, lx);
  store<f64>(to, ly, 8);
  store<f64>(to, lz, 16);
  for (let n: usize = 0; n < k; n++) {
    const t: usize = axes + 48 * n;
    store<f64>(
      to + 8 * n,
      load<f64>(t) * ax +
        load<f64>(t, 8) * ay +
        load<f64>(t, 16) * az +
        load<f64>(t, 24) * lx +
        load<f64>(t, 32) * ly +
        load<f64>(t, 40) * lz,
      24,
    );
  }
  store<f64>(
    to + 8 * k,
    wx * ax + wy * ay + wz * az + vx * lx + vy * ly + vz * lz + load<f64>(armature + 8 * k, 24),
    24,
  );
}
