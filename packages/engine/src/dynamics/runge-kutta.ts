/**
 * Classical Runge-Kutta with four stages on the group: every stage starts from the position q₀ of the step and moves by
 * u_s = h Σ A_sj k_j, q_s = q₀ ⊕ u_s, so that rotations stay rotations.   A = ½; 0 ½; 0 0 1   weights ⅙ ⅓ ⅓ ⅙
 *
 * rk4    k = v, as in MuJoCo before 4.0. Rotation vectors do not add, so orientations are of order two only.
 * rkmk4  k = v + ½ u × v + (1 − ½θ cot ½θ)/θ² u × (u × v) on rotations, θ = |u|: the rate of u, dexp⁻¹. Order four; MuJoCo 4.0's RK4.
 * Source: Munthe-Kaas, High order Runge-Kutta methods on manifolds, Applied Numerical Mathematics 29 (1999).
 */
import { JOINT, type Model } from '../model/model.ts';
import type { Integrator } from '../scene/options.ts';
import { keepControls } from '../state/control-history.ts';
import type { State } from '../state/state.ts';
import { integrateActivations } from './actuation.ts';
import { integratePositions } from './poses.ts';
import type { Workspace } from './workspace.ts';

const STAGE_TIME = [0.5, 0.5, 1];
const WEIGHT = [1 / 6, 1 / 3, 1 / 3, 1 / 6];
/** Square of an angle below which its series is exact to round-off, rad². */
const SMALL = 1e-4;

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
    if (model.options.integrator === 'rkmk4') correctRotations(model, stageVelocity, stage * nv, previous, fraction);
  }

  // weighted means take the whole step
  state.all.set(stateBefore);
  averageStages(acceleration, stageAcceleration, nv);
  averageStages(activationRate, stageActivationRate, na);
  averageStages(stageVelocity, stageVelocity, nv);
  integrateActivations(model, state, work, h);
  for (let i = 0; i < nv; i++) state.velocity[i] += h * acceleration[i];
  integratePositions(model, state.position, stageVelocity, 0, h);
  state.warmStart.set(work.solution);
  keepControls(model, state);
  state.time[0] += h;
}

export function isRungeKutta(integrator: Integrator): boolean {
  return integrator === 'rk4' || integrator === 'rkmk4';
}

/** Turns the angular velocities of a stage into rates of the rotation vector u = h k by which the stage was reached. */
function correctRotations(model: Model, velocity: Float64Array, stage: number, previous: number, h: number): void {
  const { joint } = model;
  for (let j = 0; j < model.size.joint; j++) {
    const kind = joint.kind[j];
    if (kind !== JOINT.free && kind !== JOINT.ball) continue;
    const i = joint.dofStart[j] + (kind === JOINT.free ? 3 : 0);
    const ux = h * velocity[previous + i];
    const uy = h * velocity[previous + i + 1];
    const uz = h * velocity[previous + i + 2];
    const wx = velocity[stage + i];
    const wy = velocity[stage + i + 1];
    const wz = velocity[stage + i + 2];
    const cx = uy * wz - uz * wy;
    const cy = uz * wx - ux * wz;
    const cz = ux * wy - uy * wx;
    const angle2 = ux * ux + uy * uy + uz * uz;
    const half = 0.5 * Math.sqrt(angle2);
    const twice = angle2 < SMALL ? 1 / 12 + angle2 / 720 : (1 - half / Math.tan(half)) / angle2;
    velocity[stage + i] = wx + 0.5 * cx + twice * (uy * cz - uz * cy);
    velocity[stage + i + 1] = wy + 0.5 * cy + twice * (uz * cx - ux * cz);
    velocity[stage + i + 2] = wz + 0.5 * cz + twice * (ux * cy - uy * cx);
  }
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
