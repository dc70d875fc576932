/**
 * Capsule and box, up to two points.
 *
 * Axis outside the box: the ball at the point of the axis closest to the box, and a second ball where the axis ends or leaves
 * the box again: along the face or edge over which it rises most slowly. Both are contacts of a ball with a box.
 * Axis through the box: the penetration depth is the largest separation σ (segment-box.ts), the gap σ − r. Out of a face, both ends of
 * the stretch over that face; over an edge, the point where axis and edge cross.
 *
 * MuJoCo gives the same first point for an axis outside, and mostly the same second one: it measures the distance from the closest
 * point and not from the face, at times repeats the first point, and takes no second one beside parallel edges. For an axis
 * through the box it gives the depth of a single ball.
 *
 * Features: the part of the box touched (sphere-box.ts), + 27 for the point towards +z; out of a face 54, 55; over an edge 56.
 */
import type { ContactPoints } from '../contact-points.ts';
import type { PlacedShape } from '../placed-shape.ts';
import { SegmentBox } from './segment-box.ts';
import { addBallBox } from './sphere-box.ts';

/** A second point must be this far from the first, relative to the half length. */
const DISTINCT = 1e-9;

const segment = /* @__PURE__ */ new SegmentBox();
/** Ends of a stretch of the axis, m. */
const stretch = /* @__PURE__ */ new Float64Array(2);
/** Place along the axis and gap of a contact, m. */
const along = /* @__PURE__ */ new Float64Array(2);
/** Centre and radius, m. */
const ball = /* @__PURE__ */ new Float64Array(4);

export function testCapsuleBox(out: ContactPoints, a: PlacedShape, b: PlacedShape, reach: number): void {
  placeSegment(a, b);
  const radius = a.size[0];
  segment.findAxis(b.size);
  if (segment.separation - radius > reach) return;
  if (segment.separation > 0) addOutside(out, a, b, reach);
  else if (segment.axis < 3) addThroughFace(out, a, b, reach);
  else addOverEdge(out, a, b, reach);
}

/** The axis of the capsule in the frame of the box. */
function placeSegment(a: PlacedShape, b: PlacedShape): void {
  const r = b.rotation;
  const m = a.rotation;
  const x = a.position[0] - b.position[0];
  const y = a.position[1] - b.position[1];
  const z = a.position[2] - b.position[2];
  for (let k = 0; k < 3; k++) {
    segment.p[k] = r[k] * x + r[k + 3] * y + r[k + 6] * z;
    segment.d[k] = r[k] * m[2] + r[k + 3] * m[5] + r[k + 6] * m[8];
  }
  segment.half = a.size[1];
}

/** Contacts of the closest ball and of a second one. */
function addOutside(out: ContactPoints, a: PlacedShape, b: PlacedShape, reach: number): void {
  segment.findNearest(b.size);
  findSecond(b.size);
  const first = segment.nearest;
  const second = segment.second;
  const two = Math.abs(second - first) > DISTINCT * segment.half;
  const upper = two ? first > second : first > 0;
  ball[3] = a.size[0];
  for (let n = 0; n < (two ? 2 : 1); n++) {
    const t = n === 0 ? first : second;
    ball[0] = a.position[0] + t * a.rotation[2];
    ball[1] = a.position[1] + t * a.rotation[5];
    ball[2] = a.position[2] + t * a.rotation[8];
    addBallBox(out, ball, b, reach, upper === (n === 0) ? 27 : 0);
  }
}

/** Finds the far end of the stretch along which the axis rises slowest from the box; the first point if there is none. */
function findSecond(size: Float64Array): void {
  const { p, d } = segment;
  const first = segment.nearest;
  const outX = Math.abs(p[0] + first * d[0]) > size[0];
  const outY = Math.abs(p[1] + first * d[1]) > size[1];
  const outZ = Math.abs(p[2] + first * d[2]) > size[2];
  let slowest = Number.POSITIVE_INFINITY;
  segment.second = first;
  for (let k = 0; k < 3; k++) {
    const isOut = k === 0 ? outX : k === 1 ? outY : outZ;
    const othersOut = (k === 0 || outX) && (k === 1 || outY) && (k === 2 || outZ);
    // over a face: within the slabs of the two other axes
    const i = k === 2 ? 0 : k + 1;
    const j = 3 - k - i;
    if (isOut && d[k] * d[k] < slowest) {
      resetStretch();
      if (clipStretch(i, size) && clipStretch(j, size)) {
        slowest = d[k] * d[k];
        takeFarEnd();
      }
    }
    // along an edge: within the slab of its axis
    if (othersOut && 1 - d[k] * d[k] < slowest) {
      resetStretch();
      if (clipStretch(k, size)) {
        slowest = 1 - d[k] * d[k];
        takeFarEnd();
      }
    }
  }
}

function resetStretch(): void {
  stretch[0] = -segment.half;
  stretch[1] = segment.half;
}

/** Cuts the stretch to |p_k + t d_k| ≤ size_k. False if nothing of a length is left. */
function clipStretch(k: number, size: Float64Array): boolean {
  const p = segment.p[k];
  const d = segment.d[k];
  const limit = size[k];
  if (d > 0) {
    stretch[0] = Math.max(stretch[0], (-limit - p) / d);
    stretch[1] = Math.min(stretch[1], (limit - p) / d);
  } else if (d < 0) {
    stretch[0] = Math.max(stretch[0], (limit - p) / d);
    stretch[1] = Math.min(stretch[1], (-limit - p) / d);
  } else if (Math.abs(p) > limit) {
    return false;
  }
  return stretch[1] - stretch[0] > DISTINCT * segment.half;
}

function takeFarEnd(): void {
  const t = segment.nearest;
  segment.second = Math.abs(stretch[1] - t) > Math.abs(stretch[0] - t) ? stretch[1] : stretch[0];
}

/** Contacts out of a face that the axis passes through. */
function addThroughFace(out: ContactPoints, a: PlacedShape, b: PlacedShape, reach: number): void {
  const k = segment.axis;
  const i = k === 2 ? 0 : k + 1;
  const j = 3 - k - i;
  resetStretch();
  let count = 2;
  if (!(clipStretch(i, b.size) && clipStretch(j, b.size))) {
    // a capsule without length, or one that only grazes the box: its deeper end
    count = 1;
    stretch[0] = segment.d[k] * segment.normal[k] > 0 ? -segment.half : segment.half;
  }
  const offset = b.size[k] + a.size[0];
  for (let n = 0; n < count; n++) {
    along[0] = stretch[n];
    along[1] = segment.normal[k] * (segment.p[k] + stretch[n] * segment.d[k]) - offset;
    addAlong(out, a, b, reach, 54 + n);
  }
}

/** Contact over the edge that the axis passes behind. */
function addOverEdge(out: ContactPoints, a: PlacedShape, b: PlacedShape, reach: number): void {
  const { p, d, normal, half } = segment;
  const k = segment.axis - 3;
  const i = k === 2 ? 0 : k + 1;
  const j = 3 - k - i;
  const wi = p[i] - (normal[i] >= 0 ? b.size[i] : -b.size[i]);
  const wj = p[j] - (normal[j] >= 0 ? b.size[j] : -b.size[j]);
  const t = -(d[i] * wi + d[j] * wj) / (d[i] * d[i] + d[j] * d[j]);
  along[0] = Math.min(Math.max(t, -half), half);
  along[1] = segment.separation - a.size[0];
  addAlong(out, a, b, reach, 56);
}

/** Appends a contact of the ball at t = along[0] with the gap along[1] against the best axis. */
function addAlong(out: ContactPoints, a: PlacedShape, b: PlacedShape, reach: number, feature: number): void {
  const gap = along[1];
  if (gap > reach) return;
  const r = b.rotation;
  const n = segment.normal;
  const nx = -(r[0] * n[0] + r[1] * n[1] + r[2] * n[2]);
  const ny = -(r[3] * n[0] + r[4] * n[1] + r[5] * n[2]);
  const nz = -(r[6] * n[0] + r[7] * n[1] + r[8] * n[2]);
  const m = a.rotation;
  const t = along[0];
  const depth = a.size[0] + 0.5 * gap;
  out.add(
    a.position[0] + t * m[2] + depth * nx,
    a.position[1] + t * m[5] + depth * ny,
    a.position[2] + t * m[8] + depth * nz,
    nx,
    ny,
    nz,
    gap,
    feature,
  );
}
