import type { Camera, Light } from './camera.ts';
import type { Joint } from './joint.ts';
import type { Pose, Quaternion, Vec3 } from './pose.ts';
import type { Shape } from './shape.ts';
import type { Site } from './site.ts';

/** A rigid body. Without joints it is welded to its parent. */
export interface Body extends Pose {
  /** Unique among bodies. */
  name?: string;
  /** Joints to the parent, applied in this order; a free joint must be the only joint, and the parent must be the world. */
  joints?: Joint[];
  /** Geometry fixed to the body. */
  shapes?: Shape[];
  /** Marked points fixed to the body. */
  sites?: Site[];
  /** Cameras fixed to the body. */
  cameras?: Camera[];
  /** Lights fixed to the body. */
  lights?: Light[];
  /** Mass and inertia; if absent, they are computed from the shapes. */
  inertia?: Inertia;
  /** The user moves the body through the state; forces do not move it. Only for children of the world without joints. */
  mocap?: boolean;
  /** Fraction of the body's weight that an upward force cancels; at 1 the body floats. Default: 0. */
  gravityCompensation?: number;
  /**
   * Whether the body and all its descendants may sleep, if `options.sleep` is given. `auto`: they may, unless actuators drive them. `init`:
   * they may, and are asleep at the start. Only for bodies that no other body carries along. Default: 'auto'.
   */
  sleep?: 'auto' | 'never' | 'allowed' | 'init';
  /** Children. */
  bodies?: Body[];
}

/** Mass, centre of mass and rotational inertia about the centre of mass. */
export type Inertia = PrincipalInertia | TensorInertia;

/** Inertia by its principal moments. */
export interface PrincipalInertia {
  kind: 'principal';
  /** Mass, kg. */
  mass: number;
  /** Centre of mass in the body frame, m. Default: 0 0 0. */
  center?: Vec3;
  /** Rotation from the principal axes to the body frame. Default: none. */
  orientation?: Quaternion;
  /** Principal moments, kg m²; each at most the sum of the other two. */
  moments: Vec3;
}

/** Inertia by the full symmetric tensor in the axes of the body frame. */
export interface TensorInertia {
  kind: 'tensor';
  /** Mass, kg. */
  mass: number;
  /** Centre of mass in the body frame, m. Default: 0 0 0. */
  center?: Vec3;
  /** xx, yy, zz, xy, xz, yz, kg m². */
  tensor: [number, number, number, number, number, number];
}
