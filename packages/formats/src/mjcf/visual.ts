/** <visual> and <statistic>: how viewers look at the scene. */
import type { Headlight, SceneView, Vec3 } from '@nexdyn/engine';
import type { XmlElement } from '../xml/xml.ts';
import { readInteger, readNumber, readPartial, readVec3, type Settings, settingsOf } from './attributes.ts';
import { checkAttributes, failUnknownElement } from './schema.ts';
import type { Loss, Unsupported } from './unsupported.ts';

const DEGREE = Math.PI / 180;

/** Attributes that are read, by element; the others are for what NexDyn does not draw. */
const READ: Readonly<Record<string, readonly string[]>> = {
  global: ['fovy', 'azimuth', 'elevation', 'offwidth', 'offheight'],
  headlight: ['active', 'ambient', 'diffuse', 'specular'],
  map: ['znear', 'zfar', 'haze'],
  rgba: ['haze'],
  quality: [],
  scale: [],
};

/** A mean inertia in <statistic> scales the tolerance of the solvers. */
const SCALED_SOLVER: Loss = {
  attribute: 'meaninertia',
  affects: 'physics',
  message: 'the mean inertia is computed, not read; solvers may stop at another iteration',
};

/** Reads all sections of both kinds, later ones over earlier ones. */
export function readView(
  visuals: readonly XmlElement[],
  statistics: readonly XmlElement[],
  unsupported: Unsupported,
): SceneView {
  const view: SceneView = {};
  for (const section of visuals) {
    for (const element of section.children) {
      if (!READ[element.name]) failUnknownElement(element, 'visual');
      checkAttributes(element, `visual ${element.name}`);
      readElement(view, settingsOf(element));
      for (const attribute of element.attributes.keys()) {
        if (READ[element.name]!.includes(attribute)) continue;
        const message = `settings of <${element.name}> for things that are not drawn are not read`;
        unsupported.add(element, { attribute, affects: 'visual', message });
      }
    }
  }
  for (const section of statistics) {
    checkAttributes(section, 'statistic');
    readStatistic(view, settingsOf(section));
    if (section.attributes.has('meaninertia')) unsupported.add(section, SCALED_SOLVER);
    if (section.attributes.has('meanmass'))
      unsupported.add(section, { attribute: 'meanmass', affects: 'visual', message: 'the mean mass is not drawn' });
  }
  return view;
}

function readStatistic(view: SceneView, settings: Settings): void {
  const center = readVec3(settings, 'center');
  if (center) view.center = center;
  for (const [field, attribute] of [
    ['extent', 'extent'],
    ['meanSize', 'meansize'],
  ] as const) {
    const value = readNumber(settings, attribute);
    if (value !== undefined && value > 0) view[field] = value;
  }
}

function readElement(view: SceneView, settings: Settings): void {
  switch (settings.element.name) {
    case 'global':
      readGlobal(view, settings);
      break;
    case 'headlight':
      view.headlight = { ...view.headlight, ...readHeadlight(settings) };
      break;
    case 'map': {
      const [near, far, haze] = ['znear', 'zfar', 'haze'].map((name) => readNumber(settings, name));
      if (near !== undefined && near > 0) view.near = near;
      if (far !== undefined && far > 0) view.far = far;
      if (haze !== undefined) view.haze = Math.min(1, Math.max(0, haze));
      break;
    }
    case 'rgba': {
      const haze = readPartial<[number, number, number, number]>(settings, 'haze', [1, 1, 1, 1]);
      if (haze) view.hazeColor = haze.map((value) => Math.min(1, Math.max(0, value))) as typeof haze;
    }
  }
}

function readGlobal(view: SceneView, settings: Settings): void {
  const fovy = readNumber(settings, 'fovy');
  if (fovy !== undefined && fovy > 0 && fovy < 180) view.fieldOfView = fovy * DEGREE;
  for (const angle of ['azimuth', 'elevation'] as const) {
    const value = readNumber(settings, angle);
    if (value !== undefined) view[angle] = value * DEGREE;
  }
  const width = readInteger(settings, 'offwidth');
  const height = readInteger(settings, 'offheight');
  if (width !== undefined || height !== undefined)
    view.pictureSize = [Math.max(1, width ?? 640), Math.max(1, height ?? 480)];
}

function readHeadlight(settings: Settings): Headlight {
  const light: Headlight = {};
  const active = readInteger(settings, 'active');
  if (active !== undefined) light.active = active !== 0;
  for (const part of ['ambient', 'diffuse', 'specular'] as const) {
    const color = readVec3(settings, part)?.map((value) => Math.max(0, value)) as Vec3 | undefined;
    if (color) light[part] = color;
  }
  return light;
}
