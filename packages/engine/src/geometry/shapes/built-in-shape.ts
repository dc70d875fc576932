/**
 * What the engine knows of one of its own kinds of shapes. One file per kind fills this in; shape-table.ts lists them. Functions
 * that a step calls write into arrays and make no objects.
 */
import type { HeightFieldAsset, SignedDistanceAsset } from '../../scene/asset.ts';
import type { Shape } from '../../scene/shape.ts';
import type { MassProperties } from '../mass-properties.ts';
import type { PlacedShape } from '../placed-shape.ts';
import type { RayHit } from '../ray/ray-hit.ts';
import type { SignedDistanceField } from '../signed-distance/field.ts';

/** Lists of a scene that shapes refer to. */
export type AssetList = 'meshes' | 'heightFields' | 'signedDistanceFields';

/** What mass properties may need beyond the shape itself. */
export interface MassAssets {
  /** Mass properties of a mesh at density one. */
  mesh(name: string, isShell: boolean): MassProperties;
  heightField(name: string): HeightFieldAsset;
  signedDistanceField(name: string): SignedDistanceAsset;
}

/** What a shape looks like; sizes in m, meshes and fields by their numbers. */
export type PictureKind = 'plane' | 'sphere' | 'capsule' | 'cylinder' | 'ellipsoid' | 'box' | 'mesh' | 'heightField';

/** Triangles, counter-clockwise from outside. */
export interface TriangulatedSurface {
  /** x y z of each vertex in the frame of the shape, m. */
  readonly vertices: Float64Array;
  /** Three vertex numbers each. */
  readonly triangles: Int32Array;
}

export interface BuiltInShape<T extends Shape = Shape> {
  readonly kind: T['kind'];
  /** Whether a support function describes it: pairs of such shapes have a test without a closed form of their own. */
  readonly isConvex: boolean;
  /** Whether it is ground: fixed to the world, met by what moves, never by other ground. */
  readonly isGround: boolean;
  /** Whether it has no finite box. */
  readonly isEndless: boolean;
  /** Whether it is a size and a pose and no more, with nothing kept about its placed shape. */
  readonly isPlain: boolean;
  /** Which part of a placed shape it needs beside its size. */
  readonly data: 'hull' | 'mesh' | 'heightField' | 'field' | undefined;
  /** Up to three sizes, m: see PlacedShape.size. */
  sizes(shape: T): readonly number[];
  /** The list that it refers to and the name there. */
  asset?(shape: T): readonly [list: AssetList, name: string];
  /** At density one, in the frame of the shape. */
  mass(shape: T, isShell: boolean, assets: MassAssets): MassProperties;
  /** The box along the world's axes, grown by `inflate` (m), at offset o: low x y z, high x y z. */
  writeBounds(out: Float64Array, o: number, shape: PlacedShape, inflate: number): void;
  /** First hit of a ray in the frame of the shape: origin, direction. */
  castRay(hit: RayHit, ray: Float64Array, shape: PlacedShape, limit: number): void;
  /** Of a ball about a segment of z: half the length of the segment, m; its radius is size 0. */
  core?(size: Float64Array): number;
  /** Its signed distance, where its size decides it. */
  field?(size: ArrayLike<number>): SignedDistanceField;
  /** Triangles that stand for its surface where distances of points, edges and triangles are measured, where its size decides them. */
  triangles?(size: ArrayLike<number>): TriangulatedSurface;
  /** How it is drawn; undefined where its asset decides. */
  readonly picture: PictureKind | undefined;
}
