/**
 * Capsule and capsule as in MuJoCo 4.0: the balls at the closest points of the two axes; of axes parallel within 1e-4 rad the balls at
 * both ends of the stretch they share, where each end is that of one axis and its foot on the other.
 */
import type { ContactPoints } from '../contact-points.ts';
import { addBallContact } from '../pair/ball-contact.ts';
import { testCapsuleCapsule } from '../pair/capsule-capsule.ts';
import type { PlacedShape } from '../placed-shape.ts';

/** sin² of the angle below which axes are parallel, and of that below which the closed form has several points. */
const PARALLEL = 1e-8;
const NEARLY_PARALLEL = 1e-6;

export function testMujocoCapsules(out: ContactPoints, a: PlacedShape, b: PlacedShape, reach: number): void {
  const [ax, ay, az] = [a.rotation[2], a.rotation[5], a.rotation[8]];
  const [bx, by, bz] = [b.rotation[2], b.rotation[5], b.rotation[8]];
  const [cx, cy, cz] = [ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx];
  const sine2 = cx * cx + cy * cy + cz * cz;
  if (sine2 > NEARLY_PARALLEL) {
    testCapsuleCapsule(out, a, b, reach);
    return;
  }
  const wx = a.position[0] - b.position[0];
  const wy = a.position[1] - b.position[1];
  const wz = a.position[2] - b.position[2];
  const cosine = ax * bx + ay * by + az * bz;
  const wa = ax * wx + ay * wy + az * wz;
  const wb = bx * wx + by * wy + bz * wz;
  const [halfA, halfB] = [a.size[1], b.size[1]];
  if (sine2 > PARALLEL) {
    let s = clamp((cosine * wb - wa) / sine2, halfA);
    const t = clamp(cosine * s + wb, halfB);
    s = clamp(cosine * t - wa, halfA);
    addBalls(out, a, b, s, t, reach, 0);
    return;
  }
  // feet of the ends of B on A, in order
  const sign = cosine < 0 ? -1 : 1;
  const low = cosine * -sign * halfB - wa;
  const high = cosine * sign * halfB - wa;
  if (low >= halfA || high <= -halfA) {
    // side by side nowhere: the two ends that are nearest
    const s = low >= halfA ? halfA : -halfA;
    addBalls(out, a, b, s, clamp(cosine * s + wb, halfB), reach, 0);
    return;
  }
  if (low > -halfA) addBalls(out, a, b, low, -sign * halfB, reach, 1);
  else addBalls(out, a, b, -halfA, clamp(wb - cosine * halfA, halfB), reach, 1);
  if (high < halfA) addBalls(out, a, b, high, sign * halfB, reach, 2);
  else addBalls(out, a, b, halfA, clamp(wb + cosine * halfA, halfB), reach, 2);
}

/** Contact of the balls at s along the axis of A and t along that of B; axes that meet part along x of A. */
function addBalls(
  out: ContactPoints,
  a: PlacedShape,
  b: PlacedShape,
  s: number,
  t: number,
  reach: number,
  feature: number,
): void {
  const { position: p, rotation: r } = a;
  const { position: q, rotation: m } = b;
  addBallContact(
    out,
    p[0] + s * r[2],
    p[1] + s * r[5],
    p[2] + s * r[8],
    a.size[0],
    q[0] + t * m[2],
    q[1] + t * m[5],
    q[2] + t * m[8],
    b.size[0],
    r[0],
    r[3],
    r[6],
    reach,
    feature,
  );
}

function clamp(value: number, limit: number): number {
  return Math.min(Math.max(value, -limit), limit);
}
