/**
 * Forces of muscles and direct-current motors as the minimisation of a step takes them (joint/drives.ts): the tangent at the start of the step,
 *   u = clamp(f − k (l⁺ − l) − d l̇⁺, low, high)
 * The largest voltages of a controller are limits of the force, (K/R) (±V_max + u_V − K v) at the speed v of the start: so a stiff controller
 * is held where it arrives. A motor that turns faster than they drive it has its back-EMF alone, d = K²/R. With an inductance, k and d have the
 * share of the step in which the current follows, 1 − exp(−h/τ). Symbols: dc-motor.ts, muscle.ts. Limits of the actuator are not in it.
 */
import { exp } from '../linear-algebra/elementary.ts';
import { MOTOR_INPUT } from '../model/control-kinds.ts';
import { ACTIVATION, DC_MOTOR, type Model } from '../model/model.ts';
import type { State } from '../state/state.ts';
import { actuatorInput, readMotorControls } from './actuation.ts';
import { askedVoltage, isRateFull, measureResistance, motorDamping, motorForce, motorResistance } from './dc-motor.ts';
import { muscleBias, muscleGain, muscleGainRate, muscleStiffness } from './muscle.ts';
import type { Workspace } from './workspace.ts';

/** f, k, d, low and high. */
export interface ForceLaw {
  force: number;
  stiffness: number;
  damping: number;
  low: number;
  high: number;
}

/** Whether the law of actuator a is no plain gain and bias: that of a muscle, or of a motor with more than a resistance. */
export function hasForceLaw({ actuator }: Model, a: number): boolean {
  if (actuator.isMuscle[a] === 1 || actuator.isDcMotor[a] === 1) return true;
  return (
    actuator.activation[a] === ACTIVATION.dcMotor && actuator.dcMotor[DC_MOTOR.width * a + DC_MOTOR.timeConstant] > 0
  );
}

/** The law of such an actuator in a step of h seconds. */
export function writeForceLaw(out: ForceLaw, model: Model, state: State, work: Workspace, a: number, h: number): void {
  out.stiffness = 0;
  out.low = -Infinity;
  out.high = Infinity;
  if (model.actuator.isMuscle[a] === 1) writeMuscleLaw(out, model, state, work, a, h);
  else writeMotorLaw(out, model, state, work, a, h);
  out.force += out.damping * work.actuatorVelocity[a];
}

function writeMuscleLaw(out: ForceLaw, model: Model, state: State, work: Workspace, a: number, h: number): void {
  const { actuator } = model;
  const l = work.actuatorLength[a];
  const v = work.actuatorVelocity[a];
  const input = actuatorInput(model, state, work, a, h);
  out.force = muscleGain(actuator, a, l, v) * input + muscleBias(actuator, a, l);
  out.damping = Math.max(0, -muscleGainRate(actuator, a, l, v) * input);
  out.stiffness = Math.max(0, muscleStiffness(actuator, a, l, v, input));
}

function writeMotorLaw(out: ForceLaw, model: Model, state: State, work: Workspace, a: number, h: number): void {
  const { actuator, options } = model;
  const { activation } = state;
  const { dcMotor } = actuator;
  const n = DC_MOTOR.width * a;
  const K = dcMotor[n + DC_MOTOR.motorConstant];
  const tau = dcMotor[n + DC_MOTOR.timeConstant];
  const v = work.actuatorVelocity[a];
  const R = measureResistance(dcMotor, n, activation, actuator.activationStart[a]);
  out.force = motorForce(actuator, activation, a, actuatorInput(model, state, work, a, h), v);
  const controls = readMotorControls(model, state, a, !options.disabled.has('clampControl'));
  const isControlled = dcMotor[n + DC_MOTOR.input] !== MOTOR_INPUT.voltage;
  const limit = isControlled ? dcMotor[n + DC_MOTOR.voltageLimit] : 0;
  let voltage = limit > 0 ? askedVoltage(actuator, work, activation, a, controls, h) : 0;
  if (limit > 0 && tau === 0 && K * Math.abs(v) <= limit) {
    const rest = controls[2] - K * v;
    out.force = (K / R) * (voltage + rest);
    out.low = (K / R) * (rest - limit);
    out.high = (K / R) * (rest + limit);
    voltage = 0;
  }
  // bristles act as at the start of the step
  out.damping = motorDamping(actuator, work, activation, a, voltage, h) - dcMotor[n + DC_MOTOR.bristleDamping];
  if (isControlled && !(limit > 0 && Math.abs(voltage) >= limit) && !isRateFull(actuator, work, a)) {
    const share = tau > 0 ? 1 - exp(-h / tau) : 1;
    out.stiffness = (share * dcMotor[n + DC_MOTOR.stiffness] * dcMotor[n + DC_MOTOR.resistance]) / R;
  }
  const resistance = actuator.isDcMotor[a] === 1 ? motorResistance(actuator, work, activation, a) : 0;
  out.force += resistance;
  out.low += resistance;
  out.high += resistance;
}
