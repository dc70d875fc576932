/**
 * Which directions a surface can push along at an edge or a vertex: its normal cone. This is what keeps internal edges from
 * catching: a direction found on an edge or vertex counts only if it lies in the cone there, and is then taken from the cone.
 *
 *   face     the normal n
 *   edge     convex: the arc from n to the normal n' across; flat or concave: n alone; border: the arc from n to the
 *            in-plane direction away from the triangle
 *   vertex   the unit vectors u with u·e ≤ 0 for all edges e that leave the vertex, on the outer side; where there are none
 *            (flat, saddle, concave) the arcs of its edges
 *
 * "Snapping" gives the direction of the cone nearest to a given one. For a convex set outside of the surface, the nearest
 * pair of points has its direction in the cone (Boyd & Vandenberghe, Convex Optimization, 8.1), so a direction outside of it
 * belongs to a closer neighbour.
 */
import { EDGE, VERTEX } from './nearest-point.ts';
import type { TriangleSet } from './triangle-mesh.ts';

export const FLAT_EDGE = 0;
export const CONVEX_EDGE = 1;
export const CONCAVE_EDGE = 2;
export const BORDER_EDGE = 3;

/** Sine of the angle between two faces below which the edge between them is flat. */
export const FLAT_SINE = 1e-6;

// most triangles around a vertex that are checked
const MOST_AROUND = 4096;

const snapped = /* @__PURE__ */ new Float64Array(3);
const edgeFrame = /* @__PURE__ */ new Float64Array(9);

/**
 * Writes the frame of edge k of triangle t and returns the kind of the edge. The frame: unit direction, unit in-plane direction away
 * from the triangle, normal across (border: that direction).
 */
export function readEdge(frame: Float64Array, set: TriangleSet, t: number, k: number): number {
  const { vertices, triangles, normals, neighbors } = set;
  const a = 3 * triangles[3 * t + k];
  const b = 3 * triangles[3 * t + (k === 2 ? 0 : k + 1)];
  let ex = vertices[b] - vertices[a];
  let ey = vertices[b + 1] - vertices[a + 1];
  let ez = vertices[b + 2] - vertices[a + 2];
  const length = Math.sqrt(ex * ex + ey * ey + ez * ez);
  ex /= length;
  ey /= length;
  ez /= length;
  const nx = normals[3 * t];
  const ny = normals[3 * t + 1];
  const nz = normals[3 * t + 2];
  const ox = ey * nz - ez * ny;
  const oy = ez * nx - ex * nz;
  const oz = ex * ny - ey * nx;
  frame[0] = ex;
  frame[1] = ey;
  frame[2] = ez;
  frame[3] = ox;
  frame[4] = oy;
  frame[5] = oz;
  const across = neighbors[3 * t + k];
  if (across < 0) {
    frame[6] = ox;
    frame[7] = oy;
    frame[8] = oz;
    return BORDER_EDGE;
  }
  const mx = normals[3 * across];
  const my = normals[3 * across + 1];
  const mz = normals[3 * across + 2];
  frame[6] = mx;
  frame[7] = my;
  frame[8] = mz;
  const sine = ox * mx + oy * my + oz * mz;
  if (sine > FLAT_SINE) return CONVEX_EDGE;
  if (sine < -FLAT_SINE) return CONCAVE_EDGE;
  // two sheets back to back are a blade
  return nx * mx + ny * my + nz * mz > 0 ? FLAT_EDGE : CONVEX_EDGE;
}

/** Replaces the unit vector u by the nearest direction in the cone of a region of triangle t and returns the cosine between them. */
export function snapToCone(u: Float64Array, set: TriangleSet, t: number, region: number): number {
  const cosine = snap(set, t, region, u[0], u[1], u[2]);
  u[0] = snapped[0];
  u[1] = snapped[1];
  u[2] = snapped[2];
  return cosine;
}

function snap(set: TriangleSet, t: number, region: number, ux: number, uy: number, uz: number): number {
  if (region >= VERTEX) return snapToVertex(set, t, region - VERTEX, ux, uy, uz);
  if (region >= EDGE) return snapToEdge(set, t, region - EDGE, ux, uy, uz);
  const nx = set.normals[3 * t];
  const ny = set.normals[3 * t + 1];
  const nz = set.normals[3 * t + 2];
  return keep(nx, ny, nz, ux, uy, uz);
}

function snapToEdge(set: TriangleSet, t: number, k: number, ux: number, uy: number, uz: number): number {
  const kind = readEdge(edgeFrame, set, t, k);
  const nx = set.normals[3 * t];
  const ny = set.normals[3 * t + 1];
  const nz = set.normals[3 * t + 2];
  if (kind === FLAT_EDGE || kind === CONCAVE_EDGE) return keep(nx, ny, nz, ux, uy, uz);
  const ox = edgeFrame[3];
  const oy = edgeFrame[4];
  const oz = edgeFrame[5];
  const mx = edgeFrame[6];
  const my = edgeFrame[7];
  const mz = edgeFrame[8];
  // in the plane across the edge: u = (c, s) and the end of the arc = (cosine, sine), from n towards the outside
  const c = nx * ux + ny * uy + nz * uz;
  const s = ox * ux + oy * uy + oz * uz;
  const cosine = nx * mx + ny * my + nz * mz;
  const sine = ox * mx + oy * my + oz * mz;
  if (s >= 0 && c * sine - s * cosine >= 0 && c * c + s * s > 0) {
    const length = Math.sqrt(c * c + s * s);
    return keep((c * nx + s * ox) / length, (c * ny + s * oy) / length, (c * nz + s * oz) / length, ux, uy, uz);
  }
  // the nearer end
  if (c >= c * cosine + s * sine) return keep(nx, ny, nz, ux, uy, uz);
  return keep(mx, my, mz, ux, uy, uz);
}

function snapToVertex(set: TriangleSet, t: number, corner: number, ux: number, uy: number, uz: number): number {
  const vertex = set.triangles[3 * t + corner];
  if (isOverVertex(set, t, corner, vertex, ux, uy, uz)) return keep(ux, uy, uz, ux, uy, uz);
  // the nearest direction of the arcs around the vertex
  let best = -2;
  let x = 0;
  let y = 0;
  let z = 0;
  let face = t;
  let k = corner;
  for (let step = 0; step < MOST_AROUND; step++) {
    const cosine = snapToEdge(set, face, k, ux, uy, uz);
    if (cosine > best) {
      best = cosine;
      x = snapped[0];
      y = snapped[1];
      z = snapped[2];
    }
    const next = set.neighbors[3 * face + k];
    if (next === t || next < 0) break;
    face = next;
    k = findCorner(set, face, vertex);
  }
  // a border ends the walk: go the other way too
  face = t;
  k = corner;
  for (let step = 0; step < MOST_AROUND; step++) {
    const back = k === 0 ? 2 : k - 1;
    const cosine = snapToEdge(set, face, back, ux, uy, uz);
    if (cosine > best) {
      best = cosine;
      x = snapped[0];
      y = snapped[1];
      z = snapped[2];
    }
    const next = set.neighbors[3 * face + back];
    if (next === t || next < 0) break;
    face = next;
    k = findCorner(set, face, vertex);
  }
  return keep(x, y, z, ux, uy, uz);
}

// whether the vertex is the highest point of its surroundings along u, seen from outside
function isOverVertex(
  set: TriangleSet,
  t: number,
  corner: number,
  vertex: number,
  ux: number,
  uy: number,
  uz: number,
): boolean {
  const { vertices, triangles, normals, neighbors } = set;
  const v = 3 * vertex;
  let face = t;
  let k = corner;
  let facing = 0;
  for (let way = 0; way < 2; way++) {
    face = t;
    k = corner;
    for (let step = 0; step < MOST_AROUND; step++) {
      const next = way === 0 ? k : k === 0 ? 2 : k - 1;
      const end = 3 * triangles[3 * face + (way === 0 ? (k === 2 ? 0 : k + 1) : next)];
      const height =
        ux * (vertices[end] - vertices[v]) +
        uy * (vertices[end + 1] - vertices[v + 1]) +
        uz * (vertices[end + 2] - vertices[v + 2]);
      if (height > 0) return false;
      facing += ux * normals[3 * face] + uy * normals[3 * face + 1] + uz * normals[3 * face + 2];
      const across = neighbors[3 * face + next];
      if (across < 0) break;
      if (across === t) return facing > 0;
      face = across;
      k = findCorner(set, face, vertex);
    }
  }
  return facing > 0;
}

/** Corner of a triangle at a vertex. */
export function findCorner(set: TriangleSet, t: number, vertex: number): number {
  const { triangles } = set;
  return triangles[3 * t] === vertex ? 0 : triangles[3 * t + 1] === vertex ? 1 : 2;
}

function keep(x: number, y: number, z: number, ux: number, uy: number, uz: number): number {
  snapped[0] = x;
  snapped[1] = y;
  snapped[2] = z;
  return x * ux + y * uy + z * uz;
}
