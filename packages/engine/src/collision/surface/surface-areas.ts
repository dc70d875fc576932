/**
 * The area (m²) that points and edges of a surface represent. It weighs contacts, so that the pressure of a barrier does not depend
 * on how finely a surface is cut:
 *   point       Σ A_t α_t / π over its triangles, α_t the angle (rad) of its corner: it does not matter how a face is cut
 *   edge        Σ A_t / 3 over its triangles
 *   without triangles   π r² of a point, 2 r l of an edge of length l; at least a thousandth of the square of the size of the body
 */
import type { SurfaceSet } from './surface-set.ts';
import { writeTriangleNormal } from './triangle-normal.ts';

const normal = /* @__PURE__ */ new Float64Array(3);

/** Writes areas of points and edges, squares of lengths of edges, how many triangles an edge has and which points are inner ones. */
export function measureAreas(set: SurfaceSet, local: Float64Array): void {
  const { triangle, triangleEdge, edge, surfaces, pointArea, edgeArea, edgeSquare, edgeTriangles, isInner, reach } =
    set;
  for (let t = 0; 3 * t < triangle.length; t++) {
    writeTriangleNormal(normal, local, triangle, t);
    const area = 0.5 * Math.hypot(normal[0], normal[1], normal[2]);
    const third = area / 3;
    for (let k = 0; k < 3; k++) {
      pointArea[triangle[3 * t + k]] += (area * measureCorner(local, triangle, t, k)) / Math.PI;
      edgeArea[triangleEdge[3 * t + k]] += third;
      edgeTriangles[triangleEdge[3 * t + k]]++;
    }
  }
  for (let e = 0; 2 * e < edge.length; e++) {
    const p = 3 * edge[2 * e];
    const q = 3 * edge[2 * e + 1];
    for (let k = 0; k < 3; k++) edgeSquare[e] += (local[p + k] - local[q + k]) ** 2;
    if (edgeTriangles[e] === 2) continue;
    isInner[edge[2 * e]] = isInner[edge[2 * e + 1]] = 0;
  }
  for (const { firstVertex, endVertex, firstEdge, endEdge, radius, isPoint, isLoose, frame } of surfaces) {
    if (!isPoint && !isLoose) continue;
    const least = 1e-3 * reach[frame] ** 2;
    for (let v = firstVertex; v < endVertex; v++) pointArea[v] = Math.max(least, Math.PI * radius * radius);
    for (let e = firstEdge; e < endEdge; e++) {
      const p = 3 * edge[2 * e];
      const q = 3 * edge[2 * e + 1];
      const length = Math.hypot(local[p] - local[q], local[p + 1] - local[q + 1], local[p + 2] - local[q + 2]);
      edgeArea[e] = Math.max(least, 2 * radius * length);
    }
  }
}

// angle of corner k, rad
function measureCorner(x: Float64Array, triangle: Int32Array, t: number, k: number): number {
  const p = 3 * triangle[3 * t + k];
  const q = 3 * triangle[3 * t + ((k + 1) % 3)];
  const r = 3 * triangle[3 * t + ((k + 2) % 3)];
  writeTriangleNormal(normal, x, triangle, t);
  const dot =
    (x[q] - x[p]) * (x[r] - x[p]) +
    (x[q + 1] - x[p + 1]) * (x[r + 1] - x[p + 1]) +
    (x[q + 2] - x[p + 2]) * (x[r + 2] - x[p + 2]);
  return Math.atan2(Math.hypot(normal[0], normal[1], normal[2]), dot);
}
