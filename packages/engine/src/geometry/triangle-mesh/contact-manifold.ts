/**
 * The contact points of a convex part on one triangle, along a direction u that was chosen for it (contact-axis.ts).
 *
 * On the face (u = n): the corners of the part's side that stand over the triangle, each with its own height; where that side
 * lies flat, also where its outline crosses the outline of the surface, and the corners of the surface below it. Edges to
 * coplanar neighbours are no outline. On an edge or vertex: the edge clipped to the part's side where that lies flat on it,
 * else the nearest point.
 */
import type { ContactAxis } from './contact-axis.ts';
import type { MovingPart } from './moving-part.ts';
import { EDGE, FACE, VERTEX } from './nearest-point.ts';
import { edgeFrame, FLAT_EDGE, readEdge } from './normal-cone.ts';
import { ALIGNED, ALIGNED_SINE, readSupportPolygon, SupportPolygon } from './support-polygon.ts';
import type { SurfaceContacts } from './surface-contacts.ts';
import type { TriangleCore } from './triangle-core.ts';
import type { TriangleSet } from './triangle-mesh.ts';

/** Sub-features of a triangle: its regions, corners of the part, crossings, each below this. */
export const FEATURES_PER_TRIANGLE = 64;
const PART_CORNER = 8;
const CROSSING = 24;
const SURFACE_CORNER = 40;
const EDGE_END = 48;

/** Distance outside of an outline that still counts as on it, as a share of the extent. */
const ON_OUTLINE = 1e-9;

const polygon = /* @__PURE__ */ new SupportPolygon();
// per edge of the triangle: whether it is an outline, and its direction and outward direction
const isOutline = /* @__PURE__ */ new Uint8Array(3);
const edges = /* @__PURE__ */ new Float64Array(18);
const segment = /* @__PURE__ */ new Float64Array(6);

/** Adds the contact points with a gap of at most `reach`. */
export function addContactPoints(
  out: SurfaceContacts,
  set: TriangleSet,
  t: number,
  triangle: TriangleCore,
  part: MovingPart,
  axis: ContactAxis,
  reach: number,
): void {
  const { u } = axis;
  readSupportPolygon(polygon, part, -u[0], -u[1], -u[2]);
  if (axis.region === FACE) addOnFace(out, set, t, triangle, part, reach);
  else if (axis.region < VERTEX) addOnEdge(out, t, triangle, part, axis, axis.region - EDGE, reach);
  else addOnVertex(out, set, t, triangle, part, axis, reach);
}

function addOnFace(
  out: SurfaceContacts,
  set: TriangleSet,
  t: number,
  triangle: TriangleCore,
  part: MovingPart,
  reach: number,
): void {
  const { corners, normal } = triangle;
  const { points, count } = polygon;
  const tolerance = ON_OUTLINE * part.extent;
  const feature = FEATURES_PER_TRIANGLE * t;
  for (let k = 0; k < 3; k++) {
    isOutline[k] = readEdge(set, t, k) === FLAT_EDGE ? 0 : 1;
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
    const most = polygon.isAligned || isFlatSide(i, normal) ? reach : Math.min(reach, 0);
    for (let k = 0; k < 3; k++) {
      if (isOutline[k] === 1) addCrossing(out, triangle, part, k, i, most, feature + CROSSING + ((5 * k + i) & 15));
    }
  }
  if (count < 3 || !polygon.isAligned) return;
  // corners of the surface below the side
  const slope = polygon.normal[0] * normal[0] + polygon.normal[1] * normal[1] + polygon.normal[2] * normal[2];
  for (let k = 0; k < 3; k++) {
    if (isOutline[k] === 0 && isOutline[k === 0 ? 2 : k - 1] === 0) continue;
    const height = measureToSide(corners[3 * k], corners[3 * k + 1], corners[3 * k + 2]) / slope;
    const x = corners[3 * k] + height * normal[0];
    const y = corners[3 * k + 1] + height * normal[1];
    const z = corners[3 * k + 2] + height * normal[2];
    if (!isOnSide(x, y, z, tolerance)) continue;
    addAbove(out, triangle, part, x, y, z, reach, feature + SURFACE_CORNER + k);
  }
}

// whether side i of the polygon runs almost across a direction
function isFlatSide(i: number, u: Float64Array): boolean {
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

// distance of a point to the plane of the polygon, along the polygon's normal
function measureToSide(x: number, y: number, z: number): number {
  const { points, normal } = polygon;
  return normal[0] * (points[0] - x) + normal[1] * (points[1] - y) + normal[2] * (points[2] - z);
}

function isOnSide(x: number, y: number, z: number, tolerance: number): boolean {
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

function addOnEdge(
  out: SurfaceContacts,
  t: number,
  triangle: TriangleCore,
  part: MovingPart,
  axis: ContactAxis,
  k: number,
  reach: number,
): void {
  const { u } = axis;
  const feature = FEATURES_PER_TRIANGLE * t + axis.region;
  if (polygon.count > 2 && polygon.isAligned && clipEdge(out, t, triangle, axis, k, reach)) return;
  const { corners } = triangle;
  const a = 3 * k;
  const b = k === 2 ? 0 : a + 3;
  const ex = corners[b] - corners[a];
  const ey = corners[b + 1] - corners[a + 1];
  const ez = corners[b + 2] - corners[a + 2];
  const ee = ex * ex + ey * ey + ez * ez;
  let low = 0;
  let high = 0;
  if (readLowestSegment(axis, part.extent)) {
    const gx = segment[3] - segment[0];
    const gy = segment[4] - segment[1];
    const gz = segment[5] - segment[2];
    const gg = gx * gx + gy * gy + gz * gz;
    const eg = ex * gx + ey * gy + ez * gz;
    if (eg * eg >= ALIGNED * ALIGNED * ee * gg) {
      // side by side: the common length
      const from = projectOnEdge(corners, a, ex, ey, ez, ee, segment[0], segment[1], segment[2]);
      const to = projectOnEdge(corners, a, ex, ey, ez, ee, segment[3], segment[4], segment[5]);
      low = clampShare(Math.min(from, to));
      high = clampShare(Math.max(from, to));
      for (let end = 0; end < 2; end++) {
        const w = end === 0 ? low : high;
        const s = to === from ? 0 : (w - from) / (to - from);
        const px = corners[a] + w * ex;
        const py = corners[a + 1] + w * ey;
        const pz = corners[a + 2] + w * ez;
        const share = clampShare(s);
        const gap =
          u[0] * (segment[0] + share * gx - px) +
          u[1] * (segment[1] + share * gy - py) +
          u[2] * (segment[2] + share * gz - pz) -
          part.radius;
        if (gap <= reach)
          out.add(px, py, pz, u[0], u[1], u[2], gap, FEATURES_PER_TRIANGLE * t + EDGE_END + 2 * k + end);
      }
      return;
    }
    if (!axis.hasPoint) {
      // across: the edges seen along u cross where the component across u and the segment vanishes
      const qx = gy * u[2] - gz * u[1];
      const qy = gz * u[0] - gx * u[2];
      const qz = gx * u[1] - gy * u[0];
      const whole = qx * ex + qy * ey + qz * ez;
      const w =
        (qx * (segment[0] - corners[a]) + qy * (segment[1] - corners[a + 1]) + qz * (segment[2] - corners[a + 2])) /
        whole;
      low = clampShare(w);
      out.add(
        corners[a] + low * ex,
        corners[a + 1] + low * ey,
        corners[a + 2] + low * ez,
        u[0],
        u[1],
        u[2],
        axis.gap,
        feature,
      );
      return;
    }
  } else if (!axis.hasPoint) {
    low = clampShare(projectOnEdge(corners, a, ex, ey, ez, ee, segment[0], segment[1], segment[2]));
    axis.point[0] = corners[a] + low * ex;
    axis.point[1] = corners[a + 1] + low * ey;
    axis.point[2] = corners[a + 2] + low * ez;
  }
  out.add(axis.point[0], axis.point[1], axis.point[2], u[0], u[1], u[2], axis.gap, feature);
}

// the lowest corner of the side along u, and in `segment` a second one as low, if there is; returns whether there is
function readLowestSegment(axis: ContactAxis, extent: number): boolean {
  const { points, count } = polygon;
  const { u } = axis;
  let first = 0;
  let second = -1;
  let low = Infinity;
  let next = Infinity;
  for (let i = 0; i < count; i++) {
    const height = u[0] * points[3 * i] + u[1] * points[3 * i + 1] + u[2] * points[3 * i + 2];
    if (height < low) {
      next = low;
      second = first;
      low = height;
      first = i;
    } else if (height < next) {
      next = height;
      second = i;
    }
  }
  for (let r = 0; r < 3; r++) segment[r] = points[3 * first + r];
  if (count < 2 || second < 0) return false;
  const dx = points[3 * second] - points[3 * first];
  const dy = points[3 * second + 1] - points[3 * first + 1];
  const dz = points[3 * second + 2] - points[3 * first + 2];
  const length = Math.sqrt(dx * dx + dy * dy + dz * dz);
  if (!(length > 1e-9 * extent) || next - low > ALIGNED_SINE * length) return false;
  for (let r = 0; r < 3; r++) segment[3 + r] = points[3 * second + r];
  return true;
}

function projectOnEdge(
  corners: Float64Array,
  a: number,
  ex: number,
  ey: number,
  ez: number,
  ee: number,
  x: number,
  y: number,
  z: number,
): number {
  return ((x - corners[a]) * ex + (y - corners[a + 1]) * ey + (z - corners[a + 2]) * ez) / ee;
}

function clampShare(s: number): number {
  return s > 0 ? Math.min(s, 1) : 0;
}

// both ends of the piece of edge k that lies under the side, each with its own gap; false where nothing does
function clipEdge(
  out: SurfaceContacts,
  t: number,
  triangle: TriangleCore,
  axis: ContactAxis,
  k: number,
  reach: number,
): boolean {
  const { corners } = triangle;
  const { points, normal, count } = polygon;
  const { u } = axis;
  const a = 3 * k;
  const b = k === 2 ? 0 : a + 3;
  let low = 0;
  let high = 1;
  for (let i = 0; i < count; i++) {
    const p = 3 * i;
    const q = i + 1 === count ? 0 : p + 3;
    const sx = points[q] - points[p];
    const sy = points[q + 1] - points[p + 1];
    const sz = points[q + 2] - points[p + 2];
    // outward across side i, seen along u
    let ox = u[1] * sz - u[2] * sy;
    let oy = u[2] * sx - u[0] * sz;
    let oz = u[0] * sy - u[1] * sx;
    const mx = sy * normal[2] - sz * normal[1];
    const my = sz * normal[0] - sx * normal[2];
    const mz = sx * normal[1] - sy * normal[0];
    if (ox * mx + oy * my + oz * mz < 0) {
      ox = -ox;
      oy = -oy;
      oz = -oz;
    }
    const from =
      ox * (corners[a] - points[p]) + oy * (corners[a + 1] - points[p + 1]) + oz * (corners[a + 2] - points[p + 2]);
    const to =
      ox * (corners[b] - points[p]) + oy * (corners[b + 1] - points[p + 1]) + oz * (corners[b + 2] - points[p + 2]);
    if (from > 0 && to > 0) return false;
    if (from > 0 && from / (from - to) > low) low = from / (from - to);
    if (to > 0 && from / (from - to) < high) high = from / (from - to);
  }
  if (low > high) return false;
  const slope = u[0] * normal[0] + u[1] * normal[1] + u[2] * normal[2];
  let isAdded = false;
  for (let end = 0; end < 2; end++) {
    const w = end === 0 ? low : high;
    const px = corners[a] + w * (corners[b] - corners[a]);
    const py = corners[a + 1] + w * (corners[b + 1] - corners[a + 1]);
    const pz = corners[a + 2] + w * (corners[b + 2] - corners[a + 2]);
    const gap = measureToSide(px, py, pz) / slope;
    if (gap > reach) continue;
    isAdded = true;
    out.add(px, py, pz, u[0], u[1], u[2], gap, FEATURES_PER_TRIANGLE * t + EDGE_END + 2 * k + end);
  }
  return isAdded;
}

function addOnVertex(
  out: SurfaceContacts,
  set: TriangleSet,
  t: number,
  triangle: TriangleCore,
  part: MovingPart,
  axis: ContactAxis,
  reach: number,
): void {
  const { corners } = triangle;
  const { u } = axis;
  const k = axis.region - VERTEX;
  out.add(
    corners[3 * k],
    corners[3 * k + 1],
    corners[3 * k + 2],
    u[0],
    u[1],
    u[2],
    axis.gap,
    FEATURES_PER_TRIANGLE * t + axis.region,
  );
  if (polygon.count < 3 || !polygon.isAligned || part.radius > 0) return;
  // edges that leave the vertex almost across u lie under the side too
  for (let e = 0; e < 2; e++) {
    const edge = e === 0 ? k : k === 0 ? 2 : k - 1;
    if (readEdge(set, t, edge) === FLAT_EDGE) continue;
    const slope = edgeFrame[0] * u[0] + edgeFrame[1] * u[1] + edgeFrame[2] * u[2];
    if (Math.abs(slope) <= ALIGNED_SINE) clipEdge(out, t, triangle, axis, edge, reach);
  }
}
