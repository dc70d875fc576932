/**
 * Plane and capsule: the plane with the balls at both ends. Features: 0 the end at +z, 1 the end at −z.
 */
import type { ContactPoints } from '../contact-points.ts';
import type { PlacedShape } from '../placed-shape.ts';
import { addPlaneBall } from './plane-sphere.ts';

export function testPlaneCapsule(out: ContactPoints, a: PlacedShape, b: PlacedShape, reach: number): void {
  const center = b.position;
  const radius = b.size[0];
  const dx = b.rotation[2] * b.size[1];
  const dy = b.rotation[5] * b.size[1];
  const dz = b.rotation[8] * b.size[1];
  addPlaneBall(out, a, center[0] + dx, center[1] + dy, center[2] + dz, radius, reach, 0);
  addPlaneBall(out, a, center[0] - dx, center[1] - dy, center[2] - dz, radius, reach, 1);
}
