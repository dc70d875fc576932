import { transformPoint } from '../linear-algebra/pose.ts';
import { multiplyQuaternions, quaternionFromAxisAngle, rotateByQuaternion } from '../linear-algebra/quaternion.ts';
import { JOINT, type Model, type ModelConstraintJoints } from './model.ts';

/** Arrays for joints that are constraints, all zero. */
export function createConstraintJoints(names: readonly string[]): ModelConstraintJoints {
  const count = names.length;
  return {
    name: names,
    kind: new Uint8Array(count),
    body1: new Int32Array(count),
    body2: new Int32Array(count),
    anchor1: new Float64Array(3 * count),
    anchor2: new Float64Array(3 * count),
    axis1: new Float64Array(3 * count),
    axis2: new Float64Array(3 * count),
    orientation: new Float64Array(4 * count),
    reference: new Float64Array(count),
    stiffness: new Float64Array(count),
    stiffnessPowers: new Float64Array(2 * count),
    damping: new Float64Array(count),
    dampingPowers: new Float64Array(2 * count),
    armature: new Float64Array(count),
    frictionLoss: new Float64Array(count),
    springReference: new Float64Array(count),
    limited: new Uint8Array(count),
    range: new Float64Array(2 * count),
    margin: new Float64Array(count),
    solrefLimit: new Float64Array(2 * count),
    solimpLimit: new Float64Array(5 * count),
    solrefFriction: new Float64Array(2 * count),
    solimpFriction: new Float64Array(5 * count),
    inverseWeight: new Float64Array(count),
    actuatorForceLimited: new Uint8Array(count),
    actuatorForceRange: new Float64Array(2 * count),
  };
}

/** All joints of a model in joint coordinates but the free ones, as constraints between parent and child. */
export function listConstraintJoints(model: Model): ModelConstraintJoints {
  const { joint, dof, body, initialPosition, springPosition } = model;
  const numbers: number[] = [];
  for (let j = 0; j < model.size.joint; j++) if (joint.kind[j] !== JOINT.free) numbers.push(j);
  const list = createConstraintJoints(numbers.map((j) => joint.name[j]));
  for (let c = 0; c < numbers.length; c++) {
    const j = numbers[c];
    const child = joint.body[j];
    list.kind[c] = joint.kind[j];
    list.body1[c] = body.parent[child];
    list.body2[c] = child;
    // nothing is displaced in the initial pose: the child's local frame takes its anchor and axis to the parent
    list.anchor2.set(joint.anchor.subarray(3 * j, 3 * j + 3), 3 * c);
    list.axis2.set(joint.axis.subarray(3 * j, 3 * j + 3), 3 * c);
    transformPoint(list.anchor1, 3 * c, body, child, joint.anchor, 3 * j);
    rotateByQuaternion(list.axis1, 3 * c, body.orientation, 4 * child, joint.axis, 3 * j);
    writeZeroOrientation(model, child, list.orientation, 4 * c);
    if (joint.kind[j] !== JOINT.ball) {
      list.reference[c] = initialPosition[joint.positionStart[j]];
      list.springReference[c] = springPosition[joint.positionStart[j]];
    }
    list.stiffness[c] = joint.stiffness[j];
    list.damping[c] = dof.damping[joint.dofStart[j]];
    list.stiffnessPowers.set(joint.stiffnessPowers.subarray(2 * j, 2 * j + 2), 2 * c);
    list.dampingPowers.set(dof.dampingPowers.subarray(2 * joint.dofStart[j], 2 * joint.dofStart[j] + 2), 2 * c);
    list.armature[c] = dof.armature[joint.dofStart[j]];
    list.frictionLoss[c] = dof.frictionLoss[joint.dofStart[j]];
    list.limited[c] = joint.limited[j];
    list.range.set(joint.range.subarray(2 * j, 2 * j + 2), 2 * c);
    list.margin[c] = joint.margin[j];
    const d = joint.dofStart[j];
    list.solrefLimit.set(joint.solref.subarray(2 * j, 2 * j + 2), 2 * c);
    list.solimpLimit.set(joint.solimp.subarray(5 * j, 5 * j + 5), 5 * c);
    list.solrefFriction.set(dof.solref.subarray(2 * d, 2 * d + 2), 2 * c);
    list.solimpFriction.set(dof.solimp.subarray(5 * d, 5 * d + 5), 5 * c);
    list.inverseWeight[c] = model.inverseWeight.dof[d];
    list.actuatorForceLimited[c] = joint.actuatorForceLimited[j];
    list.actuatorForceRange.set(joint.actuatorForceRange.subarray(2 * j, 2 * j + 2), 2 * c);
  }
  return list;
}

/** Angles of the constraint joints that are hinges in rows of joint positions, rad; 0 for the others. */
export function listHingeAngles({ joint, size }: Model, rows: Float64Array): Float64Array {
  const angles: number[] = [];
  for (let row = 0; row < rows.length; row += size.position) {
    for (let j = 0; j < size.joint; j++) {
      if (joint.kind[j] === JOINT.free) continue;
      angles.push(joint.kind[j] === JOINT.hinge ? rows[row + joint.positionStart[j]] : 0);
    }
  }
  return Float64Array.from(angles);
}

// orientation of a body in its parent when all its hinges are at position zero
function writeZeroOrientation(model: Model, b: number, out: Float64Array, o: number): void {
  const { body, joint, initialPosition } = model;
  out.set(body.orientation.subarray(4 * b, 4 * b + 4), o);
  for (let j = body.jointStart[b]; j < body.jointStart[b] + body.jointCount[b]; j++) {
    if (joint.kind[j] !== JOINT.hinge) continue;
    quaternionFromAxisAngle(turn, 0, joint.axis, 3 * j, -initialPosition[joint.positionStart[j]]);
    multiplyQuaternions(out, o, out, o, turn, 0);
  }
}

const turn = /* @__PURE__ */ new Float64Array(4);
