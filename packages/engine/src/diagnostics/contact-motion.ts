/**
 * Contacts and the motion of their bodies, by spatial vectors about the centre c of each tree:
 *   u = E (v₂(p) − v₁(p) + surfaces)      v(p) = v + ω × (p − c)      E rows normal, tangents
 *   τ_i += s_i · (m, F)                   s_i axis of dof i, F = Eᵀ f on side 2 and −Eᵀ f on side 1, m = (p − c) × F + torque
 * A soft side moves with the weighted mean of its vertices and has no dofs here.
 */
import { CARRIER, type ContactSet } from '../collision/contact-set.ts';
import type { SurfaceMotion } from '../contact/surface-motion.ts';
import type { Workspace } from '../dynamics/workspace.ts';
import type { Model } from '../model/model.ts';

const point = /* @__PURE__ */ new Float64Array(3);
const surface = /* @__PURE__ */ new Float64Array(6);

/**
 * Velocities of side 2 relative to side 1 in the contact frame, from the twists of the workspace and the velocities of soft
 * vertices; returns the power of moving surfaces, W.
 */
export function writeContactVelocities(
  out: Float64Array,
  model: Model,
  work: Workspace,
  softVelocity: Float64Array,
  contacts: ContactSet,
  motion: SurfaceMotion,
): number {
  let power = 0;
  const { frame, force } = contacts;
  for (let i = 0; i < contacts.count; i++) {
    point.fill(0);
    if (contacts.carrierKind1[i] === CARRIER.soft)
      addSoftVelocity(softVelocity, contacts.vertex1, contacts.weight1, i, -1);
    else addPointVelocity(model, work, contacts, i, contacts.carrier1[i], -1);
    if (contacts.carrierKind2[i] === CARRIER.soft)
      addSoftVelocity(softVelocity, contacts.vertex2, contacts.weight2, i, 1);
    else addPointVelocity(model, work, contacts, i, contacts.carrier2[i], 1);
    for (let k = 0; k < 3; k++) {
      const f = 9 * i + 3 * k;
      out[3 * i + k] = frame[f] * point[0] + frame[f + 1] * point[1] + frame[f + 2] * point[2];
    }
    if (!motion.canMove) continue;
    surface.fill(0);
    motion.add(surface, 0, 4, 1, model, work, contacts, i);
    // what the surface does to the body is the opposite of what it adds to the slip
    for (let k = 1; k < 3; k++) {
      out[3 * i + k] += surface[k];
      power -= force[6 * i + k] * surface[k];
    }
    power -= force[6 * i + 3] * surface[3];
  }
  return power;
}

function addPointVelocity(
  model: Model,
  work: Workspace,
  { position, sweep }: ContactSet,
  i: number,
  body: number,
  sign: number,
): void {
  const { bodyTwist, treeCenter } = work;
  const c = 3 * model.body.root[body];
  const t = 6 * body;
  const side = sign > 0 ? 1 : 0;
  const dx = position[3 * i] + side * sweep[3 * i] - treeCenter[c];
  const dy = position[3 * i + 1] + side * sweep[3 * i + 1] - treeCenter[c + 1];
  const dz = position[3 * i + 2] + side * sweep[3 * i + 2] - treeCenter[c + 2];
  point[0] += sign * (bodyTwist[t + 3] + bodyTwist[t + 1] * dz - bodyTwist[t + 2] * dy);
  point[1] += sign * (bodyTwist[t + 4] + bodyTwist[t + 2] * dx - bodyTwist[t] * dz);
  point[2] += sign * (bodyTwist[t + 5] + bodyTwist[t] * dy - bodyTwist[t + 1] * dx);
}

function addSoftVelocity(
  velocity: Float64Array,
  vertex: Int32Array,
  weight: Float64Array,
  i: number,
  sign: number,
): void {
  for (let n = 4 * i; n < 4 * i + 4; n++) {
    if (vertex[n] < 0) continue;
    for (let k = 0; k < 3; k++) point[k] += sign * weight[n] * velocity[3 * vertex[n] + k];
  }
}

/** out ← out + Jᵀ f over all contacts: forces on the dofs, N or N m. Dofs that move both sides feel nothing: the forces cancel, also where the points are still apart. */
export function addContactForces(out: Float64Array, model: Model, work: Workspace, contacts: ContactSet): void {
  for (let i = 0; i < contacts.count; i++) {
    const isRigid1 = contacts.carrierKind1[i] !== CARRIER.soft;
    const isRigid2 = contacts.carrierKind2[i] !== CARRIER.soft;
    const b1 = contacts.carrier1[i];
    const b2 = contacts.carrier2[i];
    const shared = isRigid1 && isRigid2 ? findSharedDof(model, b1, b2) : -1;
    if (isRigid1) addSideForce(out, model, work, contacts, i, b1, -1, shared);
    if (isRigid2) addSideForce(out, model, work, contacts, i, b2, 1, shared);
  }
}

// the last dof that moves both bodies, -1 where there is none
function findSharedDof({ body, dof }: Model, b1: number, b2: number): number {
  let k1 = body.lastDof[b1];
  let k2 = body.lastDof[b2];
  while (k1 !== k2) {
    if (k1 > k2) k1 = dof.parent[k1];
    else k2 = dof.parent[k2];
  }
  return k1;
}

function addSideForce(
  out: Float64Array,
  model: Model,
  work: Workspace,
  { position, sweep, frame, force }: ContactSet,
  i: number,
  body: number,
  sign: number,
  shared: number,
): void {
  const { parent } = model.dof;
  const { motionSubspace, treeCenter } = work;
  const c = 3 * model.body.root[body];
  const side = sign > 0 ? 1 : 0;
  const dx = position[3 * i] + side * sweep[3 * i] - treeCenter[c];
  const dy = position[3 * i + 1] + side * sweep[3 * i + 1] - treeCenter[c + 1];
  const dz = position[3 * i + 2] + side * sweep[3 * i + 2] - treeCenter[c + 2];
  const f = 6 * i;
  const e = 9 * i;
  const x = sign * (frame[e] * force[f] + frame[e + 3] * force[f + 1] + frame[e + 6] * force[f + 2]);
  const y = sign * (frame[e + 1] * force[f] + frame[e + 4] * force[f + 1] + frame[e + 7] * force[f + 2]);
  const z = sign * (frame[e + 2] * force[f] + frame[e + 5] * force[f + 1] + frame[e + 8] * force[f + 2]);
  const a = sign * (frame[e] * force[f + 3] + frame[e + 3] * force[f + 4] + frame[e + 6] * force[f + 5]);
  const b = sign * (frame[e + 1] * force[f + 3] + frame[e + 4] * force[f + 4] + frame[e + 7] * force[f + 5]);
  const d = sign * (frame[e + 2] * force[f + 3] + frame[e + 5] * force[f + 4] + frame[e + 8] * force[f + 5]);
  const mx = a + dy * z - dz * y;
  const my = b + dz * x - dx * z;
  const mz = d + dx * y - dy * x;
  for (let k = model.body.lastDof[body]; k > shared; k = parent[k]) {
    const s = 6 * k;
    out[k] +=
      motionSubspace[s] * mx +
      motionSubspace[s + 1] * my +
      motionSubspace[s + 2] * mz +
      motionSubspace[s + 3] * x +
      motionSubspace[s + 4] * y +
      motionSubspace[s + 5] * z;
  }
}
