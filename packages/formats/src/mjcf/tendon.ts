/** <tendon>: fixed and spatial. */
import type { FixedTendon, SpatialTendon, Tendon, TendonStation } from '@nexdyn/engine';
import type { XmlElement } from '../xml/xml.ts';
import {
  findNumbers,
  locate,
  parseNumbers,
  readNumber,
  readSize,
  readText,
  requireText,
  type Settings,
  settingsOf,
} from './attributes.ts';
import { readColor } from './color.ts';
import { findClass, withDefaults } from './defaults.ts';
import { fail } from './failure.ts';
import type { Reading } from './reading.ts';
import { checkAttributes, failUnknownElement } from './schema.ts';
import { readLimit, readLimitSoftness, readPolynomials } from './solver-parameters.ts';
import { listUnused } from './unsupported.ts';

/** Reads one section. */
export function readTendons(section: XmlElement, reading: Reading): void {
  for (const element of section.children) {
    if (element.name !== 'fixed' && element.name !== 'spatial') {
      failUnknownElement(element, 'tendon');
    }
    checkAttributes(element);
    const main = reading.defaults.get('main')!;
    const settings = withDefaults(element, findClass(element, 'class', reading.defaults, main), 'tendon');
    const tendon = element.name === 'fixed' ? readFixed(element) : readSpatial(element);
    reading.origins.set(tendon, element);
    readCommon(tendon, settings, reading);
    reading.part.tendons.push(tendon);
  }
}

function readFixed(element: XmlElement): FixedTendon {
  const terms: FixedTendon['terms'] = [];
  for (const child of element.children) {
    if (child.name !== 'joint') {
      failUnknownElement(child, 'fixed');
    }
    checkAttributes(child, 'fixed joint');
    const settings = settingsOf(child);
    const coefficient = readNumber(settings, 'coef');
    if (coefficient === undefined)
      fail('missing-value', child, "<joint> of a tendon needs the attribute 'coef'", 'write coef="..."');
    terms.push({ joint: requireText(settings, 'joint'), coefficient });
  }
  if (terms.length === 0)
    fail('missing-value', element, 'a fixed tendon needs at least one <joint>', 'add <joint joint="..." coef="..."/>');
  return { kind: 'fixed', terms };
}

function readSpatial(element: XmlElement): SpatialTendon {
  const path: TendonStation[] = [];
  for (const child of element.children) {
    if (child.name !== 'site' && child.name !== 'geom' && child.name !== 'pulley') {
      failUnknownElement(child, 'spatial');
    }
    checkAttributes(child, `spatial ${child.name}`);
    path.push(readStation(settingsOf(child)));
  }
  checkPath(element, path);
  return { kind: 'spatial', path };
}

function readStation(settings: Settings): TendonStation {
  const { element } = settings;
  if (element.name === 'site') return { kind: 'site', site: requireText(settings, 'site') };
  if (element.name === 'geom') {
    const sideSite = readText(settings, 'sidesite');
    const shape = requireText(settings, 'geom');
    return sideSite === undefined ? { kind: 'wrap', shape } : { kind: 'wrap', shape, sideSite };
  }
  const divisor = readNumber(settings, 'divisor');
  if (divisor === undefined)
    fail('missing-value', element, "<pulley> needs the attribute 'divisor'", 'write divisor="..."');
  if (divisor <= 0)
    fail(
      'invalid-value',
      locate(settings, 'divisor'),
      'the divisor of a pulley must be positive',
      'count the branches, as in divisor="2"',
    );
  return { kind: 'pulley', divisor };
}

/** Every branch has two stations at least, begins and ends at a site, and has a site on both sides of every geom. */
function checkPath(element: XmlElement, path: readonly TendonStation[]): void {
  const stations = element.children.filter((child) => ['site', 'geom', 'pulley'].includes(child.name));
  const kindAt = (i: number): string => path[i]?.kind ?? 'end';
  if (path.filter((station) => station.kind === 'site').length < 2) {
    fail('invalid-value', element, 'a spatial tendon needs at least two sites', 'add <site site="..."/>');
  }
  path.forEach((station, i) => {
    const at = stations[i] ?? element;
    const around = [kindAt(i - 1), kindAt(i + 1)];
    if (station.kind === 'wrap' && around.some((kind) => kind !== 'site')) {
      fail('invalid-value', at, 'a geom of a tendon must stand between two sites', 'put a <site> on either side of it');
    }
    if (station.kind === 'site' && around.every((kind) => kind === 'end' || kind === 'pulley')) {
      fail(
        'invalid-value',
        at,
        'a branch of a tendon needs at least two sites',
        'begin and end each branch at a <site>',
      );
    }
    if (station.kind === 'pulley' && around[1] !== 'site') {
      fail('invalid-value', at, 'a site must follow a pulley', 'add <site site="..."/> after it');
    }
    const next = path[i + 1];
    if (station.kind === 'site' && next?.kind === 'site' && next.site === station.site) {
      fail(
        'invalid-value',
        stations[i + 1] ?? element,
        `the site '${station.site}' follows itself`,
        'remove one of the two',
      );
    }
  });
}

function readCommon(tendon: Tendon, settings: Settings, reading: Reading): void {
  const { unsupported, compiler } = reading;
  const name = readText(settings, 'name');
  if (name) tendon.name = name;
  readPolynomials(tendon, settings);
  listUnused(settings, 'springyield', { affects: 'physics', message: 'springs do not yield' }, unsupported);
  const armature = readSize(settings, 'armature');
  if (armature) tendon.armature = armature;
  const frictionLoss = readSize(settings, 'frictionloss');
  if (frictionLoss) tendon.frictionLoss = frictionLoss;
  const springLength = readSpringLength(settings);
  if (springLength) tendon.springLength = springLength;
  const range = readLimit(settings, '', compiler);
  if (range) {
    tendon.limit = { range };
    const margin = readNumber(settings, 'margin');
    if (margin) tendon.limit.margin = margin;
  }
  const forceRange = readLimit(settings, 'actuatorfrc', compiler);
  if (forceRange) tendon.actuatorForceRange = forceRange;
  const softness = readLimitSoftness(settings, unsupported);
  if (softness) tendon.mujoco = softness;
  // fixed ones have no place where they could be drawn
  if (tendon.kind !== 'spatial') return;
  const width = readSize(settings, 'width');
  if (width !== undefined && width !== 0.003) tendon.width = width;
  const color = readColor(settings, reading);
  if (color) tendon.color = color;
}

/** One length, or two between which the spring is slack; −1 means as in the initial pose. */
function readSpringLength(settings: Settings): [number, number] | undefined {
  const setting = findNumbers(settings, 'springlength');
  if (!setting) return undefined;
  const [low = -1, high = low] = parseNumbers(setting, 'springlength', 1, 2);
  if (low === -1 && high === -1) return undefined;
  if (low > high)
    fail(
      'invalid-value',
      setting,
      "'springlength' must not have its lower bound above the upper",
      'write the lower bound first',
    );
  return [low, high];
}
