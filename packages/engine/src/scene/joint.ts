import type { Solimp, Solref } from './mujoco-parameters.ts';
import type { Vec3 } from './pose.ts';

/** A joint between a body and its parent. Positions: free 7 (xyz, wxyz), ball 4 (wxyz), hinge 1 (rad), slide 1 (m). */
export type Joint = FreeJoint | BallJoint | HingeJoint | SlideJoint;

/** What every joint may have. */
export interface JointCommon {
  /** Unique among joints. */
  name?: string;
  /** Spring stiffness, N/m for sliding and N m/rad for rotational dofs. Default: 0. */
  stiffness?: number;
  /**
   * p₁ and p₂ of a nonlinear spring, force = −(stiffness + p₁ x + p₂ x²) x, with |x| instead of x in the brackets for free and ball joints:
   * N/m² and N/m³ for sliding, N m/rad² and N m/rad³ for rotational dofs. Default: 0 0.
   */
  stiffnessPowers?: [number, number];
  /** Viscous damping, N s/m or N m s/rad. Default: 0. */
  damping?: number;
  /** p₁ and p₂ of a nonlinear damper, force = −(damping + p₁ |v| + p₂ v²) v: N s²/m² and N s³/m³, or N m s²/rad² and N m s³/rad³. Default: 0 0. */
  dampingPowers?: [number, number];
  /** Inertia of the drive as seen at the joint, kg or kg m². Default: 0. */
  armature?: number;
  /** Dry friction, N or N m. Default: 0. */
  frictionLoss?: number;
  /** Spring and damping given as time constant (s) and damping ratio; both positive values replace `stiffness` and add to `damping`. */
  springDamper?: [number, number];
  /** Limit of the sum of all actuator forces on this joint, N or N m. Default: none. */
  actuatorForceRange?: [number, number];
  /** Gravity compensation of the bodies below counts as actuator force on this joint. Default: false. */
  actuatorGravityCompensation?: boolean;
  /** Softness of the limit and the dry friction under `mujoco`. */
  mujoco?: JointMujocoParameters;
}

/** A limit on the position of a joint. */
export interface JointLimit {
  /** Lower and upper bound, m or rad. For a ball joint, the first is 0 and the second is the largest angle. */
  range: [number, number];
  /** Distance from the limit at which it begins to act, m or rad. Default: 0. */
  margin?: number;
}

/** Softness of a joint's limit and dry friction under `mujoco`. */
export interface JointMujocoParameters {
  /** Time constant (s) and damping ratio of the limit; both negative: stiffness (1/s²) and damping (1/s). Default: 0.02 1. */
  solrefLimit?: Solref;
  /** Impedance of the limit: at the limit, at the width, width (m or rad), midpoint, power. Default: 0.9 0.95 0.001 0.5 2. */
  solimpLimit?: Solimp;
  /** Time constant (s) and damping ratio of the dry friction. Default: 0.02 1. */
  solrefFriction?: Solref;
  /** Impedance of the dry friction, as for the limit. Default: 0.9 0.95 0.001 0.5 2. */
  solimpFriction?: Solimp;
}

/** Six degrees of freedom: linear velocity in the world frame, angular velocity in the body frame. */
export interface FreeJoint extends JointCommon {
  kind: 'free';
}

/** Three rotations about a point; angular velocity in the body frame. */
export interface BallJoint extends JointCommon {
  kind: 'ball';
  /** Centre of rotation in the body frame, m. Default: 0 0 0. */
  anchor?: Vec3;
  /** Limit of the rotation angle. Default: none. */
  limit?: JointLimit;
}

/** One rotation about an axis. */
export interface HingeJoint extends JointCommon {
  kind: 'hinge';
  /** A point on the axis in the body frame, m. Default: 0 0 0. */
  anchor?: Vec3;
  /** Direction of the axis in the body frame. Default: 0 0 1. */
  axis?: Vec3;
  /** Joint position in the initial pose, rad. Default: 0. */
  reference?: number;
  /** Joint position at which the spring is relaxed, rad. Default: 0. */
  springReference?: number;
  /** Limit of the angle. Default: none. */
  limit?: JointLimit;
}

/** One translation along an axis. */
export interface SlideJoint extends JointCommon {
  kind: 'slide';
  /** Point at which the axis is drawn, in the body frame, m; no effect on the motion. Default: 0 0 0. */
  anchor?: Vec3;
  /** Direction of the axis in the body frame. Default: 0 0 1. */
  axis?: Vec3;
  /** Joint position in the initial pose, m. Default: 0. */
  reference?: number;
  /** Joint position at which the spring is relaxed, m. Default: 0. */
  springReference?: number;
  /** Limit of the travel. Default: none. */
  limit?: JointLimit;
}
