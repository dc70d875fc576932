/**
 * How fast a limit that is overrun is met again: where a scene starts beyond a limit, the depth d (m or rad) fades at
 *   ḋ = −max(v₀, d/T)      v₀ = LAST_SPEED, T = RECOVERY_TIME, as for shapes that overlap at the start
 * and not within a step, which would throw the bodies at d/h. Bodies keep the speed at the end, so v₀ is low.
 * Equalities that hold bodies to mocap bodies close under `ipc` with T = CLOSING_TIME, the time constant that MuJoCo's have by default; under
 * the others in proportion to what is open, half of it in a step.
 */
import { RECOVERY_TIME } from '../collision/initial-state/starting-pairs.ts';

/** v₀, m/s or rad/s. */
export const LAST_SPEED = 0.02;

/** T of equalities, s. */
const CLOSING_TIME = 0.02;

/** ∂v/∂d of the speed v = min(d/(2h), −ḋ) that a row of a formulation over velocities asks for, 1/s. */
export function measureRecoveryRate(speed: number, h: number): number {
  if (speed === LAST_SPEED) return 0;
  return 1 / (speed < LAST_SPEED ? 2 * h : Math.max(2 * h, RECOVERY_TIME));
}

/** −ḋ, m/s or rad/s. */
export function measureRecoverySpeed(depth: number): number {
  return Math.max(LAST_SPEED, depth / RECOVERY_TIME);
}

/** The same of an equality, m/s or rad/s. */
export function measureClosingSpeed(open: number): number {
  return Math.max(LAST_SPEED, open / CLOSING_TIME);
}
