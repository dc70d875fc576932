/**
 * Contacts of a sphere (centre c, radius r) with a surface.
 *
 * Outside, the contacts are the places where the distance to c has a local minimum over the surface: on a face where c is above
 * it, on an edge or vertex where the direction to c lies in the normal cone. So a sphere on flat ground has one contact with
 * the normal of the ground wherever it is, and in a corner one per wall. gap = |c − p| − r.
 *
 * With c behind the surface there is one contact, at the nearest point: gap = −|c − p| − r, normal towards that point.
 */
import type { IndexList } from '../bounding-tree/index-list.ts';
import { EDGE, findNearestOnTriangle } from './nearest-point.ts';
import { snapToCone } from './normal-cone.ts';
import { FEATURES_PER_TRIANGLE, type SurfaceContacts } from './surface-contacts.ts';
import { readSideNormal } from './surface-side.ts';
import type { TriangleSet } from './triangle-mesh.ts';

/** Angle within which a direction counts as in the cone, rad. */
const SAME_DIRECTION = 1e-6;
/** Rounding of a difference of two points, as a share of their coordinates. */
const ROUNDING = 4e-16;

/** What the nearest of the triangles says; triangle −1 when none is near enough. */
export const nearestTriangle: { triangle: number; region: number; squared: number; isBehind: boolean } = {
  triangle: -1,
  region: 0,
  squared: Infinity,
  isBehind: false,
};

const nearest = /* @__PURE__ */ new Float64Array(3);
/** The nearest point of a triangle, m, and its squared distance, m². */
const nearestPoint = /* @__PURE__ */ new Float64Array(4);
const sideNormal = /* @__PURE__ */ new Float64Array(3);
const snapped = /* @__PURE__ */ new Float64Array(3);
// radius, reach and rounding of the current sphere, m
const sphere = /* @__PURE__ */ new Float64Array(3);

/**
 * Adds the contacts of a sphere around a point with the triangles of a list, which holds all within radius + reach; see
 * `nearestTriangle` for what it found.
 *
 * @param isSolid whether everything behind the surface is solid; else only what the sphere still touches pushes it back
 */
export function touchSphere(
  out: SurfaceContacts,
  set: TriangleSet,
  list: IndexList,
  at: Float64Array,
  radius: number,
  reach: number,
  isSolid: boolean,
): void {
  const { vertices, triangles } = set;
  const x = at[0];
  const y = at[1];
  const z = at[2];
  const far = reach + radius;
  const limit = far * far;
  sphere[0] = radius;
  sphere[1] = reach;
  sphere[2] = ROUNDING * (Math.abs(x) + Math.abs(y) + Math.abs(z));
  const start = out.count;
  const found = nearestTriangle;
  found.triangle = -1;
  found.squared = Infinity;
  found.isBehind = false;
  for (let i = 0; i < list.count; i++) {
    const t = list.values[i];
    const region = findNearestOnTriangle(nearestPoint, vertices, triangles, t, at);
    if (!(nearestPoint[3] <= limit)) continue;
    if (nearestPoint[3] < found.squared) {
      found.triangle = t;
      found.region = region;
      found.squared = nearestPoint[3];
      nearest[0] = nearestPoint[0];
      nearest[1] = nearestPoint[1];
      nearest[2] = nearestPoint[2];
    }
    addInFront(out, set, t, region, at);
  }
  // a sphere that has passed an open surface is behind nothing
  if (found.triangle < 0 || (!isSolid && found.squared > radius * radius)) return;
  // the nearest point tells the side
  const t = found.triangle;
  const dx = x - nearest[0];
  const dy = y - nearest[1];
  const dz = z - nearest[2];
  if (!readSideNormal(sideNormal, set, t, found.region)) return;
  if (!(dx * sideNormal[0] + dy * sideNormal[1] + dz * sideNormal[2] < 0)) return;
  found.isBehind = true;
  out.count = start;
  addBehind(out, set, t, found.region, dx, dy, dz);
}

function addInFront(out: SurfaceContacts, set: TriangleSet, t: number, region: number, at: Float64Array): void {
  const radius = sphere[0];
  const reach = sphere[1];
  const scale = sphere[2];
  const px = nearestPoint[0];
  const py = nearestPoint[1];
  const pz = nearestPoint[2];
  const dx = at[0] - px;
  const dy = at[1] - py;
  const dz = at[2] - pz;
  const distance = Math.sqrt(nearestPoint[3]);
  const { normals } = set;
  const nx = normals[3 * t];
  const ny = normals[3 * t + 1];
  const nz = normals[3 * t + 2];
  const height = nx * dx + ny * dy + nz * dz;
  const isTouching = distance <= scale;
  if (region < EDGE) {
    if (height >= 0 && height - radius <= reach)
      out.add(px, py, pz, nx, ny, nz, height - radius, FEATURES_PER_TRIANGLE * t);
    return;
  }
  if (isTouching) {
    if (-radius <= reach) out.add(px, py, pz, nx, ny, nz, -radius, FEATURES_PER_TRIANGLE * t + region);
    return;
  }
  const ux = dx / distance;
  const uy = dy / distance;
  const uz = dz / distance;
  snapped[0] = ux;
  snapped[1] = uy;
  snapped[2] = uz;
  const cosine = snapToCone(snapped, set, t, region);
  const angle = SAME_DIRECTION + scale / distance;
  if (cosine < 1 - 0.5 * angle * angle) return;
  const gap = snapped[0] * dx + snapped[1] * dy + snapped[2] * dz - radius;
  if (gap <= reach) out.add(px, py, pz, snapped[0], snapped[1], snapped[2], gap, FEATURES_PER_TRIANGLE * t + region);
}

function addBehind(
  out: SurfaceContacts,
  set: TriangleSet,
  t: number,
  region: number,
  dx: number,
  dy: number,
  dz: number,
): void {
  const { normals } = set;
  const radius = sphere[0];
  const scale = sphere[2];
  const distance = Math.sqrt(dx * dx + dy * dy + dz * dz);
  let nx = normals[3 * t];
  let ny = normals[3 * t + 1];
  let nz = normals[3 * t + 2];
  let depth = -(nx * dx + ny * dy + nz * dz);
  // on an edge or vertex the direction of separation is the line to it
  if (region >= EDGE && depth < distance * (1 - 1e-12) && distance > scale) {
    nx = -dx / distance;
    ny = -dy / distance;
    nz = -dz / distance;
    depth = distance;
  }
  out.add(nearest[0], nearest[1], nearest[2], nx, ny, nz, -depth - radius, FEATURES_PER_TRIANGLE * t + region);
}
