/** Spatial inertias and dof axes: the compiled twin of the engine's dynamics/spatial-inertia.ts, in the same order of operations. */
import { FREE, HINGE, Mechanism, SLIDE } from './mechanism';

/** Centre of mass of every tree; lone bodies have theirs already. */
export function updateTreeCenters(m: Mechanism): void {
  const center: usize = m.treeCenter.at(0);
  for (let b: i32 = 0; b < m.bodies; b++) {
    if (m.isLone[b] != 0) continue;
    const to: usize = center + 24 * b;
    store<f64>(to, 0);
    store<f64>(to, 0, 8);
    store<f64>(to, 0, 16);
  }
  for (let b: i32 = 1; b < m.bodies; b++) {
    if (m.isLone[b] != 0) continue;
    const to: usize = center + 24 * m.root[b];
    const from: usize = m.bodyCenter.at(3 * b);
    const mass: f64 = m.mass[b];
    store<f64>(to, load<f64>(to) + mass * load<f64>(from));
    store<f64>(to, load<f64>(to, 8) + mass * load<f64>(from, 8), 8);
    store<f64>(to, load<f64>(to, 16) + mass * load<f64>(from, 16), 16);
  }
  for (let b: i32 = 1; b < m.bodies; b++) if (m.root[b] == b && m.isLone[b] == 0) divideByMass(m, b);
}

@inline
export function divideByMass(m: Mechanism, b: i32): void {
  const to: usize = m.treeCenter.at(3 * b);
  const from: usize = m.bodyCenter.at(3 * b);
  const mass: f64 = m.subtreeMass[b];
  const hasMass: bool = mass > 0;
  store<f64>(to, hasMass ? load<f64>(to) / mass : load<f64>(from));
  store<f64>(to, hasMass ? load<f64>(to, 8) / mass : load<f64>(from, 8), 8);
  store<f64>(to, hasMass ? load<f64>(to, 16) / mass : load<f64>(from, 16), 16);
}

/** Spatial inertia of body b. */
export function updateBodyInertia(m: Mechanism, b: i32): void {
  const r: usize = m.bodyRotation.at(9 * b);
  const t: usize = m.bodyTensor.at(6 * b);
  const o: usize = m.bodyInertia.at(10 * b);
  const r0: f64 = load<f64>(r);
  const r1: f64 = load<f64>(r, 8);
  const r2: f64 = load<f64>(r, 16);
  const r3: f64 = load<f64>(r, 24);
  const r4: f64 = load<f64>(r, 32);
  const r5: f64 = load<f64>(r, 40);
  const r6: f64 = load<f64>(r, 48);
  const r7: f64 = load<f64>(r, 56);
  const r8: f64 = load<f64>(r, 64);
  const xx: f64 = load<f64>(t);
  const yy: f64 = load<f64>(t, 8);
  const zz: f64 = load<f64>(t, 16);
  const xy: f64 = load<f64>(t, 24);
  const xz: f64 = load<f64>(t, 32);
  const yz: f64 = load<f64>(t, 40);
  const a0: f64 = r0 * xx + r1 * xy + r2 * xz;
  const a1: f64 = r0 * xy + r1 * yy + r2 * yz;
  const a2: f64 = r0 * xz + r1 * yz + r2 * zz;
  const a3: f64 = r3 * xx + r4 * xy + r5 * xz;
  const a4: f64 = r3 * xy + r4 * yy + r5 * yz;
  const a5: f64 = r3 * xz + r4 * yz + r5 * zz;
  const a6: f64 = r6 * xx + r7 * xy + r8 * xz;
  const a7: f64 = r6 * xy + r7 * yy + r8 * yz;
  const a8: f64 = r6 * xz + r7 * yz + r8 * zz;
  const mass: f64 = m.mass[b];
  const p: usize = m.bodyCenter.at(3 * b);
  const c: usize = m.treeCenter.at(3 * m.root[b]);
  const dx: f64 = load<f64>(p) - load<f64>(c);
  const dy: f64 = load<f64>(p, 8) - load<f64>(c, 8);
  const dz: f64 = load<f64>(p, 16) - load<f64>(c, 16);
  store<f64>(o, a0 * r0 + a1 * r1 + a2 * r2 + mass * (dy * dy + dz * dz));
  store<f64>(o, a3 * r3 + a4 * r4 + a5 * r5 + mass * (dx * dx + dz * dz), 8);
  store<f64>(o, a6 * r6 + a7 * r7 + a8 * r8 + mass * (dx * dx + dy * dy), 16);
  store<f64>(o, a0 * r3 + a1 * r4 + a2 * r5 - mass * dx * dy, 24);
  store<f64>(o, a0 * r6 + a1 * r7 + a2 * r8 - mass * dx * dz, 32);
  store<f64>(o, a3 * r6 + a4 * r7 + a5 * r8 - mass * dy * dz, 40);
  store<f64>(o, mass * dx, 48);
  store<f64>(o, mass * dy, 56);
  store<f64>(o, mass * dz, 64);
  store<f64>(o, mass, 72);
}

/** Spatial axes of the dofs of joint j. */
export function updateJointSubspace(m: Mechanism, j: i32): void {
  const b: i32 = m.jointBody[j];
  const c: usize = m.treeCenter.at(3 * m.root[b]);
  const x: usize = m.jointAnchor.at(3 * j);
  const dx: f64 = load<f64>(c) - load<f64>(x);
  const dy: f64 = load<f64>(c, 8) - load<f64>(x, 8);
  const dz: f64 = load<f64>(c, 16) - load<f64>(x, 16);
  const a: usize = m.jointAxis.at(3 * j);
  let o: usize = m.motionSubspace.at(6 * m.jointDof[j]);
  const kind: i32 = m.kind[j];
  if (kind == HINGE) setTurningAxis(o, load<f64>(a), load<f64>(a, 8), load<f64>(a, 16), dx, dy, dz);
  else if (kind == SLIDE) {
    v128.store(o, f64x2.splat(0));
    store<f64>(o, 0, 16);
    store<f64>(o, load<f64>(a), 24);
    store<f64>(o, load<f64>(a, 8), 32);
    store<f64>(o, load<f64>(a, 16), 40);
  } else {
    if (kind == FREE) {
      for (let k: usize = 0; k < 144; k += 16) v128.store(o + k, f64x2.splat(0));
      store<f64>(o, 1, 24);
      store<f64>(o, 1, 80);
      store<f64>(o, 1, 136);
      o += 144;
    }
    const r: usize = m.bodyRotation.at(9 * b);
    setTurningAxis(o, load<f64>(r), load<f64>(r, 24), load<f64>(r, 48), dx, dy, dz);
    setTurningAxis(o + 48, load<f64>(r, 8), load<f64>(r, 32), load<f64>(r, 56), dx, dy, dz);
    setTurningAxis(o + 96, load<f64>(r, 16), load<f64>(r, 40), load<f64>(r, 64), dx, dy, dz);
  }
}

function setTurningAxis(out: usize, x: f64, y: f64, z: f64, dx: f64, dy: f64, dz: f64): void {
  store<f64>(out, x);
  store<f64>(out, y, 8);
  store<f64>(out, z, 16);
  store<f64>(out, y * dz - z * dy, 24);
  store<f64>(out, z * dx - x * dz, 32);
  store<f64>(out, x * dy - y * dx, 40);
}
