/**
 * Squared distance of a point and a line through two points of a stencil.
 *
 *   w = p − e₀, e = e₁ − e₀, s = w·e/|e|², r = w − s e, D = |r|² = |e × w|²/|e|², m²
 *
 * In the terms of closest-pair.ts: z = s, c = (1, s − 1, −s), r_s = −e, r̃ˢ = −e/|e|², P = I − êêᵀ.
 * Whether the closest point is inside the segment (0 < s < 1) is decided by the classifiers; this file measures a line.
 */
import { pair } from './closest-pair.ts';

/** D of the point at x[p] and the line through the points at x[a] and x[b] (a ≠ b as points), m². */
export function measurePointLine(x: Float64Array, p: number, a: number, b: number): number {
  const ex = x[b] - x[a];
  const ey = x[b + 1] - x[a + 1];
  const ez = x[b + 2] - x[a + 2];
  const wx = x[p] - x[a];
  const wy = x[p + 1] - x[a + 1];
  const wz = x[p + 2] - x[a + 2];
  const cx = ey * wz - ez * wy;
  const cy = ez * wx - ex * wz;
  const cz = ex * wy - ey * wx;
  return (cx * cx + cy * cy + cz * cz) / (ex * ex + ey * ey + ez * ez);
}

/**
 * Where on the segment from x[a] to x[b] the point nearest to x[p] lies: 0 the start, 1 the end, else between.
 * A segment without length, or one so short that |e|² is zero, counts as its start.
 */
export function locateOnSegment(x: Float64Array, p: number, a: number, b: number): number {
  const ex = x[b] - x[a];
  const ey = x[b + 1] - x[a + 1];
  const ez = x[b + 2] - x[a + 2];
  const along = (x[p] - x[a]) * ex + (x[p + 1] - x[a + 1]) * ey + (x[p + 2] - x[a + 2]) * ez;
  const square = ex * ex + ey * ey + ez * ez;
  if (!(along > 0)) return 0;
  return along < square ? along / square : 1;
}

/** D of the point at x[p] and the place s of `locateOnSegment` on the segment, m². */
export function measurePointSegment(x: Float64Array, p: number, a: number, b: number, s: number): number {
  if (s > 0 && s < 1) return measurePointLine(x, p, a, b);
  const e = s > 0 ? b : a;
  const rx = x[p] - x[e];
  const ry = x[p + 1] - x[e + 1];
  const rz = x[p + 2] - x[e + 2];
  return rx * rx + ry * ry + rz * rz;
}

/**
 * Sets `pair` to point i and the line through points j and k of the stencil x[o..o+12). `sign` is 1 where the point is
 * the first feature, −1 where the line is: it turns r and c, and leaves D and its derivatives as they are.
 */
export function pairPointLine(x: Float64Array, o: number, i: number, j: number, k: number, sign: number): void {
  const a = o + 3 * j;
  const b = o + 3 * k;
  const ex = x[b] - x[a];
  const ey = x[b + 1] - x[a + 1];
  const ez = x[b + 2] - x[a + 2];
  const inverse = 1 / (ex * ex + ey * ey + ez * ez);
  let rx = x[o + 3 * i] - x[a];
  let ry = x[o + 3 * i + 1] - x[a + 1];
  let rz = x[o + 3 * i + 2] - x[a + 2];

  // s and r in two passes: the second removes the rounding error of the first along the line
  let s = 0;
  for (let pass = 0; pass < 2; pass++) {
    const more = (rx * ex + ry * ey + rz * ez) * inverse;
    rx -= more * ex;
    ry -= more * ey;
    rz -= more * ez;
    s += more;
  }
  pair.offset[0] = sign * rx;
  pair.offset[1] = sign * ry;
  pair.offset[2] = sign * rz;
  // loops, because a call of `fill` costs more than so few numbers
  for (let n = 0; n < 4; n++) pair.weights[n] = 0;
  pair.weights[i] = sign;
  pair.weights[j] = sign * (s - 1);
  pair.weights[k] = -sign * s;

  // ∂c/∂s = (0, 1, −1): W of the two ends is −e/|e|² and e/|e|²
  const w = pair.duals;
  for (let n = 0; n < 12; n++) w[n] = 0;
  w[3 * j] = -(w[3 * k] = ex * inverse);
  w[3 * j + 1] = -(w[3 * k + 1] = ey * inverse);
  w[3 * j + 2] = -(w[3 * k + 2] = ez * inverse);

  const p = pair.projector;
  p[0] = 1 - ex * ex * inverse;
  p[4] = 1 - ey * ey * inverse;
  p[8] = 1 - ez * ez * inverse;
  p[1] = p[3] = -ex * ey * inverse;
  p[2] = p[6] = -ex * ez * inverse;
  p[5] = p[7] = -ey * ez * inverse;
}
