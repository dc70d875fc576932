/**
 * Everything a snapshot holds: one contiguous block of doubles with named views. The table below is the layout, the
 * documentation and the order of a snapshot in one. Behind the block a snapshot has the impulses of the last step, where the
 * formulation starts from them.
 */
import { NexdynError } from '../error.ts';
import type { Arena } from '../kernels/arena.ts';
import type { Model, ModelSizes } from '../model/model.ts';
import { type ConstraintImpulses, createImpulses } from './constraint-impulses.ts';
import { resetControls } from './control-history.ts';
import { resetHistory } from './sensor-history.ts';

/** One quantity of the state. */
export interface StateField {
  readonly length: (size: ModelSizes) => number;
  readonly unit: string;
  readonly doc: string;
}

/** Names of the parts of a state. */
export type StateFieldName =
  | 'time'
  | 'position'
  | 'velocity'
  | 'softPosition'
  | 'softVelocity'
  | 'activation'
  | 'control'
  | 'appliedForce'
  | 'bodyWrench'
  | 'mocapPosition'
  | 'mocapOrientation'
  | 'softForce'
  | 'softHeld'
  | 'softDirector'
  | 'softPlastic'
  | 'attachmentBroken'
  | 'equalityActive'
  | 'hingeAngle'
  | 'stepHalvings'
  | 'sensorHistory'
  | 'controlHistory'
  | 'sleep'
  | 'restPosition'
  | 'restControl'
  | 'warmStart';

/** Length, unit and meaning of every part of a state, in the order of a snapshot. */
export const STATE_FIELDS: Readonly<Record<StateFieldName, StateField>> = {
  time: { length: () => 1, unit: 's', doc: 'time since the start' },
  position: { length: (n) => n.position, unit: 'm, rad, 1', doc: 'joint positions; quaternions w x y z' },
  velocity: { length: (n) => n.velocity, unit: 'm/s, rad/s', doc: 'joint velocities' },
  softPosition: { length: (n) => 3 * n.softVertex, unit: 'm', doc: 'vertices of soft bodies, world' },
  softVelocity: { length: (n) => 3 * n.softVertex, unit: 'm/s', doc: 'velocities of vertices of soft bodies' },
  activation: { length: (n) => n.activation, unit: '1', doc: 'actuator activations' },
  control: { length: (n) => n.actuator, unit: '1', doc: 'actuator controls, set by the user' },
  appliedForce: { length: (n) => n.velocity, unit: 'N, N m', doc: 'generalised forces, set by the user' },
  bodyWrench: {
    length: (n) => 6 * n.body,
    unit: 'N, N m',
    doc: 'force and torque at each centre of mass, set by the user',
  },
  mocapPosition: { length: (n) => 3 * n.mocap, unit: 'm', doc: 'positions of mocap bodies, set by the user' },
  mocapOrientation: { length: (n) => 4 * n.mocap, unit: '1', doc: 'orientations of mocap bodies, set by the user' },
  softForce: { length: (n) => 3 * n.softVertex, unit: 'N', doc: 'forces on vertices of soft bodies, set by the user' },
  softHeld: { length: (n) => n.softVertex, unit: '1', doc: '1 where a vertex is pinned or follows its path, else 0' },
  softDirector: {
    length: (n) => 3 * n.softEdge,
    unit: '1',
    doc: 'unit vectors across the edges of rods, which turn with them',
  },
  softPlastic: {
    length: (n) => 10 * n.plasticPoint,
    unit: '1',
    doc: 'per point of a solid that may flow: inverse plastic deformation less the identity, and the plastic strain gone through',
  },
  attachmentBroken: {
    length: (n) => n.breakableAttachment,
    unit: '1',
    doc: '1 where an attachment that may break is broken, else 0',
  },
  equalityActive: { length: (n) => n.equality, unit: '1', doc: '1 where an equality acts, else 0' },
  hingeAngle: {
    length: (n) => n.constraintJoint,
    unit: 'rad',
    doc: 'body coordinates: angle of each hinge where the last step was to take it, from which whole turns count',
  },
  stepHalvings: {
    length: (n) => n.stepControl,
    unit: '1',
    doc: 'where steps are error-controlled: how often the output interval is halved for the next step',
  },
  sensorHistory: {
    length: (n) => n.sensorHistory,
    unit: 'varies',
    doc: 'measurements of sensors with a delay or an interval, with their times',
  },
  controlHistory: {
    length: (n) => n.controlHistory,
    unit: 'varies',
    doc: 'controls of actuators with a delay, with their times',
  },
  sleep: {
    length: (n) => n.sleepTree,
    unit: '1',
    doc: 'where bodies may sleep, per tree: below 0 awake, else asleep and the number of the next tree of its island',
  },
  restPosition: {
    length: (n) => (n.sleepTree > 0 ? n.position : 0),
    unit: 'm, rad, 1',
    doc: 'joint positions where trees fell asleep',
  },
  restControl: { length: (n) => (n.sleepTree > 0 ? n.actuator : 0), unit: '1', doc: 'controls when trees fell asleep' },
  warmStart: { length: (n) => n.velocity, unit: 'm/s², rad/s²', doc: 'acceleration of the last step' },
};

/** What `sleep` has for a tree that has just woken: ten steps at rest before it may sleep. */
export const AWAKE = -11;

/** Named views on one block. */
export type State = { readonly [Name in StateFieldName]: Float64Array } & {
  /** The block. */
  readonly all: Float64Array;
  /** The part that an integrator writes: time, positions, velocities, activation. */
  readonly motion: Float64Array;
  /** Impulses of the last step; empty except for `ccp` and `ipc`. */
  readonly impulses: ConstraintImpulses;
};

/** A state of the right size, at the initial pose and at rest. */
export function createState(model: Model, arena: Arena): State {
  const { size } = model;
  let total = 0;
  for (const name of fieldNames()) total += STATE_FIELDS[name].length(size);
  const all = arena.f64(total);
  let start = 0;
  const view = (name: StateFieldName): Float64Array => {
    const length = STATE_FIELDS[name].length(size);
    start += length;
    return all.subarray(start - length, start);
  };
  const state: State = {
    time: view('time'),
    position: view('position'),
    velocity: view('velocity'),
    softPosition: view('softPosition'),
    softVelocity: view('softVelocity'),
    activation: view('activation'),
    control: view('control'),
    appliedForce: view('appliedForce'),
    bodyWrench: view('bodyWrench'),
    mocapPosition: view('mocapPosition'),
    mocapOrientation: view('mocapOrientation'),
    softForce: view('softForce'),
    softHeld: view('softHeld'),
    softDirector: view('softDirector'),
    softPlastic: view('softPlastic'),
    attachmentBroken: view('attachmentBroken'),
    equalityActive: view('equalityActive'),
    hingeAngle: view('hingeAngle'),
    stepHalvings: view('stepHalvings'),
    sensorHistory: view('sensorHistory'),
    controlHistory: view('controlHistory'),
    sleep: view('sleep'),
    restPosition: view('restPosition'),
    restControl: view('restControl'),
    warmStart: view('warmStart'),
    all,
    motion: all.subarray(0, 1 + size.position + size.velocity + 6 * size.softVertex + size.activation),
    impulses: createImpulses(model.options),
  };
  resetState(model, state);
  return state;
}

/** The initial pose at rest, or a keyframe where its number is given. */
export function resetState(model: Model, state: State, keyframe = -1): void {
  state.all.fill(0);
  state.impulses.clear();
  state.sleep.fill(AWAKE);
  state.equalityActive.set(model.equality.active);
  state.softPosition.set(model.soft.rest);
  state.softVelocity.set(model.soft.velocity);
  state.softHeld.set(model.soft.isHeld);
  state.softDirector.set(model.soft.director);
  const start = keyframe >= 0 ? model.keyframe.time[keyframe] : 0;
  resetHistory(model, state.sensorHistory, start);
  resetControls(model, state.controlHistory, start);
  if (keyframe >= 0) {
    const { keyframe: keys, size } = model;
    state.time[0] = keys.time[keyframe];
    copyRow(state.position, keys.position, keyframe, size.position);
    copyRow(state.velocity, keys.velocity, keyframe, size.velocity);
    copyRow(state.activation, keys.activation, keyframe, size.activation);
    copyRow(state.control, keys.control, keyframe, size.actuator);
    copyRow(state.mocapPosition, keys.mocapPosition, keyframe, 3 * size.mocap);
    copyRow(state.mocapOrientation, keys.mocapOrientation, keyframe, 4 * size.mocap);
    copyRow(state.hingeAngle, keys.hingeAngle, keyframe, size.constraintJoint);
    return;
  }
  state.hingeAngle.set(model.constraintJoint.reference);
  state.position.set(model.initialPosition);
  const { mocap, position, orientation } = model.body;
  for (let b = 0; b < mocap.length; b++) {
    if (mocap[b] < 0) continue;
    state.mocapPosition.set(position.subarray(3 * b, 3 * b + 3), 3 * mocap[b]);
    state.mocapOrientation.set(orientation.subarray(4 * b, 4 * b + 4), 4 * mocap[b]);
  }
}

/** A copy of everything that decides the future. */
export function copyState({ all, impulses }: State): Float64Array {
  const snapshot = new Float64Array(all.length + impulses.length);
  snapshot.set(all);
  impulses.write(snapshot, all.length);
  return snapshot;
}

/** Overwrites a state by a snapshot of the same model. */
export function copySnapshot(state: State, snapshot: Float64Array): void {
  const { all, impulses } = state;
  if (!impulses.read(snapshot, all.length)) {
    const reason = `the snapshot has ${snapshot.length} numbers, a state of this model ${all.length}`;
    throw new NexdynError('incompatible-snapshot', impulses.isUsed ? `${reason} and 8 per constraint` : reason, {
      hint: 'restore snapshots of the same scene, formulation and coordinates',
    });
  }
  all.set(snapshot.subarray(0, all.length));
}

/** Names of the fields in the order of the block. */
export function fieldNames(): StateFieldName[] {
  return Object.keys(STATE_FIELDS) as StateFieldName[];
}

function copyRow(target: Float64Array, rows: Float64Array, row: number, width: number): void {
  target.set(rows.subarray(row * width, (row + 1) * width));
}
