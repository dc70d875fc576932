/** Contact points of any two convex shapes, by the general method. */
import type { ContactPoints } from '../contact-points.ts';
import type { PlacedShape } from '../placed-shape.ts';
import { measurePenetration } from './epa.ts';
import { APART, measureDistance, OVERLAPPING } from './gjk.ts';
import { MinkowskiDifference } from './minkowski.ts';
import { GAP, NORMAL, POINT_A, POINT_B, Separation } from './separation.ts';

const difference = /* @__PURE__ */ new MinkowskiDifference();
const separation = /* @__PURE__ */ new Separation();

/** Appends the contact points of two convex shapes (sphere, capsule, ellipsoid, cylinder, box, convex mesh). */
export function testConvexPair(out: ContactPoints, a: PlacedShape, b: PlacedShape, reach: number): void {
  const m = difference;
  m.set(a, b);
  const status = measureDistance(separation, m, reach + m.radii[0] + m.radii[1]);
  if (status === APART) return;
  if (status === OVERLAPPING) measurePenetration(separation, m);
  const s = separation.values;
  const gap = s[GAP] - m.radii[0] - m.radii[1];
  if (gap > reach) return;
  // half way between the surfaces
  const shift = 0.5 * (m.radii[0] - m.radii[1]);
  out.add(
    0.5 * (s[POINT_A] + s[POINT_B]) + shift * s[NORMAL] + a.position[0],
    0.5 * (s[POINT_A + 1] + s[POINT_B + 1]) + shift * s[NORMAL + 1] + a.position[1],
    0.5 * (s[POINT_A + 2] + s[POINT_B + 2]) + shift * s[NORMAL + 2] + a.position[2],
    s[NORMAL],
    s[NORMAL + 1],
    s[NORMAL + 2],
    gap,
    0,
  );
}
