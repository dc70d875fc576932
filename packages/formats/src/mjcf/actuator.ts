/** <actuator>: records of MuJoCo to the actuators of the Scene, with the same force law. */
import type {
  ActivationDynamics,
  Actuator,
  ActuatorCommon,
  GeneralActuator,
  MuscleActuator,
  Transmission,
} from '@nexdyn/engine';
import type { XmlElement } from '../xml/xml.ts';
import { type ActuatorRecord, buildRecord } from './actuator-record.ts';
import { findSetting, locate, readText, type Settings, settingsOf } from './attributes.ts';
import { expressMotors, findUnknownMotor } from './dc-motor.ts';
import { ACTUATOR_KINDS, findClass, UNSUPPORTED_ACTUATORS } from './defaults.ts';
import { fail } from './failure.ts';
import { expressPid, findUnknownPid } from './pid.ts';
import type { Reading } from './reading.ts';
import { checkAttributes, failUnknownElement } from './schema.ts';

/** MuJoCo divides by no less, s. */
const LEAST_TIME_CONSTANT = 1e-15;

/** Reads one section. */
export function readActuators(section: XmlElement, reading: Reading): void {
  for (const element of section.children) {
    if (ACTUATOR_KINDS.has(element.name)) {
      const actuators = readActuator(element, reading);
      reading.part.actuators.push(...actuators);
      if (actuators.length === 0) reading.lostActuators.push(element);
    } else if (UNSUPPORTED_ACTUATORS.has(element.name)) {
      const message = `actuators of kind '${element.name}' are not supported; it is left out`;
      reading.unsupported.add(element, { affects: 'physics', message });
      reading.lostActuators.push(element);
    } else {
      failUnknownElement(element, 'actuator');
    }
  }
}

/** Mostly one; none where it is not supported, one for each control where it has several. */
function readActuator(element: XmlElement, reading: Reading): Actuator[] {
  checkAttributes(element);
  const settings = settingsOf(element);
  const className = findClass(element, 'class', reading.defaults, reading.defaults.get('main')!);
  const record = buildRecord(className.actuators, element);
  const transmission = readTransmission(settings, record);
  const unknown = findUnknownLaw(record);
  if (unknown) {
    const message = `${unknown} is not supported; the actuator is left out`;
    reading.unsupported.add(element, { affects: 'physics', message });
    return [];
  }
  const common: ActuatorCommon = { transmission };
  const name = readText(settings, 'name');
  if (name) common.name = name;
  readDelay(common, record, settings);
  readRanges(common, record, settings, reading);
  const actuators =
    record.gain === 'pid'
      ? expressPid(common, record, settings)
      : record.gain === 'dcmotor'
        ? expressMotors(common, record, settings)
        : [expressLaw(common, record, settings, reading)];
  const actuator = actuators[0]!;
  for (const each of actuators) reading.origins.set(each, element);
  reading.access.actuatorGroups.set(element, record.group);
  if (record.inheritRange > 0 && isServo(record)) reading.inheritRanges.set(actuator, record.inheritRange);
  readReflected(actuator, record, settings, reading);
  listExtras(settings, reading);
  return actuators;
}

/** Only servos take the range of what they drive. */
function isServo({ gain, bias, gainParameters, biasParameters }: ActuatorRecord): boolean {
  if (gain === 'pid') return true;
  return gain === 'fixed' && bias === 'affine' && gainParameters[0] === -biasParameters[1]!;
}

function readTransmission(settings: Settings, record: ActuatorRecord): Transmission {
  const { element } = settings;
  const gear = record.gear;
  const given = ['joint', 'jointinparent', 'tendon', 'cranksite', 'site', 'body'].filter((n) =>
    findSetting(settings, n),
  );
  if (given.length > 1) {
    const at = locate(settings, given[1]!);
    fail('invalid-value', at, `the actuator drives two things, '${given[0]}' and '${given[1]}'`, 'keep one of them');
  }
  const target = given[0];
  if (target === undefined) {
    const hint = 'write joint="...", tendon="..." or site="..."';
    fail('missing-value', element, `<${element.name}> does not say what it drives`, hint);
  }
  const name = readText(settings, target)!;
  const refsite = readText(settings, 'refsite');
  if (refsite !== undefined && target !== 'site') {
    fail(
      'invalid-value',
      locate(settings, 'refsite'),
      "'refsite' goes with 'site' only",
      "remove 'refsite', or drive a site",
    );
  }
  if (target === 'joint') return { kind: 'joint', joint: name, gear };
  if (target === 'jointinparent') return { kind: 'joint', joint: name, inParent: true, gear };
  if (target === 'tendon') return { kind: 'tendon', tendon: name, gear };
  if (target === 'site') {
    return refsite === undefined
      ? { kind: 'site', site: name, gear }
      : { kind: 'site', site: name, referenceSite: refsite, gear };
  }
  if (target === 'cranksite') {
    const sliderSite = readText(settings, 'slidersite');
    if (sliderSite === undefined) {
      const hint = 'write slidersite="..."';
      fail('missing-value', locate(settings, target), "'cranksite' needs 'slidersite'", hint);
    }
    if (record.rodLength <= 0) {
      fail('missing-value', locate(settings, 'cranklength'), "a crank needs 'cranklength'", 'give a length above 0');
    }
    return { kind: 'crank', crankSite: name, sliderSite, rodLength: record.rodLength, gear };
  }
  return { kind: 'body', body: name };
}

/** Muscles with an activation, and a passive force of their own or none. */
function findUnknownMuscle({ dynamics, bias, gainParameters, biasParameters }: ActuatorRecord): string | undefined {
  if (dynamics === 'none') return "gaintype 'muscle' without an activation";
  if (bias === 'none') return undefined;
  const isSame = biasParameters.every((value, i) => value === gainParameters[i]);
  return bias === 'muscle' && isSame ? undefined : `gaintype 'muscle' with another bias of type '${bias}'`;
}

function findUnknownLaw(record: ActuatorRecord): string | undefined {
  const { dynamics, gain, bias } = record;
  if (gain === 'dcmotor') return findUnknownMotor(record);
  if (gain === 'pid') return findUnknownPid(record);
  if (!['none', 'integrator', 'filter', 'filterexact', 'muscle'].includes(dynamics)) return `dyntype '${dynamics}'`;
  if (gain === 'muscle') return findUnknownMuscle(record);
  if (gain !== 'fixed' && gain !== 'affine') return `gaintype '${gain}'`;
  if (bias !== 'none' && bias !== 'affine') return `biastype '${bias}'`;
  return undefined;
}

function readRanges(common: ActuatorCommon, record: ActuatorRecord, settings: Settings, reading: Reading): void {
  const control = settleRange(record.controlLimited, record.controlRange, 'ctrl', settings, reading);
  if (control) common.controlRange = control;
  const force = settleRange(record.forceLimited, record.forceRange, 'force', settings, reading);
  if (force) common.forceRange = force;
  // a general actuator takes the range of its target, whatever its class says
  if (record.inheritRange > 0 && settings.element.name !== 'general') {
    const integrates = record.dynamics === 'integrator';
    const [low, high] = integrates ? record.activationRange : record.controlRange;
    if (low !== 0 || high !== 0) {
      const other = integrates ? 'actrange' : 'ctrlrange';
      const at = locate(settings, 'inheritrange');
      fail('invalid-value', at, `'${other}' and 'inheritrange' exclude each other`, 'keep one of them');
    }
  }
}

function settleRange(
  limited: 'false' | 'true' | 'auto',
  range: [number, number],
  prefix: string,
  settings: Settings,
  { compiler }: Reading,
): [number, number] | undefined {
  const at = locate(settings, `${prefix}range`);
  if (limited === 'auto' && !compiler.autoLimits && (range[0] !== 0 || range[1] !== 0)) {
    const hint = `write ${prefix}limited="true", or autolimits="true" in <compiler>`;
    fail('invalid-value', at, `'${prefix}range' is given without '${prefix}limited'`, hint);
  }
  if (limited === 'false' || (limited === 'auto' && range[0] >= range[1])) return undefined;
  if (range[0] >= range[1]) {
    const reason = `'${prefix}range' must have its lower bound below the upper, got ${range[0]} ${range[1]}`;
    fail('invalid-value', at, reason, 'write the lower bound first');
  }
  return range;
}

/** Chooses the plainest kind of actuator that has the force law of the record. */
function expressLaw(common: ActuatorCommon, record: ActuatorRecord, settings: Settings, reading: Reading): Actuator {
  if (record.gain === 'muscle') return expressMuscle(common, record, settings, reading);
  const [g0, g1, g2] = record.gainParameters as [number, number, number];
  const gain: [number, number, number] = record.gain === 'fixed' ? [g0, 0, 0] : [g0, g1, g2];
  const [b0, b1, b2] = record.biasParameters as [number, number, number];
  const bias: [number, number, number] = record.bias === 'none' ? [0, 0, 0] : [b0, b1, b2];
  const activation = readActivation(record, settings, reading);
  const servo = record.gain === 'fixed' && record.bias === 'affine' && g0 !== 0 && bias[1] === -g0;
  // a positive velocity term of a servo is a damping ratio
  const ratio = servo && bias[2] > 0 ? bias[2] : undefined;
  const filtered = activation?.kind === 'filterExact' && !activation.range && !activation.early;
  if (servo && g0 > 0 && bias[0] === 0 && (!activation || filtered)) {
    const position: Actuator = { ...common, kind: 'position', stiffness: g0 };
    if (ratio !== undefined) position.dampingRatio = ratio;
    else if (bias[2] !== 0) position.damping = -bias[2];
    if (activation?.timeConstant !== undefined) position.timeConstant = activation.timeConstant;
    return position;
  }
  const still = gain[1] === 0 && gain[2] === 0;
  if (common.transmission.kind === 'body' && !activation && still && bias.every((value) => value === 0)) {
    return { ...common, kind: 'adhesion', transmission: common.transmission, gain: gain[0] };
  }
  if (!activation && still && bias[0] === 0 && bias[1] === 0) {
    if (gain[0] === 1 && bias[2] === 0) return { ...common, kind: 'motor' };
    if (gain[0] > 0 && bias[2] === -gain[0]) return { ...common, kind: 'velocity', gain: gain[0] };
  }
  const general: GeneralActuator = { ...common, kind: 'general', gain, bias: bias.map((b) => b + 0) as typeof bias };
  if (ratio !== undefined) {
    general.bias![2] = 0;
    general.dampingRatio = ratio;
  }
  if (activation) general.activation = activation;
  return general;
}

function expressMuscle(common: ActuatorCommon, record: ActuatorRecord, settings: Settings, reading: Reading): Actuator {
  const [low, high, force, scale, least, most, maxVelocity, passiveForce, stretchForce] = record.gainParameters as [
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const [from, to] = record.lengthRange;
  const muscle: MuscleActuator = { ...common, kind: 'muscle' };
  if (from < to) muscle.lengthRange = [from, to];
  muscle.operatingRange = [low, high];
  if (force >= 0) muscle.force = force;
  else muscle.scale = scale;
  muscle.activeRange = [least, most];
  muscle.maxVelocity = maxVelocity;
  muscle.passiveForce = record.bias === 'none' ? 0 : passiveForce;
  muscle.stretchForce = stretchForce;
  const activation = readActivation(record, settings, reading);
  if (activation) muscle.activation = activation;
  return muscle;
}

function readActivation(record: ActuatorRecord, settings: Settings, reading: Reading): ActivationDynamics | undefined {
  const { dynamics } = record;
  const range = settleRange(record.activationLimited, record.activationRange, 'act', settings, reading);
  if (dynamics === 'none') {
    if (range) {
      const at = locate(settings, 'actrange');
      fail('invalid-value', at, "'actrange' is given for an actuator without activation", "set 'dyntype'");
    }
    return undefined;
  }
  const activation: ActivationDynamics = {
    kind: dynamics === 'filterexact' ? 'filterExact' : (dynamics as 'integrator' | 'filter' | 'muscle'),
  };
  if (activation.kind === 'muscle') {
    activation.fallTimeConstant = Math.max(LEAST_TIME_CONSTANT, record.dynamicsParameters[1]!);
    if (record.dynamicsParameters[2] !== 0) activation.smoothing = record.dynamicsParameters[2]!;
  }
  if (activation.kind !== 'integrator')
    activation.timeConstant = Math.max(LEAST_TIME_CONSTANT, record.dynamicsParameters[0]!);
  if (range) activation.range = range;
  if (record.early) activation.early = true;
  return activation;
}

function readDelay(common: ActuatorCommon, record: ActuatorRecord, settings: Settings): void {
  const { delay, samples, interpolation } = record;
  if (delay > 0 && samples === 0)
    fail('missing-value', locate(settings, 'delay'), "'delay' needs 'nsample'", 'say how many controls are kept');
  // controls that are kept and not delayed have no effect
  if (delay === 0) return;
  common.delay = delay;
  common.samples = samples;
  if (interpolation !== 'zoh') common.interpolation = interpolation;
}

/** Inertia and damping of the actuator go to what it drives, seen through the gear. */
function readReflected(actuator: Actuator, record: ActuatorRecord, settings: Settings, reading: Reading): void {
  const { damping } = record;
  const isDamped = damping.some(Boolean);
  if (!isDamped && record.armature === 0) return;
  const { kind } = actuator.transmission;
  if (kind !== 'joint' && kind !== 'tendon') {
    const attribute = isDamped ? 'damping' : 'armature';
    const hint = 'drive a joint or a tendon';
    fail('invalid-value', locate(settings, attribute), `'${attribute}' goes with a joint or a tendon only`, hint);
  }
  reading.reflected.set(actuator, { damping, armature: record.armature });
}

const EXTRAS: readonly [string, string][] = [['actdim', 'activations of more than one number are not supported']];

function listExtras(settings: Settings, reading: Reading): void {
  for (const [attribute, message] of EXTRAS) {
    const text = readText(settings, attribute);
    if (text === undefined || text === '-1' || Number(text) === 0) continue;
    if (attribute === 'actdim' && text === '1') continue;
    reading.unsupported.add(settings.element, { attribute, affects: 'physics', message });
  }
}
