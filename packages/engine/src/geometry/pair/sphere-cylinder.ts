/**
 * Sphere and cylinder. With the centre at z along the axis d and ρ away from it along the unit vector e, the nearest surface
 * point lies on the side (|z| < h, and outside or nearer to the side than to a cap), on a cap (ρ < r), or on a rim:
 *
 *   side  ρ − r along e,   cap  |z| − h along ±d,   rim  distance to c ± h d + r e        h half length, r radius, m
 *
 * and the sphere's radius is subtracted. A centre on the axis has e = x axis of the cylinder.
 * Features: 0 side; 1, 2 the caps at +z and −z; 3, 4 their rims.
 */
import type { ContactPoints } from '../contact-points.ts';
import type { PlacedShape } from '../placed-shape.ts';
import { addBallContact } from './ball-contact.ts';

/** Distance from the axis below which the direction away from it is rounding noise, m. */
const ON_AXIS = 1e-15;

export function testSphereCylinder(out: ContactPoints, a: PlacedShape, b: PlacedShape, reach: number): void {
  const r = b.rotation;
  const dx = r[2];
  const dy = r[5];
  const dz = r[8];
  const radius = b.size[0];
  const half = b.size[1];
  const ball = a.size[0];
  const px = a.position[0];
  const py = a.position[1];
  const pz = a.position[2];

  // coordinates along and across the axis
  let ex = px - b.position[0];
  let ey = py - b.position[1];
  let ez = pz - b.position[2];
  const z = ex * dx + ey * dy + ez * dz;
  ex -= z * dx;
  ey -= z * dy;
  ez -= z * dz;
  const rho = Math.sqrt(ex * ex + ey * ey + ez * ez);
  if (rho > ON_AXIS) {
    ex /= rho;
    ey /= rho;
    ez /= rho;
  } else {
    ex = r[0];
    ey = r[3];
    ez = r[6];
  }

  const up = z > 0 ? 1 : -1;
  const overSide = rho - radius;
  const overCap = up * z - half;
  if (overSide >= 0 && overCap >= 0) {
    // rim: the ball against a point
    const cx = b.position[0] + up * half * dx + radius * ex;
    const cy = b.position[1] + up * half * dy + radius * ey;
    const cz = b.position[2] + up * half * dz + radius * ez;
    addBallContact(out, px, py, pz, ball, cx, cy, cz, 0, -ex, -ey, -ez, reach, up > 0 ? 3 : 4);
  } else if (overSide >= overCap) {
    addFaceContact(out, px, py, pz, ball, -ex, -ey, -ez, overSide, reach, 0);
  } else {
    addFaceContact(out, px, py, pz, ball, -up * dx, -up * dy, -up * dz, overCap, reach, up > 0 ? 1 : 2);
  }
}

/** Contact of a ball with a face `height` below its centre along the normal. */
function addFaceContact(
  out: ContactPoints,
  px: number,
  py: number,
  pz: number,
  ball: number,
  nx: number,
  ny: number,
  nz: number,
  height: number,
  reach: number,
  feature: number,
): void {
  const gap = height - ball;
  if (gap > reach) return;
  const along = ball + 0.5 * gap;
  out.add(px + along * nx, py + along * ny, pz + along * nz, nx, ny, nz, gap, feature);
}
