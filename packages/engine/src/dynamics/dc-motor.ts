/**
 * Direct-current motors: current i, voltage V, resistance R, motor constant K, velocity v and length l of the transmission
 *   τ i̇ = (V − K v)/R − i, |i̇| limited; or i = (V − K v)/R at once
 *   C Ṫ = R i² − T/R_t,   R = R₀ (1 + α (T + T_a − T₀)),   T the temperature above the ambient one
 *   ż = v − σ₀ |v| z / g(v),   g(v) = F_c + (F_s − F_c) exp(−(v/v_s)²),   z how far bristles are bent
 *   force = K i, clamped, + A sin(N l + φ) − σ₀ z − σ₁ ż
 * With a controller V = clamp(R₀/K τ + K v, ± V_max) + u_V, τ = kp (p − l) + kd (w − v) + ki x + f, where p, w and f are controls, the first at a limited
 * rate, and ẋ = p − l, clamped. States in their order: slew, x, T, z, i.
 * Current and bristles are advanced exactly over a step with i and v as they are. Source: MuJoCo 3.14, "DC motor model".
 */
import { exp, sin } from '../linear-algebra/elementary.ts';
import { MOTOR_INPUT } from '../model/control-kinds.ts';
import { DC_MOTOR, type ModelActuators } from '../model/model.ts';
import type { Workspace } from './workspace.ts';

const LEAST = 1e-15;

/** Writes the rates of temperature, bristles and current; `first` is the first slot of the motor. */
export function updateMotorRates(
  { dcMotor, activationCount }: ModelActuators,
  { activationRate, actuatorVelocity }: Workspace,
  activation: Float64Array,
  a: number,
  first: number,
  voltage: number,
): void {
  const n = DC_MOTOR.width * a;
  const K = dcMotor[n + DC_MOTOR.motorConstant];
  const tau = dcMotor[n + DC_MOTOR.timeConstant];
  const v = actuatorVelocity[a];
  const R = measureResistance(dcMotor, n, activation, first);
  let slot = first + countOwn(dcMotor, n);
  if (dcMotor[n + DC_MOTOR.thermalResistance] > 0) {
    const T = activation[slot];
    const i = tau > 0 ? activation[first + activationCount[a] - 1] : (voltage - K * v) / R;
    const loss = T / dcMotor[n + DC_MOTOR.thermalResistance];
    activationRate[slot++] = (R * i * i - loss) / dcMotor[n + DC_MOTOR.heatCapacity];
  }
  if (dcMotor[n + DC_MOTOR.bristleStiffness] > 0) {
    activationRate[slot] = bristleDecay(dcMotor, n, v) * activation[slot] + v;
    slot++;
  }
  if (tau > 0) {
    const most = dcMotor[n + DC_MOTOR.currentRate];
    const rate = (voltage / R - (K / R) * v - activation[slot]) / tau;
    activationRate[slot] = most > 0 ? Math.min(most, Math.max(-most, rate)) : rate;
  }
}

/** How many states the controller has. */
function countOwn(dcMotor: Float64Array, n: number): number {
  return (dcMotor[n + DC_MOTOR.slewRate] > 0 ? 1 : 0) + (dcMotor[n + DC_MOTOR.integral] !== 0 ? 1 : 0);
}

/**
 * The voltage: the control itself, or what the controller makes of it; writes its rates.
 *
 * @param controls the control, and what further controls add to the torque and to the voltage, V
 */
export function motorVoltage(
  actuator: ModelActuators,
  work: Workspace,
  activation: Float64Array,
  a: number,
  controls: Float64Array,
  h: number,
): number {
  const V = askedVoltage(actuator, work, activation, a, controls, h);
  const n = DC_MOTOR.width * a;
  if (actuator.dcMotor[n + DC_MOTOR.input] === MOTOR_INPUT.voltage) return V;
  const limit = actuator.dcMotor[n + DC_MOTOR.voltageLimit];
  return (limit > 0 ? Math.min(limit, Math.max(-limit, V)) : V) + controls[2];
}

/** What the controller asks for, R₀/K τ + K v, before its limits, or the control itself; writes the rates of the controller. */
export function askedVoltage(
  { dcMotor, activationStart }: ModelActuators,
  { activationRate, actuatorLength, actuatorVelocity }: Workspace,
  activation: Float64Array,
  a: number,
  controls: Float64Array,
  h: number,
): number {
  const control = controls[0];
  const n = DC_MOTOR.width * a;
  const input = dcMotor[n + DC_MOTOR.input];
  if (input === MOTOR_INPUT.voltage) return control;
  let setpoint = control;
  let slot = activationStart[a];
  const slew = dcMotor[n + DC_MOTOR.slewRate];
  if (slew > 0) {
    const rate = Math.min(slew, Math.max(-slew, (control - activation[slot]) / h));
    activationRate[slot] = rate;
    setpoint = activation[slot] + h * rate;
    slot++;
  }
  const l = actuatorLength[a];
  const v = actuatorVelocity[a];
  const position = input === MOTOR_INPUT.position ? setpoint : 0;
  const speed = input === MOTOR_INPUT.velocity ? setpoint : 0;
  let asked =
    dcMotor[n + DC_MOTOR.stiffness] * (position - l) + dcMotor[n + DC_MOTOR.damping] * (speed - v) + controls[1];
  if (input === MOTOR_INPUT.force) asked += setpoint;
  const integral = dcMotor[n + DC_MOTOR.integral];
  if (integral !== 0) {
    const x = activation[slot];
    const error = setpoint - l;
    const most = dcMotor[n + DC_MOTOR.integralLimit];
    activationRate[slot] = most > 0 && Math.abs(x) >= most && x * error > 0 ? 0 : error;
    asked += integral * x;
  }
  const K = dcMotor[n + DC_MOTOR.motorConstant];
  return (dcMotor[n + DC_MOTOR.resistance] / K) * asked + K * v;
}

/** State k of motor a after h seconds. */
export function nextMotorState(
  { dcMotor, activationCount }: ModelActuators,
  { actuatorVelocity }: Workspace,
  a: number,
  k: number,
  state: number,
  rate: number,
  h: number,
): number {
  const n = DC_MOTOR.width * a;
  const tau = dcMotor[n + DC_MOTOR.timeConstant];
  if (tau > 0 && k === activationCount[a] - 1) return state + rate * tau * (1 - exp(-h / tau));
  const own = countOwn(dcMotor, n);
  const isHeat = k === own && dcMotor[n + DC_MOTOR.thermalResistance] > 0;
  const next = state + rate * h;
  if (isHeat) return next;
  if (k < own) {
    const most = dcMotor[n + DC_MOTOR.integralLimit];
    const isIntegral = k === own - 1 && dcMotor[n + DC_MOTOR.integral] !== 0;
    return isIntegral && most > 0 ? Math.min(most, Math.max(-most, next)) : next;
  }
  const decay = bristleDecay(dcMotor, n, actuatorVelocity[a]);
  const kept = exp(decay * h);
  return kept * state + (Math.abs(decay) > LEAST ? (kept - 1) / decay : h) * actuatorVelocity[a];
}

/** K i before limits; `input` is the current, or the voltage where there is no inductance. */
export function motorForce(
  { dcMotor, activationStart }: ModelActuators,
  activation: Float64Array,
  a: number,
  input: number,
  v: number,
): number {
  const n = DC_MOTOR.width * a;
  const K = dcMotor[n + DC_MOTOR.motorConstant];
  if (dcMotor[n + DC_MOTOR.timeConstant] > 0) return K * input;
  return (K / measureResistance(dcMotor, n, activation, activationStart[a])) * (input - K * v);
}

/**
 * −∂force/∂v over a step of h seconds, with bristles as they are bent, where K i is at no limit. Neither a current that changes as fast as it may nor a
 * controller at its largest voltage depends on v.
 */
export function motorDamping(
  actuator: ModelActuators,
  work: Workspace,
  activation: Float64Array,
  a: number,
  voltage: number,
  h: number,
): number {
  const { dcMotor, activationStart } = actuator;
  const n = DC_MOTOR.width * a;
  const friction = dcMotor[n + DC_MOTOR.bristleDamping];
  const K = dcMotor[n + DC_MOTOR.motorConstant];
  const tau = dcMotor[n + DC_MOTOR.timeConstant];
  if (isRateFull(actuator, work, a)) return friction;
  const share = tau > 0 ? 1 - exp(-h / tau) : 1;
  const R = measureResistance(dcMotor, n, activation, activationStart[a]);
  let slope = K;
  const limit = dcMotor[n + DC_MOTOR.voltageLimit];
  if (dcMotor[n + DC_MOTOR.input] !== MOTOR_INPUT.voltage && !(limit > 0 && Math.abs(voltage) >= limit))
    slope = (dcMotor[n + DC_MOTOR.damping] * dcMotor[n + DC_MOTOR.resistance]) / K;
  return (share * K * slope) / R + friction;
}

/** Cogging and bristles, which limits do not hold back. */
export function motorResistance(
  { dcMotor, activationStart }: ModelActuators,
  { activationRate, actuatorLength }: Workspace,
  activation: Float64Array,
  a: number,
): number {
  const n = DC_MOTOR.width * a;
  const amplitude = dcMotor[n + DC_MOTOR.cogging];
  const cogging =
    amplitude === 0
      ? 0
      : amplitude * sin(dcMotor[n + DC_MOTOR.poles] * actuatorLength[a] + dcMotor[n + DC_MOTOR.phase]);
  const stiffness = dcMotor[n + DC_MOTOR.bristleStiffness];
  if (stiffness === 0) return cogging;
  const slot = activationStart[a] + countOwn(dcMotor, n) + (dcMotor[n + DC_MOTOR.thermalResistance] > 0 ? 1 : 0);
  return cogging - (stiffness * activation[slot] + dcMotor[n + DC_MOTOR.bristleDamping] * activationRate[slot]);
}

/** R. */
export function measureResistance(dcMotor: Float64Array, n: number, activation: Float64Array, first: number): number {
  const R = dcMotor[n + DC_MOTOR.resistance];
  if (dcMotor[n + DC_MOTOR.thermalResistance] === 0) return R;
  const warmth =
    activation[first + countOwn(dcMotor, n)] + dcMotor[n + DC_MOTOR.ambient] - dcMotor[n + DC_MOTOR.reference];
  return Math.max(LEAST, R * (1 + dcMotor[n + DC_MOTOR.coefficient] * warmth));
}

/** Whether the current changes as fast as it may. */
export function isRateFull(
  { dcMotor, activationStart, activationCount }: ModelActuators,
  work: Workspace,
  a: number,
): boolean {
  const n = DC_MOTOR.width * a;
  const most = dcMotor[n + DC_MOTOR.currentRate];
  if (dcMotor[n + DC_MOTOR.timeConstant] === 0 || most === 0) return false;
  return Math.abs(work.activationRate[activationStart[a] + activationCount[a] - 1]) >= most;
}

// −σ₀ |v| / g(v)
function bristleDecay(dcMotor: Float64Array, n: number, v: number): number {
  const coulomb = dcMotor[n + DC_MOTOR.coulomb];
  const ratio = v / Math.max(LEAST, dcMotor[n + DC_MOTOR.stribeckVelocity]);
  const g = coulomb + (dcMotor[n + DC_MOTOR.static] - coulomb) * exp(-ratio * ratio);
  return (-dcMotor[n + DC_MOTOR.bristleStiffness] * Math.abs(v)) / Math.max(LEAST, g);
}
