/**
 * Contacts of a convex part with the triangles of a surface.
 *
 * Each triangle gives a direction and points. A triangle that is deep in the part but whose plane is not the way out (a face on
 * the side of a table, under a box that stands on it) is recognised by a shallower one: with (u, s) the direction and gap of
 * another triangle, moving the part by −s along u frees it from everything behind the plane u·x = max over that triangle, so
 * triangles wholly behind that plane with a deeper gap have nothing to add.
 */
import type { IndexList } from '../bounding-tree/index-list.ts';
import { ContactAxis, chooseContactAxis } from './contact-axis.ts';
import { addContactPoints } from './contact-manifold.ts';
import type { MovingPart } from './moving-part.ts';
import type { SurfaceContacts } from './surface-contacts.ts';
import { TriangleCore } from './triangle-core.ts';
import type { TriangleSet } from './triangle-mesh.ts';

/** How far in front of a plane a corner still counts as behind it, as a share of the extent. */
const BEHIND = 1e-7;

/** Triangles with points: direction, top of the triangle along it, gap, and where its points are. */
class Pushes {
  count = 0;
  plane: Float64Array = new Float64Array(4 * 64);
  gap: Float64Array = new Float64Array(64);
  triangle: Int32Array = new Int32Array(64);
  start: Int32Array = new Int32Array(65);
  order: Int32Array = new Int32Array(64);
  isKept: Uint8Array = new Uint8Array(64);

  reserve(): void {
    if (this.count < this.gap.length) return;
    const length = 2 * this.gap.length;
    const { plane, gap, triangle, start } = this;
    this.plane = new Float64Array(4 * length);
    this.plane.set(plane);
    this.gap = new Float64Array(length);
    this.gap.set(gap);
    this.triangle = new Int32Array(length);
    this.triangle.set(triangle);
    this.start = new Int32Array(length + 1);
    this.start.set(start);
    this.order = new Int32Array(length);
    this.isKept = new Uint8Array(length);
  }
}

const axis = /* @__PURE__ */ new ContactAxis();
const triangle = /* @__PURE__ */ new TriangleCore();
const pushes = /* @__PURE__ */ new Pushes();

/** Adds the contacts of a part with the triangles of a list. */
export function touchConvex(
  out: SurfaceContacts,
  set: TriangleSet,
  list: IndexList,
  part: MovingPart,
  reach: number,
): void {
  pushes.count = 0;
  const first = out.count;
  for (let i = 0; i < list.count; i++) pushFrom(out, set, list.values[i], part, reach);
  dropExplained(out, set, first, part.extent);
}

function pushFrom(out: SurfaceContacts, set: TriangleSet, t: number, part: MovingPart, reach: number): void {
  triangle.load(set, t);
  const start = out.count;
  if (!chooseContactAxis(axis, set, t, triangle, part, reach)) return;
  addContactPoints(out, set, t, triangle, part, axis, reach);
  if (out.count === start) return;
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
  pushes.start[i] = start;
}

// keeps the points of triangles that no shallower kept one explains
function dropExplained(out: SurfaceContacts, set: TriangleSet, first: number, extent: number): void {
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
    if (gap[i] < 0 && isExplained(set, i, planes, extent)) isKept[i] = 0;
    else if (!isSamePlane(i, planes)) order[planes++] = i;
  }
  let end = first;
  for (let i = 0; i < count; i++) {
    if (isKept[i] === 0) continue;
    for (let p = start[i]; p < start[i + 1]; p++) out.move(end++, p);
  }
  out.count = end;
}

function isExplained(set: TriangleSet, i: number, planes: number, extent: number): boolean {
  const { plane, gap, order, triangle: triangles } = pushes;
  const { vertices } = set;
  const t = 3 * triangles[i];
  const a = 3 * set.triangles[t];
  const b = 3 * set.triangles[t + 1];
  const c = 3 * set.triangles[t + 2];
  for (let j = 0; j < planes; j++) {
    const p = order[j];
    if (!(gap[p] > gap[i] * (1 - 1e-6) + 1e-9 * extent)) continue;
    const x = plane[4 * p];
    const y = plane[4 * p + 1];
    const z = plane[4 * p + 2];
    const top = plane[4 * p + 3] + BEHIND * extent;
    if (x * vertices[a] + y * vertices[a + 1] + z * vertices[a + 2] > top) continue;
    if (x * vertices[b] + y * vertices[b + 1] + z * vertices[b + 2] > top) continue;
    if (x * vertices[c] + y * vertices[c + 1] + z * vertices[c + 2] > top) continue;
    return true;
  }
  return false;
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
