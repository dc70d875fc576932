/**
 * The record behind every actuator.
 *
 * MuJoCo keeps one record per actuator and per default class: gain, bias and dynamics with their parameters. Each element
 * (general, motor, position, ...) reads and writes parts of it, and starts from the defaults of the class. So the defaults and then the
 * element itself are applied in turn. Since 4.0 an element of one kind goes on with the law of its class where that was written by the same
 * kind, or by `general` with the gain of that kind; else with that of the next class around it that was; else it begins anew. `general` goes on
 * with what is there.
 *
 * The force is (g₀ + g₁ l + g₂ v) a + b₀ + b₁ l + b₂ v with l the length, v the velocity of the transmission and a the
 * control or the activation. A positive b₂ of a position servo is a damping ratio.
 */
import type { XmlElement } from '../xml/xml.ts';
import {
  locate,
  readBoolean,
  readInteger,
  readKeyword,
  readNumber,
  readPair,
  readPartial,
  readText,
  type Settings,
  settingsOf,
} from './attributes.ts';
import { fail } from './failure.ts';

export const DYNAMICS = ['none', 'integrator', 'filter', 'filterexact', 'muscle', 'dcmotor', 'pid', 'user'] as const;
export const GAINS = ['fixed', 'affine', 'muscle', 'dcmotor', 'so3', 'pid', 'user'] as const;
export const BIASES = ['none', 'affine', 'muscle', 'dcmotor', 'so3', 'user'] as const;
type Limited = 'false' | 'true' | 'auto';
const LIMITED: readonly Limited[] = ['false', 'true', 'auto'];

/** What an actuator is, in MuJoCo's own terms. */
export interface ActuatorRecord {
  /** The element that has written the law; empty where none has. */
  writer: string;
  dynamics: (typeof DYNAMICS)[number];
  gain: (typeof GAINS)[number];
  bias: (typeof BIASES)[number];
  dynamicsParameters: number[];
  gainParameters: number[];
  biasParameters: number[];
  gear: number[];
  controlLimited: Limited;
  forceLimited: Limited;
  activationLimited: Limited;
  controlRange: [number, number];
  /** Of the velocity and of the force beside it that <pid> has. */
  velocityRange: [number, number];
  feedRange: [number, number];
  forceRange: [number, number];
  activationRange: [number, number];
  inheritRange: number;
  lengthRange: [number, number];
  rodLength: number;
  early: boolean;
  /** What the controls of <dcmotor> and <pid> are; 'voltage' where it is not said. */
  input: string;
  /** Attributes of <dcmotor>, those of the element over those of classes. */
  motor: Map<string, number[]>;
  /** Inertia and damping that the actuator gives to what it drives. */
  armature: number;
  damping: number[];
  delay: number;
  samples: number;
  interpolation: 'zoh' | 'linear' | 'cubic';
  group: number;
}

/** The record of an actuator: the defaults of its classes, outermost first, then the element. */
export function buildRecord(defaults: readonly (readonly XmlElement[])[], element: XmlElement): ActuatorRecord {
  const record: ActuatorRecord = {
    writer: '',
    ...createLaw(),
    gear: [1, 0, 0, 0, 0, 0],
    controlLimited: 'auto',
    forceLimited: 'auto',
    activationLimited: 'auto',
    controlRange: [0, 0],
    velocityRange: [0, 0],
    feedRange: [0, 0],
    forceRange: [0, 0],
    activationRange: [0, 0],
    lengthRange: [0, 0],
    rodLength: 0,
    armature: 0,
    damping: [0, 0, 0],
    delay: 0,
    samples: 0,
    interpolation: 'zoh',
    group: 0,
  };
  // laws as the classes around have left them, innermost first
  const around: WrittenLaw[] = [];
  for (const own of defaults) {
    for (const written of own) applyElement(record, written, around);
    around.unshift(copyLaw(record));
  }
  applyElement(record, element, around);
  return record;
}

type Law = Pick<
  ActuatorRecord,
  | 'dynamics'
  | 'gain'
  | 'bias'
  | 'dynamicsParameters'
  | 'gainParameters'
  | 'biasParameters'
  | 'inheritRange'
  | 'early'
  | 'input'
  | 'motor'
>;

type WrittenLaw = Law & Pick<ActuatorRecord, 'writer'>;

function copyLaw(law: WrittenLaw): WrittenLaw {
  const { writer, dynamics, gain, bias, inheritRange, early, input } = law;
  return {
    writer,
    dynamics,
    gain,
    bias,
    dynamicsParameters: [...law.dynamicsParameters],
    gainParameters: [...law.gainParameters],
    biasParameters: [...law.biasParameters],
    inheritRange,
    early,
    input,
    motor: new Map(law.motor),
  };
}

/** The gain that a law of `general` has if an element of another kind may go on with it. */
const GAIN_OF: Readonly<Record<string, ActuatorRecord['gain']>> = {
  position: 'fixed',
  intvelocity: 'fixed',
  velocity: 'fixed',
  cylinder: 'fixed',
  adhesion: 'fixed',
  damper: 'affine',
  muscle: 'muscle',
  dcmotor: 'dcmotor',
  pid: 'pid',
  orientation: 'so3',
};

/** Finds the law that an element goes on with; false where it begins anew. */
function inheritLaw(record: ActuatorRecord, kind: string, around: readonly WrittenLaw[]): boolean {
  const donor = [record, ...around].find(
    ({ writer, gain }) => writer === kind || (writer === 'general' && gain === GAIN_OF[kind]),
  );
  if (donor !== record) Object.assign(record, donor ? copyLaw(donor) : createLaw());
  return donor !== undefined;
}

/** A law as no element has written it. */
function createLaw(): Law {
  const zeros = new Array<number>(9).fill(0);
  return {
    dynamics: 'none',
    gain: 'fixed',
    bias: 'none',
    dynamicsParameters: [1, ...zeros],
    gainParameters: [1, ...zeros],
    biasParameters: [0, ...zeros],
    inheritRange: 0,
    early: false,
    input: 'voltage',
    motor: new Map(),
  };
}

function applyElement(record: ActuatorRecord, element: XmlElement, around: readonly WrittenLaw[]): void {
  const settings = settingsOf(element);
  applyCommon(record, settings);
  const inherits = element.name === 'general' || inheritLaw(record, element.name, around);
  record.writer = element.name;
  if (element.name !== 'general') record.early = false;
  switch (element.name) {
    case 'general':
      applyGeneral(record, settings);
      break;
    case 'motor':
      Object.assign(record, createLaw());
      break;
    case 'position':
      applyPosition(record, settings);
      break;
    case 'intvelocity':
      applyPosition(record, settings);
      record.dynamics = 'integrator';
      break;
    case 'velocity':
      applyVelocity(record, settings);
      break;
    case 'damper':
      applyDamper(record, settings);
      break;
    case 'cylinder':
      applyCylinder(record, settings);
      break;
    case 'muscle':
      applyMuscle(record, settings, inherits);
      break;
    case 'adhesion':
      applyAdhesion(record, settings);
      break;
    case 'dcmotor':
      for (const [attribute, width] of MOTOR_ATTRIBUTES) {
        const given = readPartial(settings, attribute, new Array<number>(width).fill(0));
        if (given) record.motor.set(attribute, given);
      }
      record.input = readInput(settings) ?? record.input;
      setKinds(record, 'dcmotor', 'dcmotor', 'dcmotor');
      record.early = true;
      break;
    case 'pid':
      applyPid(record, settings, inherits);
      break;
    // laws that are not known stay what they are in actuators of kind `general`
    case 'orientation':
      setKinds(record, 'none', 'so3', 'so3');
      break;
    case 'plugin':
      setKinds(record, 'user', 'user', 'user');
      break;
  }
}

function setKinds(
  record: ActuatorRecord,
  dynamics: ActuatorRecord['dynamics'],
  gain: ActuatorRecord['gain'],
  bias: ActuatorRecord['bias'],
): void {
  Object.assign(record, { dynamics, gain, bias });
}

function applyCommon(record: ActuatorRecord, settings: Settings): void {
  record.controlLimited = readKeyword(settings, 'ctrllimited', LIMITED) ?? record.controlLimited;
  record.forceLimited = readKeyword(settings, 'forcelimited', LIMITED) ?? record.forceLimited;
  record.activationLimited = readKeyword(settings, 'actlimited', LIMITED) ?? record.activationLimited;
  record.controlRange = readPair(settings, 'posrange') ?? readPair(settings, 'ctrlrange') ?? record.controlRange;
  record.velocityRange = readPair(settings, 'velrange') ?? record.velocityRange;
  record.feedRange = readPair(settings, 'ffrange') ?? record.feedRange;
  record.forceRange = readPair(settings, 'forcerange') ?? record.forceRange;
  record.activationRange = readPair(settings, 'actrange') ?? record.activationRange;
  record.lengthRange = readPair(settings, 'lengthrange') ?? record.lengthRange;
  record.rodLength = readNumber(settings, 'cranklength') ?? record.rodLength;
  record.gear = readPartial(settings, 'gear', record.gear) ?? record.gear;
  record.armature = readPositive(settings, 'armature') ?? record.armature;
  record.damping = readPartial(settings, 'damping', record.damping) ?? record.damping;
  record.delay = readPositive(settings, 'delay') ?? record.delay;
  record.samples = readInteger(settings, 'nsample') ?? record.samples;
  record.group = readInteger(settings, 'group') ?? record.group;
  record.interpolation = readKeyword(settings, 'interp', ['zoh', 'linear', 'cubic']) ?? record.interpolation;
}

/** Attributes of <dcmotor> and how many numbers they have at most. */
const MOTOR_ATTRIBUTES: readonly [string, number][] = [
  ['motorconst', 2],
  ['resistance', 1],
  ['nominal', 3],
  ['saturation', 3],
  ['inductance', 2],
  ['cogging', 3],
  ['controller', 6],
  ['thermal', 6],
  ['lugre', 5],
];

/** g a, along the contacts of a body. */
function applyAdhesion(record: ActuatorRecord, settings: Settings): void {
  const gain = readPositive(settings, 'gain');
  if (gain !== undefined) record.gainParameters = record.gainParameters.with(0, gain);
  record.controlLimited = 'true';
  setKinds(record, 'none', 'fixed', 'none');
  if (record.controlRange[0] < 0 || record.controlRange[1] < 0) {
    const hint = "begin 'ctrlrange' at 0 or above";
    fail('invalid-value', locate(settings, 'ctrlrange'), 'the control of adhesion cannot be negative', hint);
  }
}

function applyGeneral(record: ActuatorRecord, settings: Settings): void {
  record.dynamics = readKeyword(settings, 'dyntype', DYNAMICS) ?? record.dynamics;
  record.gain = readKeyword(settings, 'gaintype', GAINS) ?? record.gain;
  record.bias = readKeyword(settings, 'biastype', BIASES) ?? record.bias;
  record.dynamicsParameters = readPartial(settings, 'dynprm', record.dynamicsParameters) ?? record.dynamicsParameters;
  record.gainParameters = readPartial(settings, 'gainprm', record.gainParameters) ?? record.gainParameters;
  record.biasParameters = readPartial(settings, 'biasprm', record.biasParameters) ?? record.biasParameters;
  record.early = readBoolean(settings, 'actearly') ?? record.early;
  record.inheritRange = readPositive(settings, 'inheritrange') ?? record.inheritRange;
  record.input = readInput(settings) ?? record.input;
}

/** Words of what the controls are. */
function readInput(settings: Settings): string | undefined {
  return readText(settings, 'input')?.trim().replace(/\s+/g, ' ');
}

/** kp (u − l) + kv (w − l̇) + ki x + f: stiffness and damping are in the bias, the integral in the gain, its limit and the rate of u in the dynamics. */
function applyPid(record: ActuatorRecord, settings: Settings, inherits: boolean): void {
  if (!inherits) {
    record.gainParameters = record.gainParameters.map(() => 0);
    record.dynamicsParameters = record.dynamicsParameters.map(() => 0);
    record.biasParameters = record.biasParameters.map((_, i) => (i === 1 ? -1 : 0));
  }
  const put = (list: 'gainParameters' | 'biasParameters' | 'dynamicsParameters', i: number, value: number): void => {
    record[list] = record[list].with(i, value);
  };
  const [kp, ki, imax, slew] = ['kp', 'ki', 'imax', 'slewmax'].map((name) => readNumber(settings, name));
  if (kp !== undefined) put('biasParameters', 1, -kp);
  if (ki !== undefined) put('gainParameters', 0, ki);
  if (imax !== undefined) put('dynamicsParameters', 0, imax);
  if (slew !== undefined) put('dynamicsParameters', 1, slew);
  const damping = readPositive(settings, 'kv');
  const ratio = readPositive(settings, 'dampratio');
  if (damping !== undefined) put('biasParameters', 2, -damping);
  if (ratio) put('biasParameters', 2, ratio);
  record.input = readInput(settings) ?? (inherits ? record.input : 'voltage');
  record.inheritRange =
    readPositive(settings, 'inheritrange') ?? (readPair(settings, 'posrange') ? 0 : record.inheritRange);
  setKinds(record, 'pid', 'pid', 'affine');
}

/** a k − k l − d v, or with the damping ratio in place of −d. */
function applyPosition(record: ActuatorRecord, settings: Settings): void {
  const stiffness = readNumber(settings, 'kp') ?? record.gainParameters[0]!;
  record.gainParameters = record.gainParameters.map((_, i) => (i === 0 ? stiffness : 0));
  record.biasParameters = [0, -stiffness, ...record.biasParameters.slice(2)];
  const damping = readPositive(settings, 'kv');
  const ratio = readPositive(settings, 'dampratio');
  if (damping !== undefined && ratio !== undefined) {
    fail('invalid-value', locate(settings, 'dampratio'), "'kv' and 'dampratio' exclude each other", 'keep one of them');
  }
  if (damping !== undefined) record.biasParameters[2] = -damping;
  if (ratio !== undefined) record.biasParameters[2] = ratio;
  const timeConstant = readPositive(settings, 'timeconst');
  if (timeConstant !== undefined) {
    record.dynamicsParameters = record.dynamicsParameters.with(0, timeConstant);
    record.dynamics = timeConstant === 0 ? 'none' : 'filterexact';
  }
  if (record.dynamics !== 'filterexact') record.dynamics = 'none';
  // a range of its own takes the place of one that a class would inherit
  const range = settings.element.name === 'intvelocity' ? 'actrange' : 'ctrlrange';
  const inherited = readPair(settings, range) ? 0 : record.inheritRange;
  record.inheritRange = readPositive(settings, 'inheritrange') ?? inherited;
  record.gain = 'fixed';
  record.bias = 'affine';
}

/** g a − g v. */
function applyVelocity(record: ActuatorRecord, settings: Settings): void {
  const gain = readNumber(settings, 'kv') ?? record.gainParameters[0]!;
  record.gainParameters = record.gainParameters.map((_, i) => (i === 0 ? gain : 0));
  record.biasParameters = record.biasParameters.map((_, i) => (i === 2 ? -gain : 0));
  setKinds(record, 'none', 'fixed', 'affine');
}

/** −d v a. */
function applyDamper(record: ActuatorRecord, settings: Settings): void {
  const inherited = record.gain === 'affine' ? -record.gainParameters[2]! : 0;
  const damping = readPositive(settings, 'kv') ?? inherited;
  if (damping < 0)
    fail('invalid-value', settings.element, "the class gives the damper a negative 'kv'", "give 'kv' as 0 or more");
  record.gainParameters = record.gainParameters.map((_, i) => (i === 2 ? -damping : 0));
  record.biasParameters = record.biasParameters.map(() => 0);
  record.controlLimited = 'true';
  setKinds(record, 'none', 'affine', 'none');
  const [low, high] = record.controlRange;
  if (low < 0 || high < 0)
    fail(
      'invalid-value',
      locate(settings, 'ctrlrange'),
      "a damper's control cannot be negative",
      "begin 'ctrlrange' at 0 or above",
    );
}

/** A pneumatic or hydraulic cylinder: area × pressure + bias, the pressure filtered. */
function applyCylinder(record: ActuatorRecord, settings: Settings): void {
  const timeConstant = readNumber(settings, 'timeconst');
  if (timeConstant !== undefined) record.dynamicsParameters = record.dynamicsParameters.with(0, timeConstant);
  record.biasParameters = readPartial(settings, 'bias', record.biasParameters) ?? record.biasParameters;
  const area = readNumber(settings, 'area');
  if (area !== undefined) record.gainParameters = record.gainParameters.with(0, area);
  const diameter = readNumber(settings, 'diameter');
  if (diameter !== undefined && diameter >= 0) {
    record.gainParameters = record.gainParameters.with(0, (Math.PI / 4) * diameter * diameter);
  }
  setKinds(record, 'filter', 'fixed', 'affine');
}

/** Numbers of a muscle and the attributes that set them. */
const MUSCLE_NUMBERS: readonly [attribute: string | undefined, start: number][] = [
  [undefined, 0.75],
  [undefined, 1.05],
  ['force', -1],
  ['scale', 200],
  ['lmin', 0.5],
  ['lmax', 1.6],
  ['vmax', 1.5],
  ['fpmax', 1.3],
  ['fvmax', 1.2],
];

/** The force of muscle.ts; gain and bias have the same numbers. */
function applyMuscle(record: ActuatorRecord, settings: Settings, inherits: boolean): void {
  const time = inherits ? record.dynamicsParameters.slice() : [0.01, 0.04, ...record.dynamicsParameters.slice(2)];
  const constants = readPair(settings, 'timeconst') ?? [-1, -1];
  constants.forEach((value, i) => {
    if (value >= 0) time[i] = value;
  });
  time[2] = readPositive(settings, 'tausmooth') ?? time[2]!;
  const numbers = record.gainParameters.slice();
  const range = readPair(settings, 'range');
  MUSCLE_NUMBERS.forEach(([attribute, start], i) => {
    if (!inherits) numbers[i] = start;
    const given = attribute === undefined ? range?.[i] : readNumber(settings, attribute);
    if (given !== undefined && given >= 0) numbers[i] = given;
  });
  record.dynamicsParameters = time;
  record.gainParameters = numbers;
  record.biasParameters = numbers.slice();
  setKinds(record, 'muscle', 'muscle', 'muscle');
}

function readPositive(settings: Settings, name: string): number | undefined {
  const value = readNumber(settings, name);
  if (value !== undefined && value < 0) {
    fail(
      'invalid-value',
      locate(settings, name),
      `'${name}' cannot be negative, got ${value}`,
      'give a number of 0 or more',
    );
  }
  return value;
}
