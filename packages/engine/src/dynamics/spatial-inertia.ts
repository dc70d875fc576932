/**
 * Spatial inertias and dof axes about the centre of mass c of each tree, in world axes.
 *
 * A body of mass m, centre p, inertia I about its centre has about c, with d = p − c:
 *   I + m (d·d 1 − d dᵀ), m d, m   — ten numbers that add up over bodies.
 * A dof that turns about the axis a through the anchor x moves the point c by a × (c − x): its axis is [a; a × (c − x)].
 * Source: Featherstone, Rigid Body Dynamics Algorithms, ch. 2; the common point c keeps numbers small (MuJoCo does the same).
 */
import { JOINT, type Model } from '../model/model.ts';
import type { Workspace } from './workspace.ts';

/** Centre of mass of every tree. */
export function updateTreeCenters(model: Model, work: Workspace): void {
  const { mass, root, subtreeMass } = model.body;
  const { bodyCenter, treeCenter } = work;
  treeCenter.fill(0);
  const count = model.size.body;
  for (let b = 1; b < count; b++) {
    const r = 3 * root[b];
    const m = mass[b];
    treeCenter[r] += m * bodyCenter[3 * b];
    treeCenter[r + 1] += m * bodyCenter[3 * b + 1];
    treeCenter[r + 2] += m * bodyCenter[3 * b + 2];
  }
  for (let b = 1; b < count; b++) {
    if (root[b] !== b) continue;
    const m = subtreeMass[b];
    for (let k = 3 * b; k < 3 * b + 3; k++) treeCenter[k] = m > 0 ? treeCenter[k] / m : bodyCenter[k];
  }
}

/** Spatial inertia of every body. */
export function updateBodyInertias(model: Model, work: Workspace): void {
  const { mass, root } = model.body;
  const { bodyRotation, bodyCenter, treeCenter, bodyInertia } = work;
  const tensor = work.plan.bodyTensor;
  const count = model.size.body;
  bodyInertia.fill(0, 0, 10);
  for (let b = 1; b < count; b++) {
    const r = 9 * b;
    const t = 6 * b;
    const o = 10 * b;
    const r0 = bodyRotation[r];
    const r1 = bodyRotation[r + 1];
    const r2 = bodyRotation[r + 2];
    const r3 = bodyRotation[r + 3];
    const r4 = bodyRotation[r + 4];
    const r5 = bodyRotation[r + 5];
    const r6 = bodyRotation[r + 6];
    const r7 = bodyRotation[r + 7];
    const r8 = bodyRotation[r + 8];
    const xx = tensor[t];
    const yy = tensor[t + 1];
    const zz = tensor[t + 2];
    const xy = tensor[t + 3];
    const xz = tensor[t + 4];
    const yz = tensor[t + 5];
    // A = R I
    const a0 = r0 * xx + r1 * xy + r2 * xz;
    const a1 = r0 * xy + r1 * yy + r2 * yz;
    const a2 = r0 * xz + r1 * yz + r2 * zz;
    const a3 = r3 * xx + r4 * xy + r5 * xz;
    const a4 = r3 * xy + r4 * yy + r5 * yz;
    const a5 = r3 * xz + r4 * yz + r5 * zz;
    const a6 = r6 * xx + r7 * xy + r8 * xz;
    const a7 = r6 * xy + r7 * yy + r8 * yz;
    const a8 = r6 * xz + r7 * yz + r8 * zz;
    // A Rᵀ, moved to the centre of the tree
    const m = mass[b];
    const c = 3 * root[b];
    const dx = bodyCenter[3 * b] - treeCenter[c];
    const dy = bodyCenter[3 * b + 1] - treeCenter[c + 1];
    const dz = bodyCenter[3 * b + 2] - treeCenter[c + 2];
    bodyInertia[o] = a0 * r0 + a1 * r1 + a2 * r2 + m * (dy * dy + dz * dz);
    bodyInertia[o + 1] = a3 * r3 + a4 * r4 + a5 * r5 + m * (dx * dx + dz * dz);
    bodyInertia[o + 2] = a6 * r6 + a7 * r7 + a8 * r8 + m * (dx * dx + dy * dy);
    bodyInertia[o + 3] = a0 * r3 + a1 * r4 + a2 * r5 - m * dx * dy;
    bodyInertia[o + 4] = a0 * r6 + a1 * r7 + a2 * r8 - m * dx * dz;
    bodyInertia[o + 5] = a3 * r6 + a4 * r7 + a5 * r8 - m * dy * dz;
    bodyInertia[o + 6] = m * dx;
    bodyInertia[o + 7] = m * dy;
    bodyInertia[o + 8] = m * dz;
    bodyInertia[o + 9] = m;
  }
}

/** Spatial axis of every dof. */
export function updateMotionSubspace(model: Model, work: Workspace): void {
  const { joint, body } = model;
  const { jointAnchor, jointAxis, bodyRotation, treeCenter, motionSubspace } = work;
  for (let j = 0; j < model.size.joint; j++) {
    const b = joint.body[j];
    const c = 3 * body.root[b];
    const dx = treeCenter[c] - jointAnchor[3 * j];
    const dy = treeCenter[c + 1] - jointAnchor[3 * j + 1];
    const dz = treeCenter[c + 2] - jointAnchor[3 * j + 2];
    let o = 6 * joint.dofStart[j];
    switch (joint.kind[j]) {
      case JOINT.slide:
        motionSubspace[o] = 0;
        motionSubspace[o + 1] = 0;
        motionSubspace[o + 2] = 0;
        motionSubspace[o + 3] = jointAxis[3 * j];
        motionSubspace[o + 4] = jointAxis[3 * j + 1];
        motionSubspace[o + 5] = jointAxis[3 * j + 2];
        break;
      case JOINT.hinge:
        setTurningAxis(motionSubspace, o, jointAxis[3 * j], jointAxis[3 * j + 1], jointAxis[3 * j + 2], dx, dy, dz);
        break;
      default:
        // free: three translations along world axes first
        if (joint.kind[j] === JOINT.free) {
          motionSubspace.fill(0, o, o + 18);
          for (let k = 0; k < 3; k++) motionSubspace[o + 6 * k + 3 + k] = 1;
          o += 18;
        }
        // three rotations about the axes of the body, the columns of R
        for (let k = 0; k < 3; k++) {
          const r = 9 * b + k;
          setTurningAxis(
            motionSubspace,
            o + 6 * k,
            bodyRotation[r],
            bodyRotation[r + 3],
            bodyRotation[r + 6],
            dx,
            dy,
            dz,
          );
        }
    }
  }
}

function setTurningAxis(
  out: Float64Array,
  o: number,
  x: number,
  y: number,
  z: number,
  dx: number,
  dy: number,
  dz: number,
): void {
  out[o] = x;
  out[o + 1] = y;
  out[o + 2] = z;
  out[o + 3] = y * dz - z * dy;
  out[o + 4] = z * dx - x * dz;
  out[o + 5] = x * dy - y * dx;
}
