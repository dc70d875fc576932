/**
 * Plugins: the solids of mujoco.sdf, by their distance. <extension> names instances with their numbers; meshes and geoms refer to
 * one, or name the plugin and its numbers themselves. Sensors: touch-grid.ts. All others are listed.
 */
import type { SignedDistanceAsset } from '@nexdyn/engine';
import type { XmlElement } from '../xml/xml.ts';
import { locate, readText, type Settings, settingsOf } from './attributes.ts';
import { fail, suggestName } from './failure.ts';
import type { Reading } from './reading.ts';
import { checkAttributes, failUnknownElement } from './schema.ts';

/** Numbers of a plugin by its keys, with MuJoCo's defaults, and what they are in a scene. */
interface Solid {
  readonly defaults: Readonly<Record<string, number>>;
  build(name: string, numbers: Readonly<Record<string, number>>): SignedDistanceAsset;
}

const SOLIDS: Readonly<Record<string, Solid>> = {
  'mujoco.sdf.torus': {
    defaults: { radius1: 0.35, radius2: 0.15 },
    build: (name, { radius1, radius2 }) => ({
      kind: 'torus',
      name,
      majorRadius: radius1!,
      minorRadius: radius2!,
    }),
  },
  'mujoco.sdf.bowl': {
    defaults: { height: 0.4, radius: 1, thickness: 0.02 },
    build: (name, { height, radius, thickness }) => ({
      kind: 'bowl',
      name,
      radius: radius!,
      height: height!,
      halfThickness: thickness!,
    }),
  },
  'mujoco.sdf.bolt': {
    defaults: { radius: 0.26 },
    build: (name, { radius }) => ({ kind: 'bolt', name, radius: radius! }),
  },
  'mujoco.sdf.nut': {
    defaults: { radius: 0.26 },
    build: (name, { radius }) => ({ kind: 'nut', name, radius: radius! }),
  },
  'mujoco.sdf.gear': {
    defaults: { alpha: 0, diameter: 2.8, teeth: 25, thickness: 0.2, innerdiameter: -1 },
    build: (name, { alpha, diameter, teeth, thickness, innerdiameter }) => ({
      kind: 'gear',
      name,
      diameter: diameter!,
      teeth: teeth!,
      thickness: thickness!,
      ...(innerdiameter! >= 0 && { innerDiameter: innerdiameter! }),
      ...(alpha !== 0 && { angle: alpha! }),
    }),
  },
};

/** The sensor that is read. */
export const TOUCH_GRID = 'mujoco.sensor.touch_grid';

/** An instance: its field, made and added to the model when a geom first uses it; undefined for plugins that are not supported. */
export interface PluginInstance {
  readonly element: XmlElement;
  /** Name of the plugin. */
  readonly kind: string;
  readonly name: string;
  readonly solid: Solid | undefined;
  readonly numbers: Readonly<Record<string, number>>;
  field: SignedDistanceAsset | undefined;
}

/** Reads the instances of a section. */
export function readExtension(section: XmlElement, reading: Reading): void {
  for (const element of section.children) {
    if (element.name !== 'plugin') failUnknownElement(element, 'extension');
    checkAttributes(element, 'extension plugin');
    const kind = element.attributes.get('plugin')?.value ?? '';
    if (!Object.hasOwn(SOLIDS, kind) && kind !== TOUCH_GRID) listUnsupported(element, kind, reading);
    for (const child of element.children) {
      if (child.name !== 'instance') failUnknownElement(child, 'plugin');
      checkAttributes(child, 'plugin instance');
      const settings = settingsOf(child);
      const name = readText(settings, 'name');
      if (!name) fail('missing-value', child, 'an instance of a plugin needs a name', 'write name="..."');
      if (reading.plugins.has(name)) {
        const hint = 'rename one of them';
        fail('duplicate-name', locate(settings, 'name'), `there are two plugin instances '${name}'`, hint);
      }
      reading.plugins.set(name, readInstance(child, name, kind));
    }
  }
}

function listUnsupported(element: XmlElement, kind: string, reading: Reading): void {
  const known = [...Object.keys(SOLIDS), TOUCH_GRID].join(', ');
  const message = `the plugin '${kind}' is not supported; supported are ${known}`;
  reading.unsupported.add(element, { affects: 'physics', message });
}

function readInstance(element: XmlElement, name: string, kind: string): PluginInstance {
  const solid = Object.hasOwn(SOLIDS, kind) ? SOLIDS[kind] : undefined;
  const numbers: Record<string, number> = { ...solid?.defaults };
  for (const config of solid ? element.children : []) {
    if (config.name !== 'config') failUnknownElement(config, element.name);
    checkAttributes(config, 'plugin config');
    const settings = settingsOf(config);
    const key = readText(settings, 'key') ?? '';
    if (!Object.hasOwn(numbers, key)) {
      const hint = suggestName(key, Object.keys(numbers), 'its keys');
      fail('unknown-field', locate(settings, 'key'), `the plugin '${kind}' has no key '${key}'`, hint);
    }
    const text = readText(settings, 'value')?.trim() ?? '';
    // nothing is the default, as in MuJoCo
    if (text === '') continue;
    numbers[key] = Number(text);
    if (!Number.isFinite(numbers[key]))
      fail('invalid-value', locate(settings, 'value'), `'${text}' is not a number`, `give '${key}' in m`);
  }
  return { element, kind, name, solid, numbers, field: undefined };
}

/** The instance that the <plugin> of a mesh or a geom means; undefined where it has none. */
export function findPlugin(owner: XmlElement, reading: Reading): PluginInstance | undefined {
  const element = owner.children.find(({ name }) => name === 'plugin');
  if (!element) return undefined;
  checkAttributes(element, 'extension plugin');
  const settings: Settings = settingsOf(element);
  const instance = readText(settings, 'instance');
  if (instance !== undefined) {
    const found = reading.plugins.get(instance);
    if (found) return found;
    const hint = suggestName(instance, reading.plugins.keys(), 'plugin instances');
    fail('unknown-reference', locate(settings, 'instance'), `there is no plugin instance '${instance}'`, hint);
  }
  const kind = readText(settings, 'plugin') ?? '';
  const name = readText(settingsOf(owner), 'mesh') ?? readText(settingsOf(owner), 'name') ?? kind;
  return readInstance(element, name, kind);
}

/** The field of an instance, in the list of the model from its first use on; undefined where the plugin is not supported. */
export function useField(instance: PluginInstance, reading: Reading): SignedDistanceAsset | undefined {
  if (!instance.solid || instance.field) return instance.field;
  const fields = reading.part.signedDistanceFields;
  let name = instance.name;
  for (let n = 2; fields.some((field) => field.name === name); n++) name = `${instance.name} ${n}`;
  instance.field = instance.solid.build(name, instance.numbers);
  fields.push(instance.field);
  reading.origins.set(instance.field, instance.element);
  return instance.field;
}
