/**
 * Where a segment crosses the surface of a solid: φ = 0 between an inside and an outside end, by false position with halved weight
 * of an end that stays (Illinois), and bisection where that is slow. The bracket always holds a change of sign.
 */
import type { SignedDistanceField } from '../signed-distance/field.ts';

const MOST_STEPS = 80;

/**
 * Writes the point to `out` at `o` and returns its |φ|, m.
 *
 * @param points x y z of each point
 * @param tolerance |φ| that is as good as zero, m
 */
export function findCrossing(
  out: Float64Array,
  o: number,
  field: SignedDistanceField,
  points: Float64Array,
  ends: { inside: number; outside: number },
  tolerance: number,
): number {
  const [a, b] = [3 * ends.inside, 3 * ends.outside];
  const [dx, dy, dz] = [points[b] - points[a], points[b + 1] - points[a + 1], points[b + 2] - points[a + 2]];
  const evaluate = (t: number): number =>
    field.distance(points[a] + t * dx, points[a + 1] + t * dy, points[a + 2] + t * dz);
  let [low, high] = [0, 1];
  let [fLow, fHigh] = [evaluate(0), evaluate(1)];
  let [best, fBest] = -fLow < fHigh ? [0, -fLow] : [1, fHigh];
  let side = 0;
  for (let step = 0; step < MOST_STEPS && fBest > tolerance && high - low > 1e-15; step++) {
    let t = low + (high - low) * (fLow / (fLow - fHigh));
    // every fourth step halves the bracket regardless of the values
    if (step % 4 === 3 || !(t > low && t < high)) t = 0.5 * (low + high);
    const f = evaluate(t);
    if (Math.abs(f) < fBest) [best, fBest] = [t, Math.abs(f)];
    if (f < 0) {
      [low, fLow] = [t, f];
      if (side < 0) fHigh *= 0.5;
      side = -1;
    } else {
      [high, fHigh] = [t, f];
      if (side > 0) fLow *= 0.5;
      side = 1;
    }
  }
  out[o] = points[a] + best * dx;
  out[o + 1] = points[a + 1] + best * dy;
  out[o + 2] = points[a + 2] + best * dz;
  return fBest;
}
