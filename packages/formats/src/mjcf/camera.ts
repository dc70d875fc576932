/** <camera> and <light>. MuJoCo holds their numbers in single precision where it says so. */
import type { Camera, Light, Vec3, ViewMode } from '@nexdyn/engine';
import type { XmlElement } from '../xml/xml.ts';
import {
  locate,
  readBoolean,
  readKeyword,
  readNumber,
  readPair,
  readText,
  readVec3,
  type Settings,
} from './attributes.ts';
import { type Scope, setPose } from './body.ts';
import { findClass, withDefaults } from './defaults.ts';
import { fail } from './failure.ts';
import { composeFrames, readFrame, rotate, transformPoint } from './orientation.ts';
import type { Reading } from './reading.ts';
import { checkAttributes } from './schema.ts';
import { listUnused } from './unsupported.ts';

const MODES: Readonly<Record<string, ViewMode>> = {
  fixed: 'fixed',
  track: 'track',
  trackcom: 'trackCenter',
  targetbody: 'target',
  targetbodycom: 'targetCenter',
};
const DEGREE = Math.PI / 180;
/** MuJoCo's field of view of cameras and cone of lights. */
const FOVY = 45;

function readCommon(item: Camera | Light, settings: Settings): void {
  const name = readText(settings, 'name');
  if (name) item.name = name;
  const word = readKeyword(settings, 'mode', Object.keys(MODES)) ?? 'fixed';
  const target = readText(settings, 'target');
  // without a target it stays as it is, as in MuJoCo
  const mode = MODES[word]!.startsWith('target') && !target ? 'fixed' : MODES[word]!;
  if (mode !== 'fixed') item.mode = mode;
  if (target) item.target = target;
}

/** Reads a camera. */
export function readCamera(element: XmlElement, scope: Scope, reading: Reading): Camera {
  checkAttributes(element);
  const settings = withDefaults(element, findClass(element, 'class', reading.defaults, scope.defaults));
  const camera: Camera = {};
  reading.origins.set(camera, element);
  readCommon(camera, settings);
  setPose(camera, composeFrames(scope.frame, readFrame(settings, reading.compiler)));
  const isFlat =
    readKeyword(settings, 'projection', ['perspective', 'orthographic']) === 'orthographic' ||
    readBoolean(settings, 'orthographic') === true;
  if (isFlat) camera.projection = 'orthographic';
  readLens(camera, settings, isFlat, reading);
  const resolution = readPair(settings, 'resolution');
  if (resolution?.some((pixels) => pixels < 1 || !Number.isInteger(pixels)))
    fail(
      'invalid-value',
      locate(settings, 'resolution'),
      "'resolution' must be two whole numbers above 0",
      'as in 640 480',
    );
  if (resolution && (resolution[0] !== 1 || resolution[1] !== 1)) camera.resolution = resolution;
  const eyes = readNumber(settings, 'ipd');
  if (eyes !== undefined && eyes >= 0 && eyes !== 0.068) camera.eyeDistance = eyes;
  const output = readText(settings, 'output');
  if (output !== undefined && output.trim() !== 'rgb')
    reading.unsupported.add(element, {
      attribute: 'output',
      affects: 'visual',
      message: 'pictures have colours alone',
    });
  return camera;
}

function readLens(camera: Camera, settings: Settings, isFlat: boolean, reading: Reading): void {
  const sensor = readPair(settings, 'sensorsize');
  const fovy = readNumber(settings, 'fovy') ?? FOVY;
  if (fovy <= 0 || (!isFlat && fovy >= 180))
    fail('invalid-value', locate(settings, 'fovy'), `'fovy' cannot be ${fovy}`, 'an angle between 0 and 180 degrees');
  if (!sensor || sensor[0] === 0 || sensor[1] === 0) {
    for (const lens of ['focal', 'focalpixel', 'principal', 'principalpixel'])
      if (readPair(settings, lens)?.some((value) => value !== 0))
        fail('missing-value', locate(settings, lens), `'${lens}' needs the attribute 'sensorsize'`, 'or give fovy');
    if (isFlat) {
      if (fovy !== FOVY) camera.extent = fovy;
    } else if (fovy !== FOVY) camera.fieldOfView = fovy * DEGREE;
    return;
  }
  if (settings.element.attributes.has('fovy'))
    fail('invalid-value', locate(settings, 'fovy'), "'fovy' and 'sensorsize' exclude each other", 'keep one of them');
  const resolution = readPair(settings, 'resolution') ?? [1, 1];
  const length = (own: string, pixels: string): [number, number] => {
    const a = readPair(settings, own) ?? [0, 0];
    const b = readPair(settings, pixels) ?? [0, 0];
    const sum = (k: 0 | 1): number => {
      const density = Math.fround(resolution[k] / Math.fround(sensor[k]));
      return Math.fround(Math.fround(Math.fround(b[k]) / density) + Math.fround(a[k]));
    };
    return [sum(0), sum(1)];
  };
  const focal = length('focal', 'focalpixel');
  if (focal[0] <= 0 || focal[1] <= 0) {
    // MuJoCo takes half a turn for it
    const message = "a lens without a 'focal' length sees by the angle of other cameras";
    reading.unsupported.add(settings.element, { attribute: 'sensorsize', affects: 'visual', message });
    return;
  }
  camera.sensorSize = [Math.fround(sensor[0]), Math.fround(sensor[1])];
  camera.focalLength = focal;
  const principal = length('principal', 'principalpixel');
  if (principal[0] !== 0 || principal[1] !== 0) camera.principalPoint = principal;
}

/** Reads a light; none where it is the light of an image. */
export function readLight(element: XmlElement, scope: Scope, reading: Reading): Light | undefined {
  checkAttributes(element);
  const settings = withDefaults(element, findClass(element, 'class', reading.defaults, scope.defaults));
  const type = readKeyword(settings, 'type', ['spot', 'directional', 'point', 'image']) ?? 'spot';
  if (type === 'image') {
    reading.unsupported.add(element, { affects: 'visual', message: 'lights of images are not drawn' });
    return undefined;
  }
  const light: Light = {};
  reading.origins.set(light, element);
  const kind = readBoolean(settings, 'directional') ? 'directional' : type;
  if (kind !== 'spot') light.kind = kind;
  readCommon(light, settings);
  const position = transformPoint(scope.frame, readVec3(settings, 'pos') ?? [0, 0, 0]);
  if (position.some((value) => value !== 0)) light.position = position;
  const given = readVec3(settings, 'dir') ?? [0, 0, -1];
  if (Math.hypot(...given) < 1e-14)
    fail('invalid-value', locate(settings, 'dir'), 'the direction is zero', 'down is 0 0 -1');
  setDirection(light, rotate(scope.frame.orientation, given));
  if (readBoolean(settings, 'active') === false) light.active = false;
  if (readBoolean(settings, 'castshadow') === false) light.castShadow = false;
  readBrightness(light, settings);
  listUnused(
    settings,
    'softness',
    { affects: 'visual', message: 'the edge of shadows is not softened' },
    reading.unsupported,
  );
  return light;
}

function readBrightness(light: Light, settings: Settings): void {
  const plain = { ambient: 0, diffuse: 0.7, specular: 0.3 } as const;
  for (const part of ['ambient', 'diffuse', 'specular'] as const) {
    const color = readVec3(settings, part)?.map((value) => Math.max(0, value)) as Vec3 | undefined;
    if (color?.some((value) => value !== plain[part])) light[part] = color;
  }
  const attenuation = readVec3(settings, 'attenuation')?.map((value) => Math.max(0, value)) as Vec3 | undefined;
  if (attenuation && (attenuation[0] !== 1 || attenuation[1] !== 0 || attenuation[2] !== 0))
    light.attenuation = attenuation;
  const cutoff = readNumber(settings, 'cutoff');
  if (cutoff !== undefined && cutoff !== FOVY && cutoff > 0) light.cutoff = Math.min(180, cutoff) * DEGREE;
  const amounts = {
    exponent: ['exponent', 10],
    bulbRadius: ['bulbradius', 0.02],
    intensity: ['intensity', 0],
    range: ['range', 10],
  } as const;
  for (const [field, [attribute, usual]] of Object.entries(amounts)) {
    const value = readNumber(settings, attribute);
    if (value !== undefined && value >= 0 && value !== usual) light[field as keyof typeof amounts] = value;
  }
}

/** Where a light shines; down is not said. */
export function setDirection(light: Light, direction: [number, number, number]): void {
  const [x, y, z] = direction;
  if (x === 0 && y === 0 && z === -1) delete light.direction;
  else light.direction = direction;
}
