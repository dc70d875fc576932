/** The reverse of q⁺ = q ⊕ h u on the tangent space: rotations as in turn-adjoint.ts; translations and hinges have q̄ = q̄⁺, ū = h q̄⁺. */
import { reverseTurn } from '../../linear-algebra/turn-adjoint.ts';
import { JOINT, type Model } from '../../model/model.ts';

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
    if (kind === JOINT.free || kind === JOINT.ball) reverseTurn(end, u, i, h, byPosition, byVelocity);
  }
}
