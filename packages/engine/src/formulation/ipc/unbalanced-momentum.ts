/**
 * Momentum that the forces of a step do not explain. With E the incremental potential, r = ∇E/h is the momentum that is missing at the
 * poses, N s and N m s. The step is balanced where
 *   √(Σ rᵢ²/Mᵢᵢ) ≤ ε √(Σ m) + δ √(Σ mᵢ |Δvᵢ|²)
 * ε the tolerance, m/s; m the masses of all rigid bodies; M their mass matrix, in the axes of the bodies; Δv the change of velocity by
 * contacts and joints. Steps of order two have masses w M (bdf2.ts): w is taken out of both sides. The left side is the norm in which the ruler measures (diagnostics/momentum-balance.ts): were r given to the
 * bodies, their velocity would change by ε in the mean. δ is what rounding leaves of forces of stiff barriers.
 */
import type { IpcObjective } from './ipc-objective.ts';

/** δ: distances have a round-off of 1e-16 m, and range down to 1e-9 m. */
const ROUND_OFF = 1e-6;

/** The gradient of the matrix is that at the current poses. */
export function isMomentumBalanced({ frames, matrix, inertia }: IpcObjective, tolerance: number, h: number): boolean {
  const { moving, current } = frames;
  const { gradient } = matrix;
  let error = 0;
  let mass = 0;
  let change = 0;
  for (let g = 0; g < moving; g++) {
    const i = 6 * g;
    const r = 9 * g;
    const weight = inertia.weight[g];
    mass += inertia.mass[3 * g] / weight;
    for (let k = 0; k < 3; k++) {
      const m = inertia.mass[3 * g + k];
      const move = current.position[3 * g + k] - inertia.position[3 * g + k];
      // Rᵀ of the torque
      const torque =
        current.rotation[r + k] * gradient[i + 3] +
        current.rotation[r + 3 + k] * gradient[i + 4] +
        current.rotation[r + 6 + k] * gradient[i + 5];
      change += m * move * move;
      error += weight * ((gradient[i + k] * gradient[i + k]) / m + (torque * torque) / inertia.inertia[r + 4 * k]);
    }
  }
  return Math.sqrt(error) <= h * tolerance * Math.sqrt(mass) + ROUND_OFF * Math.sqrt(change);
}
