/**
 * Peak forces of muscles that are not given: F₀ = scale / a₀, a₀ = |M⁻¹ m| the acceleration that a unit of force along the moment m of the
 * actuator causes in the initial pose.
 */
import { factorTree, solveTree } from '../linear-algebra/tree-ldl.ts';
import { type Model, MUSCLE } from './model.ts';
import type { RestDynamics } from './rest-dynamics.ts';

const LEAST = 1e-15;

/** Fills them in; such muscles have −scale in the place of their force. */
export function resolveMuscleForces(model: Model, dynamics: RestDynamics): void {
  const { isMuscle, muscle } = model.actuator;
  for (let a = 0; a < isMuscle.length; a++) {
    const at = MUSCLE.width * a + MUSCLE.force;
    if (isMuscle[a] === 1 && muscle[at] < 0) muscle[at] /= -Math.max(LEAST, measureAcceleration(model, dynamics, a));
  }
}

function measureAcceleration(model: Model, dynamics: RestDynamics, a: number): number {
  const { massMatrix, actuatorMoment, plan } = dynamics();
  const { rowStart, column } = model.massMatrix;
  const factor = Float64Array.from(massMatrix);
  const inverseDiagonal = new Float64Array(model.size.velocity);
  const push = new Float64Array(model.size.velocity);
  for (let k = plan.moment.rowStart[a]; k < plan.moment.rowStart[a + 1]; k++)
    push[plan.moment.column[k]] = actuatorMoment[k];
  factorTree(factor, inverseDiagonal, rowStart, column);
  solveTree(push, factor, inverseDiagonal, rowStart, column);
  return Math.sqrt(push.reduce((sum, value) => sum + value * value, 0));
}
