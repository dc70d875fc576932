/** Sphere and sphere, one point. Spheres with one centre touch along the world's x axis. */
import type { ContactPoints } from '../contact-points.ts';
import type { PlacedShape } from '../placed-shape.ts';
import { addBallContact } from './ball-contact.ts';

export function testSphereSphere(out: ContactPoints, a: PlacedShape, b: PlacedShape, reach: number): void {
  const p = a.position;
  const q = b.position;
  addBallContact(out, p[0], p[1], p[2], a.size[0], q[0], q[1], q[2], b.size[0], 1, 0, 0, reach, 0);
}
