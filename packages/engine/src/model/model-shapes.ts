/** Shapes of a model with their materials and contact filters, as arrays. */
import type { PressureGeometry } from '../geometry/pressure-field/pressure-geometry.ts';
import type { SoftField } from '../geometry/pressure-field/soft-field.ts';
import type { SignedDistanceAsset, SignedDistanceGrid } from '../scene/asset.ts';

/** Shapes as arrays, in the order of their bodies. */
export interface ModelShapes {
  /** Names, empty where there is none. */
  readonly name: readonly string[];
  /** See SHAPE. */
  readonly kind: Uint8Array;
  /** Number of the body that carries the shape. */
  readonly body: Int32Array;
  /** Number of the mesh, height field or signed-distance field; -1 for primitives. */
  readonly asset: Int32Array;
  /** Pose in the body frame. */
  readonly position: Float64Array;
  /** Quaternion w x y z from the frame of the shape to the body's. */
  readonly orientation: Float64Array;
  /** Sphere r; capsule, cylinder r, half length; ellipsoid radii; box half sizes; plane half sizes; else 0. */
  readonly size: Float64Array;
  /** See SOFT_CONTACT. */
  readonly contact: Uint8Array;
  /** Bits of the groups that the shape belongs to. */
  readonly groups: Uint32Array;
  /** Bits of the groups that it touches. */
  readonly mask: Uint32Array;
  /** Gap below which contacts act, m; those of two shapes add. */
  readonly margin: Float64Array;
  /** Further gap up to which contacts are detected, m. */
  readonly gap: Float64Array;
  /** Slide, spin, roll. */
  readonly friction: Float64Array;
  /** Dimension under `mujoco`: 1, 3, 4 or 6. */
  readonly condim: Uint8Array;
  /** The higher one decides the parameters of a contact. */
  readonly priority: Int32Array;
  /** Weight in the mean of two shapes' parameters. */
  readonly solmix: Float64Array;
  /** Time constant (s) and damping ratio under `mujoco`; two numbers. */
  readonly solref: Float64Array;
  /** Impedance under `mujoco`; five numbers. */
  readonly solimp: Float64Array;
  /** N. */
  readonly adhesion: Float64Array;
  /** Velocity of the surface in the frame of the shape, m/s, and its angular velocity, rad/s; six numbers. */
  readonly surfaceMotion: Float64Array;
  /** Blunt drag, slender drag, angular drag, Kutta lift, Magnus lift; all 0 when off. */
  readonly fluid: Float64Array;
  /** By the number of a mesh in a fluid: centre of mass, principal axes as a quaternion, and half axes of its ellipsoid, m; ten numbers. */
  readonly fluidMesh: Map<number, Float64Array>;
  /** Number of the material in the scene, or -1. */
  readonly material: Int32Array;
  /** Red, green, blue, opacity. */
  readonly color: Float64Array;
  /** Layer for viewers; those from 3 on start hidden. */
  readonly layer: Uint8Array;
}

/** Triangle meshes as arrays. */
export interface ModelMeshes {
  /** Names. */
  readonly name: readonly string[];
  /** First vertex of each mesh. */
  readonly vertexStart: Int32Array;
  /** Number of its vertices. */
  readonly vertexCount: Int32Array;
  /** First triangle of each mesh. */
  readonly faceStart: Int32Array;
  /** Number of its triangles. */
  readonly faceCount: Int32Array;
  /** x y z of all vertices, m. */
  readonly vertices: Float64Array;
  /** Indices relative to the first vertex of the mesh. */
  readonly faces: Int32Array;
  /** First edge of each mesh; one more than there are meshes. Only meshes of edges without faces have any. */
  readonly edgeStart: Int32Array;
  /** Two indices per edge, relative to the first vertex of the mesh. */
  readonly edges: Int32Array;
  /** Most vertices of the convex hull of each mesh; 0 for all. */
  readonly hullVertices: Int32Array;
}

/** Materials as arrays: what contacts need of them beyond what stands with shapes and soft bodies. */
export interface ModelMaterials {
  /** Names. */
  readonly name: readonly string[];
  /** Stiffness of a contact point, N/m; 0 leaves it to the formulation. */
  readonly stiffness: Float64Array;
  /** Dissipation time, s; negative leaves it to the formulation. */
  readonly dissipation: Float64Array;
  /** Restitution, 0 to 1. */
  readonly restitution: Float64Array;
}

/** A signed-distance field as the scene describes it, without the samples of a grid. */
export type ModelSignedDistanceField = Readonly<
  Pick<SignedDistanceGrid, 'kind' | 'name' | 'spacing'> | Exclude<SignedDistanceAsset, SignedDistanceGrid>
>;

/** Height fields as arrays. */
export interface ModelHeightFields {
  /** Names. */
  readonly name: readonly string[];
  /** Samples along y. */
  readonly rows: Int32Array;
  /** Samples along x. */
  readonly columns: Int32Array;
  /** Half extents along x and y, m; two numbers. */
  readonly halfSize: Float64Array;
  /** Thickness of the solid below the lowest height, m. */
  readonly baseDepth: Float64Array;
  /** First sample of each field. */
  readonly dataStart: Int32Array;
  /** Heights of all fields, row by row, m. */
  readonly heights: Float64Array;
}

/** Explicit pairs with their parameters, and bodies that never touch. */
export interface ModelContactFilter {
  /** Pairs of shape numbers, two per explicit pair, in the order of the scene's `contactPairs`. */
  readonly pairShapes: Int32Array;
  /** Pairs of body numbers, smaller first. */
  readonly excludedBodies: Int32Array;
}

/** Pressure fields of hydroelastic shapes. */
export interface ModelPressure {
  /** Whether anything touches by pressure. */
  readonly isActive: boolean;
  /** Per shape: its pressure field, if it may need one, and its representation without one. */
  readonly compliant: readonly (PressureGeometry | undefined)[];
  /** Per shape: its triangles or half-space where it is rigid. */
  readonly rigid: readonly (PressureGeometry | undefined)[];
  /** Per soft body: its pressure field, where it may need one. */
  readonly soft: readonly (SoftField | undefined)[];
}
