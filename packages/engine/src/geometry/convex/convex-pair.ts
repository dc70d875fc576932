/** Contact points of any two convex shapes, by the general method. */
import type { ContactPoints } from '../contact-points.ts';
import type { PlacedShape } from '../placed-shape.ts';
import { measurePenetration } from './epa.ts';
import { APART, measureDistance, OVERLAPPING } from './gjk.ts';
import { addManifold } from './manifold.ts';
import { MinkowskiDifference } from './minkowski.ts';
import { GAP, Separation } from './separation.ts';

const difference = /* @__PURE__ */ new MinkowskiDifference();
const separation = /* @__PURE__ */ new Separation();

/** Appends the contact points of two convex shapes (sphere, capsule, ellipsoid, cylinder, box, convex mesh). */
export function testConvexPair(out: ContactPoints, a: PlacedShape, b: PlacedShape, reach: number): void {
  const m = difference;
  m.set(a, b);
  const status = measureDistance(separation, m, reach + m.radii[0] + m.radii[1]);
  if (status === APART) return;
  if (status === OVERLAPPING) measurePenetration(separation, m);
  if (separation.values[GAP] - m.radii[0] - m.radii[1] <= reach) addManifold(out, separation, m, reach);
}
