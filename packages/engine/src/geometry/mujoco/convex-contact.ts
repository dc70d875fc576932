/** Contact points of two convex shapes as MuJoCo 4.0 makes them: GJK, penetration depth, and several points where sides or edges lie along each other. */
import type { ContactPoints } from '../contact-points.ts';
import { CORE } from '../convex/core-kind.ts';
import type { PlacedShape } from '../placed-shape.ts';
import { ConvexObject } from './convex-object.ts';
import { Polytope } from './expanding-polytope.ts';
import { Descent, FAR, runGjk } from './gjk.ts';
import { findCapsuleContact, findMultiContact, Witnesses } from './multi-contact.ts';

const TOLERANCE = 1e-6;
const ITERATIONS = 35;

const one = /* @__PURE__ */ new ConvexObject();
const two = /* @__PURE__ */ new ConvexObject();
const descent = /* @__PURE__ */ new Descent();
const polytope = /* @__PURE__ */ new Polytope();
export const witnesses: Witnesses = /* @__PURE__ */ new Witnesses();

/** Whether a shape takes part in multiple contacts. */
function hasSides(core: number): boolean {
  return core === CORE.box || core === CORE.polyhedron || core === CORE.cylinder;
}

/** Appends the contact points of two convex shapes; see `contactPoints` of the options. */
export function testMujocoPair(out: ContactPoints, a: PlacedShape, b: PlacedShape, reach: number): void {
  one.set(a);
  two.set(b);
  const most = (hasSides(a.core) || a.core === CORE.segment) && hasSides(b.core) ? 4 : 1;
  if (!collide(one, two, reach, most)) return;
  for (let i = 0; i < witnesses.count; i++) addWitness(out, i);
}

function addWitness(out: ContactPoints, i: number): void {
  const { x1, x2, gap, normal: n } = witnesses;
  const o = 3 * i;
  out.add(
    0.5 * (x1[o] + x2[o]),
    0.5 * (x1[o + 1] + x2[o + 1]),
    0.5 * (x1[o + 2] + x2[o + 2]),
    n[o],
    n[o + 1],
    n[o + 2],
    gap[i],
    i,
  );
}

/** Leaves pairs of points in `witnesses`; false if the shapes are farther apart than `reach`, m. */
export function collide(a: ConvexObject, b: ConvexObject, reach: number, most: number): boolean {
  const radiusA = shrink(a);
  const radiusB = shrink(b);
  const radii = radiusA + radiusB;
  runGjk(descent, a, b, TOLERANCE, ITERATIONS, reach + radii);
  a.isShrunk = false;
  b.isShrunk = false;
  let face = -1;
  if (descent.distance > TOLERANCE && !(descent.isSeparated && reach + radii === 0)) {
    // apart, or round shapes whose cores are
    if (descent.distance >= FAR) return false;
    witnesses.setApart(descent, radiusA, radiusB);
    if (!(witnesses.gap[0] < reach)) return false;
  } else {
    // the depth is that of shapes inflated by half the reach
    a.inflation = 0.5 * reach;
    b.inflation = 0.5 * reach;
    if (reach + radii > 0) runGjk(descent, a, b, TOLERANCE, ITERATIONS, 0);
    if (!(descent.distance <= TOLERANCE) || descent.count < 2 || descent.isSeparated) return false;
    descent.distance = 0;
    face = polytope.measureDepth(descent, a, b, TOLERANCE, ITERATIONS);
    if (face < 0) return false;
    witnesses.setDeep(descent, reach);
  }
  if (most > 1) {
    if (a.core === CORE.segment) findCapsuleContact(witnesses, descent, polytope, face, a, b, reach);
    else findMultiContact(witnesses, descent, polytope, face, a, b, reach, most);
  }
  let least = witnesses.gap[0];
  for (let i = 1; i < witnesses.count; i++) least = Math.min(least, witnesses.gap[i]);
  return least < reach;
}

/** Makes a ball its centre and a capsule its axis, and returns the radius that is missing, m. */
function shrink(shape: ConvexObject): number {
  shape.isShrunk = shape.core === CORE.point || shape.core === CORE.segment;
  return shape.isShrunk ? shape.size[0] : 0;
}
