/** Squared distance of the segments from a to b and from p to q; the arguments are where their coordinates begin in x (Ericson, Real-time collision detection, 5.1.9). */
export function distanceSquaredOfSegments(x: Float64Array, a: number, b: number, p: number, q: number): number {
  const u = [0, 1, 2].map((c) => x[b + c]! - x[a + c]!);
  const v = [0, 1, 2].map((c) => x[q + c]! - x[p + c]!);
  const w = [0, 1, 2].map((c) => x[a + c]! - x[p + c]!);
  const dot = (s: readonly number[], t: readonly number[]): number => s[0]! * t[0]! + s[1]! * t[1]! + s[2]! * t[2]!;
  const [uu, uv, vv, uw, vw] = [dot(u, u), dot(u, v), dot(v, v), dot(u, w), dot(v, w)];
  const clamp = (value: number): number => Math.min(1, Math.max(0, value));
  const size = uu * vv - uv * uv;
  let s = size > 1e-14 * uu * vv ? clamp((uv * vw - vv * uw) / size) : 0;
  const t = clamp((uv * s + vw) / vv);
  s = clamp((uv * t - uw) / uu);
  return [0, 1, 2].reduce((sum, c) => sum + (w[c]! + s * u[c]! - t * v[c]!) ** 2, 0);
}
