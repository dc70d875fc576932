import { IndexList } from '../bounding-tree/index-list.ts';
import { NearestVisit } from '../bounding-tree/nearest-visit.ts';
import type { ContactPoints } from '../contact-points.ts';
import type { PlacedShape } from '../placed-shape.ts';
import { collectTriangles } from './candidate-triangles.ts';
import { touchConvex } from './convex-triangles.ts';
import { findLowest, MovingPart, placePart } from './moving-part.ts';
import { FEATURES_PER_TRIANGLE, SurfaceContacts } from './surface-contacts.ts';
import { findNearestOnMesh, NearestOnMesh, readSideNormal } from './surface-side.ts';
import type { TriangleMesh } from './triangle-mesh.ts';

const contacts = /* @__PURE__ */ new SurfaceContacts();
const list = /* @__PURE__ */ new IndexList();
const part = /* @__PURE__ */ new MovingPart();
const visit = /* @__PURE__ */ new NearestVisit();
const nearest = /* @__PURE__ */ new NearestOnMesh();
const direction = /* @__PURE__ */ new Float64Array(3);
const sideNormal = /* @__PURE__ */ new Float64Array(3);
const box = /* @__PURE__ */ new Float64Array(6);

/** Depth, as a share of the extent, from which the centre may be inside. */
const DEEP = 0.1;

/** Capsule, ellipsoid, cylinder, box or convex mesh, and triangle mesh. */
export function testPartMesh(out: ContactPoints, a: PlacedShape, b: PlacedShape, reach: number): void {
  const mesh = b.mesh as TriangleMesh;
  placePart(part, a, b);
  // an unbounded reach ends at the point of the mesh nearest to the centre: the part cannot be farther
  let far = reach;
  if (reach === Infinity) {
    findNearestOnMesh(nearest, visit, mesh, part.center, Infinity);
    far = Math.sqrt(nearest.squared) * (1 + 1e-9);
  }
  const deepest = touchWithin(mesh, far);
  // with its centre inside, the shortest separation may be through triangles that the part does not reach
  if ((contacts.count === 0 || deepest < -DEEP * part.extent) && isInside(mesh)) {
    part.isInside = true;
    const distance = Math.sqrt(nearest.squared) * (1 + 1e-9);
    touchWithin(mesh, Math.max(distance, far));
    if (contacts.count === 0) addNearest(mesh);
  }
  contacts.write(out, b, -1, part.extent);
}

function touchWithin(mesh: TriangleMesh, far: number): number {
  const { bounds } = part;
  for (let k = 0; k < 3; k++) {
    box[k] = bounds[k] - far;
    box[3 + k] = bounds[3 + k] + far;
  }
  contacts.clear();
  collectTriangles(list, mesh.tree, box);
  return touchConvex(contacts, mesh, list, part, far);
}

// whether the centre is in the solid, with the nearest point of the mesh in `nearest`
function isInside(mesh: TriangleMesh): boolean {
  const { center } = part;
  const { bounds } = mesh.tree;
  if (!mesh.isClosed) return false;
  for (let k = 0; k < 3; k++) if (!(center[k] > bounds[k] && center[k] < bounds[3 + k])) return false;
  findNearestOnMesh(nearest, visit, mesh, center, Infinity);
  const { point, triangle, region } = nearest;
  if (!readSideNormal(sideNormal, mesh, triangle, region)) return false;
  const side =
    (center[0] - point[0]) * sideNormal[0] +
    (center[1] - point[1]) * sideNormal[1] +
    (center[2] - point[2]) * sideNormal[2];
  return side < 0;
}

// out through the triangle nearest to the centre
function addNearest(mesh: TriangleMesh): void {
  const { point, triangle } = nearest;
  const nx = mesh.normals[3 * triangle];
  const ny = mesh.normals[3 * triangle + 1];
  const nz = mesh.normals[3 * triangle + 2];
  direction[0] = nx;
  direction[1] = ny;
  direction[2] = nz;
  const gap = findLowest(part, direction) - (nx * point[0] + ny * point[1] + nz * point[2]) - part.radius;
  contacts.add(point[0], point[1], point[2], nx, ny, nz, gap, FEATURES_PER_TRIANGLE * triangle);
}
