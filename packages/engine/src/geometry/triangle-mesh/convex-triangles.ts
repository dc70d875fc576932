/**
 * Contacts of a convex part with the triangles of a surface.
 *
 * Each triangle gives a direction and points. A triangle that is deep in the part but whose plane is not the axis of least penetration (a face on
 * the side of a table, under a box that stands on it) is recognised by a shallower one: with (u, s) the direction and gap of
 * another triangle, moving the part by −s along u frees it from everything behind the plane u·x = max over that triangle, so
 * triangles wholly behind that plane with a deeper gap have nothing to add.
 */
import type { IndexList } from '../bounding-tree/index-list.ts';
import { ContactAxis } from './allowed-direction.ts';
import { chooseContactAxis } from './contact-axis.ts';
import { addContactPoints } from './contact-manifold.ts';
import type { MovingPart } from './moving-part.ts';
import { findNearestOnTriangle } from './nearest-point.ts';
import { FEATURES_PER_TRIANGLE, type SurfaceContacts } from './surface-contacts.ts';
import { TriangleCore } from './triangle-core.ts';
import type { TriangleSet } from './triangle-mesh.ts';

/** How far in front of a plane a corner still counts as behind it, as a share of the extent. */
const BEHIND = 1e-7;

/** Triangles with points: direction, top of the triangle along it, gap, and where its points are. */
class Pushes {
  count = 0;
  first = 0;
  plane: Float64Array = new Float64Array(4 * 64);
  gap: Float64Array = new Float64Array(64);
  triangle: Int32Array = new Int32Array(64);
  /** Triangle that the part was, of the surface it belongs to. */
  ownerTriangle: Int32Array = new Int32Array(64);
  start: Int32Array = new Int32Array(65);
  order: Int32Array = new Int32Array(64);
  isKept: Uint8Array = new Uint8Array(64);

  reserve(): void {
    if (this.count < this.gap.length) return;
    const length = 2 * this.gap.length;
    const { plane, gap, triangle, ownerTriangle, start } = this;
    this.plane = new Float64Array(4 * length);
    this.plane.set(plane);
    this.gap = new Float64Array(length);
    this.gap.set(gap);
    this.triangle = new Int32Array(length);
    this.triangle.set(triangle);
    this.ownerTriangle = new Int32Array(length);
    this.ownerTriangle.set(ownerTriangle);
    this.start = new Int32Array(length + 1);
    this.start.set(start);
    this.order = new Int32Array(length);
    this.isKept = new Uint8Array(length);
  }
}

const axis = /* @__PURE__ */ new ContactAxis();
const triangle = /* @__PURE__ */ new TriangleCore();
const pushes = /* @__PURE__ */ new Pushes();
const corner = /* @__PURE__ */ new Float64Array(3);
const nearestPoint = /* @__PURE__ */ new Float64Array(4);

/** Adds the contacts of a part with the triangles of a list, and returns the gap of the deepest triangle, m. */
export function touchConvex(
  out: SurfaceContacts,
  set: TriangleSet,
  list: IndexList,
  part: MovingPart,
  reach: number,
): number {
  beginPushes(out);
  const first = out.count;
  let deepest = Infinity;
  let shallowest = -Infinity;
  let triangleOut = -1;
  for (let i = 0; i < list.count; i++) {
    const gap = pushFrom(out, set, list.values[i], part, reach, reach);
    if (gap < deepest) deepest = gap;
    if (gap > shallowest && gap < 0) {
      shallowest = gap;
      triangleOut = list.values[i];
    }
  }
  if (out.count === first && triangleOut >= 0) addWayOut(out, set, triangleOut, part, reach);
  dropExplained(out, set, part);
  return deepest;
}

// a part that is pierced so that none of its corners is over a triangle leaves along the shallowest direction
function addWayOut(out: SurfaceContacts, set: TriangleSet, t: number, part: MovingPart, reach: number): void {
  triangle.load(set, t);
  if (!chooseContactAxis(axis, set, t, triangle, part, reach)) return;
  const { u } = axis;
  const { center } = part;
  findNearestOnTriangle(nearestPoint, set.vertices, set.triangles, t, center);
  out.add(
    nearestPoint[0],
    nearestPoint[1],
    nearestPoint[2],
    u[0],
    u[1],
    u[2],
    axis.gap,
    FEATURES_PER_TRIANGLE * t + axis.region,
  );
}

/** Starts collecting points; the existing content of `out` stays. */
export function beginPushes(out: SurfaceContacts): void {
  pushes.count = 0;
  pushes.first = out.count;
}

/**
 * Adds the points of a part with triangle t, and returns the gap along its direction, m; Infinity without one.
 *
 * @param search how far from each other, in front or behind, the two are still checked, m; at least `reach`
 */
export function pushFrom(
  out: SurfaceContacts,
  set: TriangleSet,
  t: number,
  part: MovingPart,
  reach: number,
  search: number,
): number {
  triangle.load(set, t);
  const start = out.count;
  if (!chooseContactAxis(axis, set, t, triangle, part, search) || axis.gap > reach) return Infinity;
  addContactPoints(out, set, t, triangle, part, axis, reach);
  if (out.count === start) return axis.gap;
  pushes.reserve();
  const i = pushes.count++;
  const { u } = axis;
  let top = -Infinity;
  for (let k = 0; k < 3; k++) {
    pushes.plane[4 * i + k] = u[k];
    const height =
      u[0] * triangle.corners[3 * k] + u[1] * triangle.corners[3 * k + 1] + u[2] * triangle.corners[3 * k + 2];
    if (height > top) top = height;
  }
  pushes.plane[4 * i + 3] = top;
  pushes.gap[i] = axis.gap;
  pushes.triangle[i] = t;
  pushes.ownerTriangle[i] = part.ownerTriangle;
  pushes.start[i] = start;
  return axis.gap;
}

/** Takes back the points added last. */
export function takeBack(out: SurfaceContacts): void {
  out.count = pushes.start[--pushes.count];
}

/** Keeps the points of triangles that no shallower kept one explains. */
export function dropExplained(out: SurfaceContacts, set: TriangleSet, part: MovingPart): void {
  const { count, gap, order, isKept, start } = pushes;
  if (count < 2) return;
  start[count] = out.count;
  // shallow first (insertion sort; ties stay in order)
  for (let i = 0; i < count; i++) {
    let j = i;
    for (; j > 0 && gap[order[j - 1]] < gap[i]; j--) order[j] = order[j - 1];
    order[j] = i;
  }
  let planes = 0;
  for (let j = 0; j < count; j++) {
    const i = order[j];
    isKept[i] = 1;
    if (gap[i] < 0 && isExplained(set, i, planes, part)) isKept[i] = 0;
    else if (part.owner !== undefined || !isSamePlane(i, planes)) order[planes++] = i;
  }
  let end = pushes.first;
  for (let i = 0; i < count; i++) {
    if (isKept[i] === 0) continue;
    for (let p = start[i]; p < start[i + 1]; p++) out.move(end++, p);
  }
  out.count = end;
}

function isExplained(set: TriangleSet, i: number, planes: number, part: MovingPart): boolean {
  const { plane, gap, order } = pushes;
  const t = pushes.triangle[i];
  const { extent } = part;
  for (let j = 0; j < planes; j++) {
    const p = order[j];
    if (!(gap[p] > gap[i] * (1 - 1e-6) + 1e-9 * extent)) continue;
    const x = plane[4 * p];
    const y = plane[4 * p + 1];
    const z = plane[4 * p + 2];
    const top = plane[4 * p + 3];
    if (findTop(set, t, x, y, z) > top + BEHIND * extent) continue;
    if (
      part.owner !== undefined &&
      findBottom(part, pushes.ownerTriangle[i], x, y, z) < top + gap[p] - BEHIND * extent
    ) {
      continue;
    }
    return true;
  }
  return false;
}

function findTop({ vertices, triangles }: TriangleSet, t: number, x: number, y: number, z: number): number {
  let top = -Infinity;
  for (let k = 0; k < 3; k++) {
    const v = 3 * triangles[3 * t + k];
    const height = x * vertices[v] + y * vertices[v + 1] + z * vertices[v + 2];
    if (height > top) top = height;
  }
  return top;
}

// lowest corner of another triangle of the surface that the part belongs to
function findBottom(part: MovingPart, t: number, x: number, y: number, z: number): number {
  const { vertices, triangles } = part.owner as TriangleSet;
  const { rotation, position } = part;
  let bottom = Infinity;
  for (let k = 0; k < 3; k++) {
    const v = 3 * triangles[3 * t + k];
    for (let r = 0; r < 3; r++) {
      corner[r] =
        position[r] +
        rotation[3 * r] * vertices[v] +
        rotation[3 * r + 1] * vertices[v + 1] +
        rotation[3 * r + 2] * vertices[v + 2];
    }
    const height = x * corner[0] + y * corner[1] + z * corner[2];
    if (height < bottom) bottom = height;
  }
  return bottom;
}

function isSamePlane(i: number, planes: number): boolean {
  const { plane, order } = pushes;
  for (let j = 0; j < planes; j++) {
    const p = 4 * order[j];
    if (
      plane[p] === plane[4 * i] &&
      plane[p + 1] === plane[4 * i + 1] &&
      plane[p + 2] === plane[4 * i + 2] &&
      plane[p + 3] === plane[4 * i + 3]
    ) {
      return true;
    }
  }
  return false;
}
