/**
 * What the engine knows of one of its own kinds of shapes. One file per kind fills this in; shape-table.ts lists them. Functions
 * that a step calls write into arrays and make no objects. Methods of parts that a page loads later are handed over
 * (SampleMakers, CellMakers, SolidMakers), so that the files of the kinds do not load them.
 */
import type { HeightFieldAsset, SignedDistanceAsset, SolidFieldAsset } from '../../scene/asset.ts';
import type { Shape } from '../../scene/shape.ts';
import type { SupportFunction } from '../convex/core-kind.ts';
import type { MassProperties } from '../mass-properties.ts';
import type { TaxelDistance } from '../mujoco/taxel-distance.ts';
import type { PlacedShape } from '../placed-shape.ts';
import type { CellMakers, ExtentMesh } from '../pressure-field/primitive-cells.ts';
import type { RayHit } from '../ray/ray-hit.ts';
import type { SignedDistanceField } from '../signed-distance/field.ts';
import type { SampleMakers } from '../signed-distance/primitive-samples.ts';
import type { CoveringPoints } from '../signed-distance/triangle-samples.ts';
import type { SolidMakers } from '../tetrahedra/solid-mesher.ts';
import type { TetrahedralMesh } from '../tetrahedra/tetrahedral-mesh.ts';
import type { SurfaceRoll } from './surface-roll.ts';

/** Lists of a scene that shapes refer to. */
export type AssetList = 'meshes' | 'heightFields' | 'signedDistanceFields';

/** What mass properties may need beyond the shape itself. */
export interface MassAssets {
  /** Mass properties of a mesh at density one. */
  mesh(name: string, isShell: boolean): MassProperties;
  heightField(name: string): HeightFieldAsset;
  signedDistanceField(name: string): SignedDistanceAsset;
  /** Mass properties of a solid that is known by its distance, at density one. */
  solidField(field: SolidFieldAsset, isShell: boolean): MassProperties;
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

/** The covering radius for an area (m², about) and the largest half extent (m). */
export type ChooseRadius = (area: number, halfExtent: number) => number;

/** How the inside of a solid is cut into cells for hydroelastic contact. Lengths in m. */
export interface PressureCells {
  /** Longest edges where the scene gives none. */
  edge(size: ArrayLike<number>): number;
  /** Least half width of the solid. */
  halfWidth(size: ArrayLike<number>): number;
  /** Cells that reach beyond the surface by a margin. */
  fill(size: ArrayLike<number>, edge: number, margin: number, from: CellMakers): ExtentMesh;
}

export interface BuiltInShape<T extends Shape = Shape> {
  readonly kind: T['kind'];
  /** What it is to the general method for convex shapes, see CORE: convex shapes have a test of every pair without a closed form. */
  readonly core: number;
  /** Of a `smooth` core. */
  readonly support?: SupportFunction;
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
  /** Whether it is flat where it is touched, so that the normal stays while the other side turns. Default: false. */
  readonly isFlat?: boolean;
  /** How its place of contact moves while it turns on a flat side. Default: not known. */
  readonly roll?: SurfaceRoll;
  /** Radius of the least ball about its origin that holds it, m. Default: decided by its asset, or endless. */
  reach?(size: ArrayLike<number>): number;
  /** Of a ball swept along z: half the length of the way, m; its radius is size 0. */
  halfAxis?(size: ArrayLike<number>): number;
  /** Its signed distance, where its size decides it. */
  field?(size: ArrayLike<number>): SignedDistanceField;
  /** Whether points of contact that MuJoCo searches on it jump while it moves smoothly. Default: false. */
  readonly jumpsInMujoco?: boolean;
  /** How far a taxel is from its surface, as MuJoCo takes it. Default: its signed distance. */
  taxelDistance?(size: ArrayLike<number>): TaxelDistance;
  /** Triangles that stand for its surface where distances of points, edges and triangles are measured, where its size decides them. */
  triangles?(size: ArrayLike<number>): TriangulatedSurface;
  /** Whether these triangles are its surface exactly. Default: false. */
  readonly hasFlatFaces?: boolean;
  /** Area of its surface, m²; with samples. */
  area?(size: ArrayLike<number>): number;
  /** Points that cover its surface. Default: points on the zero set of its field. */
  samples?(size: ArrayLike<number>, from: SampleMakers, choose: ChooseRadius): CoveringPoints;
  /** Cells in which the pressure of a compliant solid is linear. Default: those of its field. */
  readonly cells?: PressureCells;
  /** Tetrahedra with edges of about a length in m. Default: those of its field. */
  solid?(size: ArrayLike<number>, edge: number, from: SolidMakers): TetrahedralMesh;
  /** How it is drawn; undefined where its asset decides, or its triangles. */
  readonly picture: PictureKind | undefined;
}
