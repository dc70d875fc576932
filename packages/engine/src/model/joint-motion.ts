/**
 * Poses and velocities of all bodies from joint positions and velocities, outwards from the world:
 *
 *   slide  x ← x + a (q − q₀)        v ← v + ω × a (q − q₀) + a q̇
 *   turn   x ← p − R' p_local        ω ← ω + a q̇ (or R' q̇ for a ball),  v at the anchor p stays the same
 *   free   x, R from q               v, R ω from q̇
 *
 * x (m) and R place the body in the world, v (m/s) is the velocity of its origin, ω (rad/s) its angular velocity, both in
 * world axes; a is the axis of the joint and p its anchor in world axes; q₀ is the position of the initial pose.
 */
import { composePoses, type Poses } from '../linear-algebra/pose.ts';
import {
  multiplyQuaternions,
  normalizeQuaternion,
  quaternionFromAxisAngle,
  rotateByQuaternion,
} from '../linear-algebra/quaternion.ts';
import { JOINT, type Model } from './model.ts';

type Parts = Pick<Model, 'body' | 'joint' | 'initialPosition'>;

/** Poses and velocities of all bodies, in world axes. */
export interface BodyMotion extends Poses {
  readonly velocity: Float64Array;
  readonly angularVelocity: Float64Array;
}

/** Motion of all bodies; mocap bodies are where the scene has them. */
export function computeBodyMotion(model: Parts, q: Float64Array, qdot: Float64Array): BodyMotion {
  const { body, joint } = model;
  const count = body.parent.length;
  const motion: BodyMotion = {
    position: new Float64Array(3 * count),
    orientation: new Float64Array(4 * count),
    velocity: new Float64Array(3 * count),
    angularVelocity: new Float64Array(3 * count),
  };
  motion.orientation[0] = 1;
  for (let b = 1; b < count; b++) {
    const parent = body.parent[b];
    composePoses(motion, b, motion, parent, body, b);
    // carried along by the parent
    motion.angularVelocity.copyWithin(3 * b, 3 * parent, 3 * parent + 3);
    motion.velocity.copyWithin(3 * b, 3 * parent, 3 * parent + 3);
    for (let k = 0; k < 3; k++) arm[k] = motion.position[3 * b + k] - motion.position[3 * parent + k];
    addCross(motion.velocity, 3 * b, motion.angularVelocity, 3 * b, arm, 1);
    for (let j = body.jointStart[b]; j < body.jointStart[b] + body.jointCount[b]; j++) {
      if (joint.kind[j] === JOINT.free) moveFree(model, motion, b, j, q, qdot);
      else if (joint.kind[j] === JOINT.slide) moveAlong(model, motion, b, j, q, qdot);
      else turnAbout(model, motion, b, j, q, qdot);
    }
    normalizeQuaternion(motion.orientation, 4 * b, motion.orientation, 4 * b);
  }
  return motion;
}

function moveFree(model: Parts, motion: BodyMotion, b: number, j: number, q: Float64Array, qdot: Float64Array): void {
  const i = model.joint.positionStart[j];
  const d = model.joint.dofStart[j];
  for (let k = 0; k < 3; k++) {
    motion.position[3 * b + k] = q[i + k];
    motion.velocity[3 * b + k] = qdot[d + k];
  }
  normalizeQuaternion(motion.orientation, 4 * b, q, i + 3);
  rotateByQuaternion(motion.angularVelocity, 3 * b, motion.orientation, 4 * b, qdot, d + 3);
}

function moveAlong(model: Parts, motion: BodyMotion, b: number, j: number, q: Float64Array, qdot: Float64Array): void {
  const { joint, initialPosition } = model;
  const i = joint.positionStart[j];
  rotateByQuaternion(axis, 0, motion.orientation, 4 * b, joint.axis, 3 * j);
  for (let k = 0; k < 3; k++) {
    arm[k] = axis[k] * (q[i] - initialPosition[i]);
    motion.position[3 * b + k] += arm[k];
    motion.velocity[3 * b + k] += axis[k] * qdot[joint.dofStart[j]];
  }
  addCross(motion.velocity, 3 * b, motion.angularVelocity, 3 * b, arm, 1);
}

function turnAbout(model: Parts, motion: BodyMotion, b: number, j: number, q: Float64Array, qdot: Float64Array): void {
  const { joint, initialPosition } = model;
  const i = joint.positionStart[j];
  const d = joint.dofStart[j];
  const { orientation, position, velocity, angularVelocity } = motion;
  // velocity of the anchor before the joint
  rotateByQuaternion(arm, 0, orientation, 4 * b, joint.anchor, 3 * j);
  addCross(velocity, 3 * b, angularVelocity, 3 * b, arm, 1);
  for (let k = 0; k < 3; k++) position[3 * b + k] += arm[k];
  // turn, then back from the anchor to the origin
  if (joint.kind[j] === JOINT.hinge) {
    rotateByQuaternion(axis, 0, orientation, 4 * b, joint.axis, 3 * j);
    for (let k = 0; k < 3; k++) angularVelocity[3 * b + k] += axis[k] * qdot[d];
    quaternionFromAxisAngle(turn, 0, joint.axis, 3 * j, q[i] - initialPosition[i]);
    multiplyQuaternions(orientation, 4 * b, orientation, 4 * b, turn, 0);
  } else {
    normalizeQuaternion(turn, 0, q, i);
    multiplyQuaternions(orientation, 4 * b, orientation, 4 * b, turn, 0);
    rotateByQuaternion(axis, 0, orientation, 4 * b, qdot, d);
    for (let k = 0; k < 3; k++) angularVelocity[3 * b + k] += axis[k];
  }
  rotateByQuaternion(arm, 0, orientation, 4 * b, joint.anchor, 3 * j);
  for (let k = 0; k < 3; k++) position[3 * b + k] -= arm[k];
  addCross(velocity, 3 * b, angularVelocity, 3 * b, arm, -1);
}

// out += sign · w × r
function addCross(out: Float64Array, o: number, w: Float64Array, i: number, r: Float64Array, sign: number): void {
  out[o] += sign * (w[i + 1] * r[2] - w[i + 2] * r[1]);
  out[o + 1] += sign * (w[i + 2] * r[0] - w[i] * r[2]);
  out[o + 2] += sign * (w[i] * r[1] - w[i + 1] * r[0]);
}

const turn = /* @__PURE__ */ new Float64Array(4);
const axis = /* @__PURE__ */ new Float64Array(3);
const arm = /* @__PURE__ */ new Float64Array(3);
