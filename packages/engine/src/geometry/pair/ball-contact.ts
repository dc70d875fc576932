/**
 * Contact of two balls: the last step of every pair whose closest points lie on inner points, segments or rings.
 *
 *   gap = |b − a| − r_a − r_b,   n = (b − a) / |b − a|,   position = a + (r_a + ½ gap) n        a, b centres, m; r radii, m
 *
 * Balls with the same centre have no direction; the caller gives one.
 */
import type { ContactPoints } from '../contact-points.ts';

/** Below this distance of the centres their direction is rounding noise, m. */
const COINCIDENT = 1e-15;

/** Appends the contact if its gap is at most `reach`. (fx, fy, fz) is the unit normal of coincident centres. */
export function addBallContact(
  out: ContactPoints,
  ax: number,
  ay: number,
  az: number,
  ra: number,
  bx: number,
  by: number,
  bz: number,
  rb: number,
  fx: number,
  fy: number,
  fz: number,
  reach: number,
  feature: number,
): void {
  let nx = bx - ax;
  let ny = by - ay;
  let nz = bz - az;
  const distance = Math.sqrt(nx * nx + ny * ny + nz * nz);
  const gap = distance - ra - rb;
  if (gap > reach) return;
  if (distance > COINCIDENT) {
    nx /= distance;
    ny /= distance;
    nz /= distance;
  } else {
    nx = fx;
    ny = fy;
    nz = fz;
  }
  const along = ra + 0.5 * gap;
  out.add(ax + along * nx, ay + along * ny, az + along * nz, nx, ny, nz, gap, feature);
}
