/** Inputs of the user between steps: controls, forces on bodies, poses of mocap bodies. */
import { NexdynError } from '../error.ts';
import type { Model } from '../model/model.ts';
import type { Quaternion, Vec3 } from '../scene/pose.ts';
import { suggestSpelling } from '../scene/spelling.ts';
import type { State } from './state.ts';

/** A force on a body, in world axes. */
export interface AppliedForce {
  /** N. Default: 0 0 0. */
  force?: Vec3;
  /** N m. Default: 0 0 0. */
  torque?: Vec3;
  /** Where the force acts, in the world, m. Default: the centre of mass. */
  point?: Vec3;
}

/** Adds a force that acts on a body in every step until cleared. `center` is the body's centre of mass, 3 per body. */
export function addBodyForce(
  model: Model,
  state: State,
  center: Float64Array,
  body: string | number,
  applied: AppliedForce,
): void {
  const b = findIndex(model.body.name, body, 'body');
  const [fx, fy, fz] = applied.force ?? [0, 0, 0];
  const [tx, ty, tz] = applied.torque ?? [0, 0, 0];
  const [x, y, z] = applied.point ?? [center[3 * b], center[3 * b + 1], center[3 * b + 2]];
  const dx = x - center[3 * b];
  const dy = y - center[3 * b + 1];
  const dz = z - center[3 * b + 2];
  requireFinite([fx, fy, fz, tx, ty, tz, x, y, z], 'force, torque and point');
  const wrench = [fx, fy, fz, tx + dy * fz - dz * fy, ty + dz * fx - dx * fz, tz + dx * fy - dy * fx];
  for (let k = 0; k < 6; k++) state.bodyWrench[6 * b + k] += wrench[k];
}

/** Sets the control of one actuator. */
export function setControl(model: Model, state: State, actuator: string | number, value: number): void {
  requireFinite([value], 'a control');
  state.control[findIndex(model.actuator.name, actuator, 'actuator')] = value;
}

/** Moves a mocap body. */
export function setMocapPose(
  model: Model,
  state: State,
  body: string | number,
  position: Vec3,
  orientation: Quaternion,
): void {
  const mocap = model.body.mocap[findIndex(model.body.name, body, 'body')];
  if (mocap < 0) {
    throw new NexdynError('invalid-argument', `body ${JSON.stringify(body)} is not a mocap body`, {
      hint: 'set `mocap: true` on a joint-less child of the world',
    });
  }
  requireFinite([...position, ...orientation], 'position and orientation');
  requireRotation(orientation);
  state.mocapPosition.set(position, 3 * mocap);
  state.mocapOrientation.set(orientation, 4 * mocap);
}

/** Ends with an error where a quaternion has no direction. */
export function requireRotation(orientation: readonly number[]): void {
  if (orientation.some((part) => part !== 0)) return;
  throw new NexdynError('invalid-argument', 'an orientation must not be zero', { hint: 'no rotation is 1 0 0 0' });
}

/** Ends with an error where a number is infinite or none. */
export function requireFinite(values: readonly number[], what: string): void {
  const bad = values.find((value) => !Number.isFinite(value));
  if (bad === undefined) return;
  throw new NexdynError('invalid-argument', `${what} must be finite, but one number is ${bad}`, {
    hint: 'the state is unchanged: check what computes it',
  });
}

/** Number of a named thing; a number is checked against the range. */
export function findIndex(names: readonly string[], key: string | number, kind: string): number {
  const index = typeof key === 'string' ? (key === '' ? -1 : names.indexOf(key)) : key;
  if (names[index] !== undefined) return index;
  const known = names.filter(Boolean);
  const counted = `there are ${names.length}, numbered from 0`;
  throw new NexdynError('invalid-argument', `no ${kind} ${JSON.stringify(key)}`, {
    hint: typeof key === 'string' && known.length > 0 ? suggestSpelling(key, known, 'there are') : counted,
  });
}
