/**
 * Poses as pages draw them: quaternions x y z w, and 4 × 4 matrices by columns,
 *   [ R x ]   stored as  R₁₁ R₂₁ R₃₁ 0  R₁₂ R₂₂ R₃₂ 0  R₁₃ R₂₃ R₃₃ 0  x₁ x₂ x₃ 1
 *   [ 0 1 ]
 * as three.js, WebGL and WebGPU read them.
 */
import type { Workspace } from '../dynamics/workspace.ts';
import { NexdynError } from '../error.ts';
import { matrixFromQuaternion, multiplyQuaternions, rotateByQuaternion } from '../linear-algebra/quaternion.ts';
import type { Model } from '../model/model.ts';

/** An array that numbers can be written into. */
export interface NumberArray {
  /** How many numbers it has. */
  readonly length: number;
  /** Each of them. */
  [index: number]: number;
}

/** What a pose is read into: an `Object3D` of three.js is one. */
export interface DrawnPose {
  /** Origin of the body's frame, m. */
  readonly position: { x: number; y: number; z: number };
  /** Rotation from the body's frame to the world. */
  readonly quaternion: { x: number; y: number; z: number; w: number };
}

const rotation = /* @__PURE__ */ new Float64Array(9);
const origin = /* @__PURE__ */ new Float64Array(3);
const turn = /* @__PURE__ */ new Float64Array(4);

/** Writes the pose of body b into an object with position and quaternion. */
export function writeDrawnPose(out: DrawnPose, { bodyPosition, bodyOrientation }: Workspace, b: number): void {
  out.position.x = bodyPosition[3 * b];
  out.position.y = bodyPosition[3 * b + 1];
  out.position.z = bodyPosition[3 * b + 2];
  out.quaternion.x = bodyOrientation[4 * b + 1];
  out.quaternion.y = bodyOrientation[4 * b + 2];
  out.quaternion.z = bodyOrientation[4 * b + 3];
  out.quaternion.w = bodyOrientation[4 * b];
}

/** Writes the matrix of body b at a place of an array. */
export function writeBodyMatrix(out: NumberArray, o: number, work: Workspace, b: number): void {
  writeMatrix(out, o, work.bodyRotation, 9 * b, work.bodyPosition, 3 * b);
}

/** Writes the matrix of shape s, from its own frame to the world. */
export function writeShapeMatrix(out: NumberArray, o: number, model: Model, work: Workspace, s: number): void {
  const { body, position, orientation } = model.shape;
  const b = body[s];
  rotateByQuaternion(origin, 0, work.bodyOrientation, 4 * b, position, 3 * s);
  for (let k = 0; k < 3; k++) origin[k] += work.bodyPosition[3 * b + k];
  multiplyQuaternions(turn, 0, work.bodyOrientation, 4 * b, orientation, 4 * s);
  matrixFromQuaternion(rotation, 0, turn, 0);
  writeMatrix(out, o, rotation, 0, origin, 0);
}

/** Ends with an error where `count` numbers do not fit behind `start`. */
export function requireRoom(out: NumberArray, start: number, count: number): void {
  if (out.length >= start + count) return;
  throw new NexdynError('invalid-argument', `the array has ${out.length} places, and ${start + count} are needed`, {
    hint: 'a matrix has 16 numbers',
  });
}

function writeMatrix(out: NumberArray, o: number, r: Float64Array, m: number, x: Float64Array, p: number): void {
  for (let column = 0; column < 3; column++) {
    for (let row = 0; row < 3; row++) out[o + 4 * column + row] = r[m + 3 * row + column];
    out[o + 4 * column + 3] = 0;
    out[o + 12 + column] = x[p + column];
  }
  out[o + 15] = 1;
}
