import type { Quaternion, Vec3 } from '@nexdyn/engine';

/** What a part of a body looks like, in its own frame; lengths in metres. */
export type Solid =
  /** The rectangle |x|, |y| ≤ half size at z = 0. */
  | { kind: 'rectangle'; halfSize: [number, number] }
  /** Sphere or ellipsoid. */
  | { kind: 'ellipsoid'; radii: Vec3 }
  | { kind: 'box'; halfSize: Vec3 }
  /** Along z; `halfLength` is that of the straight part. */
  | { kind: 'capsule'; radius: number; halfLength: number }
  /** Along z. */
  | { kind: 'cylinder'; radius: number; halfLength: number }
  /** A ring in the xy plane. */
  | { kind: 'torus'; majorRadius: number; minorRadius: number }
  /** Vertices and three indices per triangle, counter-clockwise from outside. */
  | { kind: 'mesh'; vertices: Float64Array; faces: Int32Array };

/** A solid fixed to a body. */
export interface MotionPart {
  /** Name of the shape. */
  name: string;
  /** Number of the shape in the model. */
  shape: number;
  /** Number of the body. */
  body: number;
  /** Pose in the frame of the body. */
  position: Vec3;
  /** Quaternion w x y z from the frame of the part to the body's. */
  orientation: Quaternion;
  /** Red, green, blue, opacity, each 0 to 1, as they are shown on a screen. */
  color: [number, number, number, number];
  /** Equal solids are one object, so that writers can store them once. */
  solid: Solid;
}
