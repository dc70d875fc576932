/** <sensor>. */
import type { Sensor, TouchGridSensor } from '@nexdyn/engine';
import { TOUCH_GRID } from '../plugin.ts';
import { CONTACT_DATA, RAY_DATA, REDUCE } from '../sensor-words.ts';
import type { Unwritten } from './unwritten.ts';
import { type AttributeValue, element, type WrittenElement } from './xml-element.ts';

/** What MJCF calls them. */
const SENSORS: Readonly<Partial<Record<Sensor['kind'], string>>> = {
  touch: 'touch',
  accelerometer: 'accelerometer',
  velocimeter: 'velocimeter',
  gyro: 'gyro',
  force: 'force',
  torque: 'torque',
  magnetometer: 'magnetometer',
  jointPosition: 'jointpos',
  jointVelocity: 'jointvel',
  jointActuatorForce: 'jointactuatorfrc',
  jointLimitPosition: 'jointlimitpos',
  jointLimitVelocity: 'jointlimitvel',
  jointLimitForce: 'jointlimitfrc',
  ballOrientation: 'ballquat',
  ballAngularVelocity: 'ballangvel',
  tendonPosition: 'tendonpos',
  tendonVelocity: 'tendonvel',
  tendonActuatorForce: 'tendonactuatorfrc',
  tendonLimitPosition: 'tendonlimitpos',
  tendonLimitVelocity: 'tendonlimitvel',
  tendonLimitForce: 'tendonlimitfrc',
  actuatorPosition: 'actuatorpos',
  actuatorVelocity: 'actuatorvel',
  actuatorForce: 'actuatorfrc',
  framePosition: 'framepos',
  frameOrientation: 'framequat',
  frameXAxis: 'framexaxis',
  frameYAxis: 'frameyaxis',
  frameZAxis: 'framezaxis',
  frameLinearVelocity: 'framelinvel',
  frameAngularVelocity: 'frameangvel',
  frameLinearAcceleration: 'framelinacc',
  frameAngularAcceleration: 'frameangacc',
  subtreeCenter: 'subtreecom',
  subtreeVelocity: 'subtreelinvel',
  subtreeAngularMomentum: 'subtreeangmom',
  potentialEnergy: 'e_potential',
  kineticEnergy: 'e_kinetic',
  clock: 'clock',
  rangefinder: 'rangefinder',
  insideSite: 'insidesite',
  protrusion: 'insidesite',
  meshTactile: 'tactile',
  touchGrid: 'plugin',
  cameraProjection: 'camprojection',
  distance: 'distance',
  distanceNormal: 'normal',
  distanceSegment: 'fromto',
  contact: 'contact',
  user: 'user',
};

/** What MJCF calls the things of a frame sensor. */
const OBJECTS: Readonly<Record<string, string>> = {
  body: 'xbody',
  bodyCenter: 'body',
  shape: 'geom',
  shapeCenter: 'geom',
  site: 'site',
  camera: 'camera',
};
/** The same of the two sides of a distance or a contact. */
const SIDES: Readonly<Record<string, string>> = { shape: 'geom', body: 'body', subtree: 'subtree' };

/** Fields that are written, whatever the kind. */
const WRITTEN =
  `kind name cutoff noise delay samples interval phase interpolation site camera joint tendon actuator body object reference first second
  count data reduce dimension shape mesh`.split(/\s+/);

interface Part {
  kind: string;
  name: string;
}

/** `meshes` are names of shapes: MuJoCo moves their frames. */
export function writeSensor(
  sensor: Sensor,
  path: string,
  meshes: ReadonlySet<string>,
  unwritten: Unwritten,
): WrittenElement | undefined {
  const name = SENSORS[sensor.kind];
  const own = sensor as Sensor & Record<string, unknown>;
  const objects = [own['object'], own['reference']] as (Part | undefined)[];
  const sides = [own['first'], own['second']] as (Part | undefined)[];
  const isKnown = (part: Part | undefined, names: object): boolean => part === undefined || part.kind in names;
  if (!name || !objects.every((part) => isKnown(part, OBJECTS)) || !sides.every((part) => isKnown(part, SIDES))) {
    unwritten.add(path, `sensors of the kind '${sensor.kind}' are not written`);
    return undefined;
  }
  if (objects.some((part) => part?.kind === 'shape' && meshes.has(part.name))) {
    unwritten.add(path, "MuJoCo measures meshes at their centre of mass: 'shapeCenter' is written");
    return undefined;
  }
  if (sensor.kind === 'touchGrid') return writeTouchGrid(sensor, path, unwritten);
  unwritten.check(sensor, WRITTEN, path);
  const [object, reference] = objects;
  const value = (key: string): AttributeValue => own[key] as AttributeValue;
  const words = sensor.kind === 'contact' ? CONTACT_DATA : RAY_DATA;
  return element(name, {
    name: sensor.name,
    site: value('site'),
    enclosed: sensor.kind === 'protrusion' ? true : undefined,
    camera: value('camera'),
    joint: value('joint'),
    tendon: value('tendon'),
    actuator: value('actuator'),
    body: value('body'),
    geom: value('shape'),
    mesh: value('mesh'),
    objtype: object && OBJECTS[object.kind],
    objname: object?.name,
    reftype: reference && OBJECTS[reference.kind],
    refname: reference?.name,
    ...writeSide(sides[0], 1),
    ...writeSide(sides[1], 2),
    num: value('count'),
    data: (own['data'] as string[] | undefined)?.map((word) => translate(word, words)).join(' '),
    reduce: own['reduce'] === undefined ? undefined : translate(own['reduce'] as string, REDUCE),
    dim: value('dimension'),
    cutoff: sensor.cutoff,
    noise: sensor.noise,
    nsample: sensor.samples,
    delay: sensor.delay,
    interval: writeInterval(sensor),
    interp: sensor.interpolation,
  });
}

/** A plugin of MuJoCo, which takes no delay and no noise. */
function writeTouchGrid(sensor: TouchGridSensor, path: string, unwritten: Unwritten): WrittenElement {
  unwritten.check(sensor, 'kind name cutoff site cells angles foveation channels'.split(' '), path);
  const { name, cutoff, site, cells, angles, foveation = 0, channels = 1 } = sensor;
  const config = {
    nchannel: channels,
    size: cells,
    fov: angles.map((angle) => (angle * 180) / Math.PI),
    gamma: foveation,
  };
  return element(
    'plugin',
    { name, plugin: TOUCH_GRID, objtype: 'site', objname: site, cutoff },
    Object.entries(config).map(([key, value]) => element('config', { key, value })),
  );
}

/** The period, and when the last measurement before the start was. */
function writeInterval({ interval, phase }: Sensor): number | [number, number] | undefined {
  return interval && phase ? [interval, phase - interval] : interval;
}

function writeSide(part: Part | undefined, side: 1 | 2): Record<string, string> {
  return part === undefined ? {} : { [`${SIDES[part.kind]}${side}`]: part.name };
}

/** The word of MJCF for one of ours. */
function translate(word: string, table: Readonly<Record<string, string>>): string {
  return Object.keys(table).find((key) => table[key] === word) ?? word;
}
