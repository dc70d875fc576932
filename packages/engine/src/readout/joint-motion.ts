/**
 * Positions and velocities of joints by name, in both coordinates.
 *
 *   hinge, slide   one number: rad or m, counted from where the scene puts its zero
 *   ball           quaternion w x y z of the child in its frame at rest; angular velocity in axes of the child, rad/s
 *   free           origin of the body's frame and quaternion w x y z; velocity of the origin in world axes, angular in the body's
 *
 * In joint coordinates they are numbers of the state. In body coordinates they are read off the poses of the bodies, with the whole turns
 * that the state counts, and cannot be set one by one.
 */
import type { Workspace } from '../dynamics/workspace.ts';
import { NexdynError } from '../error.ts';
import type { JointCoordinates } from '../joint/joint-coordinate.ts';
import { unrotateByQuaternion } from '../linear-algebra/pose.ts';
import { normalizeQuaternion, rotateByQuaternion } from '../linear-algebra/quaternion.ts';
import { JOINT, type Model } from '../model/model.ts';
import type { Quaternion, Vec3 } from '../scene/pose.ts';
import { findIndex, requireFinite, requireRotation } from '../state/inputs.ts';
import type { State } from '../state/state.ts';
import { readBodyPose, readBodyVelocity, setBodyPose, setBodyVelocity } from './body-motion.ts';

/** Numbers of a position and of a velocity, per kind of joint. */
const POSITIONS = { [JOINT.free]: 7, [JOINT.ball]: 4, [JOINT.slide]: 1, [JOINT.hinge]: 1 } as const;
const VELOCITIES = { [JOINT.free]: 6, [JOINT.ball]: 3, [JOINT.slide]: 1, [JOINT.hinge]: 1 } as const;
type Kind = keyof typeof POSITIONS;

const axes = /* @__PURE__ */ new Float64Array(3);
const rotated = /* @__PURE__ */ new Float64Array(3);

/** All numbers of a joint's position. */
export function readJointPositions(
  model: Model,
  state: State,
  work: Workspace,
  coordinates: JointCoordinates,
  joint: string | number,
): number[] {
  const j = findJoint(model, joint);
  const c = j - model.size.joint;
  const kind = kindOf(model, j);
  if (kind === JOINT.free) {
    const { position, orientation } = readBodyPose(model, work, model.joint.body[j]);
    return [...position, ...orientation];
  }
  if (c < 0) return slice(state.position, model.joint.positionStart[j], POSITIONS[kind]);
  return kind === JOINT.ball ? slice(coordinates.orientation, 4 * c, 4) : [coordinates.position[c]];
}

/** All numbers of a joint's velocity. */
export function readJointVelocities(
  model: Model,
  state: State,
  work: Workspace,
  coordinates: JointCoordinates,
  joint: string | number,
): number[] {
  const j = findJoint(model, joint);
  const c = j - model.size.joint;
  const kind = kindOf(model, j);
  if (kind === JOINT.free) {
    const b = model.joint.body[j];
    const { linear, angular } = readBodyVelocity(model, work, b);
    rotated.set(angular);
    unrotateByQuaternion(axes, 0, work.bodyOrientation, 4 * b, rotated, 0);
    return [...linear, ...axes];
  }
  if (c < 0) return slice(state.velocity, model.joint.dofStart[j], VELOCITIES[kind]);
  return slice(coordinates.velocity, 3 * c, VELOCITIES[kind]);
}

/** The number of a hinge or slide. */
export function requireScalar(numbers: readonly number[], joint: string | number, method: string): number {
  if (numbers.length === 1) return numbers[0];
  throw new NexdynError('invalid-argument', `joint ${JSON.stringify(joint)} has ${numbers.length} numbers, not one`, {
    hint: `\`${method}\` gives all of them`,
  });
}

/** Sets the position of a joint that is a coordinate: a number, or as many as its kind has. */
export function setJointPosition(
  model: Model,
  state: State,
  work: Workspace,
  joint: string | number,
  value: number | ArrayLike<number>,
): void {
  const j = requireCoordinate(model, joint);
  const kind = kindOf(model, j);
  const numbers = requireCount(value, POSITIONS[kind], joint);
  if (kind === JOINT.free) {
    const position = numbers.slice(0, 3) as Vec3;
    const orientation = numbers.slice(3) as Quaternion;
    setBodyPose(model, state, work, model.joint.body[j], { position, orientation });
    return;
  }
  const at = model.joint.positionStart[j];
  if (kind === JOINT.ball) requireRotation(numbers);
  state.position.set(numbers, at);
  if (kind === JOINT.ball) normalizeQuaternion(state.position, at, state.position, at);
}

/** Sets the velocity of a joint that is a coordinate. */
export function setJointVelocity(
  model: Model,
  state: State,
  work: Workspace,
  joint: string | number,
  value: number | ArrayLike<number>,
): void {
  const j = requireCoordinate(model, joint);
  const kind = kindOf(model, j);
  const numbers = requireCount(value, VELOCITIES[kind], joint);
  if (kind !== JOINT.free) {
    state.velocity.set(numbers, model.joint.dofStart[j]);
    return;
  }
  const b = model.joint.body[j];
  axes.set(numbers.slice(3));
  rotateByQuaternion(rotated, 0, work.bodyOrientation, 4 * b, axes, 0);
  setBodyVelocity(model, state, work, b, {
    linear: numbers.slice(0, 3) as Vec3,
    angular: [rotated[0], rotated[1], rotated[2]],
  });
}

/** Number of a joint, as the model counts them: those of the coordinates, then the constraints. */
function findJoint({ joint, constraintJoint }: Model, key: string | number): number {
  const known = joint.name.indexOf(String(key));
  if (typeof key === 'string' && key !== '' && known >= 0) return known;
  return findIndex([...joint.name, ...constraintJoint.name], key, 'joint');
}

function kindOf({ joint, constraintJoint, size }: Model, j: number): Kind {
  return (j < size.joint ? joint.kind[j] : constraintJoint.kind[j - size.joint]) as Kind;
}

function requireCoordinate(model: Model, joint: string | number): number {
  const j = findJoint(model, joint);
  if (j < model.size.joint) return j;
  throw new NexdynError('invalid-argument', `joint ${JSON.stringify(joint)} is a constraint in body coordinates`, {
    hint: 'compile with `coordinates: "joint"`, or move its bodies by `setPose`',
  });
}

function requireCount(value: number | ArrayLike<number>, count: number, joint: string | number): number[] {
  const numbers = typeof value === 'number' ? [value] : Array.from(value);
  requireFinite(numbers, 'the value of a joint');
  if (numbers.length === count) return numbers;
  throw new NexdynError(
    'invalid-argument',
    `joint ${JSON.stringify(joint)} takes ${count} numbers, not ${numbers.length}`,
    {
      hint: 'hinge and slide have 1; a ball 4 and 3; a free joint 7 and 6 (position and velocity)',
    },
  );
}

function slice(array: Float64Array, start: number, count: number): number[] {
  return Array.from(array.subarray(start, start + count));
}
