import type { MujocoContactParameters } from './mujoco-parameters.ts';
import type { Pose, Vec3 } from './pose.ts';
import type { ShapeKinds } from './shape-kinds.ts';

export type * from './shape-kinds.ts';

/** Geometry fixed to a body: it collides, has mass and is drawn. */
export type Shape = ShapeKinds[keyof ShapeKinds];

/** What every shape may have. */
export interface ShapeCommon extends Pose {
  /** Unique among shapes. */
  name?: string;
  /** Name of a material of the scene. Default: friction 1, density 1000 kg/m³. */
  material?: string;
  /** Mass, kg; replaces density times volume. */
  mass?: number;
  /** Density, kg/m³; replaces the material's. */
  density?: number;
  /** The mass is spread over the surface, not the volume (density then in kg/m²). Default: false. */
  shell?: boolean;
  /** Bits of the groups this shape is in. Default: 1. */
  collisionGroups?: number;
  /** Bits of the groups this shape collides with; it is enough if one of the two shapes names a group of the other. Default: 1. */
  collisionMask?: number;
  /** Gap below which a contact acts, m; margins of the two shapes add. Default: 0. */
  margin?: number;
  /** Further gap within which contacts are detected without force, m. Default: 0. */
  gap?: number;
  /** Sliding friction coefficient; replaces the material's. */
  friction?: number;
  /** Spinning friction, m; replaces the material's. */
  spinFriction?: number;
  /** Rolling friction, m; replaces the material's. */
  rollFriction?: number;
  /**
   * Contact model: points, hydroelastic pressure, or none. A shape without a pressure field counts as rigid in contact with one that has a
   * field. Default: 'point'.
   */
  contact?: 'point' | 'hydroelastic' | 'none';
  /** Its pressure field, or its triangles if it is rigid. */
  hydroelastic?: HydroelasticField;
  /** Velocity of the surface relative to the body (a conveyor belt), in the frame of the shape, m/s. Default: 0 0 0. */
  surfaceVelocity?: Vec3;
  /** Angular velocity of the surface relative to the body about the origin of the shape (a turntable), in its frame, rad/s. Default: 0 0 0. */
  surfaceSpin?: Vec3;
  /** Contact parameters of `mujoco`. */
  mujoco?: MujocoContactParameters;
  /** Coefficients of fluid forces in the ellipsoid model: blunt drag, slender drag, angular drag, Kutta lift, Magnus lift. Default: off. */
  fluid?: [number, number, number, number, number];
  /** Name of an appearance of the scene: how it looks, apart from its colour. */
  appearance?: string;
  /** Colour: red, green, blue, opacity, each 0 to 1. */
  color?: [number, number, number, number];
  /** Layer that viewers can show and hide, 0 to 5; 3 and above start hidden. Default: 0. */
  layer?: number;
}

/** The pressure inside a shape: zero at its surface and equal to the modulus at the deepest point. */
export interface HydroelasticField {
  /** Pressure at the deepest point, Pa. Default: the material's, then 1e7. */
  modulus?: number;
  /** Longest edge of tetrahedra and triangles, m. Default: a fraction of the size. */
  resolution?: number;
  /** Depth at which the pressure below a plane reaches the modulus, m. Default: 0.1. */
  thickness?: number;
  /** Distance from the surface within which contact is anticipated, m. Default: the distance of free fall in one step, at least 1e-4. */
  margin?: number;
}
