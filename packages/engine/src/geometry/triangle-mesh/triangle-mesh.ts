import type { BoundingTree } from '../bounding-tree/bounding-tree.ts';

/** Triangles with their neighbours, as the narrow phase needs them. */
export interface TriangleSet {
  /** x y z of each vertex, m. */
  readonly vertices: Float64Array;
  /** Three vertex numbers per triangle, counter-clockwise from outside. */
  readonly triangles: Int32Array;
  /** Unit normal of each triangle. */
  readonly normals: Float64Array;
  /** Per edge k of triangle t (from its vertex k to k + 1), at 3 t + k: the triangle across, or −1 at a border. */
  readonly neighbors: Int32Array;
}

/** A triangle mesh ready for collision. */
export interface TriangleMesh extends TriangleSet {
  /** Boxes of the triangles in the frame of the mesh. */
  readonly tree: BoundingTree;
  /** Whether every edge has a triangle on both sides: then the inside is solid. */
  readonly isClosed: boolean;
}
