/** Half-spaces: n · x > c outside, in the frame that carries them and in the world. */

import type { FramePoses, Frames } from '../../dynamics/frames.ts';
import type { Poses } from '../../linear-algebra/pose.ts';
import { rotateByQuaternion } from '../../linear-algebra/quaternion.ts';
import type { Model } from '../../model/model.ts';

/** A half-space in its frame: unit normal n, offset c (m). */
export interface PlaneSurface {
  readonly shape: number;
  readonly frame: number;
  readonly normal: Float64Array;
  readonly offset: number;
}

/** The half-space of shape s, which has a pose in its frame. */
export function createPlane(model: Model, frames: Frames, s: number, pose: Poses): PlaneSurface {
  const up = new Float64Array(3);
  rotateByQuaternion(up, 0, pose.orientation, 0, Float64Array.of(0, 0, 1), 0);
  const offset = up[0] * pose.position[0] + up[1] * pose.position[1] + up[2] * pose.position[2];
  return { shape: s, frame: frames.ofBody[model.shape.body[s]], normal: up, offset };
}

/** Writes normal and offset in the world to out[o..o+4). */
export function placePlane(
  out: Float64Array,
  o: number,
  plane: PlaneSurface,
  { position, rotation }: FramePoses,
): void {
  const { frame, normal, offset } = plane;
  const m = 9 * frame;
  let height = offset;
  for (let k = 0; k < 3; k++) {
    const n =
      rotation[m + 3 * k] * normal[0] + rotation[m + 3 * k + 1] * normal[1] + rotation[m + 3 * k + 2] * normal[2];
    out[o + k] = n;
    height += n * position[3 * frame + k];
  }
  out[o + 3] = height;
}
