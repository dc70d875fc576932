/**
 * Bodies on a free joint with nothing below them, one after the other: 6 × 6 in place of a tree. Numbers are those of the general
 * way, products with zeros and ones left out; they stay in registers from the pose to the last row.
 */
import { Mechanism } from './mechanism';
import { addRotated, normalizeQuaternion } from './quaternion';

/** Pose, inertia, axes and M. */
export function placeLoneBody(m: Mechanism, b: i32): void {
  const j: i32 = m.jointStart[b];
  const q: usize = m.position.at(m.positionStart[j]);
  const at: usize = m.bodyPosition.at(3 * b);
  const orientation: usize = m.bodyOrientation.at(4 * b);
  // the pose is the joint position
  const qx: f64 = load<f64>(q);
  const qy: f64 = load<f64>(q, 8);
  const qz: f64 = load<f64>(q, 16);
  write3(m.jointAnchor.at(3 * j), qx, qy, qz);
  const axis: usize = m.axis.at(3 * j);
  write3(m.jointAxis.at(3 * j), load<f64>(axis), load<f64>(axis, 8), load<f64>(axis, 16));
  normalizeQuaternion(orientation, q + 24);
  addRotated(at, q, -1, orientation, m.anchor.at(3 * j));
  // rotation
  const w: f64 = load<f64>(orientation);
  const x: f64 = load<f64>(orientation, 8);
  const y: f64 = load<f64>(orientation, 16);
  const z: f64 = load<f64>(orientation, 24);
  const ww: f64 = w * w;
  const x2: f64 = x * x;
  const y2: f64 = y * y;
  const z2: f64 = z * z;
  const r0: f64 = ww + x2 - y2 - z2;
  const r1: f64 = 2 * (x * y - w * z);
  const r2: f64 = 2 * (x * z + w * y);
  const r3: f64 = 2 * (x * y + w * z);
  const r4: f64 = ww - x2 + y2 - z2;
  const r5: f64 = 2 * (y * z - w * x);
  const r6: f64 = 2 * (x * z - w * y);
  const r7: f64 = 2 * (y * z + w * x);
  const r8: f64 = ww - x2 - y2 + z2;
  const rotation: usize = m.bodyRotation.at(9 * b);
  write3(rotation, r0, r1, r2);
  write3(rotation + 24, r3, r4, r5);
  write3(rotation + 48, r6, r7, r8);
  // centre of mass, and that of the tree, which rounds once more
  const center: usize = m.inertiaCenter.at(3 * b);
  const lx: f64 = load<f64>(center);
  const ly: f64 = load<f64>(center, 8);
  const lz: f64 = load<f64>(center, 16);
  const px: f64 = load<f64>(at) + r0 * lx + r1 * ly + r2 * lz;
  const py: f64 = load<f64>(at, 8) + r3 * lx + r4 * ly + r5 * lz;
  const pz: f64 = load<f64>(at, 16) + r6 * lx + r7 * ly + r8 * lz;
  write3(m.bodyCenter.at(3 * b), px, py, pz);
  const mass: f64 = m.mass[b];
  const whole: f64 = m.subtreeMass[b];
  const hasMass: bool = whole > 0;
  const cx: f64 = hasMass ? (mass * px) / whole : px;
  const cy: f64 = hasMass ? (mass * py) / whole : py;
  const cz: f64 = hasMass ? (mass * pz) / whole : pz;
  write3(m.treeCenter.at(3 * b), cx, cy, cz);
  // spatial inertia
  const t: usize = m.bodyTensor.at(6 * b);
  const txx: f64 = load<f64>(t);
  const tyy: f64 = load<f64>(t, 8);
  const tzz: f64 = load<f64>(t, 16);
  const txy: f64 = load<f64>(t, 24);
  const txz: f64 = load<f64>(t, 32);
  const tyz: f64 = load<f64>(t, 40);
  const a0: f64 = r0 * txx + r1 * txy + r2 * txz;
  const a1: f64 = r0 * txy + r1 * tyy + r2 * tyz;
  const a2: f64 = r0 * txz + r1 * tyz + r2 * tzz;
  const a3: f64 = r3 * txx + r4 * txy + r5 * txz;
  const a4: f64 = r3 * txy + r4 * tyy + r5 * tyz;
  const a5: f64 = r3 * txz + r4 * tyz + r5 * tzz;
  const a6: f64 = r6 * txx + r7 * txy + r8 * txz;
  const a7: f64 = r6 * txy + r7 * tyy + r8 * tyz;
  const a8: f64 = r6 * txz + r7 * tyz + r8 * tzz;
  const dx: f64 = px - cx;
  const dy: f64 = py - cy;
  const dz: f64 = pz - cz;
  const xx: f64 = a0 * r0 + a1 * r1 + a2 * r2 + mass * (dy * dy + dz * dz);
  const yy: f64 = a3 * r3 + a4 * r4 + a5 * r5 + mass * (dx * dx + dz * dz);
  const zz: f64 = a6 * r6 + a7 * r7 + a8 * r8 + mass * (dx * dx + dy * dy);
  const xy: f64 = a0 * r3 + a1 * r4 + a2 * r5 - mass * dx * dy;
  const xz: f64 = a0 * r6 + a1 * r7 + a2 * r8 - mass * dx * dz;
  const yz: f64 = a3 * r6 + a4 * r7 + a5 * r8 - mass * dy * dz;
  const mx: f64 = mass * dx;
  const my: f64 = mass * dy;
  const mz: f64 = mass * dz;
  const o: usize = m.bodyInertia.at(10 * b);
  write3(o, xx, yy, zz);
  write3(o + 24, xy, xz, yz);
  write3(o + 48, mx, my, mz);
  store<f64>(o, mass, 72);
  // axes: three translations, then the columns of the rotation about the joint's place
  const first: i32 = m.dofStart[b];
  const s: usize = m.motionSubspace.at(6 * first);
  for (let k: usize = 0; k < 144; k += 16) v128.store(s + k, f64x2.splat(0));
  store<f64>(s, 1, 24);
  store<f64>(s, 1, 80);
  store<f64>(s, 1, 136);
  const ex: f64 = cx - qx;
  const ey: f64 = cy - qy;
  const ez: f64 = cz - qz;
  const v0: f64 = r3 * ez - r6 * ey;
  const v1: f64 = r6 * ex - r0 * ez;
  const v2: f64 = r0 * ey - r3 * ex;
  const v3: f64 = r4 * ez - r7 * ey;
  const v4: f64 = r7 * ex - r1 * ez;
  const v5: f64 = r1 * ey - r4 * ex;
  const v6: f64 = r5 * ez - r8 * ey;
  const v7: f64 = r8 * ex - r2 * ez;
  const v8: f64 = r2 * ey - r5 * ex;
  write3(s + 144, r0, r3, r6);
  write3(s + 168, v0, v1, v2);
  write3(s + 192, r1, r4, r7);
  write3(s + 216, v3, v4, v5);
  write3(s + 240, r2, r5, r8);
  write3(s + 264, v6, v7, v8);
  // the six rows of M stand one after the other: 1 + 2 + 3 + 4 + 5 + 6 numbers
  const to: usize = m.massMatrix.at(m.rowStart[first]);
  const armature: usize = m.armature.at(first);
  store<f64>(to, mass + load<f64>(armature));
  store<f64>(to, 0, 8);
  store<f64>(to, mass + load<f64>(armature, 8), 16);
  store<f64>(to, 0, 24);
  store<f64>(to, 0, 32);
  store<f64>(to, mass + load<f64>(armature, 16), 40);
  // momenta of the body that turns about each axis
  const h0: f64 = xx * r0 + xy * r3 + xz * r6 + my * v2 - mz * v1;
  const h1: f64 = xy * r0 + yy * r3 + yz * r6 + mz * v0 - mx * v2;
  const h2: f64 = xz * r0 + yz * r3 + zz * r6 + mx * v1 - my * v0;
  const l0: f64 = mass * v0 - my * r6 + mz * r3;
  const l1: f64 = mass * v1 - mz * r0 + mx * r6;
  const l2: f64 = mass * v2 - mx * r3 + my * r0;
  write3(to + 48, l0, l1, l2);
  store<f64>(to, r0 * h0 + r3 * h1 + r6 * h2 + v0 * l0 + v1 * l1 + v2 * l2 + load<f64>(armature, 24), 72);
  const h3: f64 = xx * r1 + xy * r4 + xz * r7 + my * v5 - mz * v4;
  const h4: f64 = xy * r1 + yy * r4 + yz * r7 + mz * v3 - mx * v5;
  const h5: f64 = xz * r1 + yz * r4 + zz * r7 + mx * v4 - my * v3;
  const l3: f64 = mass * v3 - my * r7 + mz * r4;
  const l4: f64 = mass * v4 - mz * r1 + mx * r7;
  const l5: f64 = mass * v5 - mx * r4 + my * r1;
  write3(to + 80, l3, l4, l5);
  store<f64>(to, r0 * h3 + r3 * h4 + r6 * h5 + v0 * l3 + v1 * l4 + v2 * l5, 104);
  store<f64>(to, r1 * h3 + r4 * h4 + r7 * h5 + v3 * l3 + v4 * l4 + v5 * l5 + load<f64>(armature, 32), 112);
  const h6: f64 = xx * r2 + xy * r5 + xz * r8 + my * v8 - mz * v7;
  const h7: f64 = xy * r2 + yy * r5 + yz * r8 + mz * v6 - mx * v8;
  const h8: f64 = xz * r2 + yz * r5 + zz * r8 + mx * v7 - my * v6;
  const l6: f64 = mass * v6 - my * r8 + mz * r5;
  const l7: f64 = mass * v7 - mz * r2 + mx * r8;
  const l8: f64 = mass * v8 - mx * r5 + my * r2;
  write3(to + 120, l6, l7, l8);
  store<f64>(to, r0 * h6 + r3 * h7 + r6 * h8 + v0 * l6 + v1 * l7 + v2 * l8, 144);
  store<f64>(to, r1 * h6 + r4 * h7 + r7 * h8 + v3 * l6 + v4 * l7 + v5 * l8, 152);
  store<f64>(to, r2 * h6 + r5 * h7 + r8 * h8 + v6 * l6 + v7 * l7 + v8 * l8 + load<f64>(armature, 40), 160);
}

/** Spatial velocity and rates of the axes; those of translations stay zero. */
export function moveLoneBody(m: Mechanism, b: i32): void {
  const first: i32 = m.dofStart[b];
  const s: usize = m.motionSubspace.at(6 * first + 18);
  const rate: usize = m.motionSubspaceRate.at(6 * first);
  const v: usize = m.velocity.at(first);
  const x: f64 = 0 + load<f64>(v);
  const y: f64 = 0 + load<f64>(v, 8);
  const z: f64 = 0 + load<f64>(v, 16);
  for (let k: usize = 0; k < 144; k += 16) v128.store(rate + k, f64x2.splat(0));
  writeRate(rate + 144, s, x, y, z);
  writeRate(rate + 192, s + 48, x, y, z);
  writeRate(rate + 240, s + 96, x, y, z);
  const u: v128 = v128.load64_splat(v, 24);
  const p: v128 = v128.load64_splat(v, 32);
  const q: v128 = v128.load64_splat(v, 40);
  const t: usize = m.bodyTwist.at(6 * b);
  v128.store(t, addThree(f64x2.splat(0), s, u, p, q));
  v128.store(t, addThree(f64x2.replace_lane(f64x2.splat(0), 1, x), s + 16, u, p, q), 16);
  v128.store(t, addThree(f64x2.replace_lane(f64x2.splat(y), 1, z), s + 32, u, p, q), 32);
}

// V × s with V a translation
@inline
function writeRate(out: usize, s: usize, x: f64, y: f64, z: f64): void {
  const sx: f64 = load<f64>(s);
  const sy: f64 = load<f64>(s, 8);
  const sz: f64 = load<f64>(s, 16);
  v128.store(out, f64x2.splat(0));
  store<f64>(out, 0, 16);
  write3(out + 24, y * sz - z * sy, z * sx - x * sz, x * sy - y * sx);
}

// two numbers of a twist and those of three axes, times their velocities
@inline
function addThree(start: v128, s: usize, u: v128, p: v128, q: v128): v128 {
  const one: v128 = f64x2.add(start, f64x2.mul(v128.load(s), u));
  return f64x2.add(f64x2.add(one, f64x2.mul(v128.load(s, 48), p)), f64x2.mul(v128.load(s, 96), q));
}

/** Acceleration, force and bias force. */
export function loadLoneBody(m: Mechanism, b: i32): void {
  const first: i32 = m.dofStart[b];
  const rate: usize = m.motionSubspaceRate.at(6 * first + 18);
  const v: usize = m.velocity.at(first);
  const u: f64 = load<f64>(v, 24);
  const p: f64 = load<f64>(v, 32);
  const q: f64 = load<f64>(v, 40);
  // axes turn with the body alone: only the linear part changes
  const ax: f64 = -m.gravity[0] + load<f64>(rate, 24) * u + load<f64>(rate, 72) * p + load<f64>(rate, 120) * q;
  const ay: f64 = -m.gravity[1] + load<f64>(rate, 32) * u + load<f64>(rate, 80) * p + load<f64>(rate, 128) * q;
  const az: f64 = -m.gravity[2] + load<f64>(rate, 40) * u + load<f64>(rate, 88) * p + load<f64>(rate, 136) * q;
  const a: usize = m.bodyAcceleration.at(6 * b);
  write3(a, 0, 0, 0);
  write3(a + 24, ax, ay, az);
  const i: usize = m.bodyInertia.at(10 * b);
  const xx: f64 = load<f64>(i);
  const yy: f64 = load<f64>(i, 8);
  const zz: f64 = load<f64>(i, 16);
  const xy: f64 = load<f64>(i, 24);
  const xz: f64 = load<f64>(i, 32);
  const yz: f64 = load<f64>(i, 40);
  const mx: f64 = load<f64>(i, 48);
  const my: f64 = load<f64>(i, 56);
  const mz: f64 = load<f64>(i, 64);
  const mass: f64 = load<f64>(i, 72);
  const t: usize = m.bodyTwist.at(6 * b);
  const wx: f64 = load<f64>(t);
  const wy: f64 = load<f64>(t, 8);
  const wz: f64 = load<f64>(t, 16);
  const vx: f64 = load<f64>(t, 24);
  const vy: f64 = load<f64>(t, 32);
  const vz: f64 = load<f64>(t, 40);
  const hx: f64 = xx * wx + xy * wy + xz * wz + my * vz - mz * vy;
  const hy: f64 = xy * wx + yy * wy + yz * wz + mz * vx - mx * vz;
  const hz: f64 = xz * wx + yz * wy + zz * wz + mx * vy - my * vx;
  const px: f64 = mass * vx - my * wz + mz * wy;
  const py: f64 = mass * vy - mz * wx + mx * wz;
  const pz: f64 = mass * vz - mx * wy + my * wx;
  const f0: f64 = my * az - mz * ay + (wy * hz - wz * hy) + (vy * pz - vz * py);
  const f1: f64 = mz * ax - mx * az + (wz * hx - wx * hz) + (vz * px - vx * pz);
  const f2: f64 = mx * ay - my * ax + (wx * hy - wy * hx) + (vx * py - vy * px);
  const f3: f64 = mass * ax + (wy * pz - wz * py);
  const f4: f64 = mass * ay + (wz * px - wx * pz);
  const f5: f64 = mass * az + (wx * py - wy * px);
  const f: usize = m.bodyForce.at(6 * b);
  write3(f, f0, f1, f2);
  write3(f + 24, f3, f4, f5);
  const s: usize = m.motionSubspace.at(6 * first + 18);
  const c: usize = m.biasForce.at(first);
  write3(c, f3, f4, f5);
  store<f64>(c, along(s, f0, f1, f2, f3, f4, f5), 24);
  store<f64>(c, along(s + 48, f0, f1, f2, f3, f4, f5), 32);
  store<f64>(c, along(s + 96, f0, f1, f2, f3, f4, f5), 40);
}

@inline
function along(s: usize, f0: f64, f1: f64, f2: f64, f3: f64, f4: f64, f5: f64): f64 {
  return (
    load<f64>(s) * f0 +
    load<f64>(s, 8) * f1 +
    load<f64>(s, 16) * f2 +
    load<f64>(s, 24) * f3 +
    load<f64>(s, 32) * f4 +
    load<f64>(s, 40) * f5
  );
}

@inline
function write3(out: usize, x: f64, y: f64, z: f64): void {
  store<f64>(out, x);
  store<f64>(out, y, 8);
  store<f64>(out, z, 16);
}
