/**
 * Sphere and capsule: the ball of the capsule whose centre is nearest to the sphere's, at clamp(d·(c_a − c_b), ±h) along the
 * axis d. A centre on the axis touches along the capsule's x axis.
 * Features: 0 the side, 1 the end at +z, 2 the end at −z.
 */
import type { ContactPoints } from '../contact-points.ts';
import type { PlacedShape } from '../placed-shape.ts';
import { addBallContact } from './ball-contact.ts';

export function testSphereCapsule(out: ContactPoints, a: PlacedShape, b: PlacedShape, reach: number): void {
  const p = a.position;
  const q = b.position;
  const r = b.rotation;
  const half = b.size[1];
  let along = (p[0] - q[0]) * r[2] + (p[1] - q[1]) * r[5] + (p[2] - q[2]) * r[8];
  let feature = 0;
  if (along >= half) {
    along = half;
    feature = 1;
  } else if (along <= -half) {
    along = -half;
    feature = 2;
  }
  const x = q[0] + along * r[2];
  const y = q[1] + along * r[5];
  const z = q[2] + along * r[8];
  addBallContact(out, p[0], p[1], p[2], a.size[0], x, y, z, b.size[0], r[0], r[3], r[6], reach, feature);
}
