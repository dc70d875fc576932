/** Contact points of any two convex shapes, by the general method: GJK, EPA and clipping of faces. */
import type { ContactPoints } from '../contact-points.ts';
import type { PlacedShape } from '../placed-shape.ts';
import { separateCores } from './convex-distance.ts';
import { addManifold } from './manifold.ts';
import { MinkowskiDifference } from './minkowski.ts';
import { Separation } from './separation.ts';

const difference = /* @__PURE__ */ new MinkowskiDifference();
const separation = /* @__PURE__ */ new Separation();

/** Appends the contact points of two convex shapes (sphere, capsule, ellipsoid, cylinder, box, convex mesh). */
export function testConvexPair(out: ContactPoints, a: PlacedShape, b: PlacedShape, reach: number): void {
  difference.set(a, b);
  if (separateCores(separation, difference, reach)) addManifold(out, separation, difference, reach);
}
