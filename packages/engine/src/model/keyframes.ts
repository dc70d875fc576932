import { NexdynError } from '../error.ts';
import type { Keyframe } from '../scene/keyframe.ts';
import { JOINT, type Model, type ModelKeyframes } from './model.ts';
import { quoteName } from './scene-index.ts';

type Parts = Pick<Model, 'size' | 'joint' | 'body' | 'initialPosition'>;

/** The keyframes of a scene in joint coordinates; absent values are those of the initial state, quaternions are normalised. */
export function compileKeyframes(sources: readonly Keyframe[], model: Parts): ModelKeyframes {
  const { size } = model;
  const mocapPosition = new Float64Array(3 * size.mocap);
  const mocapOrientation = new Float64Array(4 * size.mocap);
  for (let b = 0; b < size.body; b++) {
    const m = model.body.mocap[b];
    if (m < 0) continue;
    mocapPosition.set(model.body.position.subarray(3 * b, 3 * b + 3), 3 * m);
    mocapOrientation.set(model.body.orientation.subarray(4 * b, 4 * b + 4), 4 * m);
  }
  const keyframe: ModelKeyframes = {
    name: sources.map((source) => source.name ?? ''),
    time: Float64Array.from(sources, (source) => source.time ?? 0),
    position: fillRows(sources, 'position', model.initialPosition),
    velocity: fillRows(sources, 'velocity', new Float64Array(size.velocity)),
    activation: fillRows(sources, 'activation', new Float64Array(size.activation)),
    control: fillRows(sources, 'control', new Float64Array(size.actuator)),
    mocapPosition: fillRows(sources, 'mocapPosition', mocapPosition),
    mocapOrientation: fillRows(sources, 'mocapOrientation', mocapOrientation),
    hingeAngle: new Float64Array(0),
  };
  for (let k = 0; k < sources.length; k++) normalizeRow(model, keyframe, k, sources[k]);
  return keyframe;
}

type Part = 'position' | 'velocity' | 'activation' | 'control' | 'mocapPosition' | 'mocapOrientation';

/** What the numbers of a part belong to, for the error message. */
const OWNERS: Readonly<Record<Part, string>> = {
  position: 'joints: 7 for free, 4 for ball, 1 for hinge and slide',
  velocity: 'joints: 6 for free, 3 for ball, 1 for hinge and slide',
  activation: 'actuators with activation: 1 each',
  control: 'actuators: 1 each',
  mocapPosition: 'mocap bodies: 3 each',
  mocapOrientation: 'mocap bodies: 4 each',
};

function fillRows(sources: readonly Keyframe[], part: Part, initial: Float64Array): Float64Array {
  const rows = new Float64Array(sources.length * initial.length);
  for (let k = 0; k < sources.length; k++) {
    const given = sources[k][part];
    if (given && given.length !== initial.length) {
      throw new NexdynError(
        'invalid-keyframe',
        `keyframe${quoteName(sources[k].name)} has ${given.length} numbers in ${part} where the scene has ${initial.length}`,
        { path: `keyframes[${k}].${part}`, hint: OWNERS[part] },
      );
    }
    rows.set(given ?? initial, k * initial.length);
  }
  return rows;
}

function normalizeRow(model: Parts, keyframe: ModelKeyframes, k: number, source: Keyframe): void {
  const { joint, size } = model;
  for (let j = 0; j < size.joint; j++) {
    const kind = joint.kind[j];
    if (kind !== JOINT.free && kind !== JOINT.ball) continue;
    const at = joint.positionStart[j] + (kind === JOINT.free ? 3 : 0);
    normalize(keyframe.position, k * size.position, at, `keyframes[${k}].position`, source);
  }
  for (let m = 0; m < size.mocap; m++) {
    normalize(keyframe.mocapOrientation, 4 * k * size.mocap, 4 * m, `keyframes[${k}].mocapOrientation`, source);
  }
}

function normalize(rows: Float64Array, row: number, at: number, path: string, source: Keyframe): void {
  const q = rows.subarray(row + at, row + at + 4);
  const length = Math.sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  if (!(length > 1e-15 && length < Infinity)) {
    throw new NexdynError('invalid-keyframe', `keyframe${quoteName(source.name)} has a quaternion without direction`, {
      path: `${path}[${at}]`,
      hint: 'no rotation is 1 0 0 0',
    });
  }
  if (Math.abs(length - 1) > 1e-15) for (let i = 0; i < 4; i++) q[i] /= length;
}
