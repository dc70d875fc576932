/**
 * Distance of two convex cores: Gilbert, Johnson, Keerthi (1988), with the simplex searched by signed volumes.
 *
 * v is the point nearest to the origin of a simplex with its corners in the Minkowski difference M, so |v| bounds the distance
 * from above. The support point w against v gives the plane v·x = v·w under M, so v·w/|v| bounds it from below. Each step
 * adds w to the simplex; the search ends when the bounds meet, when w is nothing new (polyhedra: the exact answer), when the
 * lower bound passes the reach, or when the origin is in the simplex.
 */

import { direction, PROOF } from './direction-proof.ts';
import type { MinkowskiDifference } from './minkowski.ts';
import { sharpenDirection } from './newton-direction.ts';
import { GAP, NORMAL, POINT_A, POINT_B, type Separation } from './separation.ts';
import { findNearestInSimplex, nearest, weights } from './simplex.ts';

/** The cores are farther apart than asked for. */
export const APART = 0;
/** The separation is found. */
export const SEPARATED = 1;
/** The cores overlap, or touch too closely for a direction. */
export const OVERLAPPING = 2;

const MOST_STEPS = 128;
/** The bounds have met when they differ by less than this share of the distance. */
const TOLERANCE = 1e-12;
/** Curved shapes: bounds this close, as a share of the distance, are good enough to begin Newton's method. */
const CLOSE = 0.05;
/** Distances below this share of the size of M have no direction. */
const TOUCHING = 1e-12;
/** Distances below the first share of the size of M have a direction when the bounds differ by less than the second of them. */
const NEAR = 1e-7;
const UNSURE = 1e-3;

const v = /* @__PURE__ */ new Float64Array(3);
const places = /* @__PURE__ */ Int32Array.of(0, 1, 2, 3);

/**
 * Corners left by the last search, at the first places of the Minkowski difference. When it ended SEPARATED, `weights` of the
 * simplex weigh them, all above zero.
 */
export const simplex: { count: number } = { count: 0 };

/**
 * Searches the distance of the cores.
 *
 * @param reach largest distance of the cores that matters, m
 */
export function measureDistance(out: Separation, m: MinkowskiDifference, reach: number): number {
  const { w, offset } = m;
  // begin along the line of the centres
  v[0] = offset[0];
  v[1] = offset[1];
  v[2] = offset[2];
  if (!(v[0] * v[0] + v[1] * v[1] + v[2] * v[2] > 0)) v[0] = 1;
  m.support(0, v, 1);
  v[0] = w[0];
  v[1] = w[1];
  v[2] = w[2];
  let squared = v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
  let size = squared;
  let count = 1;
  weights[0] = 1;
  let low = -Infinity;
  let close = CLOSE;

  for (let step = 0; step < MOST_STEPS; step++) {
    if (squared <= TOUCHING * TOUCHING * size) {
      simplex.count = count;
      return OVERLAPPING;
    }
    // the plane across v: shapes beyond the reach need no exact distance
    m.support(count, v, 1);
    const height = m.height[0];
    const length = Math.sqrt(squared);
    if (height > low * length) low = height / length;
    if (low > reach) return APART;
    if (length - low <= TOLERANCE * length) break;
    if (m.isCurved && length - low <= close * length) {
      // Newton from here; should it fail, again when the bounds are ten times closer
      direction[0] = v[0] / length;
      direction[1] = v[1] / length;
      direction[2] = v[2] / length;
      const gap = sharpenDirection(m, places, count, Math.sqrt(size));
      if (gap > 0) {
        if (gap > reach) return APART;
        for (let i = 0; i < count; i++) m.copy(i, PROOF + i);
        simplex.count = dropCorners(m, count);
        write(out.values, m, simplex.count, direction);
        out.values[GAP] = gap;
        return SEPARATED;
      }
      findNearestInSimplex(w, count);
      close = (0.1 * (length - low)) / length;
    }
    if (hasCorner(m, count)) break;
    const at = 3 * count;
    const far = w[at] * w[at] + w[at + 1] * w[at + 1] + w[at + 2] * w[at + 2];
    if (far > size) size = far;

    const next = findNearestInSimplex(w, count + 1);
    count = dropCorners(m, count + 1);
    v[0] = nearest[0];
    v[1] = nearest[1];
    v[2] = nearest[2];
    if (count === 4 || next === 0) {
      simplex.count = count;
      return OVERLAPPING;
    }
    const hasStalled = !(next < squared);
    squared = next;
    if (hasStalled) break;
  }
  simplex.count = count;
  if (squared <= TOUCHING * TOUCHING * size) return OVERLAPPING;
  const length = Math.sqrt(squared);
  // surfaces that all but touch: where rounding ends the search with its bounds apart, v is no direction
  if (squared <= NEAR * NEAR * size && length - low > UNSURE * length) return OVERLAPPING;
  v[0] /= length;
  v[1] /= length;
  v[2] /= length;
  write(out.values, m, count, v);
  out.values[GAP] = length;
  return SEPARATED;
}

// keep the corners that carry the nearest point, with their weights, in order
function dropCorners(m: MinkowskiDifference, count: number): number {
  let kept = 0;
  for (let i = 0; i < count; i++) {
    if (!(weights[i] > 0)) continue;
    m.copy(kept, i);
    weights[kept++] = weights[i];
  }
  return kept;
}

function hasCorner(m: MinkowskiDifference, count: number): boolean {
  for (let i = 0; i < count; i++) if (m.isSame(i, count)) return true;
  return false;
}

// the corners of the simplex, weighed, give the points on A and B
function write(out: Float64Array, m: MinkowskiDifference, count: number, normal: Float64Array): void {
  out[NORMAL] = normal[0];
  out[NORMAL + 1] = normal[1];
  out[NORMAL + 2] = normal[2];
  const { a, b } = m;
  for (let k = 0; k < 3; k++) {
    let pa = 0;
    let pb = 0;
    for (let i = 0; i < count; i++) {
      pa += weights[i] * a[3 * i + k];
      pb += weights[i] * b[3 * i + k];
    }
    out[POINT_A + k] = pa;
    out[POINT_B + k] = pb;
  }
}
