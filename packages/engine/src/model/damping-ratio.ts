/**
 * Damping of servos given as a multiple ζ of the critical one: kv = 2 ζ √(kp m). m = 1 / (J M⁻¹ Jᵀ) is the inertia seen along the
 * transmission in the initial pose, J the rate of its length by the dofs; as in MuJoCo since 3.15.
 */
import { factorTree, solveTree } from '../linear-algebra/tree-ldl.ts';
import type { Actuator } from '../scene/actuator.ts';
import { ADDED } from './control-kinds.ts';
import { type Model, PID } from './model.ts';
import type { RestDynamics } from './rest-dynamics.ts';

/** Set the damping of the servos that have a damping ratio. */
export function resolveDampingRatios(model: Model, actuators: readonly Actuator[], dynamics: RestDynamics): void {
  const { rowStart, column } = model.massMatrix;
  let factor: Float64Array | undefined;
  const inverseDiagonal = new Float64Array(model.size.velocity);
  const x = new Float64Array(model.size.velocity);
  for (let a = 0; a < actuators.length; a++) {
    const source = actuators[a];
    if (!('dampingRatio' in source) || !source.dampingRatio) continue;
    const { massMatrix, actuatorMoment, plan } = dynamics();
    if (factor === undefined) {
      factor = massMatrix.slice(0, rowStart[model.size.velocity]);
      factorTree(factor, inverseDiagonal, rowStart, column);
    }
    x.fill(0);
    const first = plan.moment.rowStart[a];
    const end = plan.moment.rowStart[a + 1];
    for (let k = first; k < end; k++) x[plan.moment.column[k]] = actuatorMoment[k];
    solveTree(x, factor, inverseDiagonal, rowStart, column);
    let inverse = 0;
    for (let k = first; k < end; k++) inverse += actuatorMoment[k] * x[plan.moment.column[k]];
    const { adds, bias, pid } = model.actuator;
    const stiffness = Math.max(0, -bias[3 * a + 1]);
    const damping = inverse > 1e-15 ? 2 * source.dampingRatio * Math.sqrt(stiffness / inverse) : 0;
    bias[3 * a + 2] = -damping;
    // velocities that it damps towards
    for (let b = a + 1; b < actuators.length && adds[b] !== ADDED.none; b++)
      if (adds[b] === ADDED.velocity) pid[PID.width * b + PID.inputGain] = damping;
  }
}
