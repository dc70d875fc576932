import { NexdynError } from '../error.ts';
import type { Pose } from '../scene/pose.ts';

/** Write a pose of the scene into packed arrays; the quaternion is scaled to length one. */
export function writePose(
  pose: Pose,
  position: Float64Array,
  orientation: Float64Array,
  number: number,
  path: () => string,
): void {
  if (pose.position) position.set(pose.position, 3 * number);
  writeQuaternion(pose.orientation, orientation, 4 * number, path);
}

/** Write a quaternion scaled to length one; the zero quaternion is an error. */
export function writeQuaternion(
  quaternion: readonly number[] | undefined,
  out: Float64Array,
  o: number,
  path: () => string,
): void {
  if (!quaternion) {
    out[o] = 1;
    return;
  }
  const [w, x, y, z] = quaternion;
  const length = Math.sqrt(w * w + x * x + y * y + z * z);
  if (!(length > 1e-15 && length < Infinity)) {
    throw new NexdynError('invalid-value', `the quaternion ${quaternion.join(' ')} has no direction`, {
      path: `${path()}.orientation`,
      hint: 'no rotation is 1 0 0 0',
    });
  }
  // unit quaternions stay as they are to the last bit
  const scale = Math.abs(length - 1) <= 1e-15 ? 1 : 1 / length;
  for (let i = 0; i < 4; i++) out[o + i] = quaternion[i] * scale;
}
