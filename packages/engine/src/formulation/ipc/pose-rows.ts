/**
 * Rows of joints at the poses of frames, over their dofs: translations in the world, turns in the axes of each frame. Gradients of J w by the pose
 * are rates of J along w,
 *   ∂(J w)/∂q = d/dt J(q ⊕ t w) + ω × J_φ      ω, J_φ: w and J by turns
 * by one centred difference over all frames at once.
 */
import type { FramePoses } from '../../dynamics/frames.ts';
import { integrateQuaternion, matrixFromQuaternion } from '../../linear-algebra/quaternion.ts';

/** How far poses are moved for a rate, m or rad. */
const DIFFERENCE = 1e-6;

/** A row over dofs at some poses, turns in the axes of the frames, and ∂(J w)/∂q of some w. */
export interface PoseRow {
  readonly groups: readonly number[];
  readonly vector: Float64Array;
  readonly bend: Float64Array;
}

/** Rows at some poses, and ∂(J w)/∂q; the first `moving` frames move. */
export function measureRows(
  poses: FramePoses,
  w: Float64Array | undefined,
  moving: number,
  read: (poses: FramePoses) => PoseRow[],
): PoseRow[] {
  const own = read(poses);
  let largest = 0;
  for (const value of w ?? []) largest = Math.max(largest, Math.abs(value));
  if (!w || largest === 0) return own;
  const length = DIFFERENCE / largest;
  for (const sign of [1, -1]) {
    const moved = read(movePoses(poses, w, sign * length, moving));
    for (const [n, { groups, bend }] of own.entries()) {
      for (const [i, g] of groups.entries()) {
        const at = moved[n].groups.indexOf(g);
        for (let k = 0; at >= 0 && k < 6; k++) bend[6 * i + k] += (0.5 * sign * moved[n].vector[6 * at + k]) / length;
      }
    }
  }
  for (const { groups, vector, bend } of own) {
    for (const [i, g] of groups.entries()) {
      const o = 6 * i + 3;
      const v = 6 * g + 3;
      bend[o] += w[v + 1] * vector[o + 2] - w[v + 2] * vector[o + 1];
      bend[o + 1] += w[v + 2] * vector[o] - w[v] * vector[o + 2];
      bend[o + 2] += w[v] * vector[o + 1] - w[v + 1] * vector[o];
    }
  }
  return own;
}

function movePoses(poses: FramePoses, w: Float64Array, length: number, moving: number): FramePoses {
  const position = poses.position.slice();
  const orientation = poses.orientation.slice();
  const rotation = poses.rotation.slice();
  for (let g = 0; g < moving; g++) {
    for (let k = 0; k < 3; k++) position[3 * g + k] += length * w[6 * g + k];
    integrateQuaternion(orientation, 4 * g, w, 6 * g + 3, length);
    matrixFromQuaternion(rotation, 9 * g, orientation, 4 * g);
  }
  return { position, orientation, rotation };
}

/** out += length · J + speed · ∂(J w)/∂q. */
export function addRow(out: Float64Array, { groups, vector, bend }: PoseRow, length: number, speed: number): void {
  for (const [i, g] of groups.entries())
    for (let k = 0; k < 6; k++) out[6 * g + k] += length * vector[6 * i + k] + speed * bend[6 * i + k];
}

/** out += bar · J. */
export function addSpeed(out: Float64Array, { groups, vector }: PoseRow, bar: number): void {
  for (const [i, g] of groups.entries()) for (let k = 0; k < 6; k++) out[6 * g + k] += bar * vector[6 * i + k];
}

/** Three numbers at o to the axes of a rotation at m. */
export function turnBack(vector: Float64Array, o: number, rotation: Float64Array, m: number): void {
  const x = vector[o];
  const y = vector[o + 1];
  const z = vector[o + 2];
  for (let k = 0; k < 3; k++) vector[o + k] = rotation[m + k] * x + rotation[m + 3 + k] * y + rotation[m + 6 + k] * z;
}
