/** <plugin plugin="mujoco.sensor.touch_grid">: a sensor whose settings are words of its plugin. */
import type { SensorCommon, TouchGridSensor } from '@nexdyn/engine';
import type { XmlElement } from '../xml/xml.ts';
import { locate, readText, type Settings, settingsOf } from './attributes.ts';
import { fail, suggestName } from './failure.ts';
import { TOUCH_GRID } from './plugin.ts';
import type { Reading } from './reading.ts';
import { checkAttributes, failUnknownElement } from './schema.ts';

const KEYS = ['nchannel', 'size', 'fov', 'gamma'] as const;
type Key = (typeof KEYS)[number];

/** Undefined for other plugins. */
export function readTouchGrid(settings: Settings, common: SensorCommon, reading: Reading): TouchGridSensor | undefined {
  const { element } = settings;
  const owner = findOwner(settings, reading);
  if (!owner) return undefined;
  const site = readText(settings, 'objname');
  if (readText(settings, 'objtype') !== 'site' || site === undefined) {
    const hint = 'write objtype="site" objname="..."';
    fail('missing-value', element, 'a touch grid is on a site', hint);
  }
  const config = readConfig(owner);
  const numbers = (key: Key, count: number): number[] => {
    const given = config.get(key);
    const words = (given?.text ?? '').split(/\s+/).filter(Boolean);
    const values = words.map(Number);
    if (values.some(Number.isNaN) || (values.length !== count && (count > 1 || values.length > 1)))
      fail('invalid-value', given?.at ?? owner, `'${key}' of a touch grid is '${words.join(' ')}'`, `give ${count}`);
    return values;
  };
  const [width, height] = numbers('size', 2) as [number, number];
  const [azimuth, elevation] = numbers('fov', 2) as [number, number];
  const [foveation = 0] = numbers('gamma', 1);
  const [channels = 0] = numbers('nchannel', 1);
  if (!(azimuth > 0 && azimuth <= 180 && elevation > 0 && elevation <= 90)) {
    const at = config.get('fov')?.at ?? owner;
    fail('invalid-value', at, `'fov' cannot be ${azimuth} ${elevation}`, 'degrees, up to 180 and 90');
  }
  const grid: TouchGridSensor = {
    ...common,
    kind: 'touchGrid',
    site,
    cells: [Math.trunc(width), Math.trunc(height)],
    angles: [(azimuth * Math.PI) / 180, (elevation * Math.PI) / 180],
  };
  if (foveation !== 0) grid.foveation = foveation;
  if (channels > 1) grid.channels = Math.trunc(channels);
  return grid;
}

/** The element with the settings: the sensor itself, or the instance that it names. */
function findOwner(settings: Settings, reading: Reading): XmlElement | undefined {
  const { element } = settings;
  const name = readText(settings, 'instance');
  if (name === undefined) return readText(settings, 'plugin') === TOUCH_GRID ? element : undefined;
  const instance = reading.plugins.get(name);
  if (!instance) {
    const hint = suggestName(name, reading.plugins.keys(), 'plugin instances');
    fail('unknown-reference', locate(settings, 'instance'), `there is no plugin instance '${name}'`, hint);
  }
  return instance.kind === TOUCH_GRID ? instance.element : undefined;
}

function readConfig(owner: XmlElement): Map<string, { text: string; at: ReturnType<typeof locate> }> {
  const config = new Map<string, { text: string; at: ReturnType<typeof locate> }>();
  for (const child of owner.children) {
    if (child.name !== 'config') failUnknownElement(child, owner.name);
    checkAttributes(child, 'plugin config');
    const settings = settingsOf(child);
    const key = readText(settings, 'key') ?? '';
    if (!(KEYS as readonly string[]).includes(key)) {
      const hint = suggestName(key, KEYS, 'its keys');
      fail('unknown-field', locate(settings, 'key'), `the plugin '${TOUCH_GRID}' has no key '${key}'`, hint);
    }
    config.set(key, { text: readText(settings, 'value')?.trim() ?? '', at: locate(settings, 'value') });
  }
  return config;
}
