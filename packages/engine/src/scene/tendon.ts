import type { Solimp, Solref } from './mujoco-parameters.ts';

/** A scalar length that is a function of the configuration. */
export type Tendon = FixedTendon | SpatialTendon;

/** What every tendon may have. */
export interface TendonCommon {
  /** Unique among tendons. */
  name?: string;
  /** Spring stiffness, N/m. Default: 0. */
  stiffness?: number;
  /** p₁ and p₂ of a nonlinear spring, force = −(stiffness + p₁ x + p₂ x²) x: N/m² and N/m³. Default: 0 0. */
  stiffnessPowers?: [number, number];
  /** Viscous damping, N s/m. Default: 0. */
  damping?: number;
  /** p₁ and p₂ of a nonlinear damper, force = −(damping + p₁ |v| + p₂ v²) v: N s²/m² and N s³/m³. Default: 0 0. */
  dampingPowers?: [number, number];
  /** Inertia as seen along the tendon, kg. Default: 0. */
  armature?: number;
  /** Dry friction, N. Default: 0. */
  frictionLoss?: number;
  /** Lengths between which the spring is slack, m. Default: the length with joint springs at rest. */
  springLength?: [number, number];
  /** Limit of the length. Default: none. */
  limit?: { range: [number, number]; margin?: number };
  /** Limit of the sum of all actuator forces on this tendon, N. Default: none. */
  actuatorForceRange?: [number, number];
  /** Softness of the limit and the dry friction under `mujoco`. */
  mujoco?: { solrefLimit?: Solref; solimpLimit?: Solimp; solrefFriction?: Solref; solimpFriction?: Solimp };
  /** Radius with which it is drawn, m. Default: 0.003. */
  width?: number;
  /** Colour: red, green, blue, opacity, each 0 to 1. */
  color?: [number, number, number, number];
}

/** A weighted sum of joint positions. */
export interface FixedTendon extends TendonCommon {
  kind: 'fixed';
  /** Joints (hinge or slide) and their weights. */
  terms: { joint: string; coefficient: number }[];
}

/** The length of the shortest path through sites and around shapes. */
export interface SpatialTendon extends TendonCommon {
  kind: 'spatial';
  /** Stations of the path in order; each branch between pulleys begins and ends at a site. */
  path: TendonStation[];
}

/** One station of a spatial tendon. */
export type TendonStation = TendonSite | TendonWrap | TendonPulley;

/** The path passes through a site. */
export interface TendonSite {
  kind: 'site';
  /** Name of the site. */
  site: string;
}

/** The path wraps around a sphere or a cylinder. */
export interface TendonWrap {
  kind: 'wrap';
  /** Name of a sphere or cylinder shape. */
  shape: string;
  /** Site that marks the side on which the path passes the shape; if the site is inside the shape, the path stays inside. */
  sideSite?: string;
}

/** The path splits into branches; each branch's length is divided. */
export interface TendonPulley {
  kind: 'pulley';
  /** Divisor of the length of the branches that follow. */
  divisor: number;
}
