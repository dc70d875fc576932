/**
 * Jacobian of a contact: the compiled twin of the engine's contact/contact-rows.ts, in the same order of operations. Neighbouring dofs
 * share two lanes.
 */
import { Doubles, Integers } from './doubles';

/** What it sees of a mechanism and of the contacts, in the order of the engine's contact/contact-record.ts. */
@unmanaged
export class ContactSides {
  /** Per body: its last dof, or −1; the first body of its tree. */
  lastDof: Integers;
  root: Integers;
  /** Per dof: the next one towards the root, or −1. */
  dofParent: Integers;
  motionSubspace: Doubles;
  treeCenter: Doubles;
  // contacts
  frame: Doubles;
  position: Doubles;
  sweep: Doubles;
  carrier1: Integers;
  carrier2: Integers;
}

/** Values of contact i in a block of n columns: minus side 1, plus side 2. */
export function writeContact(a: ContactSides, value: usize, column: usize, n: i32, dimension: i32, i: i32): void {
  writeSide(a, value, column, n, dimension, i, a.carrier1[i], 0, -1);
  writeSide(a, value, column, n, dimension, i, a.carrier2[i], 1, 1);
}

function writeSide(
  a: ContactSides,
  value: usize,
  column: usize,
  n: i32,
  dimension: i32,
  contact: i32,
  body: i32,
  side: f64,
  sign: f64,
): void {
  const point: usize = a.position.at(3 * contact);
  const sweep: usize = a.sweep.at(3 * contact);
  const frame: usize = a.frame.at(9 * contact);
  const center: usize = a.treeCenter.at(3 * a.root[body]);
  const dx: v128 = f64x2.splat(load<f64>(point) + side * load<f64>(sweep) - load<f64>(center));
  const dy: v128 = f64x2.splat(load<f64>(point, 8) + side * load<f64>(sweep, 8) - load<f64>(center, 8));
  const dz: v128 = f64x2.splat(load<f64>(point, 16) + side * load<f64>(sweep, 16) - load<f64>(center, 16));
  const f0: v128 = f64x2.splat(sign * load<f64>(frame));
  const f1: v128 = f64x2.splat(sign * load<f64>(frame, 8));
  const f2: v128 = f64x2.splat(sign * load<f64>(frame, 16));
  const f3: v128 = f64x2.splat(sign * load<f64>(frame, 24));
  const f4: v128 = f64x2.splat(sign * load<f64>(frame, 32));
  const f5: v128 = f64x2.splat(sign * load<f64>(frame, 40));
  const f6: v128 = f64x2.splat(sign * load<f64>(frame, 48));
  const f7: v128 = f64x2.splat(sign * load<f64>(frame, 56));
  const f8: v128 = f64x2.splat(sign * load<f64>(frame, 64));
  const step: usize = (<usize>n) << 3;
  const parent: Integers = a.dofParent;
  const axes: usize = a.motionSubspace.at(0);
  let at: i32 = n - 1;
  let i: i32 = a.lastDof[body];
  while (i >= 0) {
    while (at >= 0 && load<i32>(column + ((<usize>at) << 2)) > i) at--;
    // dofs below the first column move both sides
    if (at < 0 || load<i32>(column + ((<usize>at) << 2)) != i) return;
    const next: i32 = parent[i];
    const isPair: bool = at > 0 && next == i - 1 && load<i32>(column + ((<usize>(at - 1)) << 2)) == next;
    // of a single dof both lanes have the same
    const q: usize = axes + 48 * i;
    const p: usize = isPair ? q - 48 : q;
    const p0: v128 = v128.load(p);
    const q0: v128 = v128.load(q);
    const p1: v128 = v128.load(p, 16);
    const q1: v128 = v128.load(q, 16);
    const p2: v128 = v128.load(p, 32);
    const q2: v128 = v128.load(q, 32);
    const wx: v128 = v128.shuffle<f64>(p0, q0, 0, 2);
    const wy: v128 = v128.shuffle<f64>(p0, q0, 1, 3);
    const wz: v128 = v128.shuffle<f64>(p1, q1, 0, 2);
    const vx: v128 = f64x2.sub(f64x2.add(v128.shuffle<f64>(p1, q1, 1, 3), f64x2.mul(wy, dz)), f64x2.mul(wz, dy));
    const vy: v128 = f64x2.sub(f64x2.add(v128.shuffle<f64>(p2, q2, 0, 2), f64x2.mul(wz, dx)), f64x2.mul(wx, dz));
    const vz: v128 = f64x2.sub(f64x2.add(v128.shuffle<f64>(p2, q2, 1, 3), f64x2.mul(wx, dy)), f64x2.mul(wy, dx));
    if (isPair) at--;
    let k: usize = value + ((<usize>at) << 3);
    put(k, isPair, project(f0, f1, f2, vx, vy, vz));
    if (dimension > 1) {
      k += step;
      put(k, isPair, project(f3, f4, f5, vx, vy, vz));
      k += step;
      put(k, isPair, project(f6, f7, f8, vx, vy, vz));
    }
    if (dimension > 3) {
      k += step;
      put(k, isPair, project(f0, f1, f2, wx, wy, wz));
    }
    if (dimension > 4) {
      k += step;
      put(k, isPair, project(f3, f4, f5, wx, wy, wz));
      k += step;
      put(k, isPair, project(f6, f7, f8, wx, wy, wz));
    }
    i = isPair ? parent[next] : next;
  }
}

@inline
function project(a: v128, b: v128, c: v128, x: v128, y: v128, z: v128): v128 {
  return f64x2.add(f64x2.add(f64x2.mul(a, x), f64x2.mul(b, y)), f64x2.mul(c, z));
}

@inline
function put(k: usize, isPair: bool, v: v128): void {
  if (isPair) v128.store(k, v);
  else store<f64>(k, f64x2.extract_lane(v, 0));
}

/** Dofs that move one of two bodies: how many. */
export function countColumns(a: ContactSides, body1: i32, body2: i32): i32 {
  let n: i32 = 0;
  let i: i32 = a.lastDof[body1];
  let j: i32 = a.lastDof[body2];
  while (i != j) {
    if (i > j) i = a.dofParent[i];
    else j = a.dofParent[j];
    n++;
  }
  return n;
}

/** The same dofs, ascending. */
export function writeColumns(a: ContactSides, column: usize, n: i32, body1: i32, body2: i32): void {
  let at: usize = column + ((<usize>n) << 2);
  let i: i32 = a.lastDof[body1];
  let j: i32 = a.lastDof[body2];
  while (at > column) {
    at -= 4;
    if (i > j) {
      store<i32>(at, i);
      i = a.dofParent[i];
    } else {
      store<i32>(at, j);
      j = a.dofParent[j];
    }
  }
}
