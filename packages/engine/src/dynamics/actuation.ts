/**
 * Actuator forces: f = (g₀ + g₁ l + g₂ l̇) w + (b₀ + b₁ l + b₂ l̇), clamped; in joint coordinates Σ m f.
 * The input w is the control u, or the activation a where there is one:
 * that of muscles is in muscle.ts, those of direct-current motors in dc-motor.ts, those of servos with an integral in pid.ts.
 *   integrator ȧ = u      filter ȧ = (u − a)/τ      filterExact: the same, advanced exactly over a step
 */
import { exp } from '../linear-algebra/elementary.ts';
import { ADDED } from '../model/control-kinds.ts';
import { ACTIVATION, DC_MOTOR, JOINT, type Model, PID, TRANSMISSION } from '../model/model.ts';
import { readControl } from '../state/control-history.ts';
import type { State } from '../state/state.ts';
import {
  motorDamping,
  motorForce,
  motorResistance,
  motorVoltage,
  nextMotorState,
  updateMotorRates,
} from './dc-motor.ts';
import { muscleBias, muscleGain, muscleRate } from './muscle.ts';
import { nextPidState, pidInput } from './pid.ts';
import type { Workspace } from './workspace.ts';

const LEAST_TIME_CONSTANT = 1e-15;

export function computeActuation(model: Model, state: State, work: Workspace, h: number): void {
  const { actuator, options } = model;
  const { actuatorJointForce, actuatorForce, actuatorLength, actuatorVelocity, actuatorMoment, activationRate } = work;
  const { rowStart, column } = work.plan.moment;
  actuatorJointForce.fill(0);
  if (model.size.actuator === 0) return;
  if (options.disabled.has('actuation')) {
    actuatorForce.fill(0);
    actuatorVelocity.fill(0);
    activationRate.fill(0);
    return;
  }
  const { gain, bias, isMuscle, isDcMotor, forceLimited, forceRange } = actuator;
  const { servoPeriod } = work.plan;
  const { velocity } = state;
  const n = model.size.actuator;
  const isClamped = !options.disabled.has('clampControl');
  for (let a = 0; a < n; a++) {
    // l̇ = m · v
    let rate = 0;
    for (let k = rowStart[a]; k < rowStart[a + 1]; k++) rate += actuatorMoment[k] * velocity[column[k]];
    actuatorVelocity[a] = rate;
    const input = readInput(model, state, work, a, h, isClamped);
    const turn = servoPeriod[a];
    let l = actuatorLength[a];
    if (turn > 0) l += turn * Math.round((input - l) / turn);
    const c = 3 * a;
    const force = isMuscle[a]
      ? muscleGain(actuator, a, l, rate) * input + muscleBias(actuator, a, l)
      : isDcMotor[a]
        ? motorForce(actuator, state.activation, a, input, rate)
        : (gain[c] + gain[c + 1] * l + gain[c + 2] * rate) * input + bias[c] + bias[c + 1] * l + bias[c + 2] * rate;
    actuatorForce[a] = force;
  }
  limitTendonForces(model, work);
  for (let a = 0; a < n; a++) {
    if (forceLimited[a]) actuatorForce[a] = clamp(actuatorForce[a], forceRange[2 * a], forceRange[2 * a + 1]);
    if (isDcMotor[a]) actuatorForce[a] += motorResistance(actuator, work, state.activation, a);
  }
  for (let a = 0; a < n; a++) {
    for (let k = rowStart[a]; k < rowStart[a + 1]; k++)
      actuatorJointForce[column[k]] += actuatorMoment[k] * actuatorForce[a];
  }
  addCompensationAndLimit(model, work);
}

/** The control, clamped, or the activation; writes the activation's rate. */
export function actuatorInput(model: Model, state: State, work: Workspace, a: number, h: number): number {
  return readInput(model, state, work, a, h, !model.options.disabled.has('clampControl'));
}

function readInput(model: Model, state: State, work: Workspace, a: number, h: number, isClamped: boolean): number {
  const { actuator } = model;
  const control = readClamped(model, state, a, isClamped);
  const slot = actuator.activationStart[a];
  if (actuator.activation[a] === ACTIVATION.dcMotor) return motorInput(model, state, work, a, h, isClamped);
  const isLed = actuator.adds[a] === ADDED.none && a + 1 < model.size.actuator && actuator.adds[a + 1] !== ADDED.none;
  const added = isLed ? sumInputs(model, state, a, false, isClamped) / actuator.gain[3 * a] : 0;
  if (slot < 0) return control + added;
  if (actuator.activation[a] === ACTIVATION.pid)
    return pidInput(actuator, work, state.activation, a, slot, control, h) + added;
  const activation = state.activation[slot];
  const rate =
    actuator.activation[a] === ACTIVATION.integrator
      ? control
      : actuator.activation[a] === ACTIVATION.muscle
        ? muscleRate(actuator, a, control, activation)
        : (control - activation) / Math.max(LEAST_TIME_CONSTANT, actuator.timeConstant[a]);
  work.activationRate[slot] = rate;
  return (actuator.activationEarly[a] ? nextActivation(model, a, activation, rate, h) : activation) + added;
}

function readClamped(model: Model, state: State, a: number, isClamped: boolean): number {
  const { controlLimited, controlRange } = model.actuator;
  const control = readControl(model, state, a);
  return isClamped && controlLimited[a] ? clamp(control, controlRange[2 * a], controlRange[2 * a + 1]) : control;
}

/** What the further controls of actuator a add to its force, or to its voltage. */
function sumInputs(model: Model, state: State, a: number, ofVoltage: boolean, isClamped: boolean): number {
  const { adds, pid } = model.actuator;
  let sum = 0;
  for (let b = a + 1; b < model.size.actuator && adds[b] !== ADDED.none; b++) {
    if ((adds[b] === ADDED.voltage) === ofVoltage)
      sum += pid[PID.width * b + PID.inputGain] * readClamped(model, state, b, isClamped);
  }
  return sum;
}

// the current at the end of the step, or the voltage; writes the rates of all states of the motor
function motorInput(model: Model, state: State, work: Workspace, a: number, h: number, isClamped: boolean): number {
  const { actuator } = model;
  const first = actuator.activationStart[a];
  readMotorControls(model, state, a, isClamped);
  const voltage = motorVoltage(actuator, work, state.activation, a, motorControls, h);
  if (first < 0) return voltage;
  updateMotorRates(actuator, work, state.activation, a, first, voltage);
  if (actuator.dcMotor[DC_MOTOR.width * a + DC_MOTOR.timeConstant] === 0) return voltage;
  const k = actuator.activationCount[a] - 1;
  return nextMotorState(actuator, work, a, k, state.activation[first + k], work.activationRate[first + k], h);
}

const motorControls = /* @__PURE__ */ new Float64Array(3);

/** The control of motor a, and what further controls add to its torque and to its voltage; in a scratch. */
export function readMotorControls(model: Model, state: State, a: number, isClamped: boolean): Float64Array {
  motorControls[0] = readClamped(model, state, a, isClamped);
  motorControls[1] = sumInputs(model, state, a, false, isClamped);
  motorControls[2] = sumInputs(model, state, a, true, isClamped);
  return motorControls;
}

/** −∂force/∂v of motor a in a step of h seconds; `isHeld`: what it drives takes no more force. */
export function motorRate(model: Model, state: State, work: Workspace, a: number, isHeld: boolean, h: number): number {
  const { actuator, options } = model;
  const { activation } = state;
  const force = motorForce(actuator, activation, a, actuatorInput(model, state, work, a, h), work.actuatorVelocity[a]);
  const isFull =
    actuator.forceLimited[a] === 1 && (force <= actuator.forceRange[2 * a] || force >= actuator.forceRange[2 * a + 1]);
  if (isHeld || isFull) return actuator.dcMotor[DC_MOTOR.width * a + DC_MOTOR.bristleDamping];
  readMotorControls(model, state, a, !options.disabled.has('clampControl'));
  // that of the controller alone
  motorControls[2] = 0;
  const voltage = motorVoltage(actuator, work, activation, a, motorControls, h);
  return motorDamping(actuator, work, activation, a, voltage, h);
}

/** Activation after h seconds at the given rate. */
export function nextActivation(model: Model, a: number, activation: number, rate: number, h: number): number {
  const { actuator } = model;
  let next = activation + rate * h;
  if (actuator.activation[a] === ACTIVATION.filterExact) {
    const tau = Math.max(LEAST_TIME_CONSTANT, actuator.timeConstant[a]);
    next = activation + rate * tau * (1 - exp(-h / tau));
  }
  return actuator.activationLimited[a]
    ? clamp(next, actuator.activationRange[2 * a], actuator.activationRange[2 * a + 1])
    : next;
}

/** All activations one step on. */
export function integrateActivations(model: Model, state: State, work: Workspace, h: number): void {
  const { activation, activationStart, activationCount } = model.actuator;
  const { activationRate: rate } = work;
  for (let a = 0; a < model.size.actuator; a++) {
    const first = activationStart[a];
    if (first < 0) continue;
    if (activation[a] === ACTIVATION.pid) {
      for (let k = 0; k < activationCount[a]; k++)
        state.activation[first + k] = nextPidState(
          model.actuator,
          a,
          k,
          state.activation[first + k],
          rate[first + k],
          h,
        );
      continue;
    }
    if (activation[a] !== ACTIVATION.dcMotor) {
      state.activation[first] = nextActivation(model, a, state.activation[first], rate[first], h);
      continue;
    }
    for (let k = 0; k < activationCount[a]; k++) {
      const slot = first + k;
      state.activation[slot] = nextMotorState(model.actuator, work, a, k, state.activation[slot], rate[slot], h);
    }
  }
}

/** Scales the forces of the actuators on a tendon, as they are before their own limits, so that their sum stays in its range. */
function limitTendonForces(model: Model, work: Workspace): void {
  const { actuator, tendon } = model;
  const { actuatorForce, tendonActuation } = work;
  for (let t = 0; t < model.size.tendon; t++) {
    if (!tendon.actuatorForceLimited[t]) continue;
    let sum = 0;
    for (let a = 0; a < model.size.actuator; a++) {
      if (actuator.transmission[a] === TRANSMISSION.tendon && actuator.target[a] === t) sum += actuatorForce[a];
    }
    tendonActuation[t] = sum;
    const allowed = clamp(sum, tendon.actuatorForceRange[2 * t], tendon.actuatorForceRange[2 * t + 1]);
    if (allowed === sum) continue;
    for (let a = 0; a < model.size.actuator; a++) {
      if (actuator.transmission[a] === TRANSMISSION.tendon && actuator.target[a] === t)
        actuatorForce[a] *= allowed / sum;
    }
  }
}

/** Gravity compensation that counts as actuation, then the limits of joints. */
function addCompensationAndLimit(model: Model, work: Workspace): void {
  const { joint, dof } = model;
  const { actuatorJointForce, gravityCompensationForce, plan } = work;
  if (plan.compensatedBodies.length > 0) {
    for (let i = 0; i < model.size.velocity; i++) {
      if (joint.actuatorGravityCompensation[dof.joint[i]]) actuatorJointForce[i] += gravityCompensationForce[i];
    }
  }
  const { actuatorForceLimited, kind } = joint;
  const n = model.size.joint;
  for (let j = 0; j < n; j++) {
    if (!actuatorForceLimited[j] || (kind[j] !== JOINT.hinge && kind[j] !== JOINT.slide)) continue;
    const i = joint.dofStart[j];
    actuatorJointForce[i] = clamp(
      actuatorJointForce[i],
      joint.actuatorForceRange[2 * j],
      joint.actuatorForceRange[2 * j + 1],
    );
  }
}

function clamp(value: number, lower: number, upper: number): number {
  return Math.min(upper, Math.max(lower, value));
}
