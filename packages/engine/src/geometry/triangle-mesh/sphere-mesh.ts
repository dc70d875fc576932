import { IndexList } from '../bounding-tree/index-list.ts';
import { NearestVisit } from '../bounding-tree/nearest-visit.ts';
import type { ContactPoints } from '../contact-points.ts';
import { type PlacedShape, writeLocalOrigin } from '../placed-shape.ts';
import { collectTriangles } from './candidate-triangles.ts';
import { nearestTriangle, touchSphere } from './sphere-triangles.ts';
import { FEATURES_PER_TRIANGLE, SurfaceContacts } from './surface-contacts.ts';
import { findNearestOnMesh, NearestOnMesh } from './surface-side.ts';
import type { TriangleMesh } from './triangle-mesh.ts';

const contacts = /* @__PURE__ */ new SurfaceContacts();
const list = /* @__PURE__ */ new IndexList();
const visit = /* @__PURE__ */ new NearestVisit();
const nearest = /* @__PURE__ */ new NearestOnMesh();
const center = /* @__PURE__ */ new Float64Array(3);
const box = /* @__PURE__ */ new Float64Array(6);

/** Sphere and triangle mesh. */
export function testSphereMesh(out: ContactPoints, a: PlacedShape, b: PlacedShape, reach: number): void {
  const mesh = b.mesh as TriangleMesh;
  writeLocalOrigin(center, b, a);
  const radius = a.size[0];
  // an unbounded reach ends at the nearest point
  let far = radius + reach;
  if (far === Infinity) far = findDistance(mesh) * (1 + 1e-9);
  touchWithin(mesh, radius, far);
  // wholly inside: as far as the nearest triangle
  if (mesh.isClosed && nearestTriangle.triangle < 0 && isInBox(mesh.tree.bounds)) {
    touchWithin(mesh, radius, findDistance(mesh) * (1 + 1e-9));
    if (!nearestTriangle.isBehind) return;
  }
  // seen from behind, an open mesh still has a distance
  if (contacts.count === 0 && reach === Infinity) addFromBehind(mesh, radius);
  contacts.write(out, b, -1, radius > 0 ? radius : far);
}

function findDistance(mesh: TriangleMesh): number {
  findNearestOnMesh(nearest, visit, mesh, center, Infinity);
  return Math.sqrt(nearest.squared);
}

function isInBox(bounds: Float64Array): boolean {
  for (let k = 0; k < 3; k++) if (!(center[k] > bounds[k] && center[k] < bounds[3 + k])) return false;
  return true;
}

function touchWithin(mesh: TriangleMesh, radius: number, far: number): void {
  for (let k = 0; k < 3; k++) {
    box[k] = center[k] - far;
    box[3 + k] = center[k] + far;
  }
  contacts.clear();
  collectTriangles(list, mesh.tree, box);
  touchSphere(contacts, mesh, list, center, radius, far - radius, mesh.isClosed);
}

function addFromBehind(mesh: TriangleMesh, radius: number): void {
  const distance = findDistance(mesh);
  const { point, triangle, region } = nearest;
  if (!(distance > 0)) return;
  contacts.add(
    point[0],
    point[1],
    point[2],
    (center[0] - point[0]) / distance,
    (center[1] - point[1]) / distance,
    (center[2] - point[2]) / distance,
    distance - radius,
    FEATURES_PER_TRIANGLE * triangle + region,
  );
}
