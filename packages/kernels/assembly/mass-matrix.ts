/** Mass matrix by composite rigid bodies: the compiled twin of the engine's dynamics/mass-matrix.ts, in the same order of operations. */
import { Mechanism } from './mechanism';

/** Rows of M, where bodies are not alone. */
export function updateMassMatrix(m: Mechanism): void {
  // inertia of every subtree, leaves first
  memory.copy(m.subtreeInertia.at(0), m.bodyInertia.at(0), 80 * m.bodies);
  for (let b: i32 = m.bodies - 1; b > 0; b--) {
    const parent: i32 = m.parent[b];
    if (parent == 0) continue;
    const from: usize = m.subtreeInertia.at(10 * b);
    const to: usize = m.subtreeInertia.at(10 * parent);
    for (let k: usize = 0; k < 80; k += 16) v128.store(to + k, f64x2.add(v128.load(to + k), v128.load(from + k)));
  }
  for (let i: i32 = 0; i < m.dofs; i++) {
    const b: i32 = m.dofBody[i];
    if (m.isLone[b] != 0) continue;
    writeRow(m, i, m.subtreeInertia.at(10 * b));
  }
}

/** Momentum of a subtree that moves along dof i, then its component along every ancestor and along itself. */
@inline
function writeRow(m: Mechanism, i: i32, o: usize): void {
  const s: usize = m.motionSubspace.at(6 * i);
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
  let entry: usize = m.massMatrix.at(m.rowStart[i]);
  const last: usize = m.massMatrix.at(m.rowStart[i + 1] - 1);
  let column: usize = m.column.at(m.rowStart[i]);
  const axes: usize = m.motionSubspace.at(0);
  // two ancestors in two lanes
  const ax2: v128 = f64x2.splat(ax);
  const ay2: v128 = f64x2.splat(ay);
  const az2: v128 = f64x2.splat(az);
  const lx2: v128 = f64x2.splat(lx);
  const ly2: v128 = f64x2.splat(ly);
  const lz2: v128 = f64x2.splat(lz);
  for (; entry + 8 < last; entry += 16, column += 8) {
    const p: usize = axes + 48 * load<i32>(column);
    const q: usize = axes + 48 * load<i32>(column, 4);
    const p0: v128 = v128.load(p);
    const q0: v128 = v128.load(q);
    const p1: v128 = v128.load(p, 16);
    const q1: v128 = v128.load(q, 16);
    const p2: v128 = v128.load(p, 32);
    const q2: v128 = v128.load(q, 32);
    let sum: v128 = f64x2.mul(v128.shuffle<f64>(p0, q0, 0, 2), ax2);
    sum = f64x2.add(sum, f64x2.mul(v128.shuffle<f64>(p0, q0, 1, 3), ay2));
    sum = f64x2.add(sum, f64x2.mul(v128.shuffle<f64>(p1, q1, 0, 2), az2));
    sum = f64x2.add(sum, f64x2.mul(v128.shuffle<f64>(p1, q1, 1, 3), lx2));
    sum = f64x2.add(sum, f64x2.mul(v128.shuffle<f64>(p2, q2, 0, 2), ly2));
    sum = f64x2.add(sum, f64x2.mul(v128.shuffle<f64>(p2, q2, 1, 3), lz2));
    v128.store(entry, sum);
  }
  if (entry < last) {
    const p: usize = axes + 48 * load<i32>(column);
    store<f64>(
      entry,
      load<f64>(p) * ax +
        load<f64>(p, 8) * ay +
        load<f64>(p, 16) * az +
        load<f64>(p, 24) * lx +
        load<f64>(p, 32) * ly +
        load<f64>(p, 40) * lz,
    );
  }
  store<f64>(last, wx * ax + wy * ay + wz * az + vx * lx + vy * ly + vz * lz + m.armature[i]);
}
