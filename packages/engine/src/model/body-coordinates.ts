/**
 * From joint to body coordinates: every group of bodies that are rigidly connected and can move gets one free joint at
 * its topmost body, anchored at the centre of mass of the group, with the world as parent. The joints of the scene become
 * constraints. Where the model counts joints (tendons, actuators, equalities), a number n below the number of joints is a
 * free joint and any other is the constraint joint n − (number of joints).
 */
import { type Poses, transformPoint, unrotateByQuaternion, untransformPoint } from '../linear-algebra/pose.ts';
import { createBodyTree, relateBodies, sumSubtreeMasses } from './bodies.ts';
import { listConstraintJoints, listHingeAngles } from './constraint-joints.ts';
import { computeInitialPoses } from './initial-pose.ts';
import { computeBodyMotion } from './joint-motion.ts';
import { createDofs, createJoints } from './joints.ts';
import { EQUALITY, JOINT, type Model, type ModelBodies, type ModelKeyframes, STATION, TRANSMISSION } from './model.ts';
import { buildTreeSparsity } from './tree-sparsity.ts';
import { splitVibrations } from './vibration.ts';

/** A group of rigidly connected bodies that moves. */
interface Group {
  /** Its topmost body. */
  readonly body: number;
  /** The scene's free joint, or -1. */
  readonly freeJoint: number;
  /** Centre of mass in the frame of the topmost body, m. */
  readonly center: Float64Array;
}

/** The same scene in body coordinates. */
export function convertToBodyCoordinates(model: Model): Model {
  const poses = computeInitialPoses(model.body);
  const groups = findGroups(model, poses);
  const body = releaseBodies(model, groups, poses);
  const jointNumber = numberJoints(model, groups);
  const joint = createJoints(groups.length);
  const dof = createDofs(6 * groups.length);
  const initialPosition = new Float64Array(7 * groups.length);
  for (let g = 0; g < groups.length; g++) {
    const { body: b, center, freeJoint } = groups[g];
    joint.kind[g] = JOINT.free;
    joint.body[g] = b;
    joint.positionStart[g] = 7 * g;
    joint.dofStart[g] = 6 * g;
    joint.anchor.set(center, 3 * g);
    transformPoint(initialPosition, 7 * g, poses, b, center, 0);
    initialPosition.set(poses.orientation.subarray(4 * b, 4 * b + 4), 7 * g + 3);
    for (let d = 6 * g; d < 6 * g + 6; d++) {
      dof.body[d] = b;
      dof.joint[d] = g;
      dof.parent[d] = d === 6 * g ? -1 : d - 1;
    }
    if (freeJoint >= 0) copyFreeJoint(model, freeJoint, joint, dof, g);
  }
  const massMatrix = buildTreeSparsity(dof.parent);
  const constraintJoint = listConstraintJoints(model);
  return {
    ...model,
    coordinates: 'body',
    size: {
      ...model.size,
      joint: groups.length,
      constraintJoint: constraintJoint.kind.length,
      position: 7 * groups.length,
      velocity: 6 * groups.length,
      massMatrix: massMatrix.column.length,
      sleepTree: model.options.sleep ? groups.length : 0,
    },
    body,
    joint: { name: groups.map(({ freeJoint }) => (freeJoint < 0 ? '' : model.joint.name[freeJoint])), ...joint },
    dof,
    massMatrix,
    tendon: {
      ...model.tendon,
      stationObject: model.tendon.stationObject.map((object, s) =>
        model.tendon.stationKind[s] === STATION.joint ? jointNumber[object] : object,
      ),
    },
    actuator: {
      ...model.actuator,
      target: model.actuator.target.map((target, a) => {
        const kind = model.actuator.transmission[a];
        return kind === TRANSMISSION.joint || kind === TRANSMISSION.jointInParent ? jointNumber[target] : target;
      }),
    },
    equality: {
      ...model.equality,
      object1: renumberEquality(model, model.equality.object1, jointNumber),
      object2: renumberEquality(model, model.equality.object2, jointNumber),
    },
    keyframe: { ...convertKeyframes(model, groups), hingeAngle: listHingeAngles(model, model.keyframe.position) },
    initialPosition,
    springPosition: Float64Array.from(initialPosition),
    constraintJoint,
    vibration: splitVibrations(
      model,
      groups.map(({ freeJoint }) => freeJoint),
    ),
  };
}

function findGroups(model: Model, poses: Poses): Group[] {
  const { body } = model;
  const groups: Group[] = [];
  const groupOf = new Int32Array(model.size.body).fill(-1);
  const mass: number[] = [];
  for (let b = 1; b < model.size.body; b++) {
    if (body.weld[b] === b && body.dofCount[b] > 0) {
      const j = body.jointStart[b];
      groupOf[b] = groups.length;
      groups.push({ body: b, freeJoint: model.joint.kind[j] === JOINT.free ? j : -1, center: new Float64Array(3) });
      mass.push(0);
    }
    const g = groupOf[body.weld[b]];
    if (g < 0) continue;
    // sum of mass times position, in the frame of the topmost body
    transformPoint(point, 0, poses, b, body.inertiaCenter, 3 * b);
    untransformPoint(point, 0, poses, groups[g].body, point, 0);
    mass[g] += body.mass[b];
    for (let k = 0; k < 3; k++) groups[g].center[k] += body.mass[b] * point[k];
  }
  for (let g = 0; g < groups.length; g++) for (let k = 0; k < 3; k++) groups[g].center[k] /= mass[g];
  return groups;
}

// the topmost bodies of groups are children of the world, at their initial pose
function releaseBodies(model: Model, groups: readonly Group[], poses: Poses): ModelBodies {
  const { body } = model;
  const tree = createBodyTree(model.size.body);
  tree.parent.set(body.parent);
  tree.shapeStart.set(body.shapeStart);
  tree.shapeCount.set(body.shapeCount);
  tree.mocap.set(body.mocap);
  const position = Float64Array.from(body.position);
  const orientation = Float64Array.from(body.orientation);
  for (const { body: b } of groups) {
    tree.parent[b] = 0;
    tree.jointCount[b] = 1;
    tree.dofCount[b] = 6;
    position.set(poses.position.subarray(3 * b, 3 * b + 3), 3 * b);
    orientation.set(poses.orientation.subarray(4 * b, 4 * b + 4), 4 * b);
  }
  for (let b = 1; b < model.size.body; b++) {
    tree.jointStart[b] = tree.jointStart[b - 1] + tree.jointCount[b - 1];
    tree.dofStart[b] = tree.dofStart[b - 1] + tree.dofCount[b - 1];
  }
  relateBodies(tree);
  return { ...body, ...tree, position, orientation, subtreeMass: sumSubtreeMasses(tree.parent, body.mass) };
}

// new numbers of the scene's joints: free ones first, then the constraints
function numberJoints(model: Model, groups: readonly Group[]): Int32Array {
  const numbers = new Int32Array(model.size.joint);
  for (let g = 0; g < groups.length; g++) if (groups[g].freeJoint >= 0) numbers[groups[g].freeJoint] = g;
  for (let j = 0, next = groups.length; j < numbers.length; j++) {
    if (model.joint.kind[j] !== JOINT.free) numbers[j] = next++;
  }
  return numbers;
}

function renumberEquality(model: Model, objects: Int32Array, jointNumber: Int32Array): Int32Array {
  return objects.map((object, e) =>
    model.equality.kind[e] === EQUALITY.joint && object >= 0 ? jointNumber[object] : object,
  );
}

function copyFreeJoint(
  model: Model,
  from: number,
  joint: ReturnType<typeof createJoints>,
  dof: ReturnType<typeof createDofs>,
  to: number,
): void {
  const source = model.joint;
  joint.stiffness[to] = source.stiffness[from];
  joint.stiffnessPowers.set(source.stiffnessPowers.subarray(2 * from, 2 * from + 2), 2 * to);
  joint.solref.set(source.solref.subarray(2 * from, 2 * from + 2), 2 * to);
  joint.solimp.set(source.solimp.subarray(5 * from, 5 * from + 5), 5 * to);
  joint.actuatorForceLimited[to] = source.actuatorForceLimited[from];
  joint.actuatorForceRange.set(source.actuatorForceRange.subarray(2 * from, 2 * from + 2), 2 * to);
  joint.actuatorGravityCompensation[to] = source.actuatorGravityCompensation[from];
  const d = source.dofStart[from];
  dof.damping.set(model.dof.damping.subarray(d, d + 6), 6 * to);
  dof.dampingPowers.set(model.dof.dampingPowers.subarray(2 * d, 2 * d + 12), 12 * to);
  dof.armature.set(model.dof.armature.subarray(d, d + 6), 6 * to);
  dof.frictionLoss.set(model.dof.frictionLoss.subarray(d, d + 6), 6 * to);
  dof.solref.set(model.dof.solref.subarray(2 * d, 2 * d + 12), 12 * to);
  dof.solimp.set(model.dof.solimp.subarray(5 * d, 5 * d + 30), 30 * to);
}

// position and velocity of each anchor, and of the body about it
function convertKeyframes(model: Model, groups: readonly Group[]): ModelKeyframes {
  const { keyframe, size } = model;
  const count = groups.length;
  const position = new Float64Array(7 * count * size.keyframe);
  const velocity = new Float64Array(6 * count * size.keyframe);
  for (let k = 0; k < size.keyframe; k++) {
    const q = keyframe.position.subarray(k * size.position, (k + 1) * size.position);
    const qdot = keyframe.velocity.subarray(k * size.velocity, (k + 1) * size.velocity);
    const motion = computeBodyMotion(model, q, qdot);
    for (let g = 0; g < count; g++) {
      const { body: b, center } = groups[g];
      const at = 7 * (k * count + g);
      const to = 6 * (k * count + g);
      transformPoint(position, at, motion, b, center, 0);
      position.set(motion.orientation.subarray(4 * b, 4 * b + 4), at + 3);
      // velocity of the anchor: v + ω × (anchor − origin)
      const [wx, wy, wz] = motion.angularVelocity.subarray(3 * b, 3 * b + 3);
      const x = position[at] - motion.position[3 * b];
      const y = position[at + 1] - motion.position[3 * b + 1];
      const z = position[at + 2] - motion.position[3 * b + 2];
      velocity[to] = motion.velocity[3 * b] + wy * z - wz * y;
      velocity[to + 1] = motion.velocity[3 * b + 1] + wz * x - wx * z;
      velocity[to + 2] = motion.velocity[3 * b + 2] + wx * y - wy * x;
      unrotateByQuaternion(velocity, to + 3, motion.orientation, 4 * b, motion.angularVelocity, 3 * b);
    }
  }
  return { ...keyframe, position, velocity };
}

const point = /* @__PURE__ */ new Float64Array(3);
