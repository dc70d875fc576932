/**
 * The faces between two placed geometries, whatever their kinds; normals from the first to the second.
 *
 *   half-space and solid     sections of tetrahedra
 *   half-space and surface   clipped triangles, where the half-space is compliant
 *   solid and solid          equal pressure of tetrahedra
 *   solid and surface        triangles clipped by tetrahedra
 */
import type { Placement } from '../../geometry/pressure-field/contact-faces.ts';
import { findHalfSpaceFaces, findSheetFaces } from '../../geometry/pressure-field/half-space-faces.ts';
import type { PressureGeometry } from '../../geometry/pressure-field/pressure-geometry.ts';
import { findSolidFaces, findSurfaceFaces } from '../../geometry/pressure-field/solid-faces.ts';
import type { FaceRuns } from './face-runs.ts';

export function findFaces(
  runs: FaceRuns,
  a: PressureGeometry,
  placementA: Placement,
  b: PressureGeometry,
  placementB: Placement,
): void {
  const { faces } = runs;
  const start = faces.count;
  if (a.kind === 'halfSpace') {
    if (b.kind === 'solid') findHalfSpaceFaces(faces, placementA, a.slope, b.mesh, placementB);
    else if (b.kind === 'surface' && a.slope < Infinity) {
      findSheetFaces(faces, placementA, a.slope, a.margin, b.surface, placementB);
    }
  } else if (a.kind === 'solid') {
    if (b.kind === 'solid') findSolidFaces(faces, a.mesh, placementA, b.mesh, placementB);
    else if (b.kind === 'surface') findSurfaceFaces(faces, a.mesh, placementA, b.surface, placementB);
    else flipped(runs, start, b, placementB, a, placementA);
  } else if (b.kind !== 'surface') flipped(runs, start, b, placementB, a, placementA);
}

function flipped(
  runs: FaceRuns,
  start: number,
  a: PressureGeometry,
  placementA: Placement,
  b: PressureGeometry,
  placementB: Placement,
): void {
  findFaces(runs, a, placementA, b, placementB);
  runs.flip(start);
  // items are in the order of the sides
  const { item, count } = runs.faces;
  for (let i = start; i < count; i++) [item[2 * i], item[2 * i + 1]] = [item[2 * i + 1], item[2 * i]];
}
