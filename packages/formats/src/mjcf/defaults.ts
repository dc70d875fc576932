/**
 * Default classes: what elements are when they do not say otherwise.
 *
 * A class starts as a copy of its parent at its definition; what is later added to the parent does not
 * reach it. All kinds of actuators share one record, written over by each default in turn, so their elements are kept
 * as lists, one for each class from the outermost on (see actuator-record.ts).
 */
import type { XmlElement } from '../xml/xml.ts';
import { type Chains, extendChains, type Settings } from './attributes.ts';
import { fail, suggestName } from './failure.ts';
import { checkAttributes, failUnknownElement } from './schema.ts';

/** One class. */
export interface DefaultClass {
  name: string;
  /** Attribute chains by element name. */
  chains: Map<string, Chains>;
  /** Default actuators of the classes around this one, outermost first, and its own. */
  actuators: readonly (readonly XmlElement[])[];
}

/** All classes of a file. */
export type Defaults = Map<string, DefaultClass>;

/** Actuator elements whose law NexDyn knows. */
export const ACTUATOR_KINDS: ReadonlySet<string> = new Set([
  'general',
  'motor',
  'position',
  'velocity',
  'intvelocity',
  'damper',
  'cylinder',
  'muscle',
  'adhesion',
  'pid',
  'dcmotor',
]);

/** Actuator elements that exist in MJCF and not in NexDyn. */
export const UNSUPPORTED_ACTUATORS: ReadonlySet<string> = new Set(['orientation', 'plugin']);

const CHAINED = new Map([
  ['mesh', 'asset mesh'],
  ['texture', 'asset texture'],
  ['material', 'asset material'],
  ['joint', 'joint'],
  ['geom', 'geom'],
  ['site', 'site'],
  ['camera', 'camera'],
  ['light', 'light'],
  ['pair', 'pair'],
  ['equality', 'equality'],
  ['tendon', 'tendon'],
]);

/** Reads all <default> sections of a file. */
export function readDefaults(sections: readonly XmlElement[]): Defaults {
  const main: DefaultClass = { name: 'main', chains: new Map(), actuators: [[]] };
  const defaults: Defaults = new Map([['main', main]]);
  for (const section of sections) {
    checkAttributes(section, 'default');
    const name = section.attributes.get('class');
    if (name && name.value !== 'main' && name.value !== '') {
      const at = { ...name, file: section.file };
      fail('invalid-value', at, "the outermost default class is 'main'", 'put the class into a second <default>');
    }
    readClass(section, main, defaults);
  }
  return defaults;
}

function readClass(section: XmlElement, target: DefaultClass, defaults: Defaults): void {
  // the attributes of the class, before nested classes copy them
  for (const element of section.children) {
    const row = CHAINED.get(element.name);
    if (element.name === 'default') continue;
    if (row !== undefined) {
      checkAttributes(element, row);
      target.chains.set(element.name, extendChains(target.chains.get(element.name), element));
    } else if (ACTUATOR_KINDS.has(element.name)) {
      checkAttributes(element);
      addActuator(target, element);
    } else if (UNSUPPORTED_ACTUATORS.has(element.name)) {
      // whoever takes the class over takes its law, too
      addActuator(target, element);
    } else {
      failUnknownElement(element, 'default');
    }
  }
  for (const element of section.children) {
    if (element.name !== 'default') continue;
    checkAttributes(element, 'default');
    const name = element.attributes.get('class');
    if (!name?.value)
      fail('missing-value', element, "a <default> inside another needs the attribute 'class'", 'write class="..."');
    const at = { ...name, file: element.file };
    if (defaults.has(name.value))
      fail('duplicate-name', at, `there are two default classes '${name.value}'`, 'rename one of them');
    const actuators = [...target.actuators, []];
    const child: DefaultClass = { name: name.value, chains: new Map(target.chains), actuators };
    defaults.set(child.name, child);
    readClass(element, child, defaults);
  }
}

function addActuator(target: DefaultClass, element: XmlElement): void {
  const own = target.actuators.length - 1;
  target.actuators = target.actuators.map((list, level) => (level === own ? [...list, element] : list));
}

/** The class an element names, else the one it lives in. */
export function findClass(
  element: XmlElement,
  attribute: string,
  defaults: Defaults,
  inherited: DefaultClass,
): DefaultClass {
  const name = element.attributes.get(attribute);
  if (!name) return inherited;
  const found = defaults.get(name.value);
  if (!found) {
    const at = { ...name, file: element.file };
    fail(
      'unknown-reference',
      at,
      `there is no default class '${name.value}'`,
      suggestName(name.value, defaults.keys(), 'default classes'),
    );
  }
  return found;
}

/** An element on top of the defaults of its class; `kind` is the name the defaults use. */
export function withDefaults(element: XmlElement, defaults: DefaultClass, kind: string = element.name): Settings {
  return { element, inherited: defaults.chains.get(kind) };
}
