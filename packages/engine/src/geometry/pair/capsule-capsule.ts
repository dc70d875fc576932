/**
 * Capsule and capsule: the balls at the closest points of the two axes c_a + s d_a and c_b + t d_b, |s| ≤ h_a, |t| ≤ h_b.
 * With w = c_a − c_b and b = d_a·d_b the free minimum of |w + s d_a − t d_b| is
 *
 *   s = (b d_b·w − d_a·w) / (1 − b²),   t = b s + d_b·w
 *
 * and clamping s, then t for that s, then s for that t gives the minimum within the segments (Ericson, Real-Time Collision
 * Detection, 5.1.9). Nearly parallel axes touch at both ends of their common stretch, and in between where
 * they cross, so that logs can rest on logs.
 *
 * Features: 3 · (0 inside, 1 end at +z, 2 end at −z, of A) + the same of B; the ends of a stretch 9 and 10, its crossing 11.
 */
import type { ContactPoints } from '../contact-points.ts';
import type { PlacedShape } from '../placed-shape.ts';
import { addBallContact } from './ball-contact.ts';

/** sin² of the angle below which capsules count as parallel: 1e-3 rad. */
const PARALLEL = 1e-6;
/** sin² of the angle below which a crossing is nowhere nearer than the ends. */
const NO_CROSSING = 1e-14;
/** Crossings this near to an end, relative to the stretch, replace the end. */
const AT_END = 1e-3;

export function testCapsuleCapsule(out: ContactPoints, a: PlacedShape, b: PlacedShape, reach: number): void {
  const ra = a.rotation;
  const rb = b.rotation;
  const halfA = a.size[1];
  const halfB = b.size[1];
  const ax = ra[2];
  const ay = ra[5];
  const az = ra[8];
  const bx = rb[2];
  const by = rb[5];
  const bz = rb[8];
  const wx = a.position[0] - b.position[0];
  const wy = a.position[1] - b.position[1];
  const wz = a.position[2] - b.position[2];
  const cosine = ax * bx + ay * by + az * bz;
  const wa = ax * wx + ay * wy + az * wz;
  const wb = bx * wx + by * wy + bz * wz;

  // the sine from the cross product, which also parts axes that meet
  let fx = ay * bz - az * by;
  let fy = az * bx - ax * bz;
  let fz = ax * by - ay * bx;
  const sine2 = fx * fx + fy * fy + fz * fz;
  if (sine2 > NO_CROSSING) {
    const scale = 1 / Math.sqrt(sine2);
    fx *= scale;
    fy *= scale;
    fz *= scale;
  } else {
    fx = ra[0];
    fy = ra[3];
    fz = ra[6];
  }

  // closest points
  let s = sine2 > NO_CROSSING ? (cosine * wb - wa) / sine2 : 0;
  s = clamp(s, halfA);
  const t = clamp(cosine * s + wb, halfB);
  s = clamp(cosine * t - wa, halfA);

  // the stretch of A beside B
  const extent = halfB * Math.abs(cosine);
  let low = Math.max(-halfA, -wa - extent);
  let high = Math.min(halfA, -wa + extent);
  if (sine2 > PARALLEL || !(low < high)) {
    addBalls(out, a, b, s, t, fx, fy, fz, reach, 3 * codeEnd(s, halfA) + codeEnd(t, halfB));
    return;
  }
  if (sine2 > NO_CROSSING) {
    const near = AT_END * (high - low);
    if (s < low + near) low = s;
    else if (s > high - near) high = s;
    else addBalls(out, a, b, s, t, fx, fy, fz, reach, 11);
  }
  addBalls(out, a, b, high, clamp(cosine * high + wb, halfB), fx, fy, fz, reach, 9);
  addBalls(out, a, b, low, clamp(cosine * low + wb, halfB), fx, fy, fz, reach, 10);
}

/** Contact of the balls at s along the axis of A and t along the axis of B. */
function addBalls(
  out: ContactPoints,
  a: PlacedShape,
  b: PlacedShape,
  s: number,
  t: number,
  fx: number,
  fy: number,
  fz: number,
  reach: number,
  feature: number,
): void {
  addBallContact(
    out,
    a.position[0] + s * a.rotation[2],
    a.position[1] + s * a.rotation[5],
    a.position[2] + s * a.rotation[8],
    a.size[0],
    b.position[0] + t * b.rotation[2],
    b.position[1] + t * b.rotation[5],
    b.position[2] + t * b.rotation[8],
    b.size[0],
    fx,
    fy,
    fz,
    reach,
    feature,
  );
}

function clamp(value: number, limit: number): number {
  return Math.min(Math.max(value, -limit), limit);
}

function codeEnd(value: number, limit: number): number {
  return value >= limit ? 1 : value <= -limit ? 2 : 0;
}
