/** <dcmotor>: numbers of a motor, given directly or by its nominal values. As MuJoCo 4.0 reads them. */
import type { ActuatorCommon, DcMotorActuator, GeneralActuator, PidActuator } from '@nexdyn/engine';
import type { ActuatorRecord } from './actuator-record.ts';
import { locate, type Settings } from './attributes.ts';
import { fail } from './failure.ts';

/** Inputs of the controller. */
const SETPOINTS = ['pos', 'vel', 'ff'] as const;

/** What of a motor is not known, in words. */
export function findUnknownMotor({ motor, dynamics, bias, input }: ActuatorRecord): string | undefined {
  if (dynamics !== 'dcmotor' || bias !== 'dcmotor' || motor.size === 0)
    return "gaintype 'dcmotor' by numbers of its own";
  const controller = motor.get('controller') ?? [];
  if (input === 'voltage') return controller.some(Boolean) ? 'the controller of a motor with a voltage' : undefined;
  if (!SETPOINTS.some((word) => word === input)) return `a motor with input '${input}'`;
  const [, integral = 0, , slew = 0, , voltage = 0] = controller;
  if (voltage) return 'a controller of a motor with a largest voltage';
  if ((integral || slew) && input !== 'pos') return `an integral or a slew rate of a motor with input '${input}'`;
  // what makes the torque differ from the one that the controller asks for
  const extra = ['inductance', 'thermal', 'cogging', 'lugre'].find((name) => motor.get(name)?.some(Boolean));
  return extra === undefined ? undefined : `'${extra}' of a motor with a controller`;
}

/**
 * The controller asks for the torque kp (u − l) − kd l̇, kd (u − l̇) − kp l or u − kp l − kd l̇ by its input, and the voltage that it sets makes up
 * for the one that the motor induces: the torque acts as it is, up to the saturation.
 */
function expressController(
  common: ActuatorCommon,
  record: ActuatorRecord,
  settings: Settings,
): GeneralActuator | PidActuator {
  const { motorConstant } = findConstants(record, settings);
  const [kp = 0, ki = 0, kd = 0, slew = 0, most = 0] = record.motor.get('controller') ?? [];
  if (ki !== 0 || slew > 0) {
    const servo: PidActuator = { ...common, ...readSaturation(record, motorConstant), kind: 'pid', stiffness: kp };
    if (kd !== 0) servo.damping = kd;
    if (ki !== 0) servo.integral = ki;
    // the sum of a motor is clamped, that of <pid> stops
    if (ki !== 0 && most > 0) Object.assign(servo, { integralLimit: most, integralRule: 'clamp' });
    if (slew > 0) servo.slewRate = slew;
    return servo;
  }
  const gain = { pos: kp, vel: kd, ff: 1 }[record.input as (typeof SETPOINTS)[number]];
  return {
    ...common,
    ...readSaturation(record, motorConstant),
    kind: 'general',
    gain: [gain, 0, 0],
    bias: [0, 0 - kp, 0 - kd],
  };
}

/** The largest torque, else that of the largest current. */
function readSaturation({ motor }: ActuatorRecord, motorConstant: number): Pick<ActuatorCommon, 'forceRange'> {
  const [torque = 0, current = 0] = motor.get('saturation') ?? [];
  const most = torque > 0 ? torque : current * motorConstant;
  return most > 0 ? { forceRange: [-most, most] } : {};
}

export function expressMotor(
  common: ActuatorCommon,
  record: ActuatorRecord,
  settings: Settings,
): DcMotorActuator | GeneralActuator | PidActuator {
  if (record.input !== 'voltage') return expressController(common, record, settings);
  const read = (name: string): number[] => record.motor.get(name) ?? [];
  const { motorConstant, resistance } = findConstants(record, settings);
  const motor: DcMotorActuator = { ...common, kind: 'dcMotor', resistance, motorConstant };
  const [inductance = 0, timeConstant = 0] = read('inductance');
  if (inductance > 0) motor.inductance = inductance;
  else if (timeConstant > 0) motor.inductance = timeConstant * resistance;
  Object.assign(motor, readSaturation(record, motorConstant));
  const [, , rate = 0] = read('saturation');
  if (rate > 0 && motor.inductance) motor.currentRate = rate;
  const [amplitude = 0, poles = 0, phase = 0] = read('cogging');
  if (amplitude !== 0) motor.cogging = { amplitude, poles, phase };
  const [stiffness = 0, damping = 0, coulomb = 0, rest = 0, stribeckVelocity = 0] = read('lugre');
  if (stiffness > 0) motor.bristles = { stiffness, damping, coulomb, static: rest, stribeckVelocity };
  const [toAir = 0, capacity = 0, time = 0, coefficient = 0, reference = 0, ambient = 0] = read('thermal');
  if (toAir > 0)
    motor.thermal = {
      resistance: toAir,
      capacity: time > 0 ? time / toAir : capacity,
      coefficient,
      reference,
      ambient,
    };
  return motor;
}

/** K from both constants, one of them, or from the voltage V and the speed ω₀ without load; R from the torque τ₀ at rest, K V/τ₀. */
function findConstants(record: ActuatorRecord, settings: Settings): { motorConstant: number; resistance: number } {
  const [torque = 0, written = 0] = record.motor.get('motorconst') ?? [];
  const [voltage = 0, stall = 0, speed = 0] = record.motor.get('nominal') ?? [];
  let resistance = record.motor.get('resistance')?.[0] ?? 0;
  let induced = written;
  const [drag] = record.damping as [number];
  if (torque === 0 && induced === 0 && voltage > 0 && speed > 0) {
    induced = voltage / speed;
    // damping slows the motor without load
    if (drag > 0 && resistance > 0) {
      const root = voltage * voltage - 4 * resistance * drag * speed * speed;
      if (root > 0) induced = (voltage + Math.sqrt(root)) / (2 * speed);
    } else if (drag > 0 && stall > 0) {
      const exact = voltage / speed - (voltage * drag) / stall;
      if (exact > 0) induced = exact;
    }
  }
  const motorConstant = torque > 0 && induced > 0 ? Math.sqrt(torque * induced) : torque > 0 ? torque : induced;
  if (resistance === 0 && voltage > 0 && stall > 0) resistance = (motorConstant * voltage) / stall;
  if (!(motorConstant > 0)) {
    const hint = "give 'motorconst', or 'nominal' with voltage, torque and speed";
    fail('missing-value', locate(settings, 'motorconst'), 'a motor needs a motor constant above 0', hint);
  }
  if (!(resistance > 0)) {
    const hint = "give 'resistance', or 'nominal' with voltage, torque and speed";
    fail('missing-value', locate(settings, 'resistance'), 'a motor needs a resistance above 0', hint);
  }
  return { motorConstant, resistance };
}
