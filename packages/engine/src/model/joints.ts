import type { Joint } from '../scene/joint.ts';
import { type BodyTree, DOF_COUNT } from './bodies.ts';
import { DEFAULT_SOLIMP, DEFAULT_SOLREF } from './constraint-defaults.ts';
import { JOINT, type ModelDofs, type ModelJoints } from './model.ts';
import type { SceneIndex } from './scene-index.ts';

/** Joints, their dofs, and the positions that go with them. */
export interface CompiledJoints {
  readonly joint: ModelJoints;
  readonly dof: ModelDofs;
  readonly initialPosition: Float64Array;
  readonly springPosition: Float64Array;
}

/** Length of a joint in the position vector. */
const POSITION_COUNT: Readonly<Record<Joint['kind'], number>> = { free: 7, ball: 4, hinge: 1, slide: 1 };

/** Frames of the bodies in their parents'. */
export interface BodyFrames {
  readonly position: Float64Array;
  readonly orientation: Float64Array;
}

/** The joints of a scene in joint coordinates. */
export function compileJoints(index: SceneIndex, tree: BodyTree, frames: BodyFrames): CompiledJoints {
  let positionCount = 0;
  let dofCount = 0;
  for (const { kind } of index.joints) {
    positionCount += POSITION_COUNT[kind];
    dofCount += DOF_COUNT[kind];
  }
  const joint = createJoints(index.joints.length);
  const dof = createDofs(dofCount);
  const initialPosition = new Float64Array(positionCount);
  const springPosition = new Float64Array(positionCount);

  let position = 0;
  let firstDof = 0;
  for (let j = 0; j < index.joints.length; j++) {
    const source = index.joints[j];
    const body = index.jointBody[j];
    joint.kind[j] = JOINT[source.kind];
    joint.body[j] = body;
    joint.positionStart[j] = position;
    joint.dofStart[j] = firstDof;
    writeJointParameters(joint, j, source);
    writePositions(source, initialPosition, springPosition, position, body, frames);
    for (let d = firstDof; d < firstDof + DOF_COUNT[source.kind]; d++) {
      dof.body[d] = body;
      dof.joint[d] = j;
      // the parent of the first dof of a body is the last dof above it
      dof.parent[d] = d === tree.dofStart[body] ? tree.lastDof[tree.parent[body]] : d - 1;
      writeDofParameters(dof, d, source);
    }
    position += POSITION_COUNT[source.kind];
    firstDof += DOF_COUNT[source.kind];
  }
  return {
    joint: { name: index.joints.map((source) => source.name ?? ''), ...joint },
    dof,
    initialPosition,
    springPosition,
  };
}

/** Arrays for joints: unlimited, rigid, axis z, default softness. */
export function createJoints(count: number): Omit<ModelJoints, 'name'> {
  const axis = new Float64Array(3 * count);
  for (let j = 0; j < count; j++) axis[3 * j + 2] = 1;
  return {
    kind: new Uint8Array(count),
    body: new Int32Array(count),
    positionStart: new Int32Array(count),
    dofStart: new Int32Array(count),
    anchor: new Float64Array(3 * count),
    axis,
    stiffness: new Float64Array(count),
    stiffnessPowers: new Float64Array(2 * count),
    limited: new Uint8Array(count),
    range: new Float64Array(2 * count),
    margin: new Float64Array(count),
    solref: repeat(DEFAULT_SOLREF, count),
    solimp: repeat(DEFAULT_SOLIMP, count),
    actuatorForceLimited: new Uint8Array(count),
    actuatorForceRange: new Float64Array(2 * count),
    actuatorGravityCompensation: new Uint8Array(count),
  };
}

/** Arrays for dofs: free of damping and friction, default softness. */
export function createDofs(count: number): ModelDofs {
  return {
    body: new Int32Array(count),
    joint: new Int32Array(count),
    parent: new Int32Array(count).fill(-1),
    damping: new Float64Array(count),
    dampingPowers: new Float64Array(2 * count),
    armature: new Float64Array(count),
    frictionLoss: new Float64Array(count),
    solref: repeat(DEFAULT_SOLREF, count),
    solimp: repeat(DEFAULT_SOLIMP, count),
  };
}

/** The same numbers again and again. */
export function repeat(values: readonly number[], count: number): Float64Array {
  const result = new Float64Array(values.length * count);
  for (let i = 0; i < result.length; i++) result[i] = values[i % values.length];
  return result;
}

/** Write what does not depend on where the joint is. */
function writeJointParameters(joint: Omit<ModelJoints, 'name'>, j: number, source: Joint): void {
  joint.stiffness[j] = source.stiffness ?? 0;
  if (source.stiffnessPowers) joint.stiffnessPowers.set(source.stiffnessPowers, 2 * j);
  if (source.mujoco?.solrefLimit) joint.solref.set(source.mujoco.solrefLimit, 2 * j);
  if (source.mujoco?.solimpLimit) joint.solimp.set(source.mujoco.solimpLimit, 5 * j);
  if (source.actuatorForceRange) {
    joint.actuatorForceLimited[j] = 1;
    joint.actuatorForceRange.set(source.actuatorForceRange, 2 * j);
  }
  joint.actuatorGravityCompensation[j] = source.actuatorGravityCompensation ? 1 : 0;
  if (source.kind === 'free') return;
  if (source.anchor) joint.anchor.set(source.anchor, 3 * j);
  if (source.limit) {
    joint.limited[j] = 1;
    joint.range.set(source.limit.range, 2 * j);
    joint.margin[j] = source.limit.margin ?? 0;
  }
  if (source.kind !== 'ball' && source.axis) {
    const [x, y, z] = source.axis;
    const length = Math.sqrt(x * x + y * y + z * z);
    joint.axis.set([x / length, y / length, z / length], 3 * j);
  }
}

/** Write what every dof of a joint shares. */
export function writeDofParameters(dof: ModelDofs, d: number, source: Joint): void {
  dof.damping[d] = source.damping ?? 0;
  if (source.dampingPowers) dof.dampingPowers.set(source.dampingPowers, 2 * d);
  dof.armature[d] = source.armature ?? 0;
  dof.frictionLoss[d] = source.frictionLoss ?? 0;
  if (source.mujoco?.solrefFriction) dof.solref.set(source.mujoco.solrefFriction, 2 * d);
  if (source.mujoco?.solimpFriction) dof.solimp.set(source.mujoco.solimpFriction, 5 * d);
}

function writePositions(
  source: Joint,
  initial: Float64Array,
  spring: Float64Array,
  at: number,
  body: number,
  frames: BodyFrames,
): void {
  switch (source.kind) {
    case 'free':
      for (const target of [initial, spring]) {
        target.set(frames.position.subarray(3 * body, 3 * body + 3), at);
        target.set(frames.orientation.subarray(4 * body, 4 * body + 4), at + 3);
      }
      return;
    case 'ball':
      initial[at] = 1;
      spring[at] = 1;
      return;
    case 'hinge':
    case 'slide':
      initial[at] = source.reference ?? 0;
      spring[at] = source.springReference ?? 0;
  }
}
