/** <sensor>: what is measured. Kinds have other names here; what they measure is the same. */
import type { Sensor, SensorCommon, SensorObject } from '@nexdyn/engine';
import type { XmlElement } from '../xml/xml.ts';
import {
  findSetting,
  locate,
  readBoolean,
  readInteger,
  readKeyword,
  readNumber,
  readPartial,
  readText,
  requireText,
  type Settings,
  settingsOf,
} from './attributes.ts';
import { fail, suggestName } from './failure.ts';
import type { Reading } from './reading.ts';
import { checkAttributes, failUnknownElement } from './schema.ts';
import { CONTACT_DATA, RAY_DATA, REDUCE } from './sensor-words.ts';
import { readTouchGrid } from './touch-grid.ts';

/** Elements that name one thing, and the kinds of sensors that they are. */
const SITE = {
  touch: 'touch',
  accelerometer: 'accelerometer',
  velocimeter: 'velocimeter',
  gyro: 'gyro',
  force: 'force',
  torque: 'torque',
  magnetometer: 'magnetometer',
} as const;
const JOINT = {
  jointpos: 'jointPosition',
  jointvel: 'jointVelocity',
  jointactuatorfrc: 'jointActuatorForce',
  ballquat: 'ballOrientation',
  ballangvel: 'ballAngularVelocity',
  jointlimitpos: 'jointLimitPosition',
  jointlimitvel: 'jointLimitVelocity',
  jointlimitfrc: 'jointLimitForce',
} as const;
const TENDON = {
  tendonpos: 'tendonPosition',
  tendonvel: 'tendonVelocity',
  tendonactuatorfrc: 'tendonActuatorForce',
  tendonlimitpos: 'tendonLimitPosition',
  tendonlimitvel: 'tendonLimitVelocity',
  tendonlimitfrc: 'tendonLimitForce',
} as const;
const ACTUATOR = {
  actuatorpos: 'actuatorPosition',
  actuatorvel: 'actuatorVelocity',
  actuatorfrc: 'actuatorForce',
} as const;
const FRAME = {
  framepos: 'framePosition',
  framequat: 'frameOrientation',
  framexaxis: 'frameXAxis',
  frameyaxis: 'frameYAxis',
  framezaxis: 'frameZAxis',
  framelinvel: 'frameLinearVelocity',
  frameangvel: 'frameAngularVelocity',
  framelinacc: 'frameLinearAcceleration',
  frameangacc: 'frameAngularAcceleration',
} as const;
const SUBTREE = {
  subtreecom: 'subtreeCenter',
  subtreelinvel: 'subtreeVelocity',
  subtreeangmom: 'subtreeAngularMomentum',
} as const;
const DISTANCE = { distance: 'distance', normal: 'distanceNormal', fromto: 'distanceSegment' } as const;
const WORLD = { e_potential: 'potentialEnergy', e_kinetic: 'kineticEnergy', clock: 'clock' } as const;

/** Reads one section. */
export function readSensors(section: XmlElement, reading: Reading): void {
  for (const element of section.children) {
    checkAttributes(element, `sensor ${element.name}`);
    const settings = settingsOf(element);
    const sensor = readSensor(settings, reading);
    if (!sensor) continue;
    reading.origins.set(sensor, element);
    reading.part.sensors.push(sensor);
  }
}

function listLost(element: XmlElement, reading: Reading, reason: string): undefined {
  reading.unsupported.add(element, { affects: 'sensor', message: `${reason}; it is left out` });
  return undefined;
}

function readSensor(settings: Settings, reading: Reading): Sensor | undefined {
  const { element } = settings;
  const { name } = element;
  const common = readCommon(settings);
  if (isIn(name, SITE)) return { ...common, kind: SITE[name], site: requireText(settings, 'site') };
  if (isIn(name, JOINT)) return { ...common, kind: JOINT[name], joint: requireText(settings, 'joint') };
  if (isIn(name, TENDON)) return { ...common, kind: TENDON[name], tendon: requireText(settings, 'tendon') };
  if (isIn(name, ACTUATOR)) return { ...common, kind: ACTUATOR[name], actuator: requireText(settings, 'actuator') };
  if (isIn(name, SUBTREE)) return { ...common, kind: SUBTREE[name], body: requireText(settings, 'body') };
  if (isIn(name, WORLD)) return { ...common, kind: WORLD[name] };
  if (isIn(name, FRAME)) {
    const object = readObject(settings, 'obj');
    const reference = findSetting(settings, 'refname') ? readObject(settings, 'ref') : undefined;
    return { ...common, kind: FRAME[name], object, ...(reference && { reference }) };
  }
  if (isIn(name, DISTANCE)) {
    const first = readSide(settings, '1', ['geom', 'body']) ?? failSide(settings, '1');
    const second = readSide(settings, '2', ['geom', 'body']) ?? failSide(settings, '2');
    return { ...common, kind: DISTANCE[name], first, second };
  }
  switch (name) {
    case 'rangefinder':
      return {
        ...common,
        kind: 'rangefinder',
        ...readEye(settings),
        ...given('data', readWords(settings, 'data', RAY_DATA)),
      };
    case 'plugin': {
      const grid = readTouchGrid(settings, common, reading);
      return grid ?? listLost(element, reading, 'plugins other than touch_grid are not supported');
    }
    case 'tactile':
      return readTactile(settings, common, reading);
    case 'camprojection':
      return {
        ...common,
        kind: 'cameraProjection',
        camera: requireText(settings, 'camera'),
        site: requireText(settings, 'site'),
      };
    case 'insidesite': {
      const object = readObject(settings, 'obj');
      const kind = readBoolean(settings, 'enclosed') ? 'protrusion' : 'insideSite';
      return { ...common, kind, object, site: requireText(settings, 'site') };
    }
    case 'contact':
      return readContact(settings, common);
    case 'user':
      return { ...common, kind: 'user', dimension: readInteger(settings, 'dim') ?? failDimension(settings) };
  }
  return failUnknownElement(element, 'sensor');
}

/** Where the rays of a rangefinder begin. */
function readEye(settings: Settings): { site: string } | { camera: string } {
  const camera = readText(settings, 'camera');
  if (camera === undefined) return { site: requireText(settings, 'site') };
  if (findSetting(settings, 'site') === undefined) return { camera };
  const at = locate(settings, 'camera');
  fail('invalid-value', at, "a rangefinder has either a 'site' or a 'camera'", 'keep one of them');
}

function isIn<T extends object>(name: string, table: T): name is Extract<keyof T, string> {
  return Object.hasOwn(table, name);
}

function given<K extends string, V>(key: K, value: V | undefined): { [P in K]?: V } {
  return (value === undefined ? {} : { [key]: value }) as { [P in K]?: V };
}

function readCommon(settings: Settings): SensorCommon {
  const common: SensorCommon = {};
  const name = readText(settings, 'name');
  if (name) common.name = name;
  const cutoff = readNumber(settings, 'cutoff');
  if (cutoff) common.cutoff = cutoff;
  const noise = readNumber(settings, 'noise');
  if (noise) common.noise = noise;
  const delay = readNumber(settings, 'delay');
  if (delay) common.delay = delay;
  const samples = readInteger(settings, 'nsample');
  if (samples) common.samples = samples;
  const interval = readPartial(settings, 'interval', [0, 0]);
  // without measurements that are kept it has no effect in MuJoCo either
  if (interval?.[0] && samples) {
    const [period, phase = 0] = interval as [number, number?];
    if (phase > 0 || phase <= -period) {
      const reason = `the phase ${phase} is not between 0 and -${period}, the period`;
      fail(
        'invalid-value',
        locate(settings, 'interval'),
        reason,
        'it is when the last measurement before the start was',
      );
    }
    common.interval = period;
    if (phase < 0) common.phase = period + phase;
  }
  const interpolation = readKeyword(settings, 'interp', ['zoh', 'linear', 'cubic']);
  if (interpolation && interpolation !== 'zoh') common.interpolation = interpolation;
  if (delay && !samples) {
    fail('missing-value', locate(settings, 'delay'), "'delay' needs 'nsample'", 'say how many measurements are kept');
  }
  return common;
}

const OBJECTS = ['body', 'xbody', 'geom', 'site', 'camera'] as const;

/** MuJoCo's `body` is the centre of mass with principal axes, `xbody` the frame of the body. */
function readObject(settings: Settings, prefix: 'obj' | 'ref'): SensorObject {
  const type = readKeyword(settings, `${prefix}type`, OBJECTS);
  if (type === undefined) {
    const hint = `write ${prefix}type="..."`;
    fail('missing-value', settings.element, `<${settings.element.name}> needs '${prefix}type'`, hint);
  }
  const name = requireText(settings, `${prefix}name`);
  const kind = ({ body: 'bodyCenter', xbody: 'body', geom: 'shapeCenter', site: 'site', camera: 'camera' } as const)[
    type
  ];
  return { kind, name };
}

/** `geom1`, `body1` or `subtree1`. */
function readSide(
  settings: Settings,
  side: '1' | '2',
  words: readonly ('geom' | 'body' | 'subtree')[],
): SensorObject | undefined {
  const kinds = { geom: 'shape', body: 'body', subtree: 'subtree' } as const;
  for (const word of words) {
    const name = readText(settings, `${word}${side}`);
    if (name !== undefined) return { kind: kinds[word], name };
  }
  return undefined;
}

function failSide(settings: Settings, side: string): never {
  const hint = `write geom${side}="..." or body${side}="..."`;
  fail('missing-value', settings.element, `<${settings.element.name}> names no thing ${side}`, hint);
}

function failDimension(settings: Settings): never {
  fail('missing-value', settings.element, "<user> needs the attribute 'dim'", 'write dim="..."');
}

function readTactile(settings: Settings, common: SensorCommon, reading: Reading): Sensor | undefined {
  const mesh = requireText(settings, 'mesh');
  const shape = requireText(settings, 'geom');
  if (!reading.meshes.has(mesh)) {
    const hint = suggestName(mesh, reading.meshes.keys(), 'meshes');
    fail('unknown-reference', locate(settings, 'mesh'), `there is no mesh '${mesh}'`, hint);
  }
  if (!reading.meshes.get(mesh)) return listLost(settings.element, reading, `its mesh '${mesh}' is not supported`);
  const tangents = reading.tangents.get(mesh);
  return { ...common, kind: 'meshTactile', shape, mesh, ...(tangents && { tangents }) };
}

function readContact(settings: Settings, common: SensorCommon): Sensor {
  const first = readSide(settings, '1', ['geom', 'body', 'subtree']);
  const second = readSide(settings, '2', ['geom', 'body', 'subtree']);
  const count = readInteger(settings, 'num');
  const reduce = readKeyword(settings, 'reduce', Object.keys(REDUCE) as (keyof typeof REDUCE)[]);
  return {
    ...common,
    kind: 'contact',
    ...given('first', first),
    ...given('second', second),
    ...given('site', readText(settings, 'site')),
    ...given('count', count === 1 ? undefined : count),
    ...given('data', readWords(settings, 'data', CONTACT_DATA)),
    ...given('reduce', reduce && reduce !== 'none' ? REDUCE[reduce] : undefined),
  };
}

/** A list of words, in the order in which MuJoCo has them. */
function readWords<T extends Record<string, string>>(
  settings: Settings,
  attribute: string,
  table: T,
): T[keyof T][] | undefined {
  const text = readText(settings, attribute);
  if (text === undefined) return undefined;
  const known = Object.keys(table);
  const words = text.trim().split(/\s+/);
  let last = -1;
  return words.map((word) => {
    const place = known.indexOf(word);
    if (place <= last) {
      const at = locate(settings, attribute);
      fail('invalid-value', at, `'${attribute}' has '${word}'`, `words and their order are: ${known.join(' ')}`);
    }
    last = place;
    return table[word] as T[keyof T];
  });
}
