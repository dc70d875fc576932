import type { Vec3 } from './pose.ts';

/** A triangle mesh, a wire frame or a cloud of points. */
export interface MeshAsset {
  /** Unique among meshes. */
  name: string;
  /** x, y, z of each vertex, m. */
  vertices: number[];
  /** Three vertex indices per triangle, counter-clockwise from outside. If empty, the faces are the convex hull of the vertices. */
  faces?: number[];
  /**
   * Two vertex indices per edge, instead of faces: the mesh is a wire frame without thickness. If the list is empty, every vertex is a
   * point. As a `triangleMesh`, such a mesh has contact only under `ipc`. Its mass is spread along the edges (density in kg/m) or over the
   * points (density in kg per point).
   */
  edges?: number[];
  /** Where each corner of each triangle lies in a texture: six numbers per triangle, measured from the lower left corner. */
  textureCoordinates?: number[];
  /**
   * How mass is spread: `exact` signed volume (needs a closed, consistently oriented surface), `convex` hull,
   * `shell` on the surface, `legacy` unsigned volume about the centre (overestimates hollows). Default: 'legacy'.
   */
  inertia?: 'exact' | 'convex' | 'shell' | 'legacy';
  /**
   * Largest number of vertices of the convex hull, at least 4; a hull with fewer vertices lies inside the full hull. Default: all vertices
   * of the hull.
   */
  hullVertices?: number;
  /** Reject triangles of zero area instead of leaving them out. Default: false. */
  strict?: boolean;
}

/** Terrain: heights on a regular grid, centred on the shape's origin. */
export interface HeightFieldAsset {
  /** Unique among height fields. */
  name: string;
  /** Number of samples along y. */
  rows: number;
  /** Number of samples along x. */
  columns: number;
  /** Half extents along x and y, m. */
  halfSize: [number, number];
  /** Thickness of the solid below the lowest height, m. */
  baseDepth: number;
  /** Heights above the shape's origin, row by row from y = -halfSize to +halfSize, m. */
  heights: number[];
}

/** A signed-distance field: sampled on a grid, or an analytic surface. */
export type SignedDistanceAsset =
  | SignedDistanceGrid
  | SignedDistanceMesh
  | SignedDistanceTorus
  | SignedDistanceBowl
  | SignedDistanceBolt
  | SignedDistanceNut
  | SignedDistanceGear;

/** Fields of solids that have no picture and no mass of their own kind: both come from the distance. */
export type SolidFieldAsset = SignedDistanceBowl | SignedDistanceBolt | SignedDistanceNut | SignedDistanceGear;

/** Samples on a regular grid, negative inside. */
export interface SignedDistanceGrid {
  kind: 'grid';
  /** Unique among signed-distance fields. */
  name: string;
  /** Position of the first sample, m. */
  origin: Vec3;
  /** Distance between neighbouring samples, m. */
  spacing: number;
  /** Number of samples along x, y, z. */
  counts: [number, number, number];
  /** Distances, x fastest, m. */
  values: number[];
}

/** Distance to a closed mesh, sampled at compile time. */
export interface SignedDistanceMesh {
  kind: 'mesh';
  /** Unique among signed-distance fields. */
  name: string;
  /** Name of a mesh of the scene. */
  mesh: string;
  /** Distance between neighbouring samples, m. */
  spacing: number;
}

/** A ring in the xy plane. */
export interface SignedDistanceTorus {
  kind: 'torus';
  /** Unique among signed-distance fields. */
  name: string;
  /** Radius of the ring, m. */
  majorRadius: number;
  /** Radius of the tube, m. */
  minorRadius: number;
}

/** The part of a spherical wall about the origin that lies below a height, with a round rim. */
export interface SignedDistanceBowl {
  kind: 'bowl';
  /** Unique among signed-distance fields. */
  name: string;
  /** Radius of the middle of the wall, m. */
  radius: number;
  /** Height of the rim above the centre of the sphere, less than the radius; negative for a shallow bowl, m. */
  height: number;
  /** Half the thickness of the wall, m. */
  halfThickness: number;
}

/** A bolt along z, from -1 m to 0, with a hexagonal head 1 m wide in its upper half and a thread of 12 turns per metre. */
export interface SignedDistanceBolt {
  kind: 'bolt';
  /** Unique among signed-distance fields. */
  name: string;
  /** Radius at the bottom of the thread, which is 1/24 m deep, m. */
  radius: number;
}

/** A hexagonal nut 1 m wide, from -0.5 m to 0 along z, with a hole for the thread of a bolt. */
export interface SignedDistanceNut {
  kind: 'nut';
  /** Unique among signed-distance fields. */
  name: string;
  /** Radius at the bottom of the thread of a bolt that fills the hole, m. */
  radius: number;
}

/** A spur gear about z with involute teeth, half of it below the xy plane. */
export interface SignedDistanceGear {
  kind: 'gear';
  /** Unique among signed-distance fields. */
  name: string;
  /** Diameter of the pitch circle, on which gears roll on each other, m. Two gears mesh if they have the same diameter per tooth. */
  diameter: number;
  /** Number of teeth, 3 to 113. */
  teeth: number;
  /** Thickness along the axis, m. */
  thickness: number;
  /** Diameter of the hole, m; 0 means no hole. Default: leaves a rim of 0.14 diameters below the teeth. */
  innerDiameter?: number;
  /** Turns the teeth about the axis, clockwise seen from above, rad. Default: 0. */
  angle?: number;
}
