/**
 * Damping of position servos given as a multiple ζ of the critical one: kv = 2 ζ √(kp m). m is the inertia seen along the
 * transmission in the initial pose, Σ Mᵢᵢ / gᵢ² over the dofs i that it moves by gᵢ per unit of length.
 */
import type { Actuator } from '../scene/actuator.ts';
import type { Model } from './model.ts';
import type { RestDynamics } from './rest-dynamics.ts';

/** Set the damping of the servos that have a damping ratio. */
export function resolveDampingRatios(model: Model, actuators: readonly Actuator[], dynamics: RestDynamics): void {
  for (let a = 0; a < actuators.length; a++) {
    const source = actuators[a];
    if (source.kind !== 'position' || source.dampingRatio === undefined) continue;
    const { massMatrix, actuatorMoment, plan } = dynamics();
    let inertia = 0;
    for (let k = plan.moment.rowStart[a]; k < plan.moment.rowStart[a + 1]; k++) {
      const squared = actuatorMoment[k] * actuatorMoment[k];
      const diagonal = model.massMatrix.rowStart[plan.moment.column[k] + 1] - 1;
      if (squared > 1e-15) inertia += massMatrix[diagonal] / squared;
    }
    const stiffness = model.actuator.gain[3 * a];
    model.actuator.bias[3 * a + 2] = -2 * source.dampingRatio * Math.sqrt(stiffness * inertia);
  }
}
