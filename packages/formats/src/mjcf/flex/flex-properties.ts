/**
 * <elasticity>, <edge> and <contact> of a flex or flexcomp. Constants mean what MuJoCo 4.0 documents: Saint Venant-Kirchhoff with the Lamé
 * constants of E and ν in solids, plane stress times the thickness and D = E t³/12(1 − ν²) in sheets, E I and G J in rods. Versions before
 * 4.0 computed other stiffnesses from the same numbers.
 */
import { DEFAULT_FRICTION, type Elasticity, type SoftBody, type Vec3 } from '@nexdyn/engine';
import type { XmlElement } from '../../xml/xml.ts';
import {
  findSetting,
  locate,
  readBoolean,
  readInteger,
  readKeyword,
  readList,
  readNumber,
  readPair,
  readPartial,
  readSize,
  type Settings,
  settingsOf,
} from '../attributes.ts';
import { fail } from '../failure.ts';
import type { Reading } from '../reading.ts';
import { checkAttributes } from '../schema.ts';
import { readFullSolref, readSolimp, readSolref, SOLIMP } from '../solver-parameters.ts';
import type { EdgeSettings } from './open-soft.ts';

/** Stands in where a flex has no modulus of its own, Pa. */
const NO_MODULUS = 1;

const note = (reading: Reading, { element }: Settings, attribute: string, message: string): void => {
  if (element.attributes.has(attribute)) reading.unsupported.add(element, { attribute, affects: 'physics', message });
};

function childSettings(element: XmlElement, name: string, row: string): Settings {
  const child = element.children.find((one) => one.name === name);
  if (!child) return settingsOf({ ...element, attributes: new Map() });
  checkAttributes(child, row);
  return settingsOf(child);
}

/** The elastic law; `radius` is that of the section of a rod. */
export function readElasticity(element: XmlElement, dim: 1 | 2 | 3, radius: number, reading: Reading): Elasticity {
  const settings = childSettings(element, 'elasticity', 'flex elasticity');
  const young = readSize(settings, 'young') ?? 0;
  const poissonRatio = readSize(settings, 'poisson') ?? 0;
  if (poissonRatio >= 0.5) {
    const hint = 'take 0.49, or 0.499 for rubber';
    fail('invalid-value', locate(settings, 'poisson'), `'poisson' must be below 0.5, got ${poissonRatio}`, hint);
  }
  const elasticity: Elasticity = { youngsModulus: young || NO_MODULUS, poissonRatio };
  const damping = readSize(settings, 'damping');
  if (damping) elasticity.stiffnessDamping = damping;
  if (readList(settings, 'yield')?.some((value) => value > 0))
    note(reading, settings, 'yield', 'flexes of MJCF do not yield; a soft body can have `plasticity`');
  if (dim === 3) elasticity.model = 'saintVenantKirchhoff';
  else if (dim === 2) readSheet(elasticity, young, settings);
  else readRod(elasticity, young, radius, settings, reading);
  return elasticity;
}

function readSheet(elasticity: Elasticity, young: number, settings: Settings): void {
  const parts = readKeyword(settings, 'elastic2d', ['none', 'bend', 'stretch', 'both']) ?? 'none';
  const thickness = readNumber(settings, 'thickness') ?? -1;
  if (parts !== 'none' && young > 0 && thickness <= 0)
    fail(
      'invalid-value',
      locate(settings, 'thickness'),
      'a sheet needs a positive thickness',
      'as in thickness="1e-3"',
    );
  const stretches = young > 0 && (parts === 'stretch' || parts === 'both');
  const bends = young > 0 && (parts === 'bend' || parts === 'both');
  elasticity.stretchStiffness = stretches ? young * thickness : 0;
  elasticity.bendingStiffness = bends ? (young * thickness ** 3) / (12 * (1 - elasticity.poissonRatio ** 2)) : 0;
}

function readRod(elasticity: Elasticity, young: number, radius: number, settings: Settings, reading: Reading): void {
  const shear = readSize(settings, 'shear') || young / (2 * (1 + elasticity.poissonRatio));
  let bend = (Math.PI * radius ** 4) / 4;
  let twist = 2 * bend;
  if (readKeyword(settings, 'section', ['circle', 'box']) === 'box') {
    const [a, b] = readPair(settings, 'sectionsize') ?? [0, 0];
    bend = ((4 / 3) * (a * b ** 3 + b * a ** 3)) / 2;
    twist = twistOfBox(Math.max(a, b), Math.min(a, b));
    note(reading, settings, 'section', 'rods are round: they bend alike in all directions, by the mean of both sides');
  }
  // rods of MuJoCo stretch only by their edges
  elasticity.stretchStiffness = 0;
  elasticity.bendingStiffness = young * bend;
  elasticity.twistStiffness = shear * twist;
}

/** Saint-Venant's torsion constant of a rectangle of half sides a ≥ b, within 0.5 % (Roark, Formulas for stress and strain). */
export function twistOfBox(a: number, b: number): number {
  const ratio = b / a;
  return a * b ** 3 * (16 / 3 - 3.36 * ratio * (1 - ratio ** 4 / 12));
}

/** Stiffness, damping and equality of edges. */
export function readEdge(element: XmlElement, dim: number, row: string, reading: Reading): EdgeSettings {
  const settings = childSettings(element, 'edge', row);
  const stiffness = readSize(settings, 'stiffness') ?? 0;
  if (stiffness > 0 && dim !== 1) {
    const at = locate(settings, 'stiffness');
    fail('invalid-value', at, 'only edges of dimension 1 have a stiffness', 'use <elasticity> for sheets and solids');
  }
  const edge: EdgeSettings = { stiffness, damping: readSize(settings, 'damping') ?? 0 };
  const equality = readKeyword(settings, 'equality', ['false', 'true', 'vert', 'strain']) ?? 'false';
  if (dim === 1 && edge.damping > 0 && edge.stiffness === 0 && equality === 'false')
    note(reading, settings, 'damping', 'edges that nothing holds are not damped');
  if (equality !== 'false') {
    edge.solref = readFullSolref(settings, 'solref', reading.unsupported);
    edge.solimp = readSolimp(settings, 'solimp') ?? [...SOLIMP];
    const message =
      'lengths of edges are held by a stiffness of the sheet, solid or rod that yields as much as the constraint at rest';
    note(reading, settings, 'equality', message);
  }
  return edge;
}

/** What a flex touches, and how. */
export function readFlexContact(
  element: XmlElement,
  reading: Reading,
): { soft: Partial<SoftBody>; friction?: [number, number, number] } {
  const settings = childSettings(element, 'contact', 'flex contact');
  const soft: Partial<SoftBody> = {};
  const groups = readInteger(settings, 'contype') ?? 1;
  const mask = readInteger(settings, 'conaffinity') ?? 1;
  if (groups !== 1) soft.collisionGroups = groups >>> 0;
  if (mask !== 1) soft.collisionMask = mask >>> 0;
  soft.contact = groups === 0 && mask === 0 ? 'none' : 'point';
  if ((readKeyword(settings, 'selfcollide', ['none', 'narrow', 'bvh', 'sap', 'auto']) ?? 'auto') !== 'none')
    soft.selfContact = true;
  const margin = readSize(settings, 'margin');
  if (margin) soft.margin = margin;
  const priority = readInteger(settings, 'priority');
  if (priority) soft.priority = priority;
  if (readSize(settings, 'gap')) note(reading, settings, 'gap', 'soft bodies have no gap');
  if (readSolref(settings, 'solref', reading.unsupported))
    note(reading, settings, 'solref', 'contacts of soft bodies have the softness of their material');
  if (readSolimp(settings, 'solimp'))
    note(reading, settings, 'solimp', 'contacts of soft bodies have the softness of their material');
  if (readBoolean(settings, 'internal')) note(reading, settings, 'internal', 'elements do not collide inside');
  if (readBoolean(settings, 'passive')) note(reading, settings, 'passive', 'contacts are constraints, not springs');
  if ((readInteger(settings, 'activelayers') ?? 1) !== 1)
    note(reading, settings, 'activelayers', 'only the surface of a solid touches');
  const condim = readInteger(settings, 'condim') ?? 3;
  if (condim > 3) note(reading, settings, 'condim', 'contacts of soft bodies do not resist spin or rolling');
  const friction: Vec3 = readPartial<Vec3>(settings, 'friction', [...DEFAULT_FRICTION]) ?? [...DEFAULT_FRICTION];
  if (condim === 1) friction[0] = 0;
  if (findSetting(settings, 'friction') && friction.some((value) => value < 0))
    fail('invalid-value', locate(settings, 'friction'), 'friction cannot be negative', 'give 0 or more');
  return friction.some((value, k) => value !== DEFAULT_FRICTION[k]) ? { soft, friction } : { soft };
}
