/**
 * <pid> as MuJoCo 4.0 has it: f = kp (u − l) + kv (w − l̇) + ki x + g with controls u, w and g for position, velocity and force. Each
 * control is an actuator of its own here; the first has the law, and the others are inputs to it.
 */
import type { Actuator, ActuatorCommon, PidActuator } from '@nexdyn/engine';
import type { ActuatorRecord } from './actuator-record.ts';
import { locate, type Settings } from './attributes.ts';
import { addInput } from './dc-motor.ts';
import { fail } from './failure.ts';

const INPUTS = ['pos', 'vel', 'ff'] as const;
type Input = (typeof INPUTS)[number];

/** The controls that there are, in their order. */
export function listInputs({ input }: ActuatorRecord): string[] {
  return input === 'voltage' ? ['pos', 'vel'] : input.split(' ');
}

/** What of a servo is not known, in words. */
export function findUnknownPid(record: ActuatorRecord): string | undefined {
  const inputs = listInputs(record);
  if (record.bias !== 'affine') return `gaintype 'pid' with biastype '${record.bias}'`;
  if (record.biasParameters[2]! > 0 && inputs[0] !== 'pos') return "'dampratio' of a servo without a position";
  if (inputs.length > 1 && record.delay > 0) return 'a delay of several controls';
  if (record.input === 'vel ff' && record.biasParameters[2] === 0)
    return "a servo with the controls 'vel ff' and no damping";
  return undefined;
}

/** Its actuators, one for each control. */
export function expressPid(common: ActuatorCommon, record: ActuatorRecord, settings: Settings): Actuator[] {
  const inputs = listInputs(record);
  const isOrdered = inputs.every((input, i) => i === 0 || place(inputs[i - 1]!) < place(input));
  if (!isOrdered || inputs.some((input) => place(input) < 0)) {
    const at = locate(settings, 'input');
    fail('invalid-value', at, `'input' cannot be '${record.input}'`, 'some of pos vel ff, in this order');
  }
  const [, kp = 0, kv = 0] = record.biasParameters.map((value) => -value);
  const [ki = 0] = record.gainParameters;
  const [limit = 0, slew = 0] = record.dynamicsParameters;
  if (inputs[0] !== 'pos' && (ki !== 0 || slew > 0)) {
    const at = locate(settings, ki === 0 ? 'slewmax' : 'ki');
    fail(
      'invalid-value',
      at,
      'an integral and a limited setpoint need the control of a position',
      "add 'pos' to 'input'",
    );
  }
  const ranges = {
    pos: common.controlRange,
    vel: limitedRange(record.velocityRange),
    ff: limitedRange(record.feedRange),
  };
  return inputs.map((input, i): Actuator => {
    const { controlRange: _, ...rest } = common;
    const range = ranges[input as Input];
    const own: ActuatorCommon = { ...rest };
    if (range) own.controlRange = [...range];
    const bias: [number, number, number] = [0, 0 - kp, 0 - kv];
    if (i > 0) {
      const further = addInput(common, input === 'vel' ? 'velocity' : 'force', input);
      return range ? { ...further, controlRange: [...range] } : further;
    }
    if (input === 'vel') return { ...own, kind: 'general', gain: [kv, 0, 0], bias };
    if (input === 'ff') return { ...own, kind: 'general', bias };
    const servo: PidActuator = { ...own, kind: 'pid', stiffness: kp };
    if (kv < 0) servo.dampingRatio = -kv;
    else if (kv !== 0) servo.damping = kv;
    if (ki !== 0) servo.integral = ki;
    if (ki !== 0 && limit > 0) servo.integralLimit = limit;
    if (slew > 0) servo.slewRate = slew;
    return servo;
  });
}

function place(input: string): number {
  return INPUTS.indexOf(input as Input);
}

function limitedRange([low, high]: [number, number]): [number, number] | undefined {
  return low < high ? [low, high] : undefined;
}
