/**
 * Parts of a surface that can touch nothing first: edges between two triangles in one plane, and points inside such a part. Whatever
 * comes near them has met the plane or a border before.
 */
import type { SurfaceSet } from './surface-set.ts';
import { writeTriangleNormal } from './triangle-normal.ts';

/** Sine of the angle between two triangles below which the edge between them is flat and can touch nothing first. */
const FLAT = 1e-9;

const normal = /* @__PURE__ */ new Float64Array(3);
const second = /* @__PURE__ */ new Float64Array(3);

/** Edges inside a plane are not sharp; those of soft bodies do not stay flat and all are. */
export function findSharpEdges(set: SurfaceSet, local: Float64Array): void {
  const { triangle, triangleEdge, edgeTriangles, isSharp, vertexOf } = set;
  const first = new Map<number, number>();
  for (let t = 0; 3 * t < triangle.length; t++) {
    if (vertexOf[triangle[3 * t]] >= 0) continue;
    for (let k = 0; k < 3; k++) {
      const e = triangleEdge[3 * t + k];
      if (edgeTriangles[e] !== 2) continue;
      const other = first.get(e);
      if (other === undefined) {
        first.set(e, t);
        continue;
      }
      writeTriangleNormal(normal, local, triangle, t);
      writeTriangleNormal(second, local, triangle, other);
      const a = Math.hypot(normal[0], normal[1], normal[2]);
      const b = Math.hypot(second[0], second[1], second[2]);
      const sine = Math.hypot(
        normal[1] * second[2] - normal[2] * second[1],
        normal[2] * second[0] - normal[0] * second[2],
        normal[0] * second[1] - normal[1] * second[0],
      );
      const cosine = normal[0] * second[0] + normal[1] * second[1] + normal[2] * second[2];
      if (cosine > 0 && sine < FLAT * a * b) isSharp[e] = 0;
    }
  }
}

/** Points of the world, a frame, with flat edges all around are not exposed; on bodies they stay, since their area carries them on the ground. */
export function findExposedPoints(set: SurfaceSet, world: number): void {
  const { edge, isSharp, isExposed, frameOf, pointOwner } = set;
  for (let v = 0; v < isExposed.length; v++) if (pointOwner[v] >= 0 && frameOf[v] === world) isExposed[v] = 0;
  for (let e = 0; 2 * e < edge.length; e++) {
    if (isSharp[e] === 1) isExposed[edge[2 * e]] = isExposed[edge[2 * e + 1]] = 1;
  }
}
