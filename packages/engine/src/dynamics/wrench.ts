/**
 * Forces on bodies in joint coordinates: f_i = s_i · W for every dof i that moves the body (Jᵀ W), where W is the wrench
 * about the tree's centre of mass. A row of a point's Jacobian is the same product with a unit force.
 */
import type { Model } from '../model/model.ts';
import type { Workspace } from './workspace.ts';

/**
 * Adds to `out` (from offset o) the joint forces of a force f and a torque t that act at the world point x on body b.
 */
export function addWrench(
  out: Float64Array,
  o: number,
  model: Model,
  work: Workspace,
  b: number,
  x: number,
  y: number,
  z: number,
  fx: number,
  fy: number,
  fz: number,
  tx: number,
  ty: number,
  tz: number,
): void {
  const { lastDof, root } = model.body;
  const { motionSubspace, treeCenter } = work;
  const c = 3 * root[b];
  // moment about the centre of the tree
  const dx = x - treeCenter[c];
  const dy = y - treeCenter[c + 1];
  const dz = z - treeCenter[c + 2];
  const mx = tx + dy * fz - dz * fy;
  const my = ty + dz * fx - dx * fz;
  const mz = tz + dx * fy - dy * fx;
  const { parent } = model.dof;
  for (let i = lastDof[b]; i >= 0; i = parent[i]) {
    const s = 6 * i;
    out[o + i] +=
      motionSubspace[s] * mx +
      motionSubspace[s + 1] * my +
      motionSubspace[s + 2] * mz +
      motionSubspace[s + 3] * fx +
      motionSubspace[s + 4] * fy +
      motionSubspace[s + 5] * fz;
  }
}

/** The user's generalised forces and the wrenches at centres of mass. */
export function computeExternalForce(
  model: Model,
  appliedForce: Float64Array,
  bodyWrench: Float64Array,
  work: Workspace,
): void {
  const { externalForce, bodyCenter } = work;
  externalForce.set(appliedForce);
  for (let b = 1; b < model.size.body; b++) {
    const w = 6 * b;
    const fx = bodyWrench[w];
    const fy = bodyWrench[w + 1];
    const fz = bodyWrench[w + 2];
    const tx = bodyWrench[w + 3];
    const ty = bodyWrench[w + 4];
    const tz = bodyWrench[w + 5];
    if (fx === 0 && fy === 0 && fz === 0 && tx === 0 && ty === 0 && tz === 0) continue;
    const p = 3 * b;
    addWrench(
      externalForce,
      0,
      model,
      work,
      b,
      bodyCenter[p],
      bodyCenter[p + 1],
      bodyCenter[p + 2],
      fx,
      fy,
      fz,
      tx,
      ty,
      tz,
    );
  }
}
