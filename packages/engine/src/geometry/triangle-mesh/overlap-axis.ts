/**
 * The direction of least penetration of an overlapping convex part and triangle, among those that the surface
 * allows: the largest s(u) of contact-axis.ts over a list of candidates.
 */
import { CORE } from '../convex/core-kind.ts';
import { measurePenetration } from '../convex/epa.ts';
import type { MinkowskiDifference } from '../convex/minkowski.ts';
import { GAP, NORMAL, type Separation } from '../convex/separation.ts';
import { isCurvedCore } from '../convex/support.ts';
import { type ContactAxis, findTopRegion, isAllowedByOwner, SAME_DIRECTION, setAxis } from './allowed-direction.ts';
import { findLowest, type MovingPart } from './moving-part.ts';
import { EDGE, FACE, VERTEX } from './nearest-point.ts';
import { BORDER_EDGE, CONVEX_EDGE, readEdge, snapToCone } from './normal-cone.ts';
import { ALIGNED } from './support-polygon.ts';
import type { TriangleCore } from './triangle-core.ts';
import type { TriangleSet } from './triangle-mesh.ts';

/** Halvings of an arc of 0.5 at most: down to rounding. */
const ARC_HALVINGS = 50;

// candidate at hand, edge of the triangle, end of its arc, edge of the part
const direction = /* @__PURE__ */ new Float64Array(3);
const edge = /* @__PURE__ */ new Float64Array(3);
const edgeFrame = /* @__PURE__ */ new Float64Array(9);
const snapped = /* @__PURE__ */ new Float64Array(3);
const arcEnd = /* @__PURE__ */ new Float64Array(3);
const sup = /* @__PURE__ */ new Float64Array(3);

/**
 * Chooses the direction. Returns false where the surface allows none.
 *
 * @param height of the lowest point of the core over the face, m
 * @param difference after a distance search that ended OVERLAPPING
 */
export function chooseOverlapping(
  out: ContactAxis,
  set: TriangleSet,
  t: number,
  triangle: TriangleCore,
  part: MovingPart,
  height: number,
  separation: Separation,
  difference: MinkowskiDifference,
): boolean {
  const { normal } = triangle;
  out.gap = -Infinity;
  // the face; a sheet that lies behind it must still face it
  if (isAllowedByOwner(part, normal[0], normal[1], normal[2], ALIGNED)) {
    setAxis(out, normal[0], normal[1], normal[2], FACE, height - part.radius);
  }
  // between flat and concave neighbours there is no other direction
  if (!hasSharpEdge(set, t) && part.owner === undefined) return true;
  const isCurved = isCurvedCore(part.core);
  const isHull = part.core === CORE.polyhedron && part.owner === undefined;
  let most = Infinity;
  if (part.core === CORE.box) {
    for (let i = 0; i < 3; i++) tryColumn(out, set, t, triangle, part, i);
  } else if (part.core === CORE.cylinder) {
    tryColumn(out, set, t, triangle, part, 2);
    for (let k = 0; k < 3; k++) tryRadial(out, set, t, triangle, part, k);
  } else if (part.owner !== undefined) {
    readOwnerNormal(part);
    tryAxis(out, set, t, triangle, part, -1);
  } else if (isCurved || isHull) {
    measurePenetration(separation, difference);
    const { values } = separation;
    most = values[GAP] - part.radius;
    for (let k = 0; k < 3; k++) direction[k] = -values[NORMAL + k];
    tryAxis(out, set, t, triangle, part, -1);
  }
  for (let k = 0; k < 3; k++) {
    // nothing leaves a larger gap than the expanding polytope
    if (out.gap >= most - 1e-9 * part.extent) break;
    const kind = readEdge(edgeFrame, set, t, k);
    if (kind !== CONVEX_EDGE && kind !== BORDER_EDGE) continue;
    for (let r = 0; r < 3; r++) {
      edge[r] = edgeFrame[r];
      arcEnd[r] = edgeFrame[6 + r];
    }
    if (isCurved || isHull) tryArc(out, set, t, triangle, part, k);
    else tryCrossings(out, set, t, triangle, part, k);
    direction.set(arcEnd);
    tryAxis(out, set, t, triangle, part, EDGE + k);
  }
  return out.gap > -Infinity;
}

// both ways along axis i of the part
function tryColumn(
  out: ContactAxis,
  set: TriangleSet,
  t: number,
  triangle: TriangleCore,
  part: MovingPart,
  i: number,
): void {
  const { rotation } = part;
  for (let r = 0; r < 3; r++) direction[r] = rotation[3 * r + i];
  tryAxis(out, set, t, triangle, part, -1);
  for (let r = 0; r < 3; r++) direction[r] = -rotation[3 * r + i];
  tryAxis(out, set, t, triangle, part, -1);
}

// from vertex k of the triangle straight to the axis of a cylinder: its shortest way through the side
function tryRadial(
  out: ContactAxis,
  set: TriangleSet,
  t: number,
  triangle: TriangleCore,
  part: MovingPart,
  k: number,
): void {
  const { rotation, position } = part;
  const { corners } = triangle;
  let x = position[0] - corners[3 * k];
  let y = position[1] - corners[3 * k + 1];
  let z = position[2] - corners[3 * k + 2];
  const along = rotation[2] * x + rotation[5] * y + rotation[8] * z;
  x -= along * rotation[2];
  y -= along * rotation[5];
  z -= along * rotation[8];
  const length = Math.sqrt(x * x + y * y + z * z);
  if (!(length > 1e-9 * part.extent)) return;
  direction[0] = x / length;
  direction[1] = y / length;
  direction[2] = z / length;
  tryAxis(out, set, t, triangle, part, VERTEX + k);
}

function hasSharpEdge(set: TriangleSet, t: number): boolean {
  for (let k = 0; k < 3; k++) {
    const kind = readEdge(edgeFrame, set, t, k);
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
): void {
  const ex = edge[0];
  const ey = edge[1];
  const ez = edge[2];
  const count = part.core === CORE.segment ? 1 : part.core === CORE.point ? 0 : 3;
  for (let i = 0; i < count; i++) {
    readEdgeDirection(part, i);
    const x = ey * sup[2] - ez * sup[1];
    const y = ez * sup[0] - ex * sup[2];
    const z = ex * sup[1] - ey * sup[0];
    const length = Math.sqrt(x * x + y * y + z * z);
    if (!(length > 1e-6)) continue;
    for (let way = 1; way >= -1; way -= 2) {
      direction[0] = (way * x) / length;
      direction[1] = (way * y) / length;
      direction[2] = (way * z) / length;
      tryAxis(out, set, t, triangle, part, EDGE + k);
    }
  }
}

// the best of some directions on the arc of edge k, and then between its neighbours where the slope of s is zero
function tryArc(
  out: ContactAxis,
  set: TriangleSet,
  t: number,
  triangle: TriangleCore,
  part: MovingPart,
  k: number,
): void {
  const { normal } = triangle;
  const cx = arcEnd[0] - normal[0];
  const cy = arcEnd[1] - normal[1];
  const cz = arcEnd[2] - normal[2];
  const chord = Math.sqrt(cx * cx + cy * cy + cz * cz);
  // fewer on flat arcs
  const step = chord > 0.5 ? 0.125 : 0.25;
  let best = -Infinity;
  let at = 0.5;
  for (let w = step; w < 1; w += step) {
    const s = measureOnArc(triangle, part, k, w);
    if (s <= best) continue;
    best = s;
    at = w;
  }
  // s changes by at most the size of the part per angle
  if (best - part.radius + 4 * part.extent * chord * step <= out.gap) return;
  let low = at - step;
  let high = at + step;
  // values alone tell the direction to half their digits, and normals would be noise below
  for (let i = 0; i < ARC_HALVINGS; i++) {
    const middle = 0.5 * (low + high);
    measureOnArc(triangle, part, k, middle);
    if (risesOnArc(triangle, k)) low = middle;
    else high = middle;
  }
  measureOnArc(triangle, part, k, 0.5 * (low + high));
  tryAxis(out, set, t, triangle, part, EDGE + k);
}

// s(u) at u = (1 − w) n + w m scaled to length one, left in `direction`; the lowest point is left in `sup`
function measureOnArc(triangle: TriangleCore, part: MovingPart, k: number, w: number): number {
  const { corners, normal } = triangle;
  const x = (1 - w) * normal[0] + w * arcEnd[0];
  const y = (1 - w) * normal[1] + w * arcEnd[1];
  const z = (1 - w) * normal[2] + w * arcEnd[2];
  const length = Math.sqrt(x * x + y * y + z * z);
  if (!(length > 1e-9)) return -Infinity;
  direction[0] = x / length;
  direction[1] = y / length;
  direction[2] = z / length;
  return (
    findLowest(part, direction, sup) -
    (direction[0] * corners[3 * k] + direction[1] * corners[3 * k + 1] + direction[2] * corners[3 * k + 2])
  );
}

// whether s grows with w: ds = δu · (p − c), p the lowest point, c a corner of the edge, δu along m − n across u
function risesOnArc({ corners, normal }: TriangleCore, k: number): boolean {
  let along = 0;
  for (let r = 0; r < 3; r++) along += (arcEnd[r] - normal[r]) * direction[r];
  let slope = 0;
  for (let r = 0; r < 3; r++) slope += (arcEnd[r] - normal[r] - along * direction[r]) * (sup[r] - corners[3 * k + r]);
  return slope > 0;
}

// takes `direction` if it lies in the normal cone of the supporting feature and gives a larger gap than the best so far
function tryAxis(
  out: ContactAxis,
  set: TriangleSet,
  t: number,
  triangle: TriangleCore,
  part: MovingPart,
  region: number,
): void {
  const { corners } = triangle;
  const ux = direction[0];
  const uy = direction[1];
  const uz = direction[2];
  const a = ux * corners[0] + uy * corners[1] + uz * corners[2];
  const b = ux * corners[3] + uy * corners[4] + uz * corners[5];
  const c = ux * corners[6] + uy * corners[7] + uz * corners[8];
  const top = a > b ? Math.max(a, c) : Math.max(b, c);
  const gap = findLowest(part, direction) - top - part.radius;
  if (!(gap > out.gap + 1e-12 * part.extent)) return;
  const support = region < 0 ? findTopRegion(a, b, c, top, part.extent) : region;
  snapped[0] = ux;
  snapped[1] = uy;
  snapped[2] = uz;
  if (snapToCone(snapped, set, t, support) < SAME_DIRECTION) return;
  const x = snapped[0];
  const y = snapped[1];
  const z = snapped[2];
  if (isAllowedByOwner(part, x, y, z, SAME_DIRECTION)) setAxis(out, x, y, z, support, gap);
}

// writes the direction against the triangle that the part is to `direction`
function readOwnerNormal(part: MovingPart): void {
  const { rotation, ownerTriangle } = part;
  const { normals } = part.owner as TriangleSet;
  const x = normals[3 * ownerTriangle];
  const y = normals[3 * ownerTriangle + 1];
  const z = normals[3 * ownerTriangle + 2];
  for (let r = 0; r < 3; r++) direction[r] = -(rotation[3 * r] * x + rotation[3 * r + 1] * y + rotation[3 * r + 2] * z);
}

// direction of edge i of a box (its axis i), a capsule (its axis) or a triangle, of any length
function readEdgeDirection(part: MovingPart, i: number): void {
  const { rotation, owner, hull } = part;
  if (owner === undefined || hull === undefined) {
    const column = part.core === CORE.segment ? 2 : i;
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
