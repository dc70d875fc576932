/**
 * Mass matrix by the composite-rigid-body algorithm: with I_b the spatial inertia of the subtree of body b and s_i the axis
 * of dof i of body b,
 *   M_ij = s_j · (I_b s_i)   for j = i and every ancestor j of i,   plus the armature on the diagonal.
 * Source: Featherstone, Rigid Body Dynamics Algorithms, section 6.2.
 */
import type { Model } from '../model/model.ts';
import type { Workspace } from './workspace.ts';

export function updateMassMatrix(model: Model, work: Workspace): void {
  const { body, dof } = model;
  const { rowStart, column } = model.massMatrix;
  const { bodyInertia, subtreeInertia, motionSubspace, massMatrix } = work;

  // inertia of every subtree, leaves first
  subtreeInertia.set(bodyInertia);
  for (let b = model.size.body - 1; b > 0; b--) {
    const parent = body.parent[b];
    if (parent === 0) continue;
    const o = 10 * b;
    const p = 10 * parent;
    for (let k = 0; k < 10; k++) subtreeInertia[p + k] += subtreeInertia[o + k];
  }

  const count = model.size.velocity;
  for (let i = 0; i < count; i++) {
    // momentum of the subtree moving along dof i
    const s = 6 * i;
    const o = 10 * dof.body[i];
    const wx = motionSubspace[s];
    const wy = motionSubspace[s + 1];
    const wz = motionSubspace[s + 2];
    const vx = motionSubspace[s + 3];
    const vy = motionSubspace[s + 4];
    const vz = motionSubspace[s + 5];
    const xx = subtreeInertia[o];
    const yy = subtreeInertia[o + 1];
    const zz = subtreeInertia[o + 2];
    const xy = subtreeInertia[o + 3];
    const xz = subtreeInertia[o + 4];
    const yz = subtreeInertia[o + 5];
    const mx = subtreeInertia[o + 6];
    const my = subtreeInertia[o + 7];
    const mz = subtreeInertia[o + 8];
    const m = subtreeInertia[o + 9];
    const ax = xx * wx + xy * wy + xz * wz + my * vz - mz * vy;
    const ay = xy * wx + yy * wy + yz * wz + mz * vx - mx * vz;
    const az = xz * wx + yz * wy + zz * wz + mx * vy - my * vx;
    const lx = m * vx - my * wz + mz * wy;
    const ly = m * vy - mz * wx + mx * wz;
    const lz = m * vz - mx * wy + my * wx;
    // its component along every ancestor and along itself
    const last = rowStart[i + 1] - 1;
    for (let k = rowStart[i]; k < last; k++) {
      const j = 6 * column[k];
      massMatrix[k] =
        motionSubspace[j] * ax +
        motionSubspace[j + 1] * ay +
        motionSubspace[j + 2] * az +
        motionSubspace[j + 3] * lx +
        motionSubspace[j + 4] * ly +
        motionSubspace[j + 5] * lz;
    }
    massMatrix[last] = wx * ax + wy * ay + wz * az + vx * lx + vy * ly + vz * lz + dof.armature[i];
  }
}
