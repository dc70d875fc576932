/**
 * Contact points of a convex part on an edge or vertex of a surface: the edge clipped to the part's side where that lies flat on
 * it, the common length of two edges side by side, else the nearest point.
 */
import type { ContactAxis } from './allowed-direction.ts';
import type { MovingPart } from './moving-part.ts';
import { EDGE, VERTEX } from './nearest-point.ts';
import { FLAT_EDGE, readEdge } from './normal-cone.ts';
import { ALIGNED, ALIGNED_SINE, measureToPolygon, type SupportPolygon } from './support-polygon.ts';
import { FEATURES_PER_TRIANGLE, type SurfaceContacts } from './surface-contacts.ts';
import type { TriangleCore } from './triangle-core.ts';
import type { TriangleSet } from './triangle-mesh.ts';

// sub-features of a triangle, after those of face-points.ts
const EDGE_END = 48;

const segment = /* @__PURE__ */ new Float64Array(6);
const edgeFrame = /* @__PURE__ */ new Float64Array(9);

/** Adds the points of a part on edge k of triangle t. */
export function addOnEdge(
  out: SurfaceContacts,
  t: number,
  triangle: TriangleCore,
  part: MovingPart,
  polygon: SupportPolygon,
  axis: ContactAxis,
  reach: number,
): void {
  const k = axis.region - EDGE;
  const { u } = axis;
  const feature = FEATURES_PER_TRIANGLE * t + axis.region;
  if (polygon.count > 2 && polygon.isAligned && clipEdge(out, t, triangle, polygon, axis, k, reach)) return;
  const { corners } = triangle;
  const a = 3 * k;
  const b = k === 2 ? 0 : a + 3;
  const ex = corners[b] - corners[a];
  const ey = corners[b + 1] - corners[a + 1];
  const ez = corners[b + 2] - corners[a + 2];
  const ee = ex * ex + ey * ey + ez * ez;
  let low = 0;
  let high = 0;
  if (readLowestSegment(polygon, axis, part.extent)) {
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
function readLowestSegment(polygon: SupportPolygon, axis: ContactAxis, extent: number): boolean {
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
  polygon: SupportPolygon,
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
    const gap = measureToPolygon(polygon, px, py, pz) / slope;
    if (gap > reach) continue;
    isAdded = true;
    out.add(px, py, pz, u[0], u[1], u[2], gap, FEATURES_PER_TRIANGLE * t + EDGE_END + 2 * k + end);
  }
  return isAdded;
}

/** Adds the points of a part on the vertex of triangle t that the axis names. */
export function addOnVertex(
  out: SurfaceContacts,
  set: TriangleSet,
  t: number,
  triangle: TriangleCore,
  part: MovingPart,
  polygon: SupportPolygon,
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
    if (readEdge(edgeFrame, set, t, edge) === FLAT_EDGE) continue;
    const slope = edgeFrame[0] * u[0] + edgeFrame[1] * u[1] + edgeFrame[2] * u[2];
    if (Math.abs(slope) <= ALIGNED_SINE) clipEdge(out, t, triangle, polygon, axis, edge, reach);
  }
}
