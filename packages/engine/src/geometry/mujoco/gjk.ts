/**
 * GJK on the Minkowski difference A − B as MuJoCo 4.0 runs it: a descent on ½|x|² from the difference of the centres; leaves the last
 * simplex for the penetration depth. Where the shapes are apart and their distance is not asked for, it stops at the first plane
 * between them. (MuJoCo 3.14 turned to another search as soon as it had four points; this changes where the depth of round
 * shapes ends within its tolerance.) Gilbert, Johnson, Keerthi (1988); Montanari, Petrinic, Barbieri (2017).
 */
import type { ConvexObject } from './convex-object.ts';
import { DifferencePoints } from './difference-points.ts';
import { lambda, weighSimplex } from './nearest-weights.ts';

const TINY = 1e-15;
/** Beyond every distance, m. */
export const FAR: number = Number.MAX_VALUE;

/** What GJK ends with. */
export class Descent {
  readonly simplex: DifferencePoints = new DifferencePoints(4);
  /** Number of points of the simplex. */
  count = 0;
  /** Distance of the shapes, m; 0 where they overlap; FAR where they are farther than the cutoff. */
  distance = 0;
  /** Closest points, on A and on B. */
  readonly x1: Float64Array = new Float64Array(3);
  readonly x2: Float64Array = new Float64Array(3);
  /** Whether a plane between the shapes was found. */
  isSeparated = false;

  end(count: number, distance: number, isSeparated: boolean): void {
    this.count = count;
    this.distance = distance;
    this.isSeparated = isSeparated;
  }
}

/** The support point beyond the last simplex, and the nearest point of the simplex. */
const last = /* @__PURE__ */ new DifferencePoints(1);
const x = /* @__PURE__ */ new Float64Array(3);

/** Runs from the centres of the shapes; distances beyond `cutoff` (m) are not looked for, 0: only whether they overlap. */
export function runGjk(
  out: Descent,
  a: ConvexObject,
  b: ConvexObject,
  tolerance: number,
  iterations: number,
  cutoff: number,
): void {
  const { simplex, x1, x2 } = out;
  const s = simplex.values;
  const needsDistance = cutoff > 0;
  const isDiscrete = a.isDiscrete && b.isDiscrete;
  const epsilon = isDiscrete ? 0 : 0.5 * tolerance * tolerance;
  const least = isDiscrete ? TINY : tolerance;
  out.isSeparated = false;
  a.writeCenter(x1, 0);
  b.writeCenter(x2, 0);
  for (let k = 0; k < 3; k++) x[k] = x1[k] - x2[k];
  let length = Math.sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
  let before = 0;
  let n = 0;
  for (let k = 0; k < iterations; k++) {
    if (length < least || Math.abs(before - length) < TINY) break;
    const inverse = 1 / length;
    simplex.support(n, a, b, -(x[0] * inverse), -(x[1] * inverse), -(x[2] * inverse));
    const o = 9 * n;
    // bound on the error of ½|x|²
    if (x[0] * (x[0] - s[o]) + x[1] * (x[1] - s[o + 1]) + x[2] * (x[2] - s[o + 2]) < epsilon) break;
    const along = x[0] * s[o] + x[1] * s[o + 1] + x[2] * s[o + 2];
    if (along > 0 && (!needsDistance || (cutoff < FAR && along >= cutoff * length))) {
      out.end(0, FAR, true);
      return;
    }
    weighSimplex(s, 9, n + 1);
    n = 0;
    for (let i = 0; i < 4; i++) {
      if (lambda[i] === 0) continue;
      if (i !== n) simplex.copy(n, simplex, i);
      lambda[n++] = lambda[i];
    }
    if (n < 1) {
      out.end(0, FAR, true);
      return;
    }
    for (let j = 0; j < 3; j++) x[j] = combine(s, n, j);
    before = length;
    length = Math.sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
    if (n === 4) break;
  }
  if (n > 0) {
    for (let j = 0; j < 3; j++) {
      x1[j] = combine(s, n, 3 + j);
      x2[j] = combine(s, n, 6 + j);
    }
  }
  // a plane between the shapes
  const inverse = 1 / length;
  last.support(0, a, b, -(x[0] * inverse), -(x[1] * inverse), -(x[2] * inverse));
  const v = last.values;
  const isSeparated = x[0] * v[0] + x[1] * v[1] + x[2] * v[2] > 0;
  out.end(n, n === 4 && !isSeparated ? 0 : length, isSeparated);
}

/** One coordinate of the point with the weights λ. */
function combine(s: Float64Array, n: number, k: number): number {
  let sum = lambda[0] * s[k];
  for (let i = 1; i < n; i++) sum += lambda[i] * s[9 * i + k];
  return sum;
}
