/** The point of a mesh's triangle nearest to a point, and the part of it: face 0, edge k 1 + k, vertex k 4 + k. */
import { findNearestOnTriangle as measureTriangle, NearestOnTriangle } from '../triangle-distance.ts';

export const FACE = 0;
/** Edge k is EDGE + k. */
export const EDGE = 1;
/** Vertex k is VERTEX + k. */
export const VERTEX = 4;

const found = /* @__PURE__ */ new NearestOnTriangle();
const corners = /* @__PURE__ */ new Float64Array(9);
/** Part by feature of triangle-distance.ts: three corners, three edges, the face. */
const PART = /* @__PURE__ */ Int32Array.of(VERTEX, VERTEX + 1, VERTEX + 2, EDGE, EDGE + 1, EDGE + 2, FACE);

/** Writes the nearest point of triangle t to a point (x, y, z), m, and its squared distance, m²; returns its part. */
export function findNearestOnTriangle(
  out: Float64Array,
  vertices: Float64Array,
  triangles: Int32Array,
  t: number,
  at: Float64Array,
): number {
  for (let k = 0; k < 3; k++) {
    const v = 3 * triangles[3 * t + k];
    corners[3 * k] = vertices[v];
    corners[3 * k + 1] = vertices[v + 1];
    corners[3 * k + 2] = vertices[v + 2];
  }
  out[3] = measureTriangle(found, corners, 0, at[0], at[1], at[2]);
  out[0] = found.point[0];
  out[1] = found.point[1];
  out[2] = found.point[2];
  return PART[found.feature];
}
