/**
 * Size of the forces of each term: the length √Σ|f|² of its forces on bodies that move and on soft vertices, N, and
 * of its torques on bodies about their centres of mass, N m.
 *   gravity   m g                          springs   k s along slides and tendons, on soft vertices; torque k s about hinges and balls
 *   elastic   ∂W/∂x of soft vertices       inertia   d(m v)/dt and d(I ω)/dt of the last step
 *   contacts  normal and friction forces of the last step, summed per body and vertex before the length is taken
 *   joints    what they transmit: see joint-forces.ts
 */

import { CARRIER, type ContactSet } from '../collision/contact-set.ts';
import type { Workspace } from '../dynamics/workspace.ts';
import type { JointWorkspace } from '../joint/joint-workspace.ts';
import { relativeQuaternion, rotationVector } from '../linear-algebra/quaternion.ts';
import { JOINT, type Model } from '../model/model.ts';
import { powerSecant } from '../model/power-laws.ts';
import type { SoftBodies } from '../soft/soft-bodies.ts';
import type { State } from '../state/state.ts';
import type { TermGradient } from '../term/term-gradient.ts';
import type { JointForce } from './joint-forces.ts';

/** Lengths of forces, N, and of torques, N m. */
export interface ForceSize {
  force: number;
  torque: number;
}

const turn = /* @__PURE__ */ new Float64Array(4);
const angle = /* @__PURE__ */ new Float64Array(3);

/** Of weight: it acts at centres of mass, without a torque. */
export function measureWeight({ body, size }: Model, { plan }: Workspace, soft: SoftBodies): ForceSize {
  const g = Math.hypot(plan.gravity[0], plan.gravity[1], plan.gravity[2]);
  let square = 0;
  for (let b = 1; b < size.body; b++) if (body.lastDof[b] >= 0) square += (body.mass[b] * g) ** 2;
  for (const { mesh } of soft.parts) for (let v = 0; v < mesh.pointCount; v++) square += (mesh.mass[v] * g) ** 2;
  return { force: Math.sqrt(square), torque: 0 };
}

/** Of springs of joints, tendons and soft vertices, each along its own coordinate. */
export function measureSpringForces(
  model: Model,
  state: State,
  work: Workspace,
  joints: JointWorkspace,
  soft: SoftBodies,
): ForceSize {
  const { joint, constraintJoint, tendon, springPosition, options } = model;
  if (options.disabled.has('spring')) return { force: 0, torque: 0 };
  const weight = work.weights.springs;
  let force = 0;
  let torque = 0;
  for (const j of work.plan.springJoints) {
    const pull = (stretch: number): number =>
      weight * (joint.stiffness[j] + powerSecant(joint.stiffnessPowers, j, stretch)) * stretch;
    const kind = joint.kind[j];
    let at = joint.positionStart[j];
    if (kind === JOINT.free) {
      for (let axis = 0; axis < 3; axis++) angle[axis] = state.position[at + axis] - springPosition[at + axis];
      force += pull(Math.hypot(angle[0], angle[1], angle[2])) ** 2;
      at += 3;
    }
    if (kind === JOINT.slide) force += pull(state.position[at] - springPosition[at]) ** 2;
    else if (kind === JOINT.hinge) torque += pull(state.position[at] - springPosition[at]) ** 2;
    else {
      relativeQuaternion(turn, 0, springPosition, at, state.position, at);
      rotationVector(angle, 0, turn, 0);
      torque += pull(Math.hypot(angle[0], angle[1], angle[2])) ** 2;
    }
  }
  const { position, orientation } = joints.coordinates;
  for (let c = 0; c < constraintJoint.kind.length; c++) {
    let stretch = position[c] - constraintJoint.springReference[c];
    if (constraintJoint.kind[c] === JOINT.ball) {
      rotationVector(angle, 0, orientation, 4 * c);
      stretch = Math.hypot(angle[0], angle[1], angle[2]);
    }
    const k = weight * (constraintJoint.stiffness[c] + powerSecant(constraintJoint.stiffnessPowers, c, stretch));
    const square = (k * stretch) ** 2;
    if (constraintJoint.kind[c] === JOINT.slide) force += square;
    else torque += square;
  }
  for (let t = 0; t < model.size.tendon; t++) {
    const length = work.tendonLength[t];
    const stretch = Math.max(0, length - tendon.springLength[2 * t + 1], tendon.springLength[2 * t] - length);
    const signed = length < tendon.springLength[2 * t] ? -stretch : stretch;
    force += (weight * (tendon.stiffness[t] + powerSecant(tendon.stiffnessPowers, t, signed)) * stretch) ** 2;
  }
  for (const { mesh, boundary, position: x, rest } of soft.parts) {
    for (let i = 0; i < 3 * mesh.vertexCount; i++)
      force += (boundary.springStiffness[Math.trunc(i / 3)] * (x[i] - rest[i])) ** 2;
  }
  return { force: Math.sqrt(force), torque: Math.sqrt(torque) };
}

/** Of the normal forces of contacts, or of their friction; `sum` is overwritten. */
export function measureContactForces(
  sum: TermGradient,
  part: 'normal' | 'friction',
  contacts: ContactSet,
  model: Model,
  work: Workspace,
): ForceSize {
  const { frame, force, position: x, vertex1, vertex2, weight1, weight2 } = contacts;
  const [first, end] = part === 'normal' ? [0, 1] : [1, 3];
  sum.clear();
  const f = new Float64Array(3);
  const t = new Float64Array(3);
  for (let i = 0; i < contacts.count; i++) {
    f.fill(0);
    t.fill(0);
    for (let k = 0; k < 3; k++) {
      for (let row = first; row < end; row++) f[k] += frame[9 * i + 3 * row + k] * force[6 * i + row];
      if (part === 'normal') continue;
      for (let row = 0; row < 3; row++) t[k] += frame[9 * i + 3 * row + k] * force[6 * i + 3 + row];
    }
    for (let side = 0; side < 2; side++) {
      const sign = side === 0 ? -1 : 1;
      const kind = side === 0 ? contacts.carrierKind1[i] : contacts.carrierKind2[i];
      const carrier = side === 0 ? contacts.carrier1[i] : contacts.carrier2[i];
      if (kind === CARRIER.body && model.body.lastDof[carrier] >= 0) {
        const c = 3 * carrier;
        const [ax, ay, az] = [0, 1, 2].map(
          (k) => x[3 * i + k] + side * contacts.sweep[3 * i + k] - work.bodyCenter[c + k],
        );
        sum.addBody(
          carrier,
          sign * f[0],
          sign * f[1],
          sign * f[2],
          sign * (t[0] + ay * f[2] - az * f[1]),
          sign * (t[1] + az * f[0] - ax * f[2]),
          sign * (t[2] + ax * f[1] - ay * f[0]),
        );
      } else if (kind === CARRIER.soft) {
        const [vertices, weights] = side === 0 ? [vertex1, weight1] : [vertex2, weight2];
        for (let k = 4 * i; k < 4 * i + 4; k++) {
          const share = sign * weights[k];
          if (vertices[k] >= 0) sum.addVertex(vertices[k], share * f[0], share * f[1], share * f[2]);
        }
      }
    }
  }
  return { force: sum.measureForce(), torque: sum.measureTorque() };
}

/** Of an added term, from its gradient, whose torques are about the origins of the frames: moved to centres of mass. */
export function measureGradient(gradient: TermGradient, { size }: Model, work: Workspace): ForceSize {
  const { body: g } = gradient;
  const { bodyPosition, bodyCenter } = work;
  for (let b = 1; b < size.body; b++) {
    const [ax, ay, az] = [0, 1, 2].map((k) => bodyPosition[3 * b + k] - bodyCenter[3 * b + k]);
    const i = 6 * b;
    g[i + 3] += ay * g[i + 2] - az * g[i + 1];
    g[i + 4] += az * g[i] - ax * g[i + 2];
    g[i + 5] += ax * g[i + 1] - ay * g[i];
  }
  return { force: gradient.measureForce(), torque: gradient.measureTorque() };
}

/** Of what joints transmit, about their anchors. */
export function measureTransmitted(joints: readonly JointForce[]): ForceSize {
  let force = 0;
  let torque = 0;
  for (const { force: f, torque: t } of joints) {
    force += f[0] ** 2 + f[1] ** 2 + f[2] ** 2;
    torque += t[0] ** 2 + t[1] ** 2 + t[2] ** 2;
  }
  return { force: Math.sqrt(force), torque: Math.sqrt(torque) };
}
