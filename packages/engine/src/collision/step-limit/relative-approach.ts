/**
 * How near points of two frames may come to each other in a step, x ← x + t Δx, R ← exp(t Δθ) R, t from 0 to 1, as seen from frame a,
 * which changes no distances: with D = x_b − x_a and Δ = Δx_b − Δx_a, a point of b at the time t has there the velocity
 *   Δ − Δθ_a × (D + t Δ) + (Δθ_b − Δθ_a) × r,   at most   |Δ − Δθ_a × D| + |Δθ_a| |Δ| + r_b |Δθ_b − Δθ_a|
 * Δx, Δθ the steps of the frames, m and rad; r_b the reach of frame b, m. Little where both go and turn together, as links of a chain do.
 */
export function measureRelativeApproach(
  step: Float64Array,
  position: Float64Array,
  reach: Float64Array,
  a: number,
  b: number,
): number {
  const i = 6 * a;
  const j = 6 * b;
  const wx = step[i + 3];
  const wy = step[i + 4];
  const wz = step[i + 5];
  const dx = position[3 * b] - position[3 * a];
  const dy = position[3 * b + 1] - position[3 * a + 1];
  const dz = position[3 * b + 2] - position[3 * a + 2];
  const x = step[j] - step[i];
  const y = step[j + 1] - step[i + 1];
  const z = step[j + 2] - step[i + 2];
  const sx = x - wy * dz + wz * dy;
  const sy = y - wz * dx + wx * dz;
  const sz = z - wx * dy + wy * dx;
  const tx = step[j + 3] - wx;
  const ty = step[j + 4] - wy;
  const tz = step[j + 5] - wz;
  const bend = Math.sqrt((wx * wx + wy * wy + wz * wz) * (x * x + y * y + z * z));
  const turn = Math.sqrt(tx * tx + ty * ty + tz * tz) * reach[b];
  return Math.sqrt(sx * sx + sy * sy + sz * sz) + bend + turn;
}
