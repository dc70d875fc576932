/**
 * Classical Runge-Kutta of order four on the group: every stage starts from the position q₀ of the step and moves by a
 * combination of stage velocities, q_s = q₀ ⊕ h Σ A_sj v_j, so that rotations stay rotations.
 *   A = ½; 0 ½; 0 0 1      weights ⅙ ⅓ ⅓ ⅙
 */
import type { Model } from '../model/model.ts';
import type { State } from '../state/state.ts';
import { integrateActivations } from './actuation.ts';
import { integratePositions } from './poses.ts';
import type { Workspace } from './workspace.ts';

const STAGE_TIME = [0.5, 0.5, 1];
const WEIGHT = [1 / 6, 1 / 3, 1 / 3, 1 / 6];

/**
 * One step. On entry the workspace holds the state before the step, its acceleration and its activation rates; `evaluate`
 * computes the rates anew for the stages.
 */
export function advanceRungeKutta(model: Model, state: State, work: Workspace, h: number, evaluate: () => void): void {
  const { stageVelocity, stageAcceleration, stageActivationRate, stateBefore, acceleration, activationRate } = work;
  const nv = model.size.velocity;
  const na = model.size.activation;
  storeStage(state, work, 0);
  for (let stage = 1; stage < 4; stage++) {
    // from the start of the step, with the rates of the stage before
    const fraction = STAGE_TIME[stage - 1] * h;
    const previous = (stage - 1) * nv;
    state.all.set(stateBefore);
    integratePositions(model, state.position, stageVelocity, previous, fraction);
    for (let i = 0; i < nv; i++) state.velocity[i] += fraction * stageAcceleration[previous + i];
    for (let i = 0; i < na; i++) state.activation[i] += fraction * stageActivationRate[(stage - 1) * na + i];
    state.time[0] += fraction;
    evaluate();
    storeStage(state, work, stage);
  }

  // weighted means take the whole step
  state.all.set(stateBefore);
  averageStages(acceleration, stageAcceleration, nv);
  averageStages(activationRate, stageActivationRate, na);
  averageStages(stageVelocity, stageVelocity, nv);
  integrateActivations(model, state, activationRate, h);
  for (let i = 0; i < nv; i++) state.velocity[i] += h * acceleration[i];
  integratePositions(model, state.position, stageVelocity, 0, h);
  state.warmStart.set(acceleration);
  state.time[0] += h;
}

function storeStage(state: State, work: Workspace, stage: number): void {
  work.stageVelocity.set(state.velocity, stage * state.velocity.length);
  work.stageAcceleration.set(work.acceleration, stage * work.acceleration.length);
  work.stageActivationRate.set(work.activationRate, stage * work.activationRate.length);
}

/** out = Σ weights · stages; out may be the first stage. */
function averageStages(out: Float64Array, stages: Float64Array, width: number): void {
  for (let i = 0; i < width; i++) {
    let sum = 0;
    for (let s = 0; s < 4; s++) sum += WEIGHT[s] * stages[s * width + i];
    out[i] = sum;
  }
}
