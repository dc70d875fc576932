/**
 * Capsule and box by the rule of MuJoCo: one or two balls on the axis of the capsule, each in contact with the box (sphere-box.ts).
 * Axis x(t) = p + t a, |t| ≤ 1, a half of it; box |x_k| ≤ h_k; lengths in m, in the frame of the box.
 *
 * The first ball is the place on the axis that is nearest to the box, looked for at two kinds of places: ends of the axis of which at most
 * one coordinate is outside, and points nearest to an edge. An axis that passes through the box has none in between: the depth is that of
 * such a ball alone, which is less than the true one (pair/capsule-box.ts has that).
 *
 * The second ball is farther along the axis, by what the first is near to:
 *   face    to where the axis ends or leaves the slabs of the two other coordinates; inside the box there is none
 *   edge    towards the face over which the axis is flatter, to where it ends or has crossed that face or passed the end of the edge
 *   corner  along the edge that the axis follows within 45°, else over the face; none where the axis points at the corner
 */
import type { ContactPoints } from '../contact-points.ts';
import { addBallBox } from '../pair/sphere-box.ts';
import type { PlacedShape } from '../placed-shape.ts';

const LEAST = 1e-15;
/** There is no second ball. */
const NONE = -4;

const p = /* @__PURE__ */ new Float64Array(3);
const a = /* @__PURE__ */ new Float64Array(3);
const point = /* @__PURE__ */ new Float64Array(3);
/** Centre and radius, m. */
const ball = /* @__PURE__ */ new Float64Array(4);

/** What the axis is nearest to. */
const NEAR = { inside: 0, face: 1, edge: 2, corner: 3 } as const;
const nearest = {
  kind: 0 as number,
  /** Place on the axis, and along the edge, −1 to 1. */
  t: 0,
  s: 0,
  /** Squared distance, m². */
  square: 0,
  /** Coordinate across the face, or along the edge. */
  axis: 0,
  /** Bit k is set where corner or edge are at +h_k. */
  corner: 0,
};

export function testMujocoCapsuleBox(out: ContactPoints, one: PlacedShape, box: PlacedShape, reach: number): void {
  placeAxis(one, box);
  const { size } = box;
  const length = one.size[1];
  nearest.square = reach + 2 * (one.size[0] + length + size[0] + size[1] + size[2]);
  nearest.kind = -1;
  findEnd(size, -1);
  findEnd(size, 1);
  for (let k = 0; k < 3; k++)
    for (let corner = 0; corner < 8; corner++) if ((corner & (1 << k)) === 0) findEdge(size, length, k, corner);
  if (nearest.kind < 0) return;
  const first = nearest.t;
  const way = findSecond(size, length);
  const isAlone = way === NONE;
  const isUpper = isAlone ? first > 0 : way < 0;
  ball[3] = one.size[0];
  for (let n = 0; n < (isAlone ? 1 : 2); n++) {
    const place = length * (n === 0 ? first : first + way);
    for (let k = 0; k < 3; k++) ball[k] = one.position[k] + place * one.rotation[3 * k + 2];
    addBallBox(out, ball, box, reach, isUpper === (n === 0) ? 27 : 0);
  }
}

function placeAxis(one: PlacedShape, { position, rotation: r }: PlacedShape): void {
  const x = one.position[0] - position[0];
  const y = one.position[1] - position[1];
  const z = one.position[2] - position[2];
  const m = one.rotation;
  for (let k = 0; k < 3; k++) {
    p[k] = r[k] * x + r[k + 3] * y + r[k + 6] * z;
    a[k] = one.size[1] * (r[k] * m[2] + r[k + 3] * m[5] + r[k + 6] * m[8]);
  }
}

/** An end of the axis that is over a face, or inside. */
function findEnd(h: Float64Array, end: number): void {
  let outside = 0;
  let axis = -1;
  let square = 0;
  for (let k = 0; k < 3; k++) {
    const x = p[k] + end * a[k];
    const off = x < -h[k] ? x + h[k] : x > h[k] ? x - h[k] : 0;
    if (off === 0) continue;
    outside++;
    axis = k;
    square += off * off;
  }
  if (outside > 1 || !(square < nearest.square)) return;
  nearest.kind = axis < 0 ? NEAR.inside : NEAR.face;
  nearest.square = square;
  nearest.t = end;
  nearest.axis = axis;
}

/** The points of the axis and of the edge along coordinate k through a corner that are nearest to each other; none where they are parallel. */
function findEdge(h: Float64Array, length: number, k: number, corner: number): void {
  let v = 0;
  for (let i = 0; i < 3; i++) {
    point[i] = (i === k ? 0 : corner & (1 << i) ? h[i] : -h[i]) - p[i];
    v += a[i] * point[i];
  }
  const u = -h[k] * point[k];
  const [ma, mb, mc] = [h[k] * h[k], -h[k] * a[k], length * length];
  const det = ma * mc - mb * mb;
  if (Math.abs(det) < LEAST) return;
  let s = (mc * u - mb * v) / det;
  let t = (ma * v - mb * u) / det;
  if (Math.abs(s) > 1) {
    s = Math.sign(s);
    t = (v - s * mb) / mc;
  }
  if (Math.abs(t) > 1) {
    t = Math.sign(t);
    s = Math.min(1, Math.max(-1, (u - t * mb) / ma));
  }
  let square = 0;
  for (let i = 0; i < 3; i++) {
    const off = point[i] - t * a[i] + (i === k ? h[k] * s : 0);
    square += off * off;
  }
  if (!(square < nearest.square - LEAST)) return;
  nearest.kind = Math.abs(s) === 1 ? NEAR.corner : NEAR.edge;
  nearest.square = square;
  nearest.t = t;
  nearest.s = s;
  nearest.axis = k;
  nearest.corner = s === 1 ? corner | (1 << k) : corner;
}

/** How far from the first ball the second one is, in half lengths. An axis that ends at the first one repeats it, as in MuJoCo. */
function findSecond(h: Float64Array, length: number): number {
  if (nearest.kind === NEAR.face) return leaveFace(h);
  if (nearest.kind === NEAR.edge) return leaveEdge(h);
  return nearest.kind === NEAR.corner ? leaveCorner(h, length) : NONE;
}

/** Bits of coordinates in which the axis points from the far side of the box to the side of the corner, or away from it. */
function compareDirections(): number {
  return ((a[0] > 0 ? 1 : 0) | (a[1] > 0 ? 2 : 0) | (a[2] > 0 ? 4 : 0)) ^ nearest.corner;
}

function leaveFace(h: Float64Array): number {
  const way = -nearest.t;
  let far = 2;
  for (let k = 0; k < 3; k++) {
    if (k === nearest.axis) continue;
    const x = p[k] - way * a[k];
    for (let side = -1; side <= 1; side += 2) {
      const reached = ((side * h[k] - x) / a[k]) * way;
      if (reached > 0 && reached < far) far = reached;
    }
  }
  return far * way;
}

function leaveEdge(h: Float64Array): number {
  const k = nearest.axis;
  const across = compareDirections() & (7 - (1 << k));
  // the axis stands on the edge like a T
  if (across !== 1 && across !== 2 && across !== 4) return NONE;
  const i = (k + 1) % 3;
  const j = (k + 2) % 3;
  // the coordinate along the flatter face
  const along = Math.abs(a[i]) > Math.abs(a[j]) ? i : j;
  const isUp = (across & (1 << along)) !== 0;
  const way = isUp ? 1 : -1;
  const rest = isUp === a[k] > 0 ? 1 - nearest.s : 1 + nearest.s;
  const far = Math.min(
    1 - way * nearest.t,
    (2 * h[along]) / Math.abs(a[along]),
    a[k] === 0 ? Number.POSITIVE_INFINITY : (h[k] * rest) / Math.abs(a[k]),
  );
  return far * way;
}

function leaveCorner(h: Float64Array, length: number): number {
  let differing = compareDirections();
  if (differing === 0 || differing === 7) return NONE;
  const isOne = differing === 1 || differing === 2 || differing === 4;
  const way = isOne ? 1 : -1;
  if (!isOne) differing = 7 - differing;
  const k = differing >> 1;
  const [i, j] = [(k + 1) % 3, (k + 2) % 3];
  if (a[k] * a[k] > 0.5 * length * length) return way * Math.min(1 - way * nearest.t, (2 * h[k]) / Math.abs(a[k]));
  return -way * Math.min(1 + way * nearest.t, (2 * h[i]) / Math.abs(a[i]), (2 * h[j]) / Math.abs(a[j]));
}
