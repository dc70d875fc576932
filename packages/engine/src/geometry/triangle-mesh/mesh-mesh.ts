/**
 * Two triangle meshes: each triangle of A as a convex part against the triangles of B near it, with the normal cones of both.
 *
 * Faces that rest on each other with a little penetration lie behind each other without crossing, so pairs are checked
 * up to a depth D = 5 % of the smaller mesh behind each other; such a pair counts if the middle of its contact points really is
 * inside B. A mesh wholly inside the other is pushed out through the nearest triangle.
 */
import { IndexPairs } from '../bounding-tree/index-list.ts';
import { NearestVisit } from '../bounding-tree/nearest-visit.ts';
import type { ContactPoints } from '../contact-points.ts';
import type { PlacedShape } from '../placed-shape.ts';
import { beginPushes, dropExplained, pushFrom, takeBack } from './convex-triangles.ts';
import { findLowestVertex } from './lowest-vertices.ts';
import { MovingPart } from './moving-part.ts';
import { loadOwnerTriangle, placeOwner } from './owner-triangle.ts';
import { FEATURES_PER_TRIANGLE, SurfaceContacts } from './surface-contacts.ts';
import { findNearestOnMesh, NearestOnMesh, readSideNormal } from './surface-side.ts';
import { collectNearPairs } from './tree-pairs.ts';
import type { TriangleMesh } from './triangle-mesh.ts';

/** Depth up to which faces behind each other are found, as a share of the smaller mesh. */
const DEPTH = 0.05;

const contacts = /* @__PURE__ */ new SurfaceContacts();
const pairs = /* @__PURE__ */ new IndexPairs();
const part = /* @__PURE__ */ new MovingPart();
const visit = /* @__PURE__ */ new NearestVisit();
const nearest = /* @__PURE__ */ new NearestOnMesh();
const middle = /* @__PURE__ */ new Float64Array(3);
const sideNormal = /* @__PURE__ */ new Float64Array(3);

/** Triangle mesh and triangle mesh. */
export function testMeshMesh(out: ContactPoints, a: PlacedShape, b: PlacedShape, reach: number): void {
  const meshA = a.mesh as TriangleMesh;
  const meshB = b.mesh as TriangleMesh;
  const extent = Math.min(measureExtent(meshA), measureExtent(meshB));
  placeOwner(part, meshA, a, b);
  const far = reach === Infinity ? boundDistance(meshA, meshB) * (1 + 1e-9) : reach;
  contacts.clear();
  beginPushes(contacts);
  const search = Math.max(far, DEPTH * extent);
  collectNearPairs(pairs, meshA.tree, meshB.tree, part.rotation, part.position, search);
  touchPairs(meshB, far, search);
  dropExplained(contacts, meshB, part);
  // deep in each other without a face or edge that leads out: vertices of one inside the other
  if (contacts.count > 0 || addVerticesInside(meshA, meshB, 0)) {
    contacts.write(out, b, -1, extent);
    return;
  }
  placeOwner(part, meshB, b, a);
  if (addVerticesInside(meshB, meshA, 1)) contacts.write(out, a, 1, extent);
}

function touchPairs(meshB: TriangleMesh, reach: number, search: number): void {
  const { values } = pairs;
  for (let i = 0; i < pairs.count; i++) {
    const ta = values[2 * i];
    const tb = values[2 * i + 1];
    if (part.ownerTriangle !== ta) loadOwnerTriangle(part, ta);
    const start = contacts.count;
    const gap = pushFrom(contacts, meshB, tb, part, reach, search);
    if (contacts.count === start) continue;
    if (gap < 0 && !isMiddleInside(meshB, start)) {
      takeBack(contacts);
      continue;
    }
    for (let p = start; p < contacts.count; p++) {
      // both triangles and their touching features, in one number
      contacts.feature[p] = (Math.imul(ta, 0x9e3779b1) ^ contacts.feature[p]) & 0x7fffffff;
    }
  }
}

// whether the middle of the deep points added last, on the side of A, is inside B or on its surface
function isMiddleInside(mesh: TriangleMesh, start: number): boolean {
  const { point, normal, gap, count } = contacts;
  middle.fill(0);
  let deep = 0;
  for (let p = start; p < count; p++) {
    if (gap[p] >= 0) continue;
    deep++;
    for (let k = 0; k < 3; k++) middle[k] += point[3 * p + k] + 0.5 * gap[p] * normal[3 * p + k];
  }
  if (deep === 0) return true;
  for (let k = 0; k < 3; k++) middle[k] /= deep;
  findNearestOnMesh(nearest, visit, mesh, middle, Infinity);
  const { point: at, triangle, region } = nearest;
  const distance = Math.sqrt(nearest.squared);
  if (distance <= 1e-6 * part.extent || !readSideNormal(sideNormal, mesh, triangle, region)) return true;
  const side =
    (middle[0] - at[0]) * sideNormal[0] + (middle[1] - at[1]) * sideNormal[1] + (middle[2] - at[2]) * sideNormal[2];
  return side < 0;
}

// adds the vertices of a mesh that are inside a solid, of its triangles near the solid or, without any, of all of it
function addVerticesInside(mesh: TriangleMesh, solid: TriangleMesh, side: number): boolean {
  const { values } = pairs;
  if (!solid.isClosed) return false;
  if (pairs.count === 0) return addInside(mesh, solid);
  for (let i = 0; i < pairs.count; i++) {
    const t = values[2 * i + side];
    if (side === 0 && i > 0 && values[2 * i - 2] === t) continue;
    for (let k = 0; k < 3; k++) addVertexInside(mesh, solid, mesh.triangles[3 * t + k]);
  }
  return contacts.count > 0 || addInside(mesh, solid);
}

function addVertexInside(mesh: TriangleMesh, solid: TriangleMesh, vertex: number): void {
  moveVertex(mesh, vertex);
  if (!isInside(solid)) return;
  const { point: at, triangle, region, squared } = nearest;
  const distance = Math.sqrt(squared);
  if (!(distance > 0)) return;
  contacts.add(
    at[0],
    at[1],
    at[2],
    (at[0] - middle[0]) / distance,
    (at[1] - middle[1]) / distance,
    (at[2] - middle[2]) / distance,
    -distance,
    FEATURES_PER_TRIANGLE * triangle + region,
  );
}

// whether `middle` is in a solid, with the nearest point of its surface in `nearest`
function isInside(solid: TriangleMesh): boolean {
  const { bounds } = solid.tree;
  for (let k = 0; k < 3; k++) if (!(middle[k] > bounds[k] && middle[k] < bounds[3 + k])) return false;
  findNearestOnMesh(nearest, visit, solid, middle, Infinity);
  const { point: at, triangle, region } = nearest;
  if (!readSideNormal(sideNormal, solid, triangle, region)) return false;
  const side =
    (middle[0] - at[0]) * sideNormal[0] + (middle[1] - at[1]) * sideNormal[1] + (middle[2] - at[2]) * sideNormal[2];
  return side < 0;
}

// without a crossing, a mesh with one vertex inside is wholly inside: out through the triangle nearest to that vertex
function addInside(mesh: TriangleMesh, solid: TriangleMesh): boolean {
  moveVertex(mesh, mesh.triangles[0]);
  if (!isInside(solid)) return false;
  const { point: at, triangle } = nearest;
  const nx = solid.normals[3 * triangle];
  const ny = solid.normals[3 * triangle + 1];
  const nz = solid.normals[3 * triangle + 2];
  // its lowest vertex along the normal
  const r = part.rotation;
  const lowest =
    findLowestVertex(
      mesh,
      r[0] * nx + r[3] * ny + r[6] * nz,
      r[1] * nx + r[4] * ny + r[7] * nz,
      r[2] * nx + r[5] * ny + r[8] * nz,
    ) +
    nx * part.position[0] +
    ny * part.position[1] +
    nz * part.position[2];
  const gap = lowest - (nx * at[0] + ny * at[1] + nz * at[2]);
  contacts.add(at[0], at[1], at[2], nx, ny, nz, gap, FEATURES_PER_TRIANGLE * triangle);
  return true;
}

// writes a vertex, seen from the other mesh, to `middle`
function moveVertex(mesh: TriangleMesh, vertex: number): void {
  const { position, rotation } = part;
  const { vertices } = mesh;
  const v = 3 * vertex;
  for (let r = 0; r < 3; r++) {
    middle[r] =
      position[r] +
      rotation[3 * r] * vertices[v] +
      rotation[3 * r + 1] * vertices[v + 1] +
      rotation[3 * r + 2] * vertices[v + 2];
  }
}

// distance from a vertex of A to B: no less than the distance of the meshes
function boundDistance(meshA: TriangleMesh, meshB: TriangleMesh): number {
  moveVertex(meshA, meshA.triangles[0]);
  findNearestOnMesh(nearest, visit, meshB, middle, Infinity);
  return Math.sqrt(nearest.squared);
}

function measureExtent(mesh: TriangleMesh): number {
  const { bounds } = mesh.tree;
  return 0.5 * Math.max(bounds[3] - bounds[0], bounds[4] - bounds[1], bounds[5] - bounds[2]);
}
