/**
 * Plane and sphere: gap = n·(c − o) − r        n plane normal, o its origin, c centre, m, r radius, m
 */
import type { ContactPoints } from '../contact-points.ts';
import type { PlacedShape } from '../placed-shape.ts';

export function testPlaneSphere(out: ContactPoints, a: PlacedShape, b: PlacedShape, reach: number): void {
  addPlaneBall(out, a, b.position[0], b.position[1], b.position[2], b.size[0], reach, 0);
}

/** Appends the contact of a plane with a ball if its gap is at most `reach`. */
export function addPlaneBall(
  out: ContactPoints,
  plane: PlacedShape,
  x: number,
  y: number,
  z: number,
  radius: number,
  reach: number,
  feature: number,
): void {
  const origin = plane.position;
  const nx = plane.rotation[2];
  const ny = plane.rotation[5];
  const nz = plane.rotation[8];
  const gap = (x - origin[0]) * nx + (y - origin[1]) * ny + (z - origin[2]) * nz - radius;
  if (gap > reach) return;
  const down = radius + 0.5 * gap;
  out.add(x - down * nx, y - down * ny, z - down * nz, nx, ny, nz, gap, feature);
}
