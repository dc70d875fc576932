/**
 * Box and box. The separating axis with the largest separation σ (box-axes.ts) decides which features touch:
 *
 *   a face    every corner of the clipped patch (box-patch.ts) is a contact, up to eight, along the face normal
 *   two edges one contact at their closest points, along the cross product of the edges
 *   corners   boxes apart only: σ is less than the distance; the nearest pair of corner and box gives one contact
 *
 * A face is preferred to a pair of edges that is nearly parallel to it (within 8°) and no more than 5 % better: resting boxes
 * would otherwise flip between a patch and a point. These choices and the order of the points are those of MuJoCo 3.12 and
 * later, with two differences. The 5 % come with an absolute slack, so that a box with a gap of zero and a tilt of rounding size does not rest
 * on one point. Boxes apart get the true distance: MuJoCo keeps σ, or nothing where the patch is empty.
 *
 * Features: patch corners from 0, pairs of edges from 8192, corners from 16384.
 */
import type { ContactPoints } from '../contact-points.ts';
import type { PlacedShape } from '../placed-shape.ts';
import { BoxAxes } from './box-axes.ts';
import { BoxPatch } from './box-patch.ts';

/** Cosine of the angle within which a pair of edges may be replaced by the best face. */
const NEARLY_FACE = 0.99;
/** Share of the separation, and of the sum of all half edges, that a face may be worse. */
const FACE_SHARE = 0.05;
const FACE_SLACK = 1e-6;

/** Share of all half edges below which the direction between two points is rounding noise. */
const NO_DIRECTION = 1e-13;

const EDGE_FEATURES = 8192;
const CORNER_FEATURES = 16384;

const axes = /* @__PURE__ */ new BoxAxes();
const patch = /* @__PURE__ */ new BoxPatch();

/** Points on A and B and the normal, in the frame of A: the outcome of a search below. */
const onA = /* @__PURE__ */ new Float64Array(3);
const onB = /* @__PURE__ */ new Float64Array(3);
const normal = /* @__PURE__ */ new Float64Array(3);

export function testBoxBox(out: ContactPoints, a: PlacedShape, b: PlacedShape, reach: number): void {
  if (!axes.find(a, b, reach)) return;
  const sizeA = a.size;
  const sizeB = b.size;
  const slack = FACE_SLACK * (sizeA[0] + sizeA[1] + sizeA[2] + sizeB[0] + sizeB[1] + sizeB[2]);
  const separation = axes.edge < 0 ? axes.faceSeparation : axes.edgeSeparation;

  // a patch, unless edges or corners are clearly nearer
  if (
    axes.edge < 0 ||
    (axes.edgeSeparation < axes.faceSeparation + FACE_SHARE * Math.abs(axes.faceSeparation) + slack && isNearlyFace())
  ) {
    patch.clip(axes, sizeA, sizeB);
    const limit = separation > 0 ? (1 + FACE_SHARE) * separation + slack : Number.POSITIVE_INFINITY;
    if (patch.count > 0 && patch.lowest <= limit) {
      addPatch(out, a, b, reach);
      return;
    }
  }

  // two edges whose closest points lie within them
  if (axes.edge >= 0 && (findEdgePoints(sizeA, sizeB) || separation <= 0)) {
    normal[0] = axes.edgeAxis[0];
    normal[1] = axes.edgeAxis[1];
    normal[2] = axes.edgeAxis[2];
    addFromA(out, a, reach, EDGE_FEATURES + nameEdges());
    return;
  }

  // boxes apart, nearest at a corner; or rounding between boxes of very different size left an empty patch
  addNearestCorner(out, a, b, reach);
}

/** Whether the best pair of edges is nearly parallel to the best face. */
function isNearlyFace(): boolean {
  const e = axes.edgeAxis;
  const r = axes.rotation;
  const j = axes.face - 3;
  const cosine = j < 0 ? e[axes.face] : e[0] * r[j] + e[1] * r[j + 3] + e[2] * r[j + 6];
  return Math.abs(cosine) > NEARLY_FACE;
}

/** Appends the corners of the patch. */
function addPatch(out: ContactPoints, a: PlacedShape, b: PlacedShape, reach: number): void {
  const box = axes.face < 3 ? a : b;
  const m = box.rotation;
  const p = box.position;
  const { axis, axisX, axisY, side } = patch;
  const sign = axes.face < 3 ? side : -side;
  const nx = sign * m[axis];
  const ny = sign * m[axis + 3];
  const nz = sign * m[axis + 6];
  for (let k = patch.start; k < patch.start + patch.count; k++) {
    const gap = patch.z[k];
    if (gap > reach || patch.repeats(k)) continue;
    const x = patch.x[k];
    const y = patch.y[k];
    const z = side * (box.size[axis] + 0.5 * gap);
    out.add(
      p[0] + m[axisX] * x + m[axisY] * y + m[axis] * z,
      p[1] + m[axisX + 3] * x + m[axisY + 3] * y + m[axis + 3] * z,
      p[2] + m[axisX + 6] * x + m[axisY + 6] * y + m[axis + 6] * z,
      nx,
      ny,
      nz,
      gap,
      patch.feature(axes, k),
    );
  }
}

/** Closest points of the two edges, in onA and onB. True if they lie within both edges. */
function findEdgePoints(sizeA: Float64Array, sizeB: Float64Array): boolean {
  const r = axes.rotation;
  const e = axes.edgeAxis;
  const i = (axes.edge / 3) | 0;
  const j = axes.edge - 3 * i;

  // middles of the edges: the corners of A farthest along the axis, of B farthest against it
  for (let k = 0; k < 3; k++) {
    onA[k] = k === i ? 0 : e[k] >= 0 ? sizeA[k] : -sizeA[k];
    onB[k] = axes.centerB[k];
  }
  for (let k = 0; k < 3; k++) {
    if (k === j) continue;
    const along = e[0] * r[k] + e[1] * r[k + 3] + e[2] * r[k + 6];
    const half = along >= 0 ? -sizeB[k] : sizeB[k];
    onB[0] += half * r[k];
    onB[1] += half * r[k + 3];
    onB[2] += half * r[k + 6];
  }

  // closest points of onA + s u_i and onB + t v_j
  const cosine = r[3 * i + j];
  const dx = onB[0] - onA[0];
  const dy = onB[1] - onA[1];
  const dz = onB[2] - onA[2];
  const alongA = i === 0 ? dx : i === 1 ? dy : dz;
  const alongB = r[j] * dx + r[j + 3] * dy + r[j + 6] * dz;
  const free = (alongA - cosine * alongB) / (1 - cosine * cosine);
  let s = clamp(free, sizeA[i]);
  const t = clamp(cosine * s - alongB, sizeB[j]);
  const within = s === free && t === cosine * s - alongB;
  s = clamp(alongA + cosine * t, sizeA[i]);
  onA[i] += s;
  onB[0] += t * r[j];
  onB[1] += t * r[j + 3];
  onB[2] += t * r[j + 6];
  return within;
}

/** Names the pair of edges: 4 · axis and two bits for the sides, of A and of B. */
function nameEdges(): number {
  const r = axes.rotation;
  const e = axes.edgeAxis;
  const i = (axes.edge / 3) | 0;
  const j = axes.edge - 3 * i;
  let nameA = 4 * i;
  let nameB = 4 * j;
  let bitA = 1;
  let bitB = 1;
  for (let k = 0; k < 3; k++) {
    if (k !== i) {
      if (e[k] >= 0) nameA += bitA;
      bitA = 2;
    }
    if (k !== j) {
      if (e[0] * r[k] + e[1] * r[k + 3] + e[2] * r[k + 6] >= 0) nameB += bitB;
      bitB = 2;
    }
  }
  return 16 * nameA + nameB;
}

/** Appends the contact of the nearest pair of a corner and the other box, in its frame by clamping. */
function addNearestCorner(out: ContactPoints, a: PlacedShape, b: PlacedShape, reach: number): void {
  const r = axes.rotation;
  const ca = axes.centerA;
  const cb = axes.centerB;
  const sa = a.size;
  const sb = b.size;
  let best = Number.POSITIVE_INFINITY;
  let feature = 0;

  // corners of B in the frame of A
  for (let n = 0; n < 8; n++) {
    const x = n & 1 ? sb[0] : -sb[0];
    const y = n & 2 ? sb[1] : -sb[1];
    const z = n & 4 ? sb[2] : -sb[2];
    const px = cb[0] + r[0] * x + r[1] * y + r[2] * z;
    const py = cb[1] + r[3] * x + r[4] * y + r[5] * z;
    const pz = cb[2] + r[6] * x + r[7] * y + r[8] * z;
    const qx = clamp(px, sa[0]);
    const qy = clamp(py, sa[1]);
    const qz = clamp(pz, sa[2]);
    const distance2 = (px - qx) * (px - qx) + (py - qy) * (py - qy) + (pz - qz) * (pz - qz);
    if (distance2 >= best) continue;
    best = distance2;
    feature = n;
    onA[0] = qx;
    onA[1] = qy;
    onA[2] = qz;
    onB[0] = px;
    onB[1] = py;
    onB[2] = pz;
  }

  // corners of A in the frame of B
  for (let n = 0; n < 8; n++) {
    const x = n & 1 ? sa[0] : -sa[0];
    const y = n & 2 ? sa[1] : -sa[1];
    const z = n & 4 ? sa[2] : -sa[2];
    const px = ca[0] + r[0] * x + r[3] * y + r[6] * z;
    const py = ca[1] + r[1] * x + r[4] * y + r[7] * z;
    const pz = ca[2] + r[2] * x + r[5] * y + r[8] * z;
    const qx = clamp(px, sb[0]);
    const qy = clamp(py, sb[1]);
    const qz = clamp(pz, sb[2]);
    const distance2 = (px - qx) * (px - qx) + (py - qy) * (py - qy) + (pz - qz) * (pz - qz);
    if (distance2 >= best) continue;
    best = distance2;
    feature = 8 + n;
    onA[0] = x;
    onA[1] = y;
    onA[2] = z;
    onB[0] = cb[0] + r[0] * qx + r[1] * qy + r[2] * qz;
    onB[1] = cb[1] + r[3] * qx + r[4] * qy + r[5] * qz;
    onB[2] = cb[2] + r[6] * qx + r[7] * qy + r[8] * qz;
  }

  const gap = Math.sqrt(best);
  if (gap > NO_DIRECTION * (sa[0] + sa[1] + sa[2] + sb[0] + sb[1] + sb[2])) {
    const scale = 1 / gap;
    normal[0] = scale * (onB[0] - onA[0]);
    normal[1] = scale * (onB[1] - onA[1]);
    normal[2] = scale * (onB[2] - onA[2]);
  } else {
    // touching corners: along the best face
    const i = axes.face;
    const j = i - 3;
    const sign = (i < 3 ? cb[i] : -ca[j]) < 0 ? -1 : 1;
    normal[0] = sign * (i < 3 ? (i === 0 ? 1 : 0) : r[j]);
    normal[1] = sign * (i < 3 ? (i === 1 ? 1 : 0) : r[j + 3]);
    normal[2] = sign * (i < 3 ? (i === 2 ? 1 : 0) : r[j + 6]);
  }
  addFromA(out, a, reach, CORNER_FEATURES + feature);
}

/** Appends the contact half way between onA and onB, with the gap along the normal, if that is within reach. */
function addFromA(out: ContactPoints, a: PlacedShape, reach: number, feature: number): void {
  const nx = normal[0];
  const ny = normal[1];
  const nz = normal[2];
  const gap = (onB[0] - onA[0]) * nx + (onB[1] - onA[1]) * ny + (onB[2] - onA[2]) * nz;
  if (gap > reach) return;
  const m = a.rotation;
  const p = a.position;
  const x = 0.5 * (onA[0] + onB[0]);
  const y = 0.5 * (onA[1] + onB[1]);
  const z = 0.5 * (onA[2] + onB[2]);
  out.add(
    p[0] + m[0] * x + m[1] * y + m[2] * z,
    p[1] + m[3] * x + m[4] * y + m[5] * z,
    p[2] + m[6] * x + m[7] * y + m[8] * z,
    m[0] * nx + m[1] * ny + m[2] * nz,
    m[3] * nx + m[4] * ny + m[5] * nz,
    m[6] * nx + m[7] * ny + m[8] * nz,
    gap,
    feature,
  );
}

function clamp(value: number, limit: number): number {
  return Math.min(Math.max(value, -limit), limit);
}
