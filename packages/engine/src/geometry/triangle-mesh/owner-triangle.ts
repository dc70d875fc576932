/** Triangles of one surface as convex parts for another: the surface is placed once, its triangles are loaded one after another. */
import { CORE } from '../convex/core-kind.ts';
import type { ConvexPolyhedron } from '../convex/polyhedron.ts';
import type { PlacedShape } from '../placed-shape.ts';
import { boundPart, type MovingPart, movePart } from './moving-part.ts';
import { createTriangleHull } from './triangle-core.ts';
import type { TriangleSet } from './triangle-mesh.ts';

/** Places a surface (shape) as the owner of a part, seen from a frame. */
export function placeOwner(part: MovingPart, owner: TriangleSet, shape: PlacedShape, frame: PlacedShape): void {
  part.hull ??= createTriangleHull();
  part.core = CORE.polyhedron;
  part.owner = owner;
  part.ownerTriangle = -1;
  movePart(part, shape, frame);
}

/** Makes the part a triangle of its owner. */
export function loadOwnerTriangle(part: MovingPart, t: number): void {
  const { vertices, triangles, normals } = part.owner as TriangleSet;
  const hull = part.hull as ConvexPolyhedron;
  part.ownerTriangle = t;
  for (let r = 0; r < 3; r++) {
    hull.center[r] = 0;
    for (let k = 0; k < 3; k++) {
      hull.vertices[3 * k + r] = vertices[3 * triangles[3 * t + k] + r];
      hull.center[r] += hull.vertices[3 * k + r] / 3;
    }
    hull.faceNormal[r] = normals[3 * t + r];
    hull.faceNormal[3 + r] = -normals[3 * t + r];
  }
  boundPart(part);
}
