/**
 * The reverse of q⁺ = q ⊕ h u on the tangent space. For a rotation R⁺ = R exp[h u]:
 *   δφ⁺ = exp(−h u) δφ + h J_r(h u) δu,   J_r(φ) = 1 − (1 − cos θ)/θ² [φ] + (θ − sin θ)/θ³ [φ]²,   θ = |φ|
 * so φ̄ = exp(h u) φ̄⁺ and ū = h J_rᵀ φ̄⁺; translations and hinges have q̄ = q̄⁺, ū = h q̄⁺.
 */
import { JOINT, type Model } from '../../model/model.ts';

/** θ below which the series is used. */
const SMALL = 1e-4;

/** Adds to `byPosition` and `byVelocity` what q⁺ makes of `end`. */
export function reversePositionStep(
  model: Model,
  end: Float64Array,
  u: Float64Array,
  h: number,
  byPosition: Float64Array,
  byVelocity: Float64Array,
): void {
  const { joint } = model;
  for (let j = 0; j < model.size.joint; j++) {
    let i = joint.dofStart[j];
    const kind = joint.kind[j];
    const plain = kind === JOINT.free ? 3 : kind === JOINT.ball ? 0 : 1;
    for (const last = i + plain; i < last; i++) {
      byPosition[i] += end[i];
      byVelocity[i] += h * end[i];
    }
    if (kind === JOINT.free || kind === JOINT.ball) reverseRotation(end, u, i, h, byPosition, byVelocity);
  }
}

function reverseRotation(
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
