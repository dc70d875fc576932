/** <site>: marked frames. */
import type { Site } from '@nexdyn/engine';
import type { XmlElement } from '../xml/xml.ts';
import { readInteger, readKeyword, readPartial, readText } from './attributes.ts';
import { type Scope, setPose } from './body.ts';
import { readColor } from './color.ts';
import { findClass, withDefaults } from './defaults.ts';
import { readSegment } from './from-to.ts';
import { composeFrames, readFrame } from './orientation.ts';
import { PRIMITIVE_NAMES } from './primitive-types.ts';
import type { Reading } from './reading.ts';
import { checkAttributes } from './schema.ts';

const TYPES = [...PRIMITIVE_NAMES.filter((name) => name !== 'plane'), 'mesh'] as const;

/** Reads a site. */
export function readSite(element: XmlElement, scope: Scope, reading: Reading): Site {
  checkAttributes(element);
  const settings = withDefaults(element, findClass(element, 'class', reading.defaults, scope.defaults));
  const site: Site = {};
  reading.origins.set(site, element);
  const name = readText(settings, 'name');
  if (name) site.name = name;
  const segment = readSegment(settings);
  const own = segment ? segment.frame : readFrame(settings, reading.compiler);
  setPose(site, composeFrames(scope.frame, own));
  const color = readColor(settings, reading);
  if (color) site.color = color;
  const look = readText(settings, 'material');
  if (look) site.appearance = look;
  const type = readKeyword(settings, 'type', TYPES) ?? 'sphere';
  const size = readPartial(settings, 'size', [0.005, 0.005, 0.005]);
  if (type !== 'mesh' && readText(settings, 'mesh')) {
    const message = 'sites are not fitted to meshes';
    reading.unsupported.add(element, { attribute: 'mesh', affects: 'sensor', message });
  }
  if (type === 'mesh') {
    const message = 'sites in the shape of a mesh are drawn, and sense, as small spheres';
    reading.unsupported.add(element, { attribute: 'type', affects: 'sensor', message });
  } else if (type === 'sphere') {
    if (size && size[0]! > 0) site.radius = size[0]!;
  } else readVolume(site, type, size ?? [0.005, 0.005, 0.005], segment?.halfLength);
  const layer = readInteger(settings, 'group');
  if (layer) site.layer = Math.min(5, Math.max(0, layer));
  return site;
}

/** The volume that sensors look at; half the length of a segment takes the place of the number along it. */
function readVolume(
  site: Site,
  shape: NonNullable<Site['shape']>,
  size: readonly number[],
  halfLength: number | undefined,
): void {
  const count = shape === 'capsule' || shape === 'cylinder' ? 2 : 3;
  const sizes = size.slice(0, count);
  if (halfLength !== undefined) {
    if (count === 3) sizes[1] = sizes[0]!;
    sizes[count - 1] = halfLength;
  }
  site.shape = shape;
  if (sizes.every((value) => value > 0)) site.size = sizes;
}
