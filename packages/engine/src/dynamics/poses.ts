/**
 * Forward kinematics: joint positions to poses of bodies and sites.
 *
 * A body starts at its pose in the parent's frame; each joint then moves it in turn. A rotating joint turns it about the
 * anchor p: with R the rotation after the joint, origin = p − R p_local. A free joint gives the pose itself: its position is
 * that of the anchor. Source: math of MuJoCo, "General framework / Kinematics".
 */
import {
  integrateQuaternion,
  matrixFromQuaternion,
  multiplyQuaternions,
  normalizeQuaternion,
  quaternionFromAxisAngle,
  rotateByQuaternion,
} from '../linear-algebra/quaternion.ts';
import { JOINT, type Model } from '../model/model.ts';
import type { State } from '../state/state.ts';
import type { Workspace } from './workspace.ts';

const turn = /* @__PURE__ */ new Float64Array(4);
const offset = /* @__PURE__ */ new Float64Array(3);

export function updatePoses(model: Model, state: State, work: Workspace): void {
  const { body, joint } = model;
  const { bodyPosition, bodyOrientation, bodyRotation, bodyCenter, jointAnchor, jointAxis } = work;
  const q = state.position;

  // the world
  bodyPosition.fill(0, 0, 3);
  bodyCenter.fill(0, 0, 3);
  bodyOrientation[0] = 1;
  bodyOrientation.fill(0, 1, 4);
  matrixFromQuaternion(bodyRotation, 0, bodyOrientation, 0);

  const count = model.size.body;
  for (let b = 1; b < count; b++) {
    const p = 3 * b;
    const o = 4 * b;
    const firstJoint = body.jointStart[b];
    const lastJoint = firstJoint + body.jointCount[b];

    if (lastJoint > firstJoint && joint.kind[firstJoint] === JOINT.free) {
      // a free body: the pose is the joint position
      const iq = joint.positionStart[firstJoint];
      const j = 3 * firstJoint;
      normalizeQuaternion(bodyOrientation, o, q, iq + 3);
      rotateByQuaternion(offset, 0, bodyOrientation, o, joint.anchor, j);
      for (let k = 0; k < 3; k++) {
        jointAnchor[j + k] = q[iq + k];
        bodyPosition[p + k] = q[iq + k] - offset[k];
        jointAxis[j + k] = joint.axis[j + k];
      }
    } else {
      placeInParent(model, state, work, b);
      for (let jointIndex = firstJoint; jointIndex < lastJoint; jointIndex++) {
        const j = 3 * jointIndex;
        const iq = joint.positionStart[jointIndex];
        rotateByQuaternion(jointAxis, j, bodyOrientation, o, joint.axis, j);
        rotateByQuaternion(offset, 0, bodyOrientation, o, joint.anchor, j);
        for (let k = 0; k < 3; k++) jointAnchor[j + k] = bodyPosition[p + k] + offset[k];

        const kind = joint.kind[jointIndex];
        if (kind === JOINT.slide) {
          const travel = q[iq] - model.initialPosition[iq];
          for (let k = 0; k < 3; k++) bodyPosition[p + k] += jointAxis[j + k] * travel;
        } else {
          if (kind === JOINT.hinge) quaternionFromAxisAngle(turn, 0, joint.axis, j, q[iq] - model.initialPosition[iq]);
          else normalizeQuaternion(turn, 0, q, iq);
          multiplyQuaternions(bodyOrientation, o, bodyOrientation, o, turn, 0);
          // keep the anchor where it was
          rotateByQuaternion(offset, 0, bodyOrientation, o, joint.anchor, j);
          for (let k = 0; k < 3; k++) bodyPosition[p + k] = jointAnchor[j + k] - offset[k];
        }
      }
      normalizeQuaternion(bodyOrientation, o, bodyOrientation, o);
    }
    matrixFromQuaternion(bodyRotation, 9 * b, bodyOrientation, o);
    transformPoint(bodyCenter, p, work, b, body.inertiaCenter, p);
  }
}

/** Pose of a body before its joints: fixed to the parent, or given by the user for a mocap body. */
function placeInParent(model: Model, state: State, work: Workspace, b: number): void {
  const { body } = model;
  const { bodyPosition, bodyOrientation } = work;
  const mocap = body.mocap[b];
  if (mocap >= 0) {
    for (let k = 0; k < 3; k++) bodyPosition[3 * b + k] = state.mocapPosition[3 * mocap + k];
    normalizeQuaternion(bodyOrientation, 4 * b, state.mocapOrientation, 4 * mocap);
    return;
  }
  const parent = body.parent[b];
  multiplyQuaternions(bodyOrientation, 4 * b, bodyOrientation, 4 * parent, body.orientation, 4 * b);
  transformPoint(bodyPosition, 3 * b, work, parent, body.position, 3 * b);
}

/** out = a point of body b in world axes. */
export function transformPoint(
  out: Float64Array,
  o: number,
  work: Workspace,
  b: number,
  point: Float64Array,
  i: number,
): void {
  const r = work.bodyRotation;
  const m = 9 * b;
  const p = 3 * b;
  const x = point[i];
  const y = point[i + 1];
  const z = point[i + 2];
  out[o] = work.bodyPosition[p] + r[m] * x + r[m + 1] * y + r[m + 2] * z;
  out[o + 1] = work.bodyPosition[p + 1] + r[m + 3] * x + r[m + 4] * y + r[m + 5] * z;
  out[o + 2] = work.bodyPosition[p + 2] + r[m + 6] * x + r[m + 7] * y + r[m + 8] * z;
}

/** Poses of all sites. */
export function updateSites(model: Model, work: Workspace): void {
  const { site } = model;
  for (let s = 0; s < model.size.site; s++) {
    const b = site.body[s];
    transformPoint(work.sitePosition, 3 * s, work, b, site.position, 3 * s);
    multiplyQuaternions(work.siteOrientation, 4 * s, work.bodyOrientation, 4 * b, site.orientation, 4 * s);
  }
}

/** position ← position ⊕ h velocity, on the group: rotations by the exponential map. */
export function integratePositions(
  model: Model,
  position: Float64Array,
  velocity: Float64Array,
  v: number,
  h: number,
): void {
  const { joint } = model;
  for (let j = 0; j < model.size.joint; j++) {
    const iq = joint.positionStart[j];
    const iv = v + joint.dofStart[j];
    switch (joint.kind[j]) {
      case JOINT.free:
        for (let k = 0; k < 3; k++) position[iq + k] += h * velocity[iv + k];
        integrateQuaternion(position, iq + 3, velocity, iv + 3, h);
        break;
      case JOINT.ball:
        integrateQuaternion(position, iq, velocity, iv, h);
        break;
      default:
        position[iq] += h * velocity[iv];
    }
  }
}

/** position ← position ⊕ h velocity for the dofs of a state. */
export function movePositions(
  model: Model,
  { position }: State,
  { mechanism }: Workspace,
  velocity: Float64Array,
  h: number,
): void {
  if (mechanism) mechanism.integratePositions(position, velocity, h);
  else integratePositions(model, position, velocity, 0, h);
}
