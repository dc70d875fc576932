/**
 * The point of a triangle nearest to a point, and the part of the triangle it lies on: face 0, edge k 1 + k, vertex k 4 + k.
 *
 * Regions of Voronoi by signs of dot products (Ericson, Real-Time Collision Detection, 5.1.5): with edges e_k from vertex v_k,
 * x is nearest to v_k when it lies behind both edges that leave it, to an edge when it is beyond it and between its ends,
 * and to the face otherwise.
 */

export const FACE = 0;
/** Edge k is EDGE + k. */
export const EDGE = 1;
/** Vertex k is VERTEX + k. */
export const VERTEX = 4;

/** The nearest point (x, y, z), m, and its squared distance. */
export const nearestPoint: Float64Array = /* @__PURE__ */ new Float64Array(4);

/** Finds the nearest point of triangle t to a point, leaves it in `nearestPoint` and returns its region. */
export function findNearestOnTriangle(
  vertices: Float64Array,
  triangles: Int32Array,
  t: number,
  at: Float64Array,
): number {
  const x = at[0];
  const y = at[1];
  const z = at[2];
  const a = 3 * triangles[3 * t];
  const b = 3 * triangles[3 * t + 1];
  const c = 3 * triangles[3 * t + 2];
  const ax = vertices[a];
  const ay = vertices[a + 1];
  const az = vertices[a + 2];
  const ux = vertices[b] - ax;
  const uy = vertices[b + 1] - ay;
  const uz = vertices[b + 2] - az;
  const vx = vertices[c] - ax;
  const vy = vertices[c + 1] - ay;
  const vz = vertices[c + 2] - az;
  const px = x - ax;
  const py = y - ay;
  const pz = z - az;
  // behind a
  const d1 = ux * px + uy * py + uz * pz;
  const d2 = vx * px + vy * py + vz * pz;
  if (d1 <= 0 && d2 <= 0) return takeVertex(vertices, a, at, VERTEX);
  const uu = ux * ux + uy * uy + uz * uz;
  const uv = ux * vx + uy * vy + uz * vz;
  const vv = vx * vx + vy * vy + vz * vz;
  // behind b
  const d3 = d1 - uu;
  const d4 = d2 - uv;
  if (d3 >= 0 && d4 <= d3) return takeVertex(vertices, b, at, VERTEX + 1);
  // behind c
  const d5 = d1 - uv;
  const d6 = d2 - vv;
  if (d6 >= 0 && d5 <= d6) return takeVertex(vertices, c, at, VERTEX + 2);
  // beyond an edge: the weight of the opposite corner is not positive
  const wc = d1 * d4 - d3 * d2;
  if (wc <= 0 && d1 >= 0 && d3 <= 0) {
    const s = d1 / uu;
    nearestPoint[0] = ax + s * ux;
    nearestPoint[1] = ay + s * uy;
    nearestPoint[2] = az + s * uz;
    return finish(at, EDGE);
  }
  const wb = d5 * d2 - d1 * d6;
  if (wb <= 0 && d2 >= 0 && d6 <= 0) {
    const s = d2 / vv;
    nearestPoint[0] = ax + s * vx;
    nearestPoint[1] = ay + s * vy;
    nearestPoint[2] = az + s * vz;
    return finish(at, EDGE + 2);
  }
  const wa = d3 * d6 - d5 * d4;
  if (wa <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0) {
    const s = (d4 - d3) / (d4 - d3 + (d5 - d6));
    const bx = vertices[b];
    const by = vertices[b + 1];
    const bz = vertices[b + 2];
    nearestPoint[0] = bx + s * (vertices[c] - bx);
    nearestPoint[1] = by + s * (vertices[c + 1] - by);
    nearestPoint[2] = bz + s * (vertices[c + 2] - bz);
    return finish(at, EDGE + 1);
  }
  const s = wb / (wa + wb + wc);
  const r = wc / (wa + wb + wc);
  nearestPoint[0] = ax + s * ux + r * vx;
  nearestPoint[1] = ay + s * uy + r * vy;
  nearestPoint[2] = az + s * uz + r * vz;
  return finish(at, FACE);
}

function finish(at: Float64Array, region: number): number {
  const x = at[0] - nearestPoint[0];
  const y = at[1] - nearestPoint[1];
  const z = at[2] - nearestPoint[2];
  nearestPoint[3] = x * x + y * y + z * z;
  return region;
}

function takeVertex(vertices: Float64Array, v: number, at: Float64Array, region: number): number {
  nearestPoint[0] = vertices[v];
  nearestPoint[1] = vertices[v + 1];
  nearestPoint[2] = vertices[v + 2];
  return finish(at, region);
}
