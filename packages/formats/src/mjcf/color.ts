/** Colours of shapes, sites and tendons: their own, or that of their material. */
import { locate, readText, readVector, type Settings } from './attributes.ts';
import { fail, suggestName } from './failure.ts';
import type { Color, Reading } from './reading.ts';
import type { Unsupported } from './unsupported.ts';

const PLAIN = [0.5, 0.5, 0.5, 1];

/** The colour of an element; undefined where it is the plain grey. `source` has its material, where another element does. */
export function readColor(
  settings: Settings,
  { materials, unsupported }: Reading,
  source: Settings = settings,
): Color | undefined {
  const own = readRgba(settings, unsupported);
  const name = readText(source, 'material');
  if (name) {
    const color = materials.get(name);
    if (!color) {
      const hint = suggestName(name, materials.keys(), 'materials');
      fail('unknown-reference', locate(source, 'material'), `there is no material '${name}'`, hint);
    }
    // a colour other than the default grey overrides the material
    if (!own || own.every((value, i) => value === PLAIN[i])) return color;
  }
  return own?.some((value, i) => value !== PLAIN[i]) ? own : undefined;
}

/** Red, green, blue and opacity as they can be drawn, or undefined. */
export function readRgba(settings: Settings, unsupported: Unsupported): Color | undefined {
  const given = readVector(settings, 'rgba', 4) as Color | undefined;
  if (!given?.some((value) => value < 0 || value > 1)) return given;
  const message = 'components of a colour are drawn between 0 and 1';
  unsupported.add(settings.element, { attribute: 'rgba', affects: 'visual', message });
  return given.map((value) => Math.min(1, Math.max(0, value))) as Color;
}
