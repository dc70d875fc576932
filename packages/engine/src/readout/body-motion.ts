/**
 * Poses and velocities of bodies by name, read and set.
 *
 * A body's pose is that of its frame in the world; its velocity is that of the frame's origin, and its angular velocity ω, both in
 * world axes. A body can be set where the coordinates hold its pose: with a free joint (in body coordinates every group of rigidly
 * connected bodies has one, at its topmost body), or as a mocap body. With p the anchor of the free joint in the body's frame, the
 * state holds x + R p, and the velocities v + ω × R p (world axes) and Rᵀω (axes of the body).
 */
import type { Workspace } from '../dynamics/workspace.ts';
import { NexdynError } from '../error.ts';
import { unrotateByQuaternion } from '../linear-algebra/pose.ts';
import { normalizeQuaternion, rotateByQuaternion } from '../linear-algebra/quaternion.ts';
import { JOINT, type Model } from '../model/model.ts';
import type { Quaternion, Vec3 } from '../scene/pose.ts';
import { findIndex, requireFinite, requireRotation, setMocapPose } from '../state/inputs.ts';
import type { State } from '../state/state.ts';

/** Where a body is in the world. */
export interface BodyPose {
  /** Origin of its frame, m. */
  position: Vec3;
  /** Rotation from its frame to the world, a quaternion w x y z. */
  orientation: Quaternion;
}

/** How a body moves, in world axes. */
export interface BodyVelocity {
  /** Velocity of the origin of its frame, m/s. */
  linear: Vec3;
  /** Angular velocity, rad/s. */
  angular: Vec3;
}

const anchor = /* @__PURE__ */ new Float64Array(3);
const turn = /* @__PURE__ */ new Float64Array(4);
const spin = /* @__PURE__ */ new Float64Array(3);

/** Pose of a body, by name or number. */
export function readBodyPose(model: Model, work: Workspace, body: string | number): BodyPose {
  const b = findIndex(model.body.name, body, 'body');
  const { bodyPosition: x, bodyOrientation: q } = work;
  return {
    position: [x[3 * b], x[3 * b + 1], x[3 * b + 2]],
    orientation: [q[4 * b], q[4 * b + 1], q[4 * b + 2], q[4 * b + 3]],
  };
}

/** Velocity of a body, by name or number. */
export function readBodyVelocity(model: Model, work: Workspace, body: string | number): BodyVelocity {
  const b = findIndex(model.body.name, body, 'body');
  const { bodyPosition, bodyTwist: twist, treeCenter } = work;
  // twists of a tree refer to its centre of mass
  const c = 3 * model.body.root[b];
  const x = bodyPosition[3 * b] - treeCenter[c];
  const y = bodyPosition[3 * b + 1] - treeCenter[c + 1];
  const z = bodyPosition[3 * b + 2] - treeCenter[c + 2];
  const [wx, wy, wz, vx, vy, vz] = twist.subarray(6 * b, 6 * b + 6);
  return { linear: [vx + wy * z - wz * y, vy + wz * x - wx * z, vz + wx * y - wy * x], angular: [wx, wy, wz] };
}

/** Moves a body that its coordinates can place; what the pose leaves out stays as it is. */
export function setBodyPose(
  model: Model,
  state: State,
  work: Workspace,
  body: string | number,
  pose: Partial<BodyPose>,
): void {
  const now = readBodyPose(model, work, body);
  const position = pose.position ?? now.position;
  const orientation = pose.orientation ?? now.orientation;
  const b = findIndex(model.body.name, body, 'body');
  if (model.body.mocap[b] >= 0) {
    setMocapPose(model, state, b, position, orientation);
    return;
  }
  const j = requireFreeJoint(model, b, 'pose');
  requireFinite([...position, ...orientation], 'position and orientation');
  requireRotation(orientation);
  const at = model.joint.positionStart[j];
  turn.set(orientation);
  normalizeQuaternion(turn, 0, turn, 0);
  rotateByQuaternion(anchor, 0, turn, 0, model.joint.anchor, 3 * j);
  for (let k = 0; k < 3; k++) state.position[at + k] = position[k] + anchor[k];
  state.position.set(turn, at + 3);
}

/** Sets the velocity of a body with a free joint; what is left out stays as it is. */
export function setBodyVelocity(
  model: Model,
  state: State,
  work: Workspace,
  body: string | number,
  velocity: Partial<BodyVelocity>,
): void {
  const now = readBodyVelocity(model, work, body);
  const linear = velocity.linear ?? now.linear;
  const angular = velocity.angular ?? now.angular;
  const b = findIndex(model.body.name, body, 'body');
  const j = requireFreeJoint(model, b, 'velocity');
  requireFinite([...linear, ...angular], 'linear and angular velocity');
  const at = model.joint.dofStart[j];
  rotateByQuaternion(anchor, 0, work.bodyOrientation, 4 * b, model.joint.anchor, 3 * j);
  for (let k = 0; k < 3; k++) {
    const l = (k + 1) % 3;
    const m = (k + 2) % 3;
    state.velocity[at + k] = linear[k] + angular[l] * anchor[m] - angular[m] * anchor[l];
  }
  spin.set(angular);
  unrotateByQuaternion(state.velocity, at + 3, work.bodyOrientation, 4 * b, spin, 0);
}

/** The free joint that holds the pose of a body. */
function requireFreeJoint(model: Model, b: number, quantity: string): number {
  const j = model.body.jointStart[b];
  if (model.body.jointCount[b] > 0 && model.joint.kind[j] === JOINT.free) return j;
  const isFixed = model.body.lastDof[b] < 0;
  throw new NexdynError('invalid-argument', `the ${quantity} of body ${JSON.stringify(nameOf(model, b))} is not free`, {
    hint: isFixed
      ? 'it is part of the world: give it a free joint, or `mocap: true` to move it by hand'
      : 'other bodies or joints place it: set those, or compile with `coordinates: "body"`',
  });
}

function nameOf(model: Model, b: number): string | number {
  return model.body.name[b] || b;
}
