/**
 * Peak forces of muscles that are not given: F₀ = scale / a₀, a₀ = |M⁻¹ m| the acceleration that a unit of force along the moment m of the
 * actuator causes in the initial pose. And how stiff muscles can be.
 */
import { factorTree, solveTree } from '../linear-algebra/tree-ldl.ts';
import { type Model, type ModelActuators, MUSCLE } from './model.ts';
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

/**
 * The most that the force of muscle a falls per length at an activation of 1, N/m: F₀ (max FL' max FV + max FP')/L₀, symbols as in
 * dynamics/muscle.ts.
 */
export function boundMuscleStiffness({ muscle }: ModelActuators, a: number): number {
  const m = MUSCLE.width * a;
  const read = (place: number): number => muscle[m + place];
  const optimal =
    (read(MUSCLE.length1) - read(MUSCLE.length0)) / Math.max(LEAST, read(MUSCLE.range1) - read(MUSCLE.range0));
  const rising = 0.5 * (1 - read(MUSCLE.lmin));
  const passive = 0.5 * (read(MUSCLE.lmax) - 1);
  const slope =
    Math.max(1, read(MUSCLE.fvmax)) / Math.max(LEAST, rising) + read(MUSCLE.fpmax) / Math.max(LEAST, passive);
  return (read(MUSCLE.force) * slope) / Math.max(LEAST, optimal);
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
