/**
 * Direct-current motors: current i, voltage V, resistance R, motor constant K, velocity v and length l of the transmission
 *   τ i̇ = (V − K v)/R − i, |i̇| limited; or i = (V − K v)/R at once
 *   C Ṫ = R i² − T/R_t,   R = R₀ (1 + α (T + T_a − T₀)),   T the temperature above the ambient one
 *   ż = v − σ₀ |v| z / g(v),   g(v) = F_c + (F_s − F_c) exp(−(v/v_s)²),   z how far bristles are bent
 *   force = K i, clamped, + A sin(N l + φ) − σ₀ z − σ₁ ż
 * Current and bristles are advanced exactly over a step with i and v as they are. Source: MuJoCo 3.14, "DC motor model".
 */
import { exp, sin } from '../linear-algebra/elementary.ts';
import { DC_MOTOR, type ModelActuators } from '../model/model.ts';
import type { Workspace } from './workspace.ts';

const LEAST = 1e-15;

/** Writes the rates of temperature, bristles and current, from slot `first` on. */
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
  let slot = first;
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
  const isHeat = k === 0 && dcMotor[n + DC_MOTOR.thermalResistance] > 0;
  if (isHeat) return state + rate * h;
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

/** −∂force/∂v over a step of h seconds, with bristles as they are bent. */
export function motorDamping(
  { dcMotor, activationStart }: ModelActuators,
  activation: Float64Array,
  a: number,
  h: number,
): number {
  const n = DC_MOTOR.width * a;
  const K = dcMotor[n + DC_MOTOR.motorConstant];
  const tau = dcMotor[n + DC_MOTOR.timeConstant];
  const share = tau > 0 ? 1 - exp(-h / tau) : 1;
  const R = measureResistance(dcMotor, n, activation, activationStart[a]);
  return (share * K * K) / R + dcMotor[n + DC_MOTOR.bristleDamping];
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
  const slot = activationStart[a] + (dcMotor[n + DC_MOTOR.thermalResistance] > 0 ? 1 : 0);
  return cogging - (stiffness * activation[slot] + dcMotor[n + DC_MOTOR.bristleDamping] * activationRate[slot]);
}

function measureResistance(dcMotor: Float64Array, n: number, activation: Float64Array, first: number): number {
  const R = dcMotor[n + DC_MOTOR.resistance];
  if (dcMotor[n + DC_MOTOR.thermalResistance] === 0) return R;
  const warmth = activation[first] + dcMotor[n + DC_MOTOR.ambient] - dcMotor[n + DC_MOTOR.reference];
  return Math.max(LEAST, R * (1 + dcMotor[n + DC_MOTOR.coefficient] * warmth));
}

// −σ₀ |v| / g(v)
function bristleDecay(dcMotor: Float64Array, n: number, v: number): number {
  const coulomb = dcMotor[n + DC_MOTOR.coulomb];
  const ratio = v / Math.max(LEAST, dcMotor[n + DC_MOTOR.stribeckVelocity]);
  const g = coulomb + (dcMotor[n + DC_MOTOR.static] - coulomb) * exp(-ratio * ratio);
  return (-dcMotor[n + DC_MOTOR.bristleStiffness] * Math.abs(v)) / Math.max(LEAST, g);
}
