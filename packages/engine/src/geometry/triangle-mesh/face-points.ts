/**
 * Contact points of a convex part on the face of a triangle: the corners of the part's side that stand over it, each with its
 * own height; where that side lies flat or goes below the face, also where its outline crosses the outline of the surface, and
 * where it lies flat the corners of the surface below it. Edges to coplanar neighbours are no outline.
 */
import type { MovingPart } from './moving-part.ts';
import { FLAT_EDGE, readEdge } from './normal-cone.ts';
import { ALIGNED_SINE, measureToPolygon, type SupportPolygon } from './support-polygon.ts';
import { FEATURES_PER_TRIANGLE, type SurfaceContacts } from './surface-contacts.ts';
import type { TriangleCore } from './triangle-core.ts';
import type { TriangleSet } from './triangle-mesh.ts';

// sub-features of a triangle, after its own regions
const PART_CORNER = 8;
const CROSSING = 24;
const SURFACE_CORNER = 40;

/** Distance outside of an outline that still counts as on it, as a share of the extent. */
const ON_OUTLINE = 1e-9;

// per edge of the triangle: whether it is an outline, and its direction and outward direction
const isOutline = /* @__PURE__ */ new Uint8Array(3);
const edges = /* @__PURE__ */ new Float64Array(18);
const edgeFrame = /* @__PURE__ */ new Float64Array(9);

/** Adds the points of a part over the face of triangle t. */
export function addOnFace(
  out: SurfaceContacts,
  set: TriangleSet,
  t: number,
  triangle: TriangleCore,
  part: MovingPart,
  polygon: SupportPolygon,
  reach: number,
): void {
  const { corners, normal } = triangle;
  const { points, count } = polygon;
  const tolerance = ON_OUTLINE * part.extent;
  const feature = FEATURES_PER_TRIANGLE * t;
  for (let k = 0; k < 3; k++) {
    isOutline[k] = readEdge(edgeFrame, set, t, k) === FLAT_EDGE ? 0 : 1;
    for (let r = 0; r < 6; r++) edges[6 * k + r] = edgeFrame[r];
  }
  // corners of the side over the triangle
  for (let i = 0; i < count; i++) {
    const x = points[3 * i];
    const y = points[3 * i + 1];
    const z = points[3 * i + 2];
    if (measureOutside(corners, x, y, z) > tolerance) continue;
    addAbove(out, triangle, part, x, y, z, reach, feature + PART_CORNER + (i & 15));
  }
  // crossings of the two outlines: where those of the part lie flat, and where they go below the face
  const sides = count > 2 ? count : count - 1;
  for (let i = 0; i < sides; i++) {
    const most = polygon.isAligned || isFlatSide(polygon, i, normal) ? reach : Math.min(reach, 0);
    for (let k = 0; k < 3; k++) {
      if (isOutline[k] === 1)
        addCrossing(out, triangle, part, polygon, k, i, most, feature + CROSSING + ((5 * k + i) & 15));
    }
  }
  if (count < 3 || !polygon.isAligned) return;
  // corners of the surface below the side
  const slope = polygon.normal[0] * normal[0] + polygon.normal[1] * normal[1] + polygon.normal[2] * normal[2];
  for (let k = 0; k < 3; k++) {
    if (isOutline[k] === 0 && isOutline[k === 0 ? 2 : k - 1] === 0) continue;
    const height = measureToPolygon(polygon, corners[3 * k], corners[3 * k + 1], corners[3 * k + 2]) / slope;
    const x = corners[3 * k] + height * normal[0];
    const y = corners[3 * k + 1] + height * normal[1];
    const z = corners[3 * k + 2] + height * normal[2];
    if (!isOnSide(polygon, x, y, z, tolerance)) continue;
    addAbove(out, triangle, part, x, y, z, reach, feature + SURFACE_CORNER + k);
  }
}

// whether side i of the polygon runs almost across a direction
function isFlatSide(polygon: SupportPolygon, i: number, u: Float64Array): boolean {
  const { points, count } = polygon;
  const a = 3 * i;
  const b = i + 1 === count ? 0 : a + 3;
  const x = points[b] - points[a];
  const y = points[b + 1] - points[a + 1];
  const z = points[b + 2] - points[a + 2];
  const along = u[0] * x + u[1] * y + u[2] * z;
  return along * along <= ALIGNED_SINE * ALIGNED_SINE * (x * x + y * y + z * z);
}

// a point of the core over the face
function addAbove(
  out: SurfaceContacts,
  triangle: TriangleCore,
  part: MovingPart,
  x: number,
  y: number,
  z: number,
  reach: number,
  feature: number,
): void {
  const { corners, normal } = triangle;
  const height = normal[0] * (x - corners[0]) + normal[1] * (y - corners[1]) + normal[2] * (z - corners[2]);
  const gap = height - part.radius;
  if (gap > reach) return;
  out.add(
    x - height * normal[0],
    y - height * normal[1],
    z - height * normal[2],
    normal[0],
    normal[1],
    normal[2],
    gap,
    feature,
  );
}

// how far a point lies outside of the triangle, seen along the normal
function measureOutside(corners: Float64Array, x: number, y: number, z: number): number {
  let outside = -Infinity;
  for (let k = 0; k < 3; k++) {
    const distance =
      edges[6 * k + 3] * (x - corners[3 * k]) +
      edges[6 * k + 4] * (y - corners[3 * k + 1]) +
      edges[6 * k + 5] * (z - corners[3 * k + 2]);
    if (distance > outside) outside = distance;
  }
  return outside;
}

// where side i of the polygon passes over edge k of the triangle
function addCrossing(
  out: SurfaceContacts,
  triangle: TriangleCore,
  part: MovingPart,
  polygon: SupportPolygon,
  k: number,
  i: number,
  reach: number,
  feature: number,
): void {
  const { corners } = triangle;
  const { points, count } = polygon;
  const a = 3 * i;
  const b = i + 1 === count ? 0 : a + 3;
  const cx = corners[3 * k];
  const cy = corners[3 * k + 1];
  const cz = corners[3 * k + 2];
  const ox = edges[6 * k + 3];
  const oy = edges[6 * k + 4];
  const oz = edges[6 * k + 5];
  const from = ox * (points[a] - cx) + oy * (points[a + 1] - cy) + oz * (points[a + 2] - cz);
  const to = ox * (points[b] - cx) + oy * (points[b + 1] - cy) + oz * (points[b + 2] - cz);
  if (from > 0 === to > 0) return;
  const s = from / (from - to);
  const x = points[a] + s * (points[b] - points[a]);
  const y = points[a + 1] + s * (points[b + 1] - points[a + 1]);
  const z = points[a + 2] + s * (points[b + 2] - points[a + 2]);
  if (measureOutside(corners, x, y, z) > ON_OUTLINE * part.extent) return;
  addAbove(out, triangle, part, x, y, z, reach, feature);
}

function isOnSide(polygon: SupportPolygon, x: number, y: number, z: number, tolerance: number): boolean {
  const { points, normal, count } = polygon;
  for (let i = 0; i < count; i++) {
    const a = 3 * i;
    const b = i + 1 === count ? 0 : a + 3;
    const ex = points[b] - points[a];
    const ey = points[b + 1] - points[a + 1];
    const ez = points[b + 2] - points[a + 2];
    const outside =
      (x - points[a]) * (ey * normal[2] - ez * normal[1]) +
      (y - points[a + 1]) * (ez * normal[0] - ex * normal[2]) +
      (z - points[a + 2]) * (ex * normal[1] - ey * normal[0]);
    if (outside > tolerance * Math.sqrt(ex * ex + ey * ey + ez * ez)) return false;
  }
  return true;
}
