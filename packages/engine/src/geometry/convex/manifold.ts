/**
 * Contact points over the area where two features face each other (see contact-feature.ts).
 *
 * Both are drawn in the plane across the normal n, with coordinates (u, v) and heights along n. The part of B's feature over A's
 * is cut out by A's edges (Sutherland, Hodgman 1974). A corner of it at (u, v) has the points z_A(u, v) on A and z_B(u, v) on B
 * one above the other, so both are on the surfaces and gap = z_B − z_A − radii. Corners with a gap within reach are contact
 * points; of more than four, the deepest and those that span the largest area with it stay. The closest points found by the
 * search join them where no corner is as deep (caps are drawn as polygons, and a dome has no face below its tip).
 */
import type { ContactPoints } from '../contact-points.ts';
import type { PlacedShape } from '../placed-shape.ts';
import { ContactFeature, findFeature } from './contact-feature.ts';
import type { MinkowskiDifference } from './minkowski.ts';
import { GAP, NORMAL, POINT_A, POINT_B, type Separation } from './separation.ts';

/** Gaps that differ by less than this share of the size of the features are equal. */
const EQUAL = 1e-6;
/** Least distance of corners by which gaps are compared, as a share of an edge of both: one corner alone has no size. */
const LEAST_SIZE = 1e-3;
/** A corner beyond an edge by less than this share of the edge is on it: aligned boxes keep their corners from step to step. */
const ON_EDGE = 1e-7;
/** Sine of the angle between edges that are parallel. */
const PARALLEL = 5e-3;

const featureA = /* @__PURE__ */ new ContactFeature();
const featureB = /* @__PURE__ */ new ContactFeature();
const origin = /* @__PURE__ */ new Float64Array(3);
// the normal, and u and v as vectors
const n = /* @__PURE__ */ new Float64Array(3);
const frame = /* @__PURE__ */ new Float64Array(6);
const shift = /* @__PURE__ */ new Float64Array(1);
// z = plane[0] + plane[1] u + plane[2] v
const planeA = /* @__PURE__ */ new Float64Array(3);
const planeB = /* @__PURE__ */ new Float64Array(3);

/** Corners in the plane: u, v, and a number for the corner and for the edge that leaves it. */
class Outline {
  count = 0;
  uv: Float64Array = new Float64Array(2 * 64);
  corner: Int32Array = new Int32Array(64);
  edge: Int32Array = new Int32Array(64);

  reserve(count: number): void {
    if (count <= this.corner.length) return;
    this.uv = new Float64Array(4 * count);
    this.corner = new Int32Array(2 * count);
    this.edge = new Int32Array(2 * count);
  }

  add(u: number, v: number, corner: number, edge: number): void {
    const i = this.count++;
    this.uv[2 * i] = u;
    this.uv[2 * i + 1] = v;
    this.corner[i] = corner;
    this.edge[i] = edge;
  }
}

const outlineA = /* @__PURE__ */ new Outline();
const outlineB = /* @__PURE__ */ new Outline();
const spare = /* @__PURE__ */ new Outline();
// contact points before reduction: u, v, height half way, gap; the first place is for the closest points
let found = /* @__PURE__ */ new Float64Array(4 * 64);
let foundFeature = /* @__PURE__ */ new Int32Array(64);

/** Appends the contact points of a pair whose separation is known. */
export function addManifold(out: ContactPoints, s: Separation, m: MinkowskiDifference, reach: number): void {
  const values = s.values;
  const a = m.shapeA as PlacedShape;
  for (let k = 0; k < 3; k++) n[k] = values[NORMAL + k];
  const radii = m.radii[0] + m.radii[1];
  const gap = values[GAP] - radii;
  findFeature(featureA, a, n, 1, origin);
  if (featureA.count > 1) findFeature(featureB, m.shapeB as PlacedShape, n, -1, m.offset);
  setFrame();

  // corners of the common area
  const count = featureA.count > 1 && featureB.count > 1 ? intersect(radii, reach) : 0;
  shift[0] = 0.5 * (m.radii[0] - m.radii[1]);
  let deepest = 0;
  let size = count > 0 ? LEAST_SIZE * (measureEdge(featureA) + measureEdge(featureB)) : 0;
  for (let i = 1; i <= count; i++) {
    if (deepest === 0 || found[4 * i + 3] < found[4 * deepest + 3]) deepest = i;
    size = Math.max(size, Math.abs(found[4 * i] - found[4]), Math.abs(found[4 * i + 1] - found[5]));
  }
  const tolerance = EQUAL * size;
  if (deepest === 0 || found[4 * deepest + 3] > gap + tolerance) {
    // the closest points themselves
    const x = 0.5 * (values[POINT_A] + values[POINT_B]);
    const y = 0.5 * (values[POINT_A + 1] + values[POINT_B + 1]);
    const z = 0.5 * (values[POINT_A + 2] + values[POINT_B + 2]);
    found[0] = frame[0] * x + frame[1] * y + frame[2] * z;
    found[1] = frame[3] * x + frame[4] * y + frame[5] * z;
    found[2] = n[0] * x + n[1] * y + n[2] * z;
    found[3] = gap;
    foundFeature[0] = 0;
    deepest = 0;
  } else {
    // the first of those that are as deep, so that it stays the same while the body rests
    const limit = found[4 * deepest + 3] + tolerance;
    deepest = 1;
    while (found[4 * deepest + 3] > limit) deepest++;
  }

  if (count + (deepest === 0 ? 1 : 0) <= 4) {
    for (let i = deepest === 0 ? 0 : 1; i <= count; i++) addPoint(out, a, i);
    return;
  }
  // the diagonal from the deepest point with the largest triangles on both sides
  let area = -1;
  let across = deepest;
  let left = deepest;
  let right = deepest;
  for (let k = 1; k <= count; k++) {
    if (k === deepest) continue;
    const du = found[4 * k] - found[4 * deepest];
    const dv = found[4 * k + 1] - found[4 * deepest + 1];
    // distances that differ by rounding alone are equal: the first corner stays
    const margin = tolerance * (Math.abs(du) + Math.abs(dv));
    let most = 0;
    let least = 0;
    let mostAt = deepest;
    let leastAt = deepest;
    for (let i = 1; i <= count; i++) {
      const side = du * (found[4 * i + 1] - found[4 * deepest + 1]) - dv * (found[4 * i] - found[4 * deepest]);
      if (side > most + margin) {
        most = side;
        mostAt = i;
      } else if (side < least - margin) {
        least = side;
        leastAt = i;
      }
    }
    // areas that differ by rounding alone are equal: the first diagonal stays
    if (most - least <= area * (1 + EQUAL)) continue;
    area = most - least;
    across = k;
    left = mostAt;
    right = leastAt;
  }
  addPoint(out, a, deepest);
  if (right !== deepest) addPoint(out, a, right);
  if (across !== deepest) addPoint(out, a, across);
  if (left !== deepest) addPoint(out, a, left);
}

// length of the first edge, m
function measureEdge({ points }: ContactFeature): number {
  const x = points[3] - points[0];
  const y = points[4] - points[1];
  const z = points[5] - points[2];
  return Math.sqrt(x * x + y * y + z * z);
}

function addPoint(out: ContactPoints, a: PlacedShape, i: number): void {
  const u = found[4 * i];
  const v = found[4 * i + 1];
  const z = found[4 * i + 2] + shift[0];
  out.add(
    a.position[0] + frame[0] * u + frame[3] * v + n[0] * z,
    a.position[1] + frame[1] * u + frame[4] * v + n[1] * z,
    a.position[2] + frame[2] * u + frame[5] * v + n[2] * z,
    n[0],
    n[1],
    n[2],
    found[4 * i + 3],
    foundFeature[i],
  );
}

// two unit vectors across n, right-handed with it
function setFrame(): void {
  const x = n[0];
  const y = n[1];
  const z = n[2];
  const isX = x * x <= 0.34;
  let ux = isX ? 0 : -z;
  let uy = isX ? z : 0;
  let uz = isX ? -y : x;
  const length = Math.sqrt(ux * ux + uy * uy + uz * uz);
  ux /= length;
  uy /= length;
  uz /= length;
  frame[0] = ux;
  frame[1] = uy;
  frame[2] = uz;
  frame[3] = y * uz - z * uy;
  frame[4] = z * ux - x * uz;
  frame[5] = x * uy - y * ux;
}

// corners of the common part of both features at places 1, 2, ... of `found`; returns how many
function intersect(radii: number, reach: number): number {
  const isFaceA = featureA.count > 2;
  const isFaceB = featureB.count > 2;
  const most = featureA.count + featureB.count + 2;
  outlineA.reserve(most);
  outlineB.reserve(most);
  spare.reserve(most);
  if (most + 1 > foundFeature.length) {
    found = new Float64Array(8 * (most + 1));
    foundFeature = new Int32Array(2 * (most + 1));
  }
  draw(outlineA, featureA, false);
  draw(outlineB, featureB, isFaceB);
  if (isFaceA) setPlane(planeA, featureA);
  if (isFaceB) setPlane(planeB, featureB);

  let cut = outlineB;
  let other = spare;
  if (!isFaceA && !isFaceB) {
    if (!overlapEdges()) return 0;
  } else if (isFaceA) {
    for (let i = 0; i < outlineA.count && cut.count > 0; i++) {
      clip(other, cut, outlineA, i, isFaceB);
      const swap = cut;
      cut = other;
      other = swap;
    }
  } else {
    // a face below an edge: the edge of A is cut by B
    cut = outlineA;
    for (let i = 0; i < outlineB.count && cut.count > 0; i++) {
      clip(other, cut, outlineB, i, false);
      const swap = cut;
      cut = other;
      other = swap;
    }
  }

  const ids = Math.imul(featureA.id + 1, 0x9e3779b1) ^ Math.imul(featureB.id + 1, 0x85ebca6b);
  let count = 0;
  for (let i = 0; i < cut.count; i++) {
    const u = cut.uv[2 * i];
    const v = cut.uv[2 * i + 1];
    const za = isFaceA ? planeA[0] + planeA[1] * u + planeA[2] * v : getHeight(featureA, u, v);
    const zb = isFaceB ? planeB[0] + planeB[1] * u + planeB[2] * v : getHeight(featureB, u, v);
    const gap = zb - za - radii;
    if (!(gap <= reach)) continue;
    count++;
    found[4 * count] = u;
    found[4 * count + 1] = v;
    found[4 * count + 2] = 0.5 * (za + zb);
    found[4 * count + 3] = gap;
    foundFeature[count] = Math.imul(ids ^ cut.corner[i], 0xc2b2ae35) | 1;
  }
  return count;
}

// projects a feature; faces that look against n are drawn backwards, so that all turn the same way
function draw(out: Outline, feature: ContactFeature, isReversed: boolean): void {
  out.count = 0;
  const { points, count } = feature;
  for (let i = 0; i < count; i++) {
    const k = isReversed ? count - 1 - i : i;
    const x = points[3 * k];
    const y = points[3 * k + 1];
    const z = points[3 * k + 2];
    const edge = 1 + (isReversed ? (k === 0 ? count - 1 : k - 1) : k);
    out.add(frame[0] * x + frame[1] * y + frame[2] * z, frame[3] * x + frame[4] * y + frame[5] * z, 1 + k, edge);
  }
}

// height of a face over (u, v)
function setPlane(out: Float64Array, feature: ContactFeature): void {
  const { normal, points } = feature;
  const along = normal[0] * n[0] + normal[1] * n[1] + normal[2] * n[2];
  const slopeU = -(normal[0] * frame[0] + normal[1] * frame[1] + normal[2] * frame[2]) / along;
  const slopeV = -(normal[0] * frame[3] + normal[1] * frame[4] + normal[2] * frame[5]) / along;
  const u = frame[0] * points[0] + frame[1] * points[1] + frame[2] * points[2];
  const v = frame[3] * points[0] + frame[4] * points[1] + frame[5] * points[2];
  out[0] = n[0] * points[0] + n[1] * points[1] + n[2] * points[2] - slopeU * u - slopeV * v;
  out[1] = slopeU;
  out[2] = slopeV;
}

// height of an edge at the place nearest to (u, v)
function getHeight(feature: ContactFeature, u: number, v: number): number {
  const { points } = feature;
  const u0 = frame[0] * points[0] + frame[1] * points[1] + frame[2] * points[2];
  const v0 = frame[3] * points[0] + frame[4] * points[1] + frame[5] * points[2];
  const z0 = n[0] * points[0] + n[1] * points[1] + n[2] * points[2];
  const du = frame[0] * points[3] + frame[1] * points[4] + frame[2] * points[5] - u0;
  const dv = frame[3] * points[3] + frame[4] * points[4] + frame[5] * points[5] - v0;
  const dz = n[0] * points[3] + n[1] * points[4] + n[2] * points[5] - z0;
  const squared = du * du + dv * dv;
  if (!(squared > 0)) return z0;
  return z0 + (dz * ((u - u0) * du + (v - v0) * dv)) / squared;
}

// keeps the part of an outline to the left of edge i of another
function clip(out: Outline, from: Outline, by: Outline, i: number, isClosed: boolean): void {
  out.count = 0;
  const next = i + 1 === by.count ? 0 : i + 1;
  const bu = by.uv[2 * i];
  const bv = by.uv[2 * i + 1];
  const eu = by.uv[2 * next] - bu;
  const ev = by.uv[2 * next + 1] - bv;
  const edge = 4096 + by.edge[i];
  const beyond = -ON_EDGE * (eu * eu + ev * ev);
  const { uv, count } = from;
  for (let k = 0; k < count; k++) {
    const u = uv[2 * k];
    const v = uv[2 * k + 1];
    const side = eu * (v - bv) - ev * (u - bu);
    if (side >= beyond) out.add(u, v, from.corner[k], from.edge[k]);
    if (!isClosed && k + 1 === count) break;
    const l = k + 1 === count ? 0 : k + 1;
    const sideNext = eu * (uv[2 * l + 1] - bv) - ev * (uv[2 * l] - bu);
    // where the edge crosses: it runs on along the cutting edge when it leaves, along itself when it enters
    if ((side > 0 && sideNext < beyond) || (side < beyond && sideNext > 0)) {
      const t = side / (side - sideNext);
      out.add(
        u + t * (uv[2 * l] - u),
        v + t * (uv[2 * l + 1] - v),
        Math.imul(from.edge[k], 8192) + edge,
        side > 0 ? edge : from.edge[k],
      );
    }
  }
}

// two edges that are nearly parallel: the stretch that both have, on B's edge; false when they cross
function overlapEdges(): boolean {
  const a = outlineA.uv;
  const b = outlineB.uv;
  const au = a[2] - a[0];
  const av = a[3] - a[1];
  const bu = b[2] - b[0];
  const bv = b[3] - b[1];
  const aa = au * au + av * av;
  const bb = bu * bu + bv * bv;
  const cross = au * bv - av * bu;
  if (!(aa > 0 && bb > 0) || cross * cross > PARALLEL * PARALLEL * aa * bb) return false;
  // A's ends along B's edge, which runs from 0 to 1
  const s0 = ((a[0] - b[0]) * bu + (a[1] - b[1]) * bv) / bb;
  const s1 = ((a[2] - b[0]) * bu + (a[3] - b[1]) * bv) / bb;
  const low = Math.max(0, Math.min(s0, s1));
  const high = Math.min(1, Math.max(s0, s1));
  if (!(low < high)) return false;
  const u = b[0];
  const v = b[1];
  b[0] = u + low * bu;
  b[1] = v + low * bv;
  b[2] = u + high * bu;
  b[3] = v + high * bv;
  if (low > 0) outlineB.corner[0] = 4096 + (s0 < s1 ? 0 : 1);
  if (high < 1) outlineB.corner[1] = 4096 + (s0 < s1 ? 1 : 0);
  return true;
}
