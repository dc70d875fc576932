/**
 * The engine's own kinds of shapes as scenes write them: the fields of each, and what a scene may do with it. What a kind is to
 * collision, mass and pictures stands in its file in geometry/shapes/.
 */
import type { Vec3 } from './pose.ts';
import { name, type OptionalField, optional, type Schema, vector } from './schema.ts';
import { lengths, positive } from './schemas/parts.ts';
import type { ShapeCommon } from './shape.ts';

/** Shapes of the engine, by their kind. */
export interface BuiltInShapes {
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

/** Kinds of the engine. */
export type BuiltInKind = keyof BuiltInShapes;

/** Shapes by their kind. A package that registers a shape adds its interface here (`declare module '@nexdyn/engine'`). */
export interface ShapeKinds extends BuiltInShapes {}

/** The half-space below z = 0 of the shape's frame; only on bodies that do not move. */
export interface PlaneShape extends ShapeCommon {
  kind: 'plane';
  /** Half extents of the drawn rectangle, m; 0 means unbounded. Default: 0 0. */
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

/** Parameters of a shape beyond those that every shape has, each with its schema. */
export type ShapeFields<T> = {
  readonly [K in Exclude<keyof T, keyof ShapeCommon | 'kind'>]-?: Record<never, never> extends Pick<T, K>
    ? OptionalField<Exclude<T[K], undefined>>
    : Schema<T[K]>;
};

/** A kind of shape in scenes. */
export interface SceneShapeKind<T> {
  /** Name of its interface. */
  readonly name: string;
  /** Schemas of its fields in a scene. */
  readonly fields: ShapeFields<T>;
  /** The list of a scene that a field of it refers to. */
  readonly asset?: readonly [field: string, list: 'meshes' | 'heightFields' | 'signedDistanceFields'];
  /** What to use on bodies that move, where it cannot be on them. */
  readonly movingInstead?: string;
  /** What tendons wrap around it as, with size 0 as radius; a cylinder along z. */
  readonly wrap?: 'sphere' | 'cylinder';
}

/** By kind, in the order in which they are listed. */
export const SCENE_SHAPES: { readonly [K in BuiltInKind]: SceneShapeKind<ShapeKinds[K]> } = {
  plane: { name: 'PlaneShape', fields: { halfSize: optional(vector(2, { minimum: 0 })) }, movingInstead: 'a box' },
  sphere: { name: 'SphereShape', fields: { radius: positive }, wrap: 'sphere' },
  capsule: { name: 'CapsuleShape', fields: { radius: positive, halfLength: positive } },
  cylinder: { name: 'CylinderShape', fields: { radius: positive, halfLength: positive }, wrap: 'cylinder' },
  ellipsoid: { name: 'EllipsoidShape', fields: { radii: lengths } },
  box: { name: 'BoxShape', fields: { halfSize: lengths } },
  convexMesh: { name: 'ConvexMeshShape', fields: { mesh: name() }, asset: ['mesh', 'meshes'] },
  triangleMesh: { name: 'TriangleMeshShape', fields: { mesh: name() }, asset: ['mesh', 'meshes'] },
  heightField: {
    name: 'HeightFieldShape',
    fields: { heightField: name() },
    asset: ['heightField', 'heightFields'],
  },
  signedDistance: {
    name: 'SignedDistanceShape',
    fields: { field: name() },
    asset: ['field', 'signedDistanceFields'],
  },
};

/** The entry of a kind; undefined for registered ones. */
export function findSceneShape(kind: string): SceneShapeKind<unknown> | undefined {
  return Object.hasOwn(SCENE_SHAPES, kind) ? (SCENE_SHAPES[kind as BuiltInKind] as SceneShapeKind<unknown>) : undefined;
}
