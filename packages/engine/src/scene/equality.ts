import type { Solimp, Solref } from './mujoco-parameters.ts';
import type { Quaternion, Vec3 } from './pose.ts';

/** A bilateral constraint. */
export type Equality = ConnectEquality | WeldEquality | JointEquality | TendonEquality | DistanceEquality;

/** What every equality may have. */
export interface EqualityCommon {
  /** Unique among equalities. */
  name?: string;
  /** Whether it acts at the start. Default: true. */
  active?: boolean;
  /** Softness under `mujoco`. */
  mujoco?: { solref?: Solref; solimp?: Solimp };
}

/** A point of one body stays on a point of the other: a ball joint. Give bodies and an anchor, or two sites. */
export interface ConnectEquality extends EqualityCommon {
  kind: 'connect';
  /** Name of the first body. */
  body1?: string;
  /** Name of the second body. Default: the world. */
  body2?: string;
  /** The common point in the frame of the first body, m; its place on the second body follows from the initial poses. Default: 0 0 0. */
  anchor?: Vec3;
  /** Name of the first site, instead of the bodies. */
  site1?: string;
  /** Name of the second site. */
  site2?: string;
}

/** Two bodies keep their relative pose. Give bodies, or two sites whose frames coincide. */
export interface WeldEquality extends EqualityCommon {
  kind: 'weld';
  /** Name of the first body. */
  body1?: string;
  /** Name of the second body. Default: the world. */
  body2?: string;
  /** Where the translational part acts, in the frame of the second body, m. Default: 0 0 0. */
  anchor?: Vec3;
  /** Pose of the second body in the frame of the first. Default: as in the initial pose. */
  relativePose?: { position: Vec3; orientation: Quaternion };
  /** Name of the first site, instead of the bodies. */
  site1?: string;
  /** Name of the second site. */
  site2?: string;
  /** Weight of the rotational part relative to the translational part, m. Default: 1. */
  torqueScale?: number;
}

/** The position of one joint is a polynomial of another's: y − y₀ = Σ cᵢ (x − x₀)ⁱ; or it is held at c₀. */
export interface JointEquality extends EqualityCommon {
  kind: 'joint';
  /** Name of the joint y. */
  joint1: string;
  /** Name of the joint x. Default: none; y is held. */
  joint2?: string;
  /** c₀ to c₄. Default: 0 1 0 0 0. */
  coefficients?: [number, number, number, number, number];
}

/** The length of one tendon is a polynomial of another's. */
export interface TendonEquality extends EqualityCommon {
  kind: 'tendon';
  /** Name of the tendon y. */
  tendon1: string;
  /** Name of the tendon x. Default: none; y is held. */
  tendon2?: string;
  /** c₀ to c₄. Default: 0 1 0 0 0. */
  coefficients?: [number, number, number, number, number];
}

/** Two points keep their distance: a massless rod. */
export interface DistanceEquality extends EqualityCommon {
  kind: 'distance';
  /** Name of the first body. */
  body1: string;
  /** Name of the second body. Default: the world. */
  body2?: string;
  /** Point in the frame of the first body, m. Default: 0 0 0. */
  point1?: Vec3;
  /** Point in the frame of the second body, m. Default: 0 0 0. */
  point2?: Vec3;
  /** The distance, m. Default: as in the initial pose. */
  distance?: number;
}
