/**
 * Plane and cylinder: up to four points on the rims. Let d be the axis towards the plane, u the direction across the axis that
 * descends most steeply, w = u × d:
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

/** The four points and their heights over the plane, m. */
const points = /* @__PURE__ */ new Float64Array(12);
const gaps = /* @__PURE__ */ new Float64Array(4);

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
  if (near + fall > reach) return;
  gaps[0] = near + fall;
  points[0] = x + half * dx + ux;
  points[1] = y + half * dy + uy;
  points[2] = z + half * dz + uz;

  // the same on the far rim
  gaps[1] = center - half * slope + fall;
  points[3] = x - half * dx + ux;
  points[4] = y - half * dy + uy;
  points[5] = z - half * dz + uz;

  // the two others of the triangle
  const wx = HALF_SQRT3 * (uy * dz - uz * dy);
  const wy = HALF_SQRT3 * (uz * dx - ux * dz);
  const wz = HALF_SQRT3 * (ux * dy - uy * dx);
  gaps[2] = near - 0.5 * fall;
  points[6] = x + half * dx - 0.5 * ux + wx;
  points[7] = y + half * dy - 0.5 * uy + wy;
  points[8] = z + half * dz - 0.5 * uz + wz;
  gaps[3] = gaps[2];
  points[9] = x + half * dx - 0.5 * ux - wx;
  points[10] = y + half * dy - 0.5 * uy - wy;
  points[11] = z + half * dz - 0.5 * uz - wz;

  for (let k = 0; k < 4; k++) {
    const gap = gaps[k];
    if (gap > reach) continue;
    const down = 0.5 * gap;
    const feature = k === 0 ? rim : k === 1 ? 1 - rim : k + 2 * rim;
    out.add(
      points[3 * k] - down * nx,
      points[3 * k + 1] - down * ny,
      points[3 * k + 2] - down * nz,
      nx,
      ny,
      nz,
      gap,
      feature,
    );
  }
}
