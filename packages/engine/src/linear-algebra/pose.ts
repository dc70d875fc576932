/**
 * Rigid poses in packed arrays: a position p (3 numbers) and a unit quaternion q (4 numbers), x ↦ R(q) x + p.
 * Every function writes at a place in an array; outputs may be the inputs.
 */
import { type Doubles, multiplyQuaternions, relativeQuaternion, rotateByQuaternion } from './quaternion.ts';

/** Poses of many things: three and four numbers for each. */
export interface Poses {
  readonly position: Doubles;
  readonly orientation: Doubles;
}

/** The pose of a thing from that of its parent and its local pose: out[i] = parent[j] ∘ local[k]. */
export function composePoses(out: Poses, i: number, parent: Poses, j: number, local: Poses, k: number): void {
  transformPoint(out.position, 3 * i, parent, j, local.position, 3 * k);
  multiplyQuaternions(out.orientation, 4 * i, parent.orientation, 4 * j, local.orientation, 4 * k);
}

/** The pose of a thing seen from another: out[i] = from[j]⁻¹ ∘ thing[k]. */
export function relatePoses(out: Poses, i: number, from: Poses, j: number, thing: Poses, k: number): void {
  untransformPoint(out.position, 3 * i, from, j, thing.position, 3 * k);
  relativeQuaternion(out.orientation, 4 * i, from.orientation, 4 * j, thing.orientation, 4 * k);
}

/** out = R x + p of the pose j. */
export function transformPoint(out: Doubles, o: number, poses: Poses, j: number, x: Doubles, i: number): void {
  rotateByQuaternion(out, o, poses.orientation, 4 * j, x, i);
  out[o] += poses.position[3 * j];
  out[o + 1] += poses.position[3 * j + 1];
  out[o + 2] += poses.position[3 * j + 2];
}

/** out = Rᵀ (x − p) of the pose j. */
export function untransformPoint(out: Doubles, o: number, poses: Poses, j: number, x: Doubles, i: number): void {
  const p = poses.position;
  difference[0] = x[i] - p[3 * j];
  difference[1] = x[i + 1] - p[3 * j + 1];
  difference[2] = x[i + 2] - p[3 * j + 2];
  unrotateByQuaternion(out, o, poses.orientation, 4 * j, difference, 0);
}

/** out = q* v q. */
export function unrotateByQuaternion(out: Doubles, o: number, q: Doubles, i: number, v: Doubles, j: number): void {
  conjugate[0] = q[i];
  conjugate[1] = -q[i + 1];
  conjugate[2] = -q[i + 2];
  conjugate[3] = -q[i + 3];
  rotateByQuaternion(out, o, conjugate, 0, v, j);
}

const conjugate = /* @__PURE__ */ new Float64Array(4);
const difference = /* @__PURE__ */ new Float64Array(3);
