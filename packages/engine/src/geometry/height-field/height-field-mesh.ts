/** Height field and triangle mesh: the triangles of the mesh as convex parts against those of the field, as for two meshes. */
import { IndexList } from '../bounding-tree/index-list.ts';
import type { ContactPoints } from '../contact-points.ts';
import type { HeightField } from '../height-field.ts';
import type { PlacedShape } from '../placed-shape.ts';
import { collectTriangles } from '../triangle-mesh/candidate-triangles.ts';
import { beginPushes, dropExplained, pushFrom, takeBack } from '../triangle-mesh/convex-triangles.ts';
import { MovingPart } from '../triangle-mesh/moving-part.ts';
import { loadOwnerTriangle, placeOwner } from '../triangle-mesh/owner-triangle.ts';
import { FEATURES_PER_TRIANGLE, SurfaceContacts } from '../triangle-mesh/surface-contacts.ts';
import type { TriangleMesh } from '../triangle-mesh/triangle-mesh.ts';
import { HeightFieldPatch, listPatch, readPatch } from './height-field-patch.ts';
import { boundDistance, isInside } from './height-field-sphere.ts';
import { measureHeight } from './surface-height.ts';

/** Depth up to which faces behind each other are found, as a share of the mesh. */
const DEPTH = 0.05;

const contacts = /* @__PURE__ */ new SurfaceContacts();
const meshList = /* @__PURE__ */ new IndexList();
const fieldList = /* @__PURE__ */ new IndexList();
const patch = /* @__PURE__ */ new HeightFieldPatch();
const part = /* @__PURE__ */ new MovingPart();
const box = /* @__PURE__ */ new Float64Array(6);
const point = /* @__PURE__ */ new Float64Array(3);

/** Height field and triangle mesh. */
export function testHeightFieldMesh(out: ContactPoints, a: PlacedShape, b: PlacedShape, reach: number): void {
  const field = a.heightField as HeightField;
  const mesh = b.mesh as TriangleMesh;
  const { bounds } = mesh.tree;
  const extent = 0.5 * Math.max(bounds[3] - bounds[0], bounds[4] - bounds[1], bounds[5] - bounds[2]);
  placeOwner(part, mesh, b, a);
  moveVertex(mesh, 0);
  const far = reach === Infinity ? boundDistance(field, point) * (1 + 1e-9) : reach;
  const search = Math.max(far, DEPTH * extent);
  // the field under the mesh, and the mesh down at the field
  boxAround(bounds, false, search);
  readPatch(patch, field, box);
  boundPatch(search);
  box[2] = Math.min(box[2], -field.baseDepth - search);
  boxAround(box, true, 0);
  collectTriangles(meshList, mesh.tree, box);
  contacts.clear();
  beginPushes(contacts);
  for (let i = 0; i < meshList.count; i++) touchTriangle(field, meshList.values[i], far, search);
  dropExplained(contacts, patch, part);
  if (contacts.count === 0) addVerticesInside(field, mesh);
  contacts.write(out, a, 1, extent);
}

function touchTriangle(field: HeightField, t: number, reach: number, search: number): void {
  loadOwnerTriangle(part, t);
  for (let k = 0; k < 3; k++) {
    box[k] = part.bounds[k] - search;
    box[3 + k] = part.bounds[3 + k] + search;
  }
  listPatch(fieldList, patch, field, box);
  for (let i = 0; i < fieldList.count; i++) {
    const local = fieldList.values[i];
    const start = contacts.count;
    const gap = pushFrom(contacts, patch, local, part, reach, search);
    if (contacts.count === start) continue;
    if (gap < 0 && !isMiddleInside(field, start)) {
      takeBack(contacts);
      continue;
    }
    const shift = FEATURES_PER_TRIANGLE * (patch.numbers[local] - local);
    for (let p = start; p < contacts.count; p++) {
      contacts.feature[p] = (Math.imul(t, 0x9e3779b1) ^ (contacts.feature[p] + shift)) & 0x7fffffff;
    }
  }
}

// whether the middle of the deep points added last, on the side of the mesh, is in the solid or on its surface
function isMiddleInside(field: HeightField, start: number): boolean {
  const { gap, normal, count } = contacts;
  point.fill(0);
  let deep = 0;
  for (let p = start; p < count; p++) {
    if (gap[p] >= 0) continue;
    deep++;
    for (let k = 0; k < 3; k++) point[k] += contacts.point[3 * p + k] + 0.5 * gap[p] * normal[3 * p + k];
  }
  if (deep === 0) return true;
  for (let k = 0; k < 3; k++) point[k] /= deep;
  const slack = 1e-6 * part.extent;
  if (Math.abs(point[0]) > field.halfSizeX + slack || Math.abs(point[1]) > field.halfSizeY + slack) return false;
  return point[2] < measureHeight(field, point[0], point[1]) + slack && point[2] > -field.baseDepth - slack;
}

// deep in the ground: straight up, from every vertex inside
function addVerticesInside(field: HeightField, mesh: TriangleMesh): void {
  for (let i = 0; i < meshList.count; i++) {
    for (let k = 0; k < 3; k++) {
      const vertex = mesh.triangles[3 * meshList.values[i] + k];
      moveVertex(mesh, vertex);
      if (!isInside(field, point)) continue;
      const height = measureHeight(field, point[0], point[1]);
      contacts.add(point[0], point[1], height, 0, 0, 1, point[2] - height, vertex);
    }
  }
}

// writes a vertex of the mesh, seen from the field, to `point`
function moveVertex(mesh: TriangleMesh, vertex: number): void {
  const { position, rotation } = part;
  const { vertices } = mesh;
  const v = 3 * vertex;
  for (let r = 0; r < 3; r++) {
    point[r] =
      position[r] +
      rotation[3 * r] * vertices[v] +
      rotation[3 * r + 1] * vertices[v + 1] +
      rotation[3 * r + 2] * vertices[v + 2];
  }
}

// writes the box around another, seen from the field, or back from the mesh, to `box`
function boxAround(bounds: Float64Array, isBack: boolean, margin: number): void {
  const { position, rotation } = part;
  const cx = 0.5 * (bounds[0] + bounds[3]) - (isBack ? position[0] : 0);
  const cy = 0.5 * (bounds[1] + bounds[4]) - (isBack ? position[1] : 0);
  const cz = 0.5 * (bounds[2] + bounds[5]) - (isBack ? position[2] : 0);
  const hx = 0.5 * (bounds[3] - bounds[0]);
  const hy = 0.5 * (bounds[4] - bounds[1]);
  const hz = 0.5 * (bounds[5] - bounds[2]);
  for (let k = 0; k < 3; k++) {
    const x = rotation[isBack ? k : 3 * k];
    const y = rotation[isBack ? 3 + k : 3 * k + 1];
    const z = rotation[isBack ? 6 + k : 3 * k + 2];
    const center = (isBack ? 0 : position[k]) + x * cx + y * cy + z * cz;
    const half = Math.abs(x) * hx + Math.abs(y) * hy + Math.abs(z) * hz + margin + 1e-14 * Math.abs(center);
    box[k] = center - half;
    box[3 + k] = center + half;
  }
}

// writes the box around the triangles of the patch to `box`
function boundPatch(margin: number): void {
  const { vertices, triangles, count } = patch;
  for (let k = 0; k < 3; k++) {
    let low = Infinity;
    let high = -Infinity;
    for (let i = 0; i < 3 * count; i++) {
      const x = vertices[3 * triangles[i] + k];
      if (x < low) low = x;
      if (x > high) high = x;
    }
    box[k] = low - margin;
    box[3 + k] = high + margin;
  }
}
