/**
 * A ray against the triangles of a mesh in its frame, either side, through its tree in the order of entry.
 *
 * Triangle: the axes are permuted so that the ray runs mainly along z and sheared so that it runs along z alone; in the plane
 * across it the origin is inside the triangle where the three products of edges have one sign. Neighbours compute the product
 * of a shared edge with opposite signs from the same numbers, so a ray does not slip between them.
 * (Woop, Benthin, Wald 2013, Watertight ray/triangle intersection.)
 */
import { beginRayVisit, nextRayItem, RayVisit } from '../bounding-tree/ray-visit.ts';
import type { TriangleMesh } from '../triangle-mesh/triangle-mesh.ts';
import type { RayHit } from './ray-hit.ts';

const visit = /* @__PURE__ */ new RayVisit();
const origin = /* @__PURE__ */ new Float64Array(3);
const direction = /* @__PURE__ */ new Float64Array(3);

// the permuted axes, and the shear: x and y per z, and 1 per z
let axisX = 0;
let axisY = 1;
let axisZ = 2;
const shear = /* @__PURE__ */ new Float64Array(3);

export function castTriangleMesh(hit: RayHit, ray: Float64Array, mesh: TriangleMesh, limit: number): void {
  for (let k = 0; k < 3; k++) {
    origin[k] = ray[k];
    direction[k] = ray[3 + k];
  }
  if (!alignRay()) return;
  beginRayVisit(visit, mesh.tree, origin, direction, limit);
  let best = -1;
  let nearest = Infinity;
  for (let triangle = nextRayItem(visit); triangle >= 0; triangle = nextRayItem(visit)) {
    const t = crossTriangle(mesh, triangle);
    // of triangles hit at one place, on an edge or corner, the one with the lowest number
    if (t < nearest || (t === nearest && triangle < best)) {
      best = triangle;
      nearest = t;
      if (t < visit.limit) visit.limit = t;
    }
  }
  if (best < 0) return;
  const { normals } = mesh;
  hit.set(nearest, normals[3 * best], normals[3 * best + 1], normals[3 * best + 2], best);
}

/** Where the ray crosses a triangle, or Infinity. */
function crossTriangle({ vertices, triangles }: TriangleMesh, triangle: number): number {
  const a = 3 * triangles[3 * triangle];
  const b = 3 * triangles[3 * triangle + 1];
  const c = 3 * triangles[3 * triangle + 2];
  const az = vertices[a + axisZ] - origin[axisZ];
  const bz = vertices[b + axisZ] - origin[axisZ];
  const cz = vertices[c + axisZ] - origin[axisZ];
  const ax = vertices[a + axisX] - origin[axisX] - shear[0] * az;
  const ay = vertices[a + axisY] - origin[axisY] - shear[1] * az;
  const bx = vertices[b + axisX] - origin[axisX] - shear[0] * bz;
  const by = vertices[b + axisY] - origin[axisY] - shear[1] * bz;
  const cx = vertices[c + axisX] - origin[axisX] - shear[0] * cz;
  const cy = vertices[c + axisY] - origin[axisY] - shear[1] * cz;
  const u = cx * by - cy * bx;
  const v = ax * cy - ay * cx;
  const w = bx * ay - by * ax;
  if ((u < 0 || v < 0 || w < 0) && (u > 0 || v > 0 || w > 0)) return Infinity;
  const area = u + v + w;
  if (area === 0) return Infinity;
  const t = (shear[2] * (u * az + v * bz + w * cz)) / area;
  return t >= 0 ? t : Infinity;
}

/** Chooses the axes and the shear. False where there is no direction. */
function alignRay(): boolean {
  const x = Math.abs(direction[0]);
  const y = Math.abs(direction[1]);
  const z = Math.abs(direction[2]);
  axisZ = x > y ? (x > z ? 0 : 2) : y > z ? 1 : 2;
  axisX = (axisZ + 1) % 3;
  axisY = (axisZ + 2) % 3;
  const d = direction[axisZ];
  if (d === 0) return false;
  shear[0] = direction[axisX] / d;
  shear[1] = direction[axisY] / d;
  shear[2] = 1 / d;
  return true;
}
