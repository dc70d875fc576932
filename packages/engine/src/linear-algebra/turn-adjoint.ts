/**
 * The reverse of a turn in a step, R⁺ = R exp[h u], with changes in the axes of the body:
 *   δφ⁺ = exp(−h u) δφ + h J_r(h u) δu,   J_r(φ) = 1 − (1 − cos θ)/θ² [φ] + (θ − sin θ)/θ³ [φ]²,   θ = |φ|
 * so φ̄ = exp(h u) φ̄⁺ and ū = h J_rᵀ φ̄⁺.
 */

/** θ below which the series is used. */
const SMALL = 1e-4;

/** Adds φ̄ and ū of the φ̄⁺ in `end`, three numbers each at `i`. */
export function reverseTurn(
  end: Float64Array,
  u: Float64Array,
  i: number,
  h: number,
  byPosition: Float64Array,
  byVelocity: Float64Array,
): void {
  const x = h * u[i];
  const y = h * u[i + 1];
  const z = h * u[i + 2];
  const square = x * x + y * y + z * z;
  const angle = Math.sqrt(square);
  const isSmall = angle < SMALL;
  const sine = isSmall ? 1 - square / 6 : Math.sin(angle) / angle;
  const versine = isSmall ? 0.5 - square / 24 : (1 - Math.cos(angle)) / square;
  const rest = isSmall ? 1 / 6 - square / 120 : (1 - sine) / square;
  const a = end[i];
  const b = end[i + 1];
  const c = end[i + 2];
  // φ × e and φ × (φ × e)
  const px = y * c - z * b;
  const py = z * a - x * c;
  const pz = x * b - y * a;
  const qx = y * pz - z * py;
  const qy = z * px - x * pz;
  const qz = x * py - y * px;
  byPosition[i] += a + sine * px + versine * qx;
  byPosition[i + 1] += b + sine * py + versine * qy;
  byPosition[i + 2] += c + sine * pz + versine * qz;
  byVelocity[i] += h * (a + versine * px + rest * qx);
  byVelocity[i + 1] += h * (b + versine * py + rest * qy);
  byVelocity[i + 2] += h * (c + versine * pz + rest * qz);
}
