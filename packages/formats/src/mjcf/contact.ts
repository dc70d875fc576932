/** <contact>: explicit pairs and excluded bodies. */
import { type ContactPair, DEFAULT_FRICTION } from '@nexdyn/engine';
import type { XmlElement } from '../xml/xml.ts';
import { readNumber, readPartial, readSize, readText, requireText, type Settings, settingsOf } from './attributes.ts';
import { findClass, withDefaults } from './defaults.ts';
import { readCondim } from './geom.ts';
import type { Reading } from './reading.ts';
import { checkAttributes, failUnknownElement } from './schema.ts';
import { readFullSolref, SOLIMP } from './solver-parameters.ts';

/** Reads one section. */
export function readContacts(section: XmlElement, reading: Reading): void {
  for (const element of section.children) {
    if (element.name === 'pair') {
      const pair = readPairElement(element, reading);
      // MuJoCo gives the contacts of a geom with itself no force
      if (pair.shape1 === pair.shape2) continue;
      reading.origins.set(pair, element);
      reading.part.contactPairs.push(pair);
    } else if (element.name === 'exclude') {
      checkAttributes(element);
      const settings = settingsOf(element);
      const name = readText(settings, 'name');
      const bodies = { body1: requireText(settings, 'body1'), body2: requireText(settings, 'body2') };
      const exclude = name ? { name, ...bodies } : bodies;
      reading.origins.set(exclude, element);
      reading.part.contactExcludes.push(exclude);
    } else {
      failUnknownElement(element, 'contact');
    }
  }
}

/** A pair inherits nothing from its shapes: absent attributes have MuJoCo's defaults. */
function readPairElement(element: XmlElement, reading: Reading): ContactPair {
  checkAttributes(element);
  const main = reading.defaults.get('main')!;
  const settings: Settings = withDefaults(element, findClass(element, 'class', reading.defaults, main));
  const pair: ContactPair = { shape1: requireText(settings, 'geom1'), shape2: requireText(settings, 'geom2') };
  const name = readText(settings, 'name');
  if (name) pair.name = name;
  const [slide, spin, roll] = DEFAULT_FRICTION;
  const friction: NonNullable<ContactPair['friction']> = [slide, slide, spin, roll, roll];
  pair.friction = readPartial(settings, 'friction', friction) ?? friction;
  pair.margin = readSize(settings, 'margin') ?? 0;
  pair.gap = readSize(settings, 'gap') ?? 0;
  pair.mujoco = {
    condim: readCondim(settings) ?? 3,
    solref: readFullSolref(settings, 'solref', reading.unsupported),
    solimp: readPartial(settings, 'solimp', SOLIMP) ?? [...SOLIMP],
    adhesion: readNumber(settings, 'adhesion') ?? 0,
  };
  const solrefFriction = readPartial<[number, number]>(settings, 'solreffriction', [0, 0]);
  if (solrefFriction?.some((value) => value !== 0)) pair.mujoco.solrefFriction = solrefFriction;
  return pair;
}
