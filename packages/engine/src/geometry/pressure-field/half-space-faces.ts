/**
 * Faces between a half-space and a body in it, with m its outward normal and d(x) the depth below it (m).
 *
 *   solid, rigid half-space       the section d = 0 of each tetrahedron; n = m, g = ∇p · m
 *   solid, compliant half-space   the section p = s d, s its slope (Pa/m); n along ∇p + s m, g_1 = s m · n, g_2 = ∇p · n
 *   rigid triangle, compliant     the part of the triangle with d ≥ −margin; n = −(its outward normal), g = s m · n
 *
 * Normals point out of the half-space.
 */
import type { BoundingTree } from '../bounding-tree/bounding-tree.ts';
import {
  type ContactFaces,
  createPlacement,
  LEAST_AREA,
  LEAST_SLOPE,
  limitSlope,
  type Placement,
  relatePlacements,
} from './contact-faces.ts';
import { ContactPolygon } from './contact-polygon.ts';
import { findStamps, nextStamp, type PressureMesh } from './pressure-mesh.ts';
import type { RigidSurface } from './rigid-surface.ts';

const relative = /* @__PURE__ */ createPlacement();
const polygon = /* @__PURE__ */ new ContactPolygon();
const corners = /* @__PURE__ */ new Float64Array(12);
const values = /* @__PURE__ */ new Float64Array(4);
const normal = /* @__PURE__ */ new Float64Array(3);
const out3 = /* @__PURE__ */ new Float64Array(3);

/** @param slope s, Pa/m; Infinity where the half-space is rigid */
export function findHalfSpaceFaces(
  faces: ContactFaces,
  halfSpace: Placement,
  slope: number,
  mesh: PressureMesh,
  placement: Placement,
): void {
  relatePlacements(relative, placement, halfSpace);
  const { rotation: r, position: o } = relative;
  const [mx, my, mz] = [r[2], r[5], r[8]];
  const offset = mx * o[0] + my * o[1] + mz * o[2];
  // heights in which the pressures can meet
  const high = -mesh.lowest / slope;
  const low = -mesh.highest / slope;
  const { children, skip } = mesh.tree;
  const { tetrahedronOf } = mesh;
  const stamp = findStamps(mesh);
  const end = 2 * mesh.tree.count - 1;
  const mark = nextStamp();
  for (let k = 0; k < end; ) {
    if (isOutside(mesh.tree, k, mx, my, mz, offset, low, high)) {
      k = skip[k];
      continue;
    }
    if (children[2 * k] < 0) {
      const t = tetrahedronOf[children[2 * k + 1]];
      if (stamp[t] !== mark) addSection(faces, mesh, placement, t, mx, my, mz, offset, slope);
      stamp[t] = mark;
    }
    k++;
  }
}

// whether a box lies above `high` or below `low`
function isOutside(
  { bounds }: BoundingTree,
  node: number,
  mx: number,
  my: number,
  mz: number,
  offset: number,
  low: number,
  high: number,
): boolean {
  const b = 6 * node;
  const lowest =
    mx * bounds[mx > 0 ? b : b + 3] + my * bounds[my > 0 ? b + 1 : b + 4] + mz * bounds[mz > 0 ? b + 2 : b + 5];
  const highest =
    mx * bounds[mx > 0 ? b + 3 : b] + my * bounds[my > 0 ? b + 4 : b + 1] + mz * bounds[mz > 0 ? b + 5 : b + 2];
  return lowest - offset > high || highest - offset < low;
}

function addSection(
  faces: ContactFaces,
  mesh: PressureMesh,
  placement: Placement,
  t: number,
  mx: number,
  my: number,
  mz: number,
  offset: number,
  slope: number,
): void {
  const { vertices, tetrahedra, pressure, gradient } = mesh;
  const isRigid = slope === Infinity;
  let least = Infinity;
  let most = -Infinity;
  for (let i = 0; i < 4; i++) {
    const v = tetrahedra[4 * t + i];
    for (let k = 0; k < 3; k++) corners[3 * i + k] = vertices[3 * v + k];
    const height = mx * corners[3 * i] + my * corners[3 * i + 1] + mz * corners[3 * i + 2] - offset;
    values[i] = isRigid ? height : pressure[v] + slope * height;
    least = Math.min(least, values[i]);
    most = Math.max(most, values[i]);
  }
  if (least >= 0 || most < 0) return;
  // direction, and how both pressures rise along it
  const [gx, gy, gz] = [gradient[3 * t], gradient[3 * t + 1], gradient[3 * t + 2]];
  const size = Math.sqrt(gx * gx + gy * gy + gz * gz);
  normal[0] = isRigid ? mx : gx + slope * mx;
  normal[1] = isRigid ? my : gy + slope * my;
  normal[2] = isRigid ? mz : gz + slope * mz;
  const length = Math.sqrt(normal[0] ** 2 + normal[1] ** 2 + normal[2] ** 2);
  for (let k = 0; k < 3; k++) normal[k] /= length;
  const own = gx * normal[0] + gy * normal[1] + gz * normal[2];
  if (!(own > LEAST_SLOPE * size)) return;
  const other = isRigid ? Infinity : slope * (mx * normal[0] + my * normal[1] + mz * normal[2]);
  if (!(other > LEAST_SLOPE * slope || isRigid)) return;
  polygon.setSection(corners, values);
  polygon.measure();
  if (!(polygon.area > LEAST_AREA)) return;
  const { centroid: c } = polygon;
  const p =
    pressure[tetrahedra[4 * t]] + gx * (c[0] - corners[0]) + gy * (c[1] - corners[1]) + gz * (c[2] - corners[2]);
  const inner = limitSlope(own, size);
  const outer = limitSlope(other, slope);
  const g = isRigid ? inner : (inner * outer) / (inner + outer);
  faces.add(polygon, placement, normal, 1, p, g, gradient, 3 * t, 0, t);
}

/** Triangles of a rigid surface against a compliant half-space; faces up to `margin` (m) above it are in as well. */
export function findSheetFaces(
  faces: ContactFaces,
  halfSpace: Placement,
  slope: number,
  margin: number,
  surface: RigidSurface,
  placement: Placement,
): void {
  relatePlacements(relative, placement, halfSpace);
  const { rotation: r, position: o } = relative;
  const [mx, my, mz] = [r[2], r[5], r[8]];
  const offset = mx * o[0] + my * o[1] + mz * o[2];
  const { children, skip } = surface.tree;
  const end = 2 * surface.tree.count - 1;
  out3[0] = -slope * mx;
  out3[1] = -slope * my;
  out3[2] = -slope * mz;
  for (let k = 0; k < end; ) {
    if (isOutside(surface.tree, k, mx, my, mz, offset, -Infinity, margin)) {
      k = skip[k];
      continue;
    }
    if (children[2 * k] < 0) {
      const t = children[2 * k + 1];
      for (let i = 0; i < 3; i++) normal[i] = -surface.normal[3 * t + i];
      const g = slope * (mx * normal[0] + my * normal[1] + mz * normal[2]);
      polygon.setTriangle(surface.corners, 9 * t, 9 * t + 3, 9 * t + 6);
      polygon.clip(mx, my, mz, offset + margin);
      polygon.measure();
      const { centroid: c } = polygon;
      if (g > LEAST_SLOPE * slope && polygon.count > 0 && polygon.area > LEAST_AREA) {
        const p = -slope * (mx * c[0] + my * c[1] + mz * c[2] - offset);
        faces.add(polygon, placement, normal, 1, p, limitSlope(g, slope), out3, 0, 0, t);
      }
    }
    k++;
  }
}
