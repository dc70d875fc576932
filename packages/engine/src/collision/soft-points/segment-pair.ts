/** The points of two segments that are closest to each other, all of them vertices in one array of positions. */

/**
 * Segments a b and c d, at offsets of x: places along both, 0 to 1, to out[0] and out[1], square of their distance, m², to out[2].
 * Source: Ericson, Real-Time Collision Detection (2005), section 5.1.9.
 */
export function findClosestOnSegments(
  out: Float64Array,
  x: Float64Array,
  a: number,
  b: number,
  c: number,
  d: number,
): void {
  const ux = x[b] - x[a];
  const uy = x[b + 1] - x[a + 1];
  const uz = x[b + 2] - x[a + 2];
  const vx = x[d] - x[c];
  const vy = x[d + 1] - x[c + 1];
  const vz = x[d + 2] - x[c + 2];
  const wx = x[a] - x[c];
  const wy = x[a + 1] - x[c + 1];
  const wz = x[a + 2] - x[c + 2];
  const uu = ux * ux + uy * uy + uz * uz;
  const vv = vx * vx + vy * vy + vz * vz;
  const uv = ux * vx + uy * vy + uz * vz;
  const uw = ux * wx + uy * wy + uz * wz;
  const vw = vx * wx + vy * wy + vz * wz;
  const determinant = uu * vv - uv * uv;
  let s = determinant > 1e-10 * uu * vv ? clamp((uv * vw - vv * uw) / determinant) : 0.5;
  const t = clamp((uv * s + vw) / vv);
  s = clamp((uv * t - uw) / uu);
  const dx = wx + s * ux - t * vx;
  const dy = wy + s * uy - t * vy;
  const dz = wz + s * uz - t * vz;
  out[0] = s;
  out[1] = t;
  out[2] = dx * dx + dy * dy + dz * dz;
}

function clamp(value: number): number {
  return Math.min(1, Math.max(0, value));
}
