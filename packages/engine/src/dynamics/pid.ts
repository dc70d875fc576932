/**
 * Servos with a limited setpoint and an integral, u the control, l the length of the transmission:
 *   σ⁺ = σ + clamp(u − σ, ± r h)     the setpoint, at most r per second; s = σ⁺, or u where its rate is not limited
 *   ẋ = s − l                        0 where |x| has reached its limit and would grow, or x clamped to it
 *   force = kp s + ki x − kp l − kv l̇
 * The force is affine in the input w = (kp s + ki x)/g with the gain g = kp, or 1 where kp = 0. Source: MuJoCo 4.0, <pid> and the controller of <dcmotor>.
 */
import { type ModelActuators, PID } from '../model/model.ts';
import type { Workspace } from './workspace.ts';

/** The input w; writes the rates of setpoint and integral. */
export function pidInput(
  { pid, gain, bias }: ModelActuators,
  { activationRate, actuatorLength }: Workspace,
  activation: Float64Array,
  a: number,
  first: number,
  control: number,
  h: number,
): number {
  const n = PID.width * a;
  const slew = pid[n + PID.slewRate];
  let slot = first;
  let setpoint = control;
  if (slew > 0) {
    const rate = Math.min(slew, Math.max(-slew, (control - activation[slot]) / h));
    activationRate[slot] = rate;
    setpoint = activation[slot] + h * rate;
    slot++;
  }
  const stiffness = -bias[3 * a + 1];
  const integral = pid[n + PID.integral];
  let push = stiffness * setpoint;
  if (integral !== 0) {
    const x = activation[slot];
    const error = setpoint - actuatorLength[a];
    const most = pid[n + PID.integralLimit];
    const isFull = most > 0 && Math.abs(x) >= most && x * error > 0;
    activationRate[slot] = isFull ? 0 : error;
    push += integral * x;
  }
  return push / gain[3 * a];
}

/** State k of servo a after h seconds: the setpoint, or the integral, which may be clamped. */
export function nextPidState(
  { pid, activationLimited, activationRange }: ModelActuators,
  a: number,
  k: number,
  state: number,
  rate: number,
  h: number,
): number {
  const next = state + rate * h;
  const isSetpoint = k === 0 && pid[PID.width * a + PID.slewRate] > 0;
  if (isSetpoint || activationLimited[a] === 0) return next;
  return Math.min(activationRange[2 * a + 1], Math.max(activationRange[2 * a], next));
}
