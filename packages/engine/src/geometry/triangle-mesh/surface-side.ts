/**
 * On which side of a closed surface a point lies, from the nearest point p of the surface: the sign of d·ñ, where d leads from
 * p to the point and ñ is the normal on a face, the sum of both normals on an edge, and the sum of the normals weighted by
 * the angles of their triangles on a vertex. Bærentzen, Aanæs, Signed distance computation using the angle weighted
 * pseudonormal (2005).
 */

import { acos } from '../../linear-algebra/elementary.ts';
import { beginNearestVisit, type NearestVisit, nextNearestItem } from '../bounding-tree/nearest-visit.ts';
import { EDGE, findNearestOnTriangle, VERTEX } from './nearest-point.ts';
import { findCorner } from './normal-cone.ts';
import type { TriangleMesh, TriangleSet } from './triangle-mesh.ts';

const MOST_AROUND = 4096;

const nearestPoint = /* @__PURE__ */ new Float64Array(4);

/** What a search for the nearest point of a mesh gives. */
export class NearestOnMesh {
  triangle = -1;
  /** See nearest-point.ts. */
  region = 0;
  /** Squared distance, m². */
  squared = 0;
  /** x y z, m. */
  readonly point: Float64Array = new Float64Array(3);
}

/** Finds the point of a mesh nearest to (x, y, z) in its frame; of equally near triangles the first. */
export function findNearestOnMesh(
  out: NearestOnMesh,
  visit: NearestVisit,
  mesh: TriangleMesh,
  at: Float64Array,
  limit: number,
): void {
  out.triangle = -1;
  out.squared = limit;
  beginNearestVisit(visit, mesh.tree, at, limit);
  for (let t = nextNearestItem(visit); t >= 0; t = nextNearestItem(visit)) {
    const region = findNearestOnTriangle(nearestPoint, mesh.vertices, mesh.triangles, t, at);
    const squared = nearestPoint[3];
    if (squared > out.squared || (squared === out.squared && out.triangle >= 0 && out.triangle < t)) continue;
    out.triangle = t;
    out.region = region;
    out.squared = squared;
    out.point[0] = nearestPoint[0];
    out.point[1] = nearestPoint[1];
    out.point[2] = nearestPoint[2];
    visit.limit = squared;
  }
}

/** Writes ñ at a region of triangle t, not of unit length. Returns false where the surface has a border there and so no sides. */
export function readSideNormal(sideNormal: Float64Array, set: TriangleSet, t: number, region: number): boolean {
  const { normals, neighbors } = set;
  sideNormal[0] = normals[3 * t];
  sideNormal[1] = normals[3 * t + 1];
  sideNormal[2] = normals[3 * t + 2];
  if (region >= VERTEX) return addNormalsAround(sideNormal, set, t, region - VERTEX);
  if (region >= EDGE) {
    const across = neighbors[3 * t + region - EDGE];
    if (across < 0) return false;
    sideNormal[0] += normals[3 * across];
    sideNormal[1] += normals[3 * across + 1];
    sideNormal[2] += normals[3 * across + 2];
  }
  return true;
}

function addNormalsAround(sideNormal: Float64Array, set: TriangleSet, t: number, corner: number): boolean {
  const { normals, neighbors, triangles } = set;
  const vertex = triangles[3 * t + corner];
  sideNormal.fill(0);
  let face = t;
  let k = corner;
  for (let step = 0; step < MOST_AROUND; step++) {
    const angle = measureCorner(set, face, k);
    sideNormal[0] += angle * normals[3 * face];
    sideNormal[1] += angle * normals[3 * face + 1];
    sideNormal[2] += angle * normals[3 * face + 2];
    face = neighbors[3 * face + k];
    if (face < 0) return false;
    if (face === t) return true;
    k = findCorner(set, face, vertex);
  }
  return false;
}

// angle of a triangle at its corner k, rad
function measureCorner(set: TriangleSet, t: number, k: number): number {
  const { vertices, triangles } = set;
  const a = 3 * triangles[3 * t + k];
  const b = 3 * triangles[3 * t + (k === 2 ? 0 : k + 1)];
  const c = 3 * triangles[3 * t + (k === 0 ? 2 : k - 1)];
  const ux = vertices[b] - vertices[a];
  const uy = vertices[b + 1] - vertices[a + 1];
  const uz = vertices[b + 2] - vertices[a + 2];
  const vx = vertices[c] - vertices[a];
  const vy = vertices[c + 1] - vertices[a + 1];
  const vz = vertices[c + 2] - vertices[a + 2];
  const cosine =
    (ux * vx + uy * vy + uz * vz) / Math.sqrt((ux * ux + uy * uy + uz * uz) * (vx * vx + vy * vy + vz * vz));
  return acos(cosine > 1 ? 1 : Math.max(cosine, -1));
}
