/**
 * Plane and cylinder: up to four points on the rims. Let d be the axis towards the plane, u the direction across the axis that
 * falls steepest, w = u × d:
 *
 *   lowest point            c + h d + r u                      c centre, h half length, r radius, m
 *   the same on the far rim  c − h d + r u                      carries a lying cylinder
 *   two more on the near rim c + h d − ½ r u ± ½√3 r w          a regular triangle, carries a standing cylinder
 *
 * These are MuJoCo's points. A standing cylinder has no steepest direction: u is then its x axis.
 * Features: rim points 0 (rim at +z) and 1 (at −z); the side points 2, 3 of the rim at +z and 4, 5 of the rim at −z.
 */
import type { ContactPoints } from '../contact-points.ts';
import type { PlacedShape } from '../placed-shape.ts';

/** Sine of the tilt below which a cylinder counts as standing: its points then err by less than this times the radius. */
const STANDING = 1e-12;
const HALF_SQRT3 = 0.8660254037844386;

export function testPlaneCylinder(out: ContactPoints, a: PlacedShape, b: PlacedShape, reach: number): void {
  const nx = a.rotation[2];
  const ny = a.rotation[5];
  const nz = a.rotation[8];
  const radius = b.size[0];
  const half = b.size[1];

  // axis towards the plane and its slope
  let dx = b.rotation[2];
  let dy = b.rotation[5];
  let dz = b.rotation[8];
  let slope = dx * nx + dy * ny + dz * nz;
  let rim = 0;
  if (slope > 0) {
    dx = -dx;
    dy = -dy;
    dz = -dz;
    slope = -slope;
    rim = 1;
  }

  // steepest direction across the axis, times the radius
  let ux = slope * dx - nx;
  let uy = slope * dy - ny;
  let uz = slope * dz - nz;
  const tilt = Math.sqrt(ux * ux + uy * uy + uz * uz);
  if (tilt >= STANDING) {
    const scale = radius / tilt;
    ux *= scale;
    uy *= scale;
    uz *= scale;
  } else {
    ux = b.rotation[0] * radius;
    uy = b.rotation[3] * radius;
    uz = b.rotation[6] * radius;
  }
  const fall = ux * nx + uy * ny + uz * nz;

  // lowest point
  const x = b.position[0];
  const y = b.position[1];
  const z = b.position[2];
  const center = (x - a.position[0]) * nx + (y - a.position[1]) * ny + (z - a.position[2]) * nz;
  const near = center + half * slope;
  const lowest = near + fall;
  if (lowest > reach) return;
  const nearX = x + half * dx;
  const nearY = y + half * dy;
  const nearZ = z + half * dz;
  addRimPoint(out, nearX + ux, nearY + uy, nearZ + uz, nx, ny, nz, lowest, rim);

  // the same on the far rim
  const far = center - half * slope + fall;
  if (far <= reach) {
    addRimPoint(out, x - half * dx + ux, y - half * dy + uy, z - half * dz + uz, nx, ny, nz, far, 1 - rim);
  }

  // the two others of the triangle
  const side = near - 0.5 * fall;
  if (side > reach) return;
  const wx = HALF_SQRT3 * (uy * dz - uz * dy);
  const wy = HALF_SQRT3 * (uz * dx - ux * dz);
  const wz = HALF_SQRT3 * (ux * dy - uy * dx);
  const sx = nearX - 0.5 * ux;
  const sy = nearY - 0.5 * uy;
  const sz = nearZ - 0.5 * uz;
  addRimPoint(out, sx + wx, sy + wy, sz + wz, nx, ny, nz, side, 2 + 2 * rim);
  addRimPoint(out, sx - wx, sy - wy, sz - wz, nx, ny, nz, side, 3 + 2 * rim);
}

/** Appends the point (x, y, z) of the cylinder, moved half the gap towards the plane. */
function addRimPoint(
  out: ContactPoints,
  x: number,
  y: number,
  z: number,
  nx: number,
  ny: number,
  nz: number,
  gap: number,
  feature: number,
): void {
  out.add(x - 0.5 * gap * nx, y - 0.5 * gap * ny, z - 0.5 * gap * nz, nx, ny, nz, gap, feature);
}
