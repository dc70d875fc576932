import type { MujocoContactParameters } from './mujoco-parameters.ts';
import type { Pose, Vec3 } from './pose.ts';

/** Shapes by their kind. A package that registers a shape adds its interface here (`declare module '@nexdyn/engine'`). */
export interface ShapeKinds {
  /** z = 0 of its frame, solid below. */
  plane: PlaneShape;
  /** A ball. */
  sphere: SphereShape;
  /** A cylinder with round ends. */
  capsule: CapsuleShape;
  /** A cylinder. */
  cylinder: CylinderShape;
  /** An ellipsoid. */
  ellipsoid: EllipsoidShape;
  /** A box. */
  box: BoxShape;
  /** The convex hull of a mesh. */
  convexMesh: ConvexMeshShape;
  /** A mesh as it is. */
  triangleMesh: TriangleMeshShape;
  /** A ground of heights on a grid. */
  heightField: HeightFieldShape;
  /** A solid given by its signed distance. */
  signedDistance: SignedDistanceShape;
}

/** Geometry fixed to a body: it collides, weighs and is drawn. */
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
  /** Bits of the groups this shape collides with; one shape naming the other's group is enough. Default: 1. */
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
  /** How this shape touches: at points, by the pressure in its inside, or not at all; to shapes with a pressure one without is rigid. Default: 'point'. */
  contact?: 'point' | 'hydroelastic' | 'none';
  /** Its pressure field, and its triangles if it is rigid. */
  hydroelastic?: HydroelasticField;
  /** Velocity of the surface relative to the body (a conveyor belt), in the frame of the shape, m/s. Default: 0 0 0. */
  surfaceVelocity?: Vec3;
  /** Turning of the surface relative to the body about the origin of the shape (a turntable), in its frame, rad/s. Default: 0 0 0. */
  surfaceSpin?: Vec3;
  /** Contact parameters of `mujoco`. */
  mujoco?: MujocoContactParameters;
  /** Fluid forces by the ellipsoid model: blunt drag, slender drag, angular drag, Kutta lift, Magnus lift. Default: off. */
  fluid?: [number, number, number, number, number];
  /** Colour: red, green, blue, opacity, each 0 to 1. */
  color?: [number, number, number, number];
  /** Layer a viewer may switch on and off, 0 to 5; 3 and above start hidden. Default: 0. */
  layer?: number;
}

/** The pressure inside of a shape: zero on its surface, the modulus at the deepest point. */
export interface HydroelasticField {
  /** Pressure at the deepest point, Pa. Default: the material's, then 1e7. */
  modulus?: number;
  /** Longest edge of tetrahedra and triangles, m. Default: a part of the size. */
  resolution?: number;
  /** Depth at which the pressure in a plane is the modulus, m. Default: 0.1. */
  thickness?: number;
  /** Distance from the surface within which contact is anticipated, m. Default: the distance of free fall in a step, at least 1e-4. */
  margin?: number;
}

/** The half-space below z = 0 of the shape's frame; only on bodies that do not move. */
export interface PlaneShape extends ShapeCommon {
  kind: 'plane';
  /** Half extents of the drawn rectangle, m; 0 is endless. Default: 0 0. */
  halfSize?: [number, number];
}

/** Ball. */
export interface SphereShape extends ShapeCommon {
  kind: 'sphere';
  /** Radius, m. */
  radius: number;
}

/** Cylinder with half-spheres at its ends, along z. */
export interface CapsuleShape extends ShapeCommon {
  kind: 'capsule';
  /** Radius, m. */
  radius: number;
  /** Half the length of the straight part, m. */
  halfLength: number;
}

/** Cylinder along z. */
export interface CylinderShape extends ShapeCommon {
  kind: 'cylinder';
  /** Radius, m. */
  radius: number;
  /** Half the length, m. */
  halfLength: number;
}

/** Ellipsoid. */
export interface EllipsoidShape extends ShapeCommon {
  kind: 'ellipsoid';
  /** Semi-axes, m. */
  radii: Vec3;
}

/** Rectangular box. */
export interface BoxShape extends ShapeCommon {
  kind: 'box';
  /** Half the edge lengths, m. */
  halfSize: Vec3;
}

/** Convex hull of a mesh. */
export interface ConvexMeshShape extends ShapeCommon {
  kind: 'convexMesh';
  /** Name of a mesh of the scene. */
  mesh: string;
}

/** A mesh as it is, hollows included. */
export interface TriangleMeshShape extends ShapeCommon {
  kind: 'triangleMesh';
  /** Name of a mesh of the scene. */
  mesh: string;
}

/** Terrain. */
export interface HeightFieldShape extends ShapeCommon {
  kind: 'heightField';
  /** Name of a height field of the scene. */
  heightField: string;
}

/** Implicit surface: the zero set of a signed-distance field. */
export interface SignedDistanceShape extends ShapeCommon {
  kind: 'signedDistance';
  /** Name of a signed-distance field of the scene. */
  field: string;
}
