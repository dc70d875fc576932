/** Signed distance and closest points of two convex shapes, for queries and as the first half of a pair test. */
import type { PlacedShape } from '../placed-shape.ts';
import { measurePenetration } from './epa.ts';
import { APART, measureDistance, OVERLAPPING } from './gjk.ts';
import { MinkowskiDifference } from './minkowski.ts';
import { GAP, NORMAL, POINT_A, POINT_B, Separation } from './separation.ts';

/** The two points of shortest distance, or of least depth, in the world. */
export interface ClosestPoints {
  /** On the surface of A, m. */
  readonly pointA: Float64Array;
  /** On the surface of B, m: pointA + gap · normal. */
  readonly pointB: Float64Array;
  /** Unit, from A to B. */
  readonly normal: Float64Array;
}

const difference = /* @__PURE__ */ new MinkowskiDifference();
const separation = /* @__PURE__ */ new Separation();

/** Finds the separation of the cores of M; false when the shapes are farther apart than `reach`, m. */
export function separateCores(out: Separation, m: MinkowskiDifference, reach: number): boolean {
  const radii = m.radii[0] + m.radii[1];
  const status = measureDistance(out, m, reach + radii);
  if (status === APART) return false;
  if (status === OVERLAPPING) measurePenetration(out, m);
  return out.values[GAP] - radii <= reach;
}

/** Finds the closest points of two convex shapes and returns their gap, negative in penetration, m. */
export function closestPoints(out: ClosestPoints, a: PlacedShape, b: PlacedShape): number {
  const m = difference;
  m.set(a, b);
  separateCores(separation, m, Infinity);
  const { values } = separation;
  for (let k = 0; k < 3; k++) {
    out.normal[k] = values[NORMAL + k];
    out.pointA[k] = a.position[k] + values[POINT_A + k] + m.radii[0] * values[NORMAL + k];
    out.pointB[k] = a.position[k] + values[POINT_B + k] - m.radii[1] * values[NORMAL + k];
  }
  return values[GAP] - m.radii[0] - m.radii[1];
}
