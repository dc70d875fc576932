/** Three numbers: x, y, z. */
export type Vec3 = [number, number, number];

/** Unit quaternion w, x, y, z. Normalised at compile time; the zero quaternion is an error. */
export type Quaternion = [number, number, number, number];

/** Where a thing sits in the frame of its parent. */
export interface Pose {
  /** Origin in the parent's frame, m. Default: 0 0 0. */
  position?: Vec3;
  /** Rotation from this frame to the parent's, as a quaternion w x y z. Default: 1 0 0 0. */
  orientation?: Quaternion;
}
