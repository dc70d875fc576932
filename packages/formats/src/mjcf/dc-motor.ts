/** <dcmotor>: numbers of a motor, given directly or by its nominal values. As MuJoCo 4.0 reads them. */
import type {
  Actuator,
  ActuatorCommon,
  DcMotorActuator,
  GeneralActuator,
  InputActuator,
  MotorController,
  PidActuator,
} from '@nexdyn/engine';
import type { ActuatorRecord } from './actuator-record.ts';
import { locate, type Settings } from './attributes.ts';
import { fail } from './failure.ts';

/** Inputs of the controller, and the voltage beside it, in their order. */
const INPUTS = ['pos', 'vel', 'ff', 'voltage'] as const;
const WORDS = { pos: 'position', vel: 'velocity', ff: 'force' } as const;

/** What of a motor is not known, in words. */
export function findUnknownMotor({ motor, dynamics, bias, input, delay }: ActuatorRecord): string | undefined {
  if (dynamics !== 'dcmotor' || bias !== 'dcmotor' || motor.size === 0)
    return "gaintype 'dcmotor' by numbers of its own";
  const controller = motor.get('controller') ?? [];
  if (input === 'voltage') return controller.some(Boolean) ? 'the controller of a motor with a voltage' : undefined;
  if (input === 'none') return 'a motor without a control';
  if (input.includes(' ') && delay > 0) return 'a delay of several controls';
  if (controller[1] && !input.startsWith('pos')) return `an integral of a motor with input '${input}'`;
  return undefined;
}

/** Its actuators: one for each control, the first with the law of the motor. */
export function expressMotors(common: ActuatorCommon, record: ActuatorRecord, settings: Settings): Actuator[] {
  if (isController(record)) return [expressController(common, record, settings)];
  const [first, ...others] = record.input.split(' ') as (typeof INPUTS)[number][];
  const motor = expressMotor(common, record, settings);
  if (first === 'voltage') return [motor];
  const places = [first!, ...others].map((word) => INPUTS.indexOf(word));
  if (places.some((place, i) => place < 0 || (i > 0 && place <= places[i - 1]!))) {
    const at = locate(settings, 'input');
    fail('invalid-value', at, `'input' cannot be '${record.input}'`, 'some of pos vel ff voltage, in this order');
  }
  const [kp = 0, ki = 0, kd = 0, slew = 0, most = 0, voltage = 0] = record.motor.get('controller') ?? [];
  const controller: MotorController = {};
  if (first !== 'pos') controller.input = WORDS[first!];
  if (kp !== 0) controller.stiffness = kp;
  if (kd !== 0) controller.damping = kd;
  if (ki !== 0) controller.integral = ki;
  if (ki !== 0 && most > 0) controller.integralLimit = most;
  if (slew > 0) controller.slewRate = slew;
  if (voltage > 0) controller.voltageLimit = voltage;
  motor.controller = controller;
  return [
    motor,
    ...others.map((word) => addInput(common, word === 'voltage' || word === 'pos' ? 'voltage' : WORDS[word], word)),
  ];
}

/** Whether the torque is the one that the controller asks for, by one control. */
function isController({ input, motor }: ActuatorRecord): boolean {
  const [, integral = 0, , slew = 0, , voltage = 0] = motor.get('controller') ?? [];
  const isPlain = !['inductance', 'thermal', 'cogging', 'lugre'].some((name) => motor.get(name)?.some(Boolean));
  return input in WORDS && isPlain && !voltage && (input === 'pos' || (!integral && !slew));
}

/** A further control of an actuator. */
export function addInput(
  common: ActuatorCommon,
  adds: NonNullable<InputActuator['adds']>,
  word: string,
): InputActuator {
  const input: InputActuator = { kind: 'input', transmission: { ...common.transmission } };
  if (common.name !== undefined) input.name = `${common.name}/${word}`;
  if (adds !== 'force') input.adds = adds;
  return input;
}

/**
 * A motor that is nothing but its controller. The controller asks for the torque kp (u − l) − kd l̇, kd (u − l̇) − kp l or u − kp l − kd l̇ by its input, and the voltage that it sets makes up
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
  const gain = { pos: kp, vel: kd, ff: 1 }[record.input as keyof typeof WORDS];
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

function expressMotor(common: ActuatorCommon, record: ActuatorRecord, settings: Settings): DcMotorActuator {
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

/** K from both constants or one of them, that of the voltage also from the voltage V and the speed ω₀ without load; R from the torque τ₀ at rest, K V/τ₀. */
function findConstants(record: ActuatorRecord, settings: Settings): { motorConstant: number; resistance: number } {
  const [torque = 0, written = 0] = record.motor.get('motorconst') ?? [];
  const [voltage = 0, stall = 0, speed = 0] = record.motor.get('nominal') ?? [];
  let resistance = record.motor.get('resistance')?.[0] ?? 0;
  let induced = written;
  const [drag] = record.damping as [number];
  if (induced === 0 && voltage > 0 && speed > 0) {
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
