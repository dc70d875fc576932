/** One triangle of a surface as its own convex polyhedron, reloaded for each triangle, for the general convex method. */
import { CORE } from '../convex/core-kind.ts';
import type { ConvexPolyhedron } from '../convex/polyhedron.ts';
import type { PlacedShape } from '../placed-shape.ts';
import type { TriangleSet } from './triangle-mesh.ts';

export class TriangleCore implements PlacedShape {
  /** A triangle is no shape of a scene. */
  readonly kind = -1;
  readonly core: number = CORE.polyhedron;
  readonly support = undefined;
  readonly size: Float64Array = new Float64Array(3);
  /** The first corner, m. */
  readonly position: Float64Array = new Float64Array(3);
  readonly rotation: Float64Array = Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1);
  /** Corners relative to the first. */
  readonly hull: ConvexPolyhedron = createTriangleHull();
  readonly mesh = undefined;
  readonly heightField = undefined;
  readonly field = undefined;
  /** x y z of the three corners, m. */
  readonly corners: Float64Array = new Float64Array(9);
  readonly normal: Float64Array = new Float64Array(3);

  /** Takes the place of a triangle of a surface. */
  load(set: TriangleSet, t: number): void {
    const { corners, normal, position, hull } = this;
    const { vertices, triangles, normals } = set;
    for (let k = 0; k < 3; k++) {
      const v = 3 * triangles[3 * t + k];
      corners[3 * k] = vertices[v];
      corners[3 * k + 1] = vertices[v + 1];
      corners[3 * k + 2] = vertices[v + 2];
    }
    for (let k = 0; k < 3; k++) {
      normal[k] = normals[3 * t + k];
      position[k] = corners[k];
      hull.vertices[3 + k] = corners[3 + k] - corners[k];
      hull.vertices[6 + k] = corners[6 + k] - corners[k];
    }
  }
}

/** A hull of three vertices at the origin, with a front and a back; its vertices and normals are there to be written. */
export function createTriangleHull(): ConvexPolyhedron {
  return {
    vertices: new Float64Array(9),
    neighborStart: Int32Array.of(0, 2, 4, 6),
    neighbor: Int32Array.of(1, 2, 2, 0, 0, 1),
    faceStart: Int32Array.of(0, 3, 6),
    faceVertex: Int32Array.of(0, 1, 2, 0, 2, 1),
    faceNormal: new Float64Array(6),
    center: new Float64Array(3),
  };
}
