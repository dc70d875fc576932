/** <equality>: connect, weld, joint, tendon. */
import type { Equality, Quaternion, Vec3 } from '@nexdyn/engine';
import type { XmlElement } from '../xml/xml.ts';
import {
  findSetting,
  locate,
  readBoolean,
  readNumber,
  readPartial,
  readText,
  readVec3,
  readVector,
  requireText,
  type Settings,
} from './attributes.ts';
import { findClass, withDefaults } from './defaults.ts';
import { fail } from './failure.ts';
import type { FlexEquality } from './flex/open-soft.ts';
import { normalizeQuaternion, rotate } from './orientation.ts';
import type { Reading } from './reading.ts';
import { checkAttributes, failUnknownElement } from './schema.ts';
import { readFullSolref, readSolimp, readSolref, SOLIMP } from './solver-parameters.ts';

const KINDS = new Set(['connect', 'weld', 'joint', 'tendon']);

/** Reads one section. */
export function readEqualities(section: XmlElement, reading: Reading): void {
  for (const element of section.children) {
    if (element.name === 'flex' || element.name === 'flexvert') {
      readFlexEquality(element, reading);
      continue;
    }
    if (element.name === 'flexstrain') {
      reading.unsupported.add(element, { affects: 'physics', message: 'strains of a flex are not constrained' });
      continue;
    }
    if (element.name === 'distance') {
      const hint = 'MuJoCo itself removed it in 2.2.2';
      fail('unsupported-element', element, '<distance> is not part of MJCF any more', hint);
    }
    if (!KINDS.has(element.name)) {
      failUnknownElement(element, 'equality');
    }
    const row = element.name === 'joint' || element.name === 'tendon' ? `equality ${element.name}` : element.name;
    checkAttributes(element, row);
    const main = reading.defaults.get('main')!;
    const settings = withDefaults(element, findClass(element, 'class', reading.defaults, main), 'equality');
    const equality = readEquality(settings);
    reading.origins.set(equality, element);
    readCommon(equality, settings, reading);
    reading.part.equalities.push(equality);
  }
}

function readFlexEquality(element: XmlElement, reading: Reading): void {
  checkAttributes(element, 'equality flex');
  const main = reading.defaults.get('main')!;
  const settings = withDefaults(element, findClass(element, 'class', reading.defaults, main), 'equality');
  if (readBoolean(settings, 'active') === false) return;
  const flex: FlexEquality = {
    flex: requireText(settings, 'flex'),
    solref: readFullSolref(settings, 'solref', reading.unsupported),
    solimp: readSolimp(settings, 'solimp') ?? [...SOLIMP],
  };
  reading.origins.set(flex, element);
  reading.part.flexEqualities.push(flex);
}

function readCommon(equality: Equality, settings: Settings, reading: Reading): void {
  const name = readText(settings, 'name');
  if (name) equality.name = name;
  if (readBoolean(settings, 'active') === false) equality.active = false;
  const solref = readSolref(settings, 'solref', reading.unsupported);
  const solimp = readSolimp(settings, 'solimp');
  if (solref || solimp) equality.mujoco = { ...(solref && { solref }), ...(solimp && { solimp }) };
}

function readEquality(settings: Settings): Equality {
  switch (settings.element.name) {
    case 'connect':
      return readConnect(settings);
    case 'weld':
      return readWeld(settings);
    case 'joint': {
      const joint2 = readText(settings, 'joint2');
      const joint1 = requireText(settings, 'joint1');
      const law = { kind: 'joint', joint1, ...readCoefficients(settings) } as const;
      return joint2 ? { ...law, joint2 } : law;
    }
    default: {
      const tendon2 = readText(settings, 'tendon2');
      const tendon1 = requireText(settings, 'tendon1');
      const law = { kind: 'tendon', tendon1, ...readCoefficients(settings) } as const;
      return tendon2 ? { ...law, tendon2 } : law;
    }
  }
}

function readCoefficients(settings: Settings): { coefficients?: [number, number, number, number, number] } {
  const plain: [number, number, number, number, number] = [0, 1, 0, 0, 0];
  const coefficients = readPartial(settings, 'polycoef', plain);
  return coefficients?.some((value, i) => value !== plain[i]) ? { coefficients } : {};
}

type Ends = { site1: string; site2: string } | { body1: string; body2?: string };

/** Two sites, or one or two bodies. */
function readEnds(settings: Settings, bodyOnly: readonly string[]): Ends {
  const site1 = readText(settings, 'site1');
  const site2 = readText(settings, 'site2');
  const body1 = readText(settings, 'body1');
  const body2 = readText(settings, 'body2');
  if (site1 !== undefined || site2 !== undefined) {
    const clash = ['body1', 'body2', ...bodyOnly].find((name) => findSetting(settings, name));
    if (clash)
      fail('invalid-value', locate(settings, clash), `'${clash}' does not go with sites`, 'use one or the other');
    if (!site1 || !site2)
      fail('missing-value', settings.element, "'site1' and 'site2' go together", 'name the other site too');
    return { site1, site2 };
  }
  if (!body1)
    fail(
      'missing-value',
      settings.element,
      `<${settings.element.name}> needs 'body1' or two sites`,
      'write body1="..."',
    );
  return body2 ? { body1, body2 } : { body1 };
}

function readConnect(settings: Settings): Equality {
  const ends = readEnds(settings, ['anchor']);
  const anchor = readVec3(settings, 'anchor');
  if ('body1' in ends && !anchor)
    fail(
      'missing-value',
      settings.element,
      "<connect> of bodies needs 'anchor'",
      'give the point in the frame of body1',
    );
  return anchor?.some((value) => value !== 0) ? { kind: 'connect', ...ends, anchor } : { kind: 'connect', ...ends };
}

function readWeld(settings: Settings): Equality {
  const weld: Equality = { kind: 'weld', ...readEnds(settings, ['anchor', 'relpose']) };
  const anchor = readVec3(settings, 'anchor');
  if (anchor?.some((value) => value !== 0)) weld.anchor = anchor;
  const pose = readVector(settings, 'relpose', 7);
  // a zero quaternion means the initial pose of the model
  if (pose && Math.hypot(...pose.slice(3)) > 1e-14) {
    // MJCF places the anchor, a Scene the second body
    const orientation = normalizeQuaternion(pose.slice(3) as Quaternion);
    const offset = rotate(orientation, anchor ?? [0, 0, 0]);
    const position = offset.map((value, k) => pose[k]! - value) as Vec3;
    weld.relativePose = { position, orientation };
  }
  const scale = readNumber(settings, 'torquescale');
  if (scale !== undefined && scale !== 1) weld.torqueScale = scale;
  return weld;
}
