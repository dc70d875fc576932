/**
 * The direction u in which a convex part and a triangle of a surface push each other apart.
 *
 *   s(u) = min over the part of u·x − max over the triangle of u·p
 *
 * The signed distance of the two is the largest s(u) over all u. Here u must also lie in the normal cone of the surface where
 * the triangle supports it (normal-cone.ts), so that neighbours are not felt as edges. Apart, the nearest points give u; if it
 * is not in the cone, a neighbour is nearer and only the face itself can still carry points. Overlapping, the candidates are
 * the face, the faces of the part, and on each convex edge the arc of normals: its ends and the places where u is across an
 * edge of the part (between them s has no maximum below zero). Curved parts and hulls take the direction of the expanding
 * polytope, and samples of the arcs, instead.
 */
import { measurePenetration } from '../convex/epa.ts';
import { APART, measureDistance, SEPARATED, simplex } from '../convex/gjk.ts';
import { MinkowskiDifference } from '../convex/minkowski.ts';
import { GAP, NORMAL, POINT_B, Separation } from '../convex/separation.ts';
import { weights } from '../convex/simplex.ts';
import { SHAPE } from '../shape-kind.ts';
import { findLowest, type MovingPart } from './moving-part.ts';
import { EDGE, FACE, VERTEX } from './nearest-point.ts';
import { BORDER_EDGE, CONVEX_EDGE, edgeFrame, readEdge, snapped, snapToCone } from './normal-cone.ts';
import { ALIGNED } from './support-polygon.ts';
import type { TriangleCore } from './triangle-core.ts';
import type { TriangleSet } from './triangle-mesh.ts';

/** Cosine of an angle of 1e-6 rad: within it a direction counts as in the cone. */
const SAME_DIRECTION = 1 - 0.5e-12;
/** (√5 − 1) / 2 */
const GOLDEN = 0.6180339887498949;
/** Heights within this share of the extent are equal. */
const SAME_HEIGHT = 1e-7;

export class ContactAxis {
  /** Unit direction from the surface to the part. */
  readonly u: Float64Array = new Float64Array(3);
  /** Part of the triangle that supports it: see nearest-point.ts. */
  region: number = FACE;
  /** s(u), the radius of the part taken off, m. */
  gap = 0;
  /** Whether `point` is known. */
  hasPoint = false;
  /** The nearest point of the triangle, m. */
  readonly point: Float64Array = new Float64Array(3);
}

const difference = /* @__PURE__ */ new MinkowskiDifference();
const separation = /* @__PURE__ */ new Separation();
const sup = /* @__PURE__ */ new Float64Array(3);

/** Chooses the direction for a triangle. Returns false where it has no contact within reach. */
export function chooseContactAxis(
  out: ContactAxis,
  set: TriangleSet,
  t: number,
  triangle: TriangleCore,
  part: MovingPart,
  reach: number,
): boolean {
  const nx = triangle.normal[0];
  const ny = triangle.normal[1];
  const nz = triangle.normal[2];
  const { corners } = triangle;
  const floor = nx * corners[0] + ny * corners[1] + nz * corners[2];
  const height = findLowest(part, nx, ny, nz) - floor;
  if (height - part.radius > reach) return false;
  // what is wholly behind the face is not pushed by it, unless it is inside
  if (part.owner === undefined && !part.isInside && -findLowest(part, -nx, -ny, -nz) - floor + part.radius < 0)
    return false;

  if (part.kind === SHAPE.box && isBeyondBox(part, corners, reach)) return false;

  difference.set(part, triangle);
  const status = measureDistance(separation, difference, reach + part.radius);
  if (status === APART) return false;
  out.hasPoint = false;
  if (status === SEPARATED) return chooseApart(out, set, t, triangle, part, height);
  return chooseOverlapping(out, set, t, triangle, part, height, reach);
}

// whether a triangle is farther than `reach` from a box along one of its axes
function isBeyondBox(part: MovingPart, corners: Float64Array, reach: number): boolean {
  const { rotation, position, size } = part;
  for (let i = 0; i < 3; i++) {
    const x = rotation[i];
    const y = rotation[3 + i];
    const z = rotation[6 + i];
    const c = x * position[0] + y * position[1] + z * position[2];
    const far = size[i] + reach;
    const h0 = x * corners[0] + y * corners[1] + z * corners[2] - c;
    const h1 = x * corners[3] + y * corners[4] + z * corners[5] - c;
    const h2 = x * corners[6] + y * corners[7] + z * corners[8] - c;
    if ((h0 > far && h1 > far && h2 > far) || (h0 < -far && h1 < -far && h2 < -far)) return true;
  }
  return false;
}

function chooseApart(
  out: ContactAxis,
  set: TriangleSet,
  t: number,
  triangle: TriangleCore,
  part: MovingPart,
  height: number,
): boolean {
  const { values } = separation;
  const distance = values[GAP];
  const { normal } = triangle;
  if (distance > height + 1e-9 * part.extent) {
    const region = readRegion();
    const cosine = snapToCone(set, t, region, -values[NORMAL], -values[NORMAL + 1], -values[NORMAL + 2]);
    if (cosine >= SAME_DIRECTION) {
      const ux = snapped[0];
      const uy = snapped[1];
      const uz = snapped[2];
      if (!isAllowedByOwner(part, ux, uy, uz, SAME_DIRECTION)) return false;
      setAxis(out, ux, uy, uz, region, distance - part.radius);
      out.hasPoint = true;
      for (let k = 0; k < 3; k++) out.point[k] = part.position[k] + values[POINT_B + k];
      return true;
    }
  }
  setAxis(out, normal[0], normal[1], normal[2], FACE, height - part.radius);
  return isAllowedByOwner(part, normal[0], normal[1], normal[2], ALIGNED);
}

// the part of the triangle that carries the nearest point
function readRegion(): number {
  let a = 0;
  let b = 0;
  let c = 0;
  for (let i = 0; i < simplex.count; i++) {
    const vertex = difference.vertexB[i];
    if (vertex === 0) a += weights[i];
    else if (vertex === 1) b += weights[i];
    else c += weights[i];
  }
  const hasA = a > 1e-12;
  const hasB = b > 1e-12;
  const hasC = c > 1e-12;
  if (hasA && hasB) return hasC ? FACE : EDGE;
  if (hasB && hasC) return EDGE + 1;
  if (hasA && hasC) return EDGE + 2;
  return hasA ? VERTEX : hasB ? VERTEX + 1 : VERTEX + 2;
}

function chooseOverlapping(
  out: ContactAxis,
  set: TriangleSet,
  t: number,
  triangle: TriangleCore,
  part: MovingPart,
  height: number,
  reach: number,
): boolean {
  const { normal } = triangle;
  out.gap = -Infinity;
  // the face; a sheet that lies behind it must still face it
  if (isAllowedByOwner(part, normal[0], normal[1], normal[2], ALIGNED)) {
    setAxis(out, normal[0], normal[1], normal[2], FACE, height - part.radius);
  }
  // between flat and concave neighbours there is no other direction
  if (!hasSharpEdge(set, t) && part.owner === undefined) return out.gap <= reach;
  const isCurved = part.kind === SHAPE.cylinder || part.kind === SHAPE.ellipsoid;
  const isHull = part.kind === SHAPE.convexMesh && part.owner === undefined;
  let most = Infinity;
  if (part.kind === SHAPE.box) {
    for (let i = 0; i < 3; i++) {
      const { rotation } = part;
      tryAxis(out, set, t, triangle, part, rotation[i], rotation[3 + i], rotation[6 + i], -1);
      tryAxis(out, set, t, triangle, part, -rotation[i], -rotation[3 + i], -rotation[6 + i], -1);
    }
  } else if (part.owner !== undefined) {
    readOwnerNormal(part);
    tryAxis(out, set, t, triangle, part, -sup[0], -sup[1], -sup[2], -1);
  } else if (isCurved || isHull) {
    measurePenetration(separation, difference);
    const { values } = separation;
    most = values[GAP] - part.radius;
    tryAxis(out, set, t, triangle, part, -values[NORMAL], -values[NORMAL + 1], -values[NORMAL + 2], -1);
  }
  for (let k = 0; k < 3; k++) {
    // nothing leaves a larger gap than the expanding polytope
    if (out.gap >= most - 1e-9 * part.extent) break;
    const kind = readEdge(set, t, k);
    if (kind !== CONVEX_EDGE && kind !== BORDER_EDGE) continue;
    const ex = edgeFrame[0];
    const ey = edgeFrame[1];
    const ez = edgeFrame[2];
    if (isCurved || isHull) tryArc(out, set, t, triangle, part, k);
    else tryCrossings(out, set, t, triangle, part, k, ex, ey, ez);
    readEdge(set, t, k);
    tryAxis(out, set, t, triangle, part, edgeFrame[6], edgeFrame[7], edgeFrame[8], EDGE + k);
  }
  return out.gap > -Infinity && out.gap <= reach;
}

function hasSharpEdge(set: TriangleSet, t: number): boolean {
  for (let k = 0; k < 3; k++) {
    const kind = readEdge(set, t, k);
    if (kind === CONVEX_EDGE || kind === BORDER_EDGE) return true;
  }
  return false;
}

// directions across edge k and the edges of a part with few of them
function tryCrossings(
  out: ContactAxis,
  set: TriangleSet,
  t: number,
  triangle: TriangleCore,
  part: MovingPart,
  k: number,
  ex: number,
  ey: number,
  ez: number,
): void {
  const count = part.kind === SHAPE.capsule ? 1 : part.kind === SHAPE.sphere ? 0 : 3;
  for (let i = 0; i < count; i++) {
    readEdgeDirection(part, i);
    let x = ey * sup[2] - ez * sup[1];
    let y = ez * sup[0] - ex * sup[2];
    let z = ex * sup[1] - ey * sup[0];
    const length = Math.sqrt(x * x + y * y + z * z);
    if (!(length > 1e-6)) continue;
    x /= length;
    y /= length;
    z /= length;
    tryAxis(out, set, t, triangle, part, x, y, z, EDGE + k);
    tryAxis(out, set, t, triangle, part, -x, -y, -z, EDGE + k);
  }
}

// the best of seven directions on the arc of edge k, and then between its neighbours by golden sections
function tryArc(
  out: ContactAxis,
  set: TriangleSet,
  t: number,
  triangle: TriangleCore,
  part: MovingPart,
  k: number,
): void {
  const { normal } = triangle;
  const mx = edgeFrame[6];
  const my = edgeFrame[7];
  const mz = edgeFrame[8];
  let best = -Infinity;
  let at = 0.5;
  for (let i = 1; i < 8; i++) {
    const s = measureOnArc(triangle, part, k, normal, mx, my, mz, i / 8);
    if (s <= best) continue;
    best = s;
    at = i / 8;
  }
  let low = at - 0.125;
  let high = at + 0.125;
  let left = high - GOLDEN * (high - low);
  let right = low + GOLDEN * (high - low);
  let atLeft = measureOnArc(triangle, part, k, normal, mx, my, mz, left);
  let atRight = measureOnArc(triangle, part, k, normal, mx, my, mz, right);
  for (let i = 0; i < 40; i++) {
    if (atLeft >= atRight) {
      high = right;
      right = left;
      atRight = atLeft;
      left = high - GOLDEN * (high - low);
      atLeft = measureOnArc(triangle, part, k, normal, mx, my, mz, left);
    } else {
      low = left;
      left = right;
      atLeft = atRight;
      right = low + GOLDEN * (high - low);
      atRight = measureOnArc(triangle, part, k, normal, mx, my, mz, right);
    }
  }
  measureOnArc(triangle, part, k, normal, mx, my, mz, 0.5 * (low + high));
  tryAxis(out, set, t, triangle, part, sup[0], sup[1], sup[2], EDGE + k);
}

// s(u) at u = (1 − w) n + w m scaled to length one, left in `sup`
function measureOnArc(
  triangle: TriangleCore,
  part: MovingPart,
  k: number,
  normal: Float64Array,
  mx: number,
  my: number,
  mz: number,
  w: number,
): number {
  const { corners } = triangle;
  let x = (1 - w) * normal[0] + w * mx;
  let y = (1 - w) * normal[1] + w * my;
  let z = (1 - w) * normal[2] + w * mz;
  const length = Math.sqrt(x * x + y * y + z * z);
  if (!(length > 1e-9)) return -Infinity;
  x /= length;
  y /= length;
  z /= length;
  const gap = findLowest(part, x, y, z) - (x * corners[3 * k] + y * corners[3 * k + 1] + z * corners[3 * k + 2]);
  sup[0] = x;
  sup[1] = y;
  sup[2] = z;
  return gap;
}

// takes u if it is in the cone of what supports it and leaves a larger gap than the best so far
function tryAxis(
  out: ContactAxis,
  set: TriangleSet,
  t: number,
  triangle: TriangleCore,
  part: MovingPart,
  ux: number,
  uy: number,
  uz: number,
  region: number,
): void {
  const { corners } = triangle;
  const a = ux * corners[0] + uy * corners[1] + uz * corners[2];
  const b = ux * corners[3] + uy * corners[4] + uz * corners[5];
  const c = ux * corners[6] + uy * corners[7] + uz * corners[8];
  const top = a > b ? Math.max(a, c) : Math.max(b, c);
  const gap = findLowest(part, ux, uy, uz) - top - part.radius;
  if (!(gap > out.gap + 1e-12 * part.extent)) return;
  const support = region < 0 ? findTopRegion(a, b, c, top, SAME_HEIGHT * part.extent) : region;
  if (snapToCone(set, t, support, ux, uy, uz) < SAME_DIRECTION) return;
  ux = snapped[0];
  uy = snapped[1];
  uz = snapped[2];
  if (!isAllowedByOwner(part, ux, uy, uz, SAME_DIRECTION)) return;
  setAxis(out, ux, uy, uz, support, gap);
}

function findTopRegion(a: number, b: number, c: number, top: number, tolerance: number): number {
  const isA = top - a <= tolerance;
  const isB = top - b <= tolerance;
  const isC = top - c <= tolerance;
  if (isA && isB) return isC ? FACE : EDGE;
  if (isB && isC) return EDGE + 1;
  if (isA && isC) return EDGE + 2;
  return isA ? VERTEX : isB ? VERTEX + 1 : VERTEX + 2;
}

// whether the surface that a part belongs to can push along −u where it supports −u
function isAllowedByOwner(part: MovingPart, ux: number, uy: number, uz: number, least: number): boolean {
  if (part.owner === undefined || part.hull === undefined) return true;
  const { rotation } = part;
  const { vertices } = part.hull;
  const x = -(rotation[0] * ux + rotation[3] * uy + rotation[6] * uz);
  const y = -(rotation[1] * ux + rotation[4] * uy + rotation[7] * uz);
  const z = -(rotation[2] * ux + rotation[5] * uy + rotation[8] * uz);
  const a = x * vertices[0] + y * vertices[1] + z * vertices[2];
  const b = x * vertices[3] + y * vertices[4] + z * vertices[5];
  const c = x * vertices[6] + y * vertices[7] + z * vertices[8];
  const top = a > b ? Math.max(a, c) : Math.max(b, c);
  const region = findTopRegion(a, b, c, top, SAME_HEIGHT * part.extent);
  return snapToCone(part.owner, part.ownerTriangle, region, x, y, z) >= least;
}

// normal of the triangle that the part is, seen from the surface
function readOwnerNormal(part: MovingPart): void {
  const { rotation, ownerTriangle } = part;
  const { normals } = part.owner as TriangleSet;
  const x = normals[3 * ownerTriangle];
  const y = normals[3 * ownerTriangle + 1];
  const z = normals[3 * ownerTriangle + 2];
  for (let r = 0; r < 3; r++) sup[r] = rotation[3 * r] * x + rotation[3 * r + 1] * y + rotation[3 * r + 2] * z;
}

// direction of edge i of a box (its axis i), a capsule (its axis) or a triangle, of any length
function readEdgeDirection(part: MovingPart, i: number): void {
  const { rotation, owner, hull } = part;
  if (owner === undefined || hull === undefined) {
    const column = part.kind === SHAPE.capsule ? 2 : i;
    for (let r = 0; r < 3; r++) sup[r] = rotation[3 * r + column];
    return;
  }
  const { vertices } = hull;
  const a = 3 * i;
  const b = i === 2 ? 0 : a + 3;
  let x = vertices[b] - vertices[a];
  let y = vertices[b + 1] - vertices[a + 1];
  let z = vertices[b + 2] - vertices[a + 2];
  const length = Math.sqrt(x * x + y * y + z * z);
  x /= length;
  y /= length;
  z /= length;
  for (let r = 0; r < 3; r++) sup[r] = rotation[3 * r] * x + rotation[3 * r + 1] * y + rotation[3 * r + 2] * z;
}

function setAxis(out: ContactAxis, ux: number, uy: number, uz: number, region: number, gap: number): void {
  out.u[0] = ux;
  out.u[1] = uy;
  out.u[2] = uz;
  out.region = region;
  out.gap = gap;
}
