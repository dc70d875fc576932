/**
 * −h ∂f/∂v of the forces that depend on velocity, in the pattern of the mass matrix: what implicit integrators add to M.
 *   dampers d, tendon dampers Jᵀ d J, actuators −mᵀ (g₂ w + b₂) m, fluid drag Jᵀ B J
 * Under `semiImplicit`: dampers and springs of joints, and drag; tendons and servos are rows of the minimisation (joint/drives.ts).
 * All of these are symmetric. Entries between dofs of different branches are left out, as in MuJoCo.
 */
import { ACTIVATION, type Model, TRANSMISSION } from '../model/model.ts';
import { powerTangent } from '../model/power-laws.ts';
import type { State } from '../state/state.ts';
import { actuatorInput, motorRate } from './actuation.ts';
import { FLUID } from './fluid-access.ts';
import { addSpringMetric, isSemiImplicit } from './implicit-share.ts';
import { muscleGainRate } from './muscle.ts';
import type { Workspace } from './workspace.ts';

export function computeForceRate(model: Model, state: State, work: Workspace, h: number): void {
  const { forceRate, plan } = work;
  const { rowStart } = model.massMatrix;
  forceRate.fill(0);
  if (plan.hasDamping) {
    for (let i = 0; i < model.size.velocity; i++) forceRate[rowStart[i + 1] - 1] += h * model.dof.damping[i];
  }
  const { extraDamping } = plan;
  for (let i = 0; i < extraDamping.length; i++) forceRate[rowStart[i + 1] - 1] += h * extraDamping[i];
  if (isSemiImplicit(model.options.integrator)) addSpringMetric(forceRate, model, work, h);
  else {
    addTendonRate(model, work, h);
    addActuatorRate(model, state, work, h);
  }
  if (plan.fluid) FLUID.require().addFluidRate(model, work, h);
}

function addTendonRate(model: Model, work: Workspace, h: number): void {
  const { tendon, options } = model;
  const { tendonJacobian, tendonVelocity, forceRate } = work;
  const { tendonSpan } = work.plan;
  const { rowStart, column } = model.massMatrix;
  const nv = model.size.velocity;
  if (options.disabled.has('damper')) return;
  for (let t = 0; t < model.size.tendon; t++) {
    const scale = h * (tendon.damping[t] + powerTangent(tendon.dampingPowers, t, Math.abs(tendonVelocity[t])));
    if (scale === 0) continue;
    const row = t * nv;
    for (let i = tendonSpan[2 * t]; i < tendonSpan[2 * t + 1]; i++) {
      const value = scale * tendonJacobian[row + i];
      if (value === 0) continue;
      for (let k = rowStart[i]; k < rowStart[i + 1]; k++) forceRate[k] += value * tendonJacobian[row + column[k]];
    }
  }
}

function addActuatorRate(model: Model, state: State, work: Workspace, h: number): void {
  const { actuator, options } = model;
  const { actuatorMoment, actuatorForce, forceRate, row } = work;
  const { rowStart, column } = model.massMatrix;
  const moment = work.plan.moment;
  if (options.disabled.has('actuation')) return;
  for (let a = 0; a < model.size.actuator; a++) {
    let rate = actuator.bias[3 * a + 2];
    if (actuator.gain[3 * a + 2] !== 0) rate += actuator.gain[3 * a + 2] * actuatorInput(model, state, work, a, h);
    if (actuator.isMuscle[a]) {
      const change = muscleGainRate(actuator, a, work.actuatorLength[a], work.actuatorVelocity[a]);
      rate += change * actuatorInput(model, state, work, a, h);
    }
    const isMotor = actuator.activation[a] === ACTIVATION.dcMotor;
    if (isMotor) rate = -motorRate(model, state, work, a, isTendonHeld(model, work, a), h);
    if (rate === 0) continue;
    // a force at its limit does not change with velocity, nor does that of all actuators of a joint or a tendon
    if (isJointHeld(model, work, a)) continue;
    const isFull = actuator.forceLimited[a] === 1 && isAtEnd(actuatorForce[a], actuator.forceRange, a);
    if (!isMotor && (isFull || isTendonHeld(model, work, a))) continue;
    for (let m = moment.rowStart[a]; m < moment.rowStart[a + 1]; m++) row[moment.column[m]] = actuatorMoment[m];
    for (let m = moment.rowStart[a]; m < moment.rowStart[a + 1]; m++) {
      const i = moment.column[m];
      const value = -h * rate * row[i];
      for (let k = rowStart[i]; k < rowStart[i + 1]; k++) forceRate[k] += value * row[column[k]];
    }
    for (let m = moment.rowStart[a]; m < moment.rowStart[a + 1]; m++) row[moment.column[m]] = 0;
  }
}

/** Whether the joint that an actuator drives takes no more of its actuators' force. */
function isJointHeld({ actuator, joint }: Model, work: Workspace, a: number): boolean {
  const target = actuator.target[a];
  if (actuator.transmission[a] !== TRANSMISSION.joint || !joint.actuatorForceLimited[target]) return false;
  return isAtEnd(work.actuatorJointForce[joint.dofStart[target]], joint.actuatorForceRange, target);
}

/** The same of a tendon. */
function isTendonHeld({ actuator, tendon }: Model, work: Workspace, a: number): boolean {
  const target = actuator.target[a];
  if (actuator.transmission[a] !== TRANSMISSION.tendon || !tendon.actuatorForceLimited[target]) return false;
  return isAtEnd(work.tendonActuation[target], tendon.actuatorForceRange, target);
}

function isAtEnd(force: number, range: Float64Array, k: number): boolean {
  return force <= range[2 * k] || force >= range[2 * k + 1];
}
