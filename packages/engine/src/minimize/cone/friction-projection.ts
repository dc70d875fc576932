/**
 * The nearest point of the cone |t| ≤ μ n to (n₀, t₀), with τ = |t₀|. Three cases:
 *
 *   τ ≤ μ n₀      inside: the point itself
 *   μ τ ≤ −n₀     in the polar cone: 0
 *   otherwise     on the side: n = (n₀ + μ τ) / (1 + μ²),  t = μ n t₀ / τ
 *
 * With μ = 0 the cone is a half-line: n = max(0, n₀), t = 0.
 */
export function projectFriction(out: Float64Array, x: Float64Array, row: number, mu: number): void {
  const n = x[row];
  const t1 = x[row + 1];
  const t2 = x[row + 2];
  const square = t1 * t1 + t2 * t2;
  let normal = n;
  let share = 1;
  // squares decide without a root where they can
  if (n < 0 || square > mu * mu * n * n) {
    const length = Math.sqrt(square);
    if (mu * length <= -n) {
      normal = 0;
      share = 0;
    } else {
      normal = (n + mu * length) / (1 + mu * mu);
      share = length > 0 ? (mu * normal) / length : 0;
    }
  }
  out[row] = normal;
  out[row + 1] = share * t1;
  out[row + 2] = share * t2;
}
