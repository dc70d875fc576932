/** Checks that need the whole model: names are unique, references exist, gears and ranges match their transmissions. */
import type { Actuator, Joint, Sensor, Tendon } from '@nexdyn/engine';
import { REFERRING_LISTS, referringList } from './copy.ts';
import { fail, type Placed, suggestName } from './failure.ts';
import type { OpenBody, Reading } from './reading.ts';
import { collectNames, listReferences } from './references.ts';

/** What the members of a name space are called in MJCF. */
const NAMED = {
  body: 'bodies',
  joint: 'joints',
  shape: 'geoms',
  site: 'sites',
  tendon: 'tendons',
  actuator: 'actuators',
  camera: 'cameras',
} as const;

/** Checks a model and settles what depends on several of its parts. */
export function checkModel(reading: Reading): void {
  checkNames(reading);
  const names = collectNames(reading.part.world);
  for (const tendon of reading.part.tendons) if (tendon.name) names.tendon.add(tendon.name);
  for (const actuator of reading.part.actuators) if (actuator.name) names.actuator.add(actuator.name);
  names.body.add('world');
  dropBlindSensors(reading);
  for (const list of REFERRING_LISTS) {
    for (const member of referringList(reading.part, list)) {
      for (const { space, name, attribute } of listReferences(member)) {
        if (names[space].has(name)) continue;
        const word = space === 'shape' ? 'geom' : space;
        const reason = `there is no ${word} '${name}'`;
        fail(
          'unknown-reference',
          locateReference(member, attribute, name, reading),
          reason,
          suggestName(name, names[space], NAMED[space]),
        );
      }
    }
  }
  settleActuators(reading);
}

/** The attribute that holds a name: in the element or in one of its children. */
function locateReference(member: object, attribute: string, name: string, { origins }: Reading): Placed {
  const element = origins.get(member);
  if (!element) return { file: '', line: 1, column: 1 };
  for (const candidate of [element, ...element.children]) {
    const at = candidate.attributes.get(attribute);
    // copies carry a prefix or a suffix
    if (at && name.includes(at.value)) return { file: candidate.file, line: at.line, column: at.column };
  }
  return element;
}

function checkNames(reading: Reading): void {
  const { part } = reading;
  const taken = new Map<string, Set<string>>();
  const claim = (kind: string, object: object & { name?: string }): void => {
    if (!object.name) return;
    let names = taken.get(kind);
    if (!names) taken.set(kind, (names = new Set(kind === 'body' ? ['world'] : [])));
    if (names.has(object.name)) failTwice(kind, object, object.name, reading);
    names.add(object.name);
  };
  const visit = (body: OpenBody): void => {
    for (const joint of body.joints) claim('joint', joint);
    for (const shape of body.shapes) claim('geom', shape);
    for (const site of body.sites) claim('site', site);
    for (const child of body.bodies) {
      claim('body', child);
      visit(child);
    }
  };
  visit(part.world);
  for (const list of REFERRING_LISTS) for (const member of referringList(part, list)) claim(list, member);
}

const WORDS: Readonly<Record<string, string>> = {
  contactPairs: 'contact pairs',
  contactExcludes: 'contact excludes',
  tendons: 'tendons',
  equalities: 'equalities',
  actuators: 'actuators',
  sensors: 'sensors',
  body: 'bodies',
};

function failTwice(kind: string, object: object, name: string, { origins }: Reading): never {
  const element = origins.get(object);
  const attribute = element?.attributes.get('name');
  const at: Placed = element
    ? { file: element.file, line: (attribute ?? element).line, column: (attribute ?? element).column }
    : { file: '', line: 1, column: 1 };
  fail(
    'duplicate-name',
    at,
    `there are two ${WORDS[kind] ?? `${kind}s`} '${name}'`,
    'names are unique among their kind',
  );
}

/** Finds the joint or tendon that an actuator drives. */
export function indexTargets(
  part: Reading['part'],
): (transmission: Actuator['transmission']) => Joint | Tendon | undefined {
  const joints = new Map<string, Joint>();
  const visit = (body: OpenBody): void => {
    for (const joint of body.joints) if (joint.name) joints.set(joint.name, joint);
    body.bodies.forEach(visit);
  };
  visit(part.world);
  const tendons = new Map(part.tendons.map((tendon) => [tendon.name, tendon]));
  return (transmission) =>
    transmission.kind === 'joint'
      ? joints.get(transmission.joint)
      : transmission.kind === 'tendon'
        ? tendons.get(transmission.tendon)
        : undefined;
}

/** Gears get as many numbers as what they drive has dofs; inherited ranges are filled in. */
function settleActuators(reading: Reading): void {
  const { part } = reading;
  const findTarget = indexTargets(part);
  for (const actuator of part.actuators) {
    const { transmission } = actuator;
    const target = findTarget(transmission);
    const gear = transmission.gear ?? [1];
    const length = transmission.kind === 'site' ? 6 : target?.kind === 'ball' ? 3 : target?.kind === 'free' ? 6 : 1;
    reflect(actuator, target, reading);
    if (transmission.kind === 'body' || (length === 1 && gear[0] === 1)) delete transmission.gear;
    else transmission.gear = Array.from({ length }, (_, i) => gear[i] ?? 0);
    inheritRange(actuator, target, reading);
  }
}

/** Damping and armature of an actuator, seen through its gear, become those of what it drives. */
function reflect(actuator: Actuator, target: Joint | Tendon | undefined, reading: Reading): void {
  const given = reading.reflected.get(actuator);
  if (!given || !target) return;
  reading.reflected.delete(actuator);
  // the first number of the gear for every dof, and for every power of the velocity
  const scale = (actuator.transmission.gear?.[0] ?? 1) ** 2;
  const [damping, square, cube] = given.damping.map((coefficient) => scale * coefficient) as [number, number, number];
  if (damping > 0) target.damping = (target.damping ?? 0) + damping;
  if (square !== 0 || cube !== 0) {
    const [p1, p2] = target.dampingPowers ?? [0, 0];
    target.dampingPowers = [p1 + square, p2 + cube];
  }
  if (given.armature > 0) target.armature = (target.armature ?? 0) + scale * given.armature;
}

function inheritRange(actuator: Actuator, target: Joint | Tendon | undefined, reading: Reading): void {
  const factor = reading.inheritRanges.get(actuator);
  if (factor === undefined) return;
  const element = reading.origins.get(actuator)!;
  const limit = target && 'limit' in target ? target.limit : undefined;
  if (!limit) {
    const at = element.attributes.get('inheritrange') ?? element;
    const place = { file: element.file, line: at.line, column: at.column };
    fail('invalid-value', place, "'inheritrange' needs a joint or tendon with a range", "give 'ctrlrange' instead");
  }
  const middle = (limit.range[0] + limit.range[1]) / 2;
  const half = (factor * (limit.range[1] - limit.range[0])) / 2;
  const range: [number, number] = [middle - half, middle + half];
  if (actuator.kind === 'general' && actuator.activation?.kind === 'integrator') actuator.activation.range = range;
  else actuator.controlRange = range;
  reading.inheritRanges.delete(actuator);
}

/** Sensors of actuators that were left out measure nothing. */
export function dropBlindSensors({ part, lostActuators, origins, unsupported }: Reading): void {
  const lost = new Set(lostActuators.map(({ attributes }) => attributes.get('name')?.value));
  const isBlind = (sensor: Sensor): boolean => 'actuator' in sensor && lost.has(sensor.actuator);
  for (const sensor of part.sensors.filter(isBlind)) {
    const element = origins.get(sensor);
    const message = 'it measures an actuator that is left out, and is left out, too';
    if (element) unsupported.add(element, { affects: 'sensor', message });
  }
  part.sensors = part.sensors.filter((sensor) => !isBlind(sensor));
}
