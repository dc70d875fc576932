import type { Pose } from '../scene/pose.ts';

/** Write a pose of the scene into packed arrays; the quaternion is scaled to length one. */
export function writePose(pose: Pose, position: Float64Array, orientation: Float64Array, number: number): void {
  if (pose.position) position.set(pose.position, 3 * number);
  writeQuaternion(pose.orientation, orientation, 4 * number);
}

/** Write a quaternion scaled to length one; no rotation where there is none. */
export function writeQuaternion(quaternion: readonly number[] | undefined, out: Float64Array, o: number): void {
  if (!quaternion) {
    out[o] = 1;
    return;
  }
  const [w, x, y, z] = quaternion;
  const length = Math.sqrt(w * w + x * x + y * y + z * z);
  // unit quaternions stay as they are to the last bit
  const scale = Math.abs(length - 1) <= 1e-15 ? 1 : 1 / length;
  for (let i = 0; i < 4; i++) out[o + i] = quaternion[i] * scale;
}
