/**
 * Faces between a solid A and another solid B or a rigid surface, in the frame of A.
 *
 *   solid and solid     p_A(x) = p_B(x) is a plane for two tetrahedra; its section of the one, clipped by the other
 *                       n along ∇p_B − ∇p_A, g_A = −∇p_A · n, g_B = ∇p_B · n, both positive
 *   solid and surface   the rigid triangle clipped by the tetrahedron; n against its outward normal n_t, g = ∇p_A · n_t
 *
 * Normals point from A to the other.
 */
import {
  type ContactFaces,
  createPlacement,
  LEAST_AREA,
  LEAST_SLOPE,
  limitSlope,
  type Placement,
  placePoint,
  relatePlacements,
} from './contact-faces.ts';
import { ContactPolygon } from './contact-polygon.ts';
import { PlacedPairs } from './placed-pairs.ts';
import { findStamps, nextStamp, type PressureMesh } from './pressure-mesh.ts';
import type { RigidSurface } from './rigid-surface.ts';

const relative = /* @__PURE__ */ createPlacement();
const pairs = /* @__PURE__ */ new PlacedPairs();
const polygon = /* @__PURE__ */ new ContactPolygon();
const cornersA = /* @__PURE__ */ new Float64Array(12);
const cornersB = /* @__PURE__ */ new Float64Array(12);
const valuesA = /* @__PURE__ */ new Float64Array(4);
const gradientB = /* @__PURE__ */ new Float64Array(3);
const normal = /* @__PURE__ */ new Float64Array(3);

export function findSolidFaces(
  faces: ContactFaces,
  a: PressureMesh,
  placementA: Placement,
  b: PressureMesh,
  placementB: Placement,
): void {
  relatePlacements(relative, placementA, placementB);
  pairs.collect(a.tree, b.tree, relative);
  const stamp = findStamps(a);
  let loaded = -1;
  let mark = 0;
  for (let i = 0; i < pairs.count; i++) {
    const tb = b.tetrahedronOf[pairs.itemB(i)];
    const ta = a.tetrahedronOf[pairs.itemA(i)];
    if (tb !== loaded) {
      loadOther(b, tb);
      mark = nextStamp();
      loaded = tb;
    }
    if (stamp[ta] === mark) continue;
    stamp[ta] = mark;
    if (!haveCommonPressure(a, ta, b, tb)) continue;
    addEqualPressure(faces, a, placementA, ta, b, tb);
  }
}

/** The same for one pair of tetrahedra in one frame, as of a body that touches itself. */
export function addPairInFrame(
  faces: ContactFaces,
  mesh: PressureMesh,
  frame: Placement,
  ta: number,
  tb: number,
): void {
  if (!haveCommonPressure(mesh, ta, mesh, tb)) return;
  const { vertices, tetrahedra, gradient } = mesh;
  loadCorners(cornersB, vertices, tetrahedra, tb);
  for (let k = 0; k < 3; k++) gradientB[k] = gradient[3 * tb + k];
  addEqualPressure(faces, mesh, frame, ta, mesh, tb);
}

function haveCommonPressure(a: PressureMesh, ta: number, b: PressureMesh, tb: number): boolean {
  let [lowA, highA, lowB, highB] = [Infinity, -Infinity, Infinity, -Infinity];
  for (let k = 0; k < 4; k++) {
    const pa = a.pressure[a.tetrahedra[4 * ta + k]];
    const pb = b.pressure[b.tetrahedra[4 * tb + k]];
    if (pa < lowA) lowA = pa;
    if (pa > highA) highA = pa;
    if (pb < lowB) lowB = pb;
    if (pb > highB) highB = pb;
  }
  return lowA <= highB && lowB <= highA;
}

function loadCorners(out: Float64Array, vertices: Float64Array, tetrahedra: Int32Array, t: number): void {
  for (let i = 0; i < 4; i++) {
    const v = 3 * tetrahedra[4 * t + i];
    out[3 * i] = vertices[v];
    out[3 * i + 1] = vertices[v + 1];
    out[3 * i + 2] = vertices[v + 2];
  }
}

// corners and gradient of a tetrahedron of B in the frame of A
function loadOther({ vertices, tetrahedra, gradient }: PressureMesh, t: number): void {
  const { rotation: r } = relative;
  for (let i = 0; i < 4; i++) placePoint(cornersB, 3 * i, relative, vertices, 3 * tetrahedra[4 * t + i]);
  const [x, y, z] = [gradient[3 * t], gradient[3 * t + 1], gradient[3 * t + 2]];
  for (let k = 0; k < 3; k++) gradientB[k] = r[3 * k] * x + r[3 * k + 1] * y + r[3 * k + 2] * z;
}

// B as loaded
function addEqualPressure(
  faces: ContactFaces,
  a: PressureMesh,
  placement: Placement,
  ta: number,
  b: PressureMesh,
  tb: number,
): void {
  const { vertices, tetrahedra, pressure, gradient } = a;
  const [ax, ay, az] = [gradient[3 * ta], gradient[3 * ta + 1], gradient[3 * ta + 2]];
  const [bx, by, bz] = [gradientB[0], gradientB[1], gradientB[2]];
  const dx = bx - ax;
  const dy = by - ay;
  const dz = bz - az;
  const length = Math.sqrt(dx * dx + dy * dy + dz * dz);
  if (!(length > 0)) return;
  normal[0] = dx / length;
  normal[1] = dy / length;
  normal[2] = dz / length;
  const slopeA = -(ax * normal[0] + ay * normal[1] + az * normal[2]);
  const slopeB = bx * normal[0] + by * normal[1] + bz * normal[2];
  if (!(slopeA > LEAST_SLOPE * length && slopeB > LEAST_SLOPE * length)) return;

  // p_B − p_A at the corners of both
  loadCorners(cornersA, vertices, tetrahedra, ta);
  const pa = pressure[tetrahedra[4 * ta]];
  const pb = b.pressure[b.tetrahedra[4 * tb]];
  let [leastA, mostA, leastB, mostB] = [Infinity, -Infinity, Infinity, -Infinity];
  for (let i = 0; i < 4; i++) {
    const o = 3 * i;
    const atA =
      pb +
      bx * (cornersA[o] - cornersB[0]) +
      by * (cornersA[o + 1] - cornersB[1]) +
      bz * (cornersA[o + 2] - cornersB[2]) -
      pressure[tetrahedra[4 * ta + i]];
    const atB =
      b.pressure[b.tetrahedra[4 * tb + i]] -
      pa -
      ax * (cornersB[o] - cornersA[0]) -
      ay * (cornersB[o + 1] - cornersA[1]) -
      az * (cornersB[o + 2] - cornersA[2]);
    valuesA[i] = atA;
    leastA = Math.min(leastA, atA);
    mostA = Math.max(mostA, atA);
    leastB = Math.min(leastB, atB);
    mostB = Math.max(mostB, atB);
  }
  if (leastA >= 0 || mostA < 0 || leastB >= 0 || mostB < 0) return;
  polygon.setSection(cornersA, valuesA);
  polygon.clipByTetrahedron(cornersB);
  if (polygon.count === 0) return;
  polygon.measure();
  if (!(polygon.area > LEAST_AREA)) return;
  const p = pa + risesTo(ax, ay, az);
  const innerA = limitSlope(slopeA, Math.sqrt(ax * ax + ay * ay + az * az));
  const innerB = limitSlope(slopeB, Math.sqrt(bx * bx + by * by + bz * bz));
  const g = (innerA * innerB) / (innerA + innerB);
  faces.add(polygon, placement, normal, 1, p, g, gradient, 3 * ta, ta, tb);
}

// pressure of A at the centroid above that at its first corner
function risesTo(gx: number, gy: number, gz: number): number {
  const { centroid: c } = polygon;
  return gx * (c[0] - cornersA[0]) + gy * (c[1] - cornersA[1]) + gz * (c[2] - cornersA[2]);
}

/** Faces of the solid A on the triangles of a rigid surface B. */
export function findSurfaceFaces(
  faces: ContactFaces,
  a: PressureMesh,
  placementA: Placement,
  surface: RigidSurface,
  placementB: Placement,
): void {
  relatePlacements(relative, placementA, placementB);
  pairs.collect(a.tree, surface.tree, relative);
  const { vertices, tetrahedra, pressure, gradient } = a;
  const { rotation: r } = relative;
  const stamp = findStamps(a);
  let loaded = -1;
  let mark = 0;
  for (let i = 0; i < pairs.count; i++) {
    const tb = pairs.itemB(i);
    const ta = a.tetrahedronOf[pairs.itemA(i)];
    if (tb !== loaded) {
      loaded = tb;
      mark = nextStamp();
      for (let k = 0; k < 3; k++) placePoint(cornersB, 3 * k, relative, surface.corners, 9 * tb + 3 * k);
      const [x, y, z] = [surface.normal[3 * tb], surface.normal[3 * tb + 1], surface.normal[3 * tb + 2]];
      // from A to the surface: against its normal
      for (let k = 0; k < 3; k++) normal[k] = -(r[3 * k] * x + r[3 * k + 1] * y + r[3 * k + 2] * z);
    }
    if (stamp[ta] === mark) continue;
    stamp[ta] = mark;
    const [gx, gy, gz] = [gradient[3 * ta], gradient[3 * ta + 1], gradient[3 * ta + 2]];
    const g = -(gx * normal[0] + gy * normal[1] + gz * normal[2]);
    const size = Math.sqrt(gx * gx + gy * gy + gz * gz);
    if (!(g > LEAST_SLOPE * size)) continue;
    loadCorners(cornersA, vertices, tetrahedra, ta);
    if (!straddles()) continue;
    polygon.setTriangle(cornersB, 0, 3, 6);
    polygon.clipByTetrahedron(cornersA);
    if (polygon.count === 0) continue;
    polygon.measure();
    if (!(polygon.area > LEAST_AREA)) continue;
    const p = pressure[tetrahedra[4 * ta]] + risesTo(gx, gy, gz);
    faces.add(polygon, placementA, normal, 1, p, limitSlope(g, size), gradient, 3 * ta, ta, tb);
  }
}

// whether the plane of the triangle passes through the tetrahedron; along a face of it counts on one side alone
function straddles(): boolean {
  let [least, most] = [Infinity, -Infinity];
  for (let o = 0; o < 12; o += 3) {
    const height =
      normal[0] * (cornersA[o] - cornersB[0]) +
      normal[1] * (cornersA[o + 1] - cornersB[1]) +
      normal[2] * (cornersA[o + 2] - cornersB[2]);
    least = Math.min(least, height);
    most = Math.max(most, height);
  }
  return least < 0 && most >= 0;
}
