/**
 * Typed reading of attributes, with the settings of default classes beneath those of the element.
 *
 * An attribute is a chain of settings, from the outermost class to the element itself. The last one holds; a list that is
 * shorter than its attribute replaces only the first numbers of the inherited value.
 */
import type { XmlAttribute, XmlElement } from '../xml/xml.ts';
import { fail, type Placed } from './failure.ts';

/** One written attribute. */
export type Setting = XmlAttribute;

/** Settings by attribute, each a list from the outermost class to the innermost. */
export type Chains = ReadonlyMap<string, readonly Setting[]>;

/** An element with the attributes of its default class beneath its own. */
export interface Settings {
  element: XmlElement;
  /** Settings of the class; undefined where there are none. */
  inherited: Chains | undefined;
}

/** The attributes of an element alone. */
export function settingsOf(element: XmlElement): Settings {
  return { element, inherited: undefined };
}

/** Chains with the attributes of one more element on top. */
export function extendChains(below: Chains | undefined, element: XmlElement): Chains {
  const chains = new Map(below);
  for (const [name, setting] of element.attributes) chains.set(name, [...(chains.get(name) ?? []), setting]);
  return chains;
}

/** How many settings an attribute has, those of classes and of the element. */
export function countSettings({ element, inherited }: Settings, name: string): number {
  return (inherited?.get(name)?.length ?? 0) + (element.attributes.has(name) ? 1 : 0);
}

/** The setting that holds, or undefined. */
export function findSetting({ element, inherited }: Settings, name: string): Setting | undefined {
  return element.attributes.get(name) ?? inherited?.get(name)?.at(-1);
}

/** Where an attribute is; the element where it is absent. */
export function locate(settings: Settings, name: string): Placed {
  return findSetting(settings, name) ?? settings.element;
}

/** Text, or undefined. */
export function readText(settings: Settings, name: string): string | undefined {
  return findSetting(settings, name)?.value;
}

/** Text that must be there. */
export function requireText(settings: Settings, name: string): string {
  const text = readText(settings, name);
  if (text === undefined || text === '') failMissing(settings, name);
  return text;
}

/** Throws: a required attribute is not there. */
export function failMissing(settings: Settings, name: string): never {
  const { element } = settings;
  fail(
    'missing-value',
    locate(settings, name),
    `<${element.name}> needs the attribute '${name}'`,
    `write ${name}="..."`,
  );
}

/** One of the given words, or undefined. */
export function readKeyword<T extends string>(settings: Settings, name: string, choices: readonly T[]): T | undefined {
  const setting = findSetting(settings, name);
  if (!setting) return undefined;
  const found = choices.find((choice) => choice === setting.value);
  if (found === undefined) {
    fail('invalid-value', setting, `'${name}' cannot be '${setting.value}'`, `one of: ${choices.join(', ')}`);
  }
  return found;
}

/** true or false, or undefined. */
export function readBoolean(settings: Settings, name: string): boolean | undefined {
  const word = readKeyword(settings, name, ['true', 'false']);
  return word === undefined ? undefined : word === 'true';
}

/** The numbers that hold, or undefined: an attribute without any, as in pos="", says nothing. */
export function findNumbers(settings: Settings, name: string): Setting | undefined {
  const own = settings.element.attributes.get(name);
  return own && isGiven(own) ? own : settings.inherited?.get(name)?.findLast(isGiven);
}

const isGiven = ({ value }: Setting): boolean => value.trim() !== '';

/** One number, or undefined. */
export function readNumber(settings: Settings, name: string): number | undefined {
  const setting = findNumbers(settings, name);
  if (!setting) return undefined;
  return parseNumbers(setting, name, 1, 1)[0];
}

/** One number that is not negative, or undefined. */
export function readSize(settings: Settings, name: string): number | undefined {
  const value = readNumber(settings, name);
  if (value !== undefined && value < 0) {
    fail(
      'invalid-value',
      locate(settings, name),
      `'${name}' cannot be negative, got ${value}`,
      'give a number of 0 or more',
    );
  }
  return value;
}

/** One whole number, or undefined. */
export function readInteger(settings: Settings, name: string): number | undefined {
  const value = readNumber(settings, name);
  if (value !== undefined && !Number.isInteger(value)) {
    fail('invalid-value', locate(settings, name), `'${name}' must be a whole number, got ${value}`, 'round it');
  }
  return value;
}

/** Exactly `count` numbers, or undefined. */
export function readVector(settings: Settings, name: string, count: number): number[] | undefined {
  const setting = findNumbers(settings, name);
  return setting && parseNumbers(setting, name, count, count);
}

/** Exactly three numbers, or undefined. */
export function readVec3(settings: Settings, name: string): [number, number, number] | undefined {
  return readVector(settings, name, 3) as [number, number, number] | undefined;
}

/** Exactly two numbers, or undefined. */
export function readPair(settings: Settings, name: string): [number, number] | undefined {
  return readVector(settings, name, 2) as [number, number] | undefined;
}

/** Up to as many numbers as there are defaults, each setting of the chain replacing the first ones; or undefined. */
export function readPartial<T extends number[]>(settings: Settings, name: string, defaults: T): T | undefined {
  const own = settings.element.attributes.get(name);
  const chain = settings.inherited?.get(name);
  if (!own && !chain) return undefined;
  let result: T | undefined;
  const apply = (setting: Setting): void => {
    if (!isGiven(setting)) return;
    result ??= [...defaults] as T;
    const given = parseNumbers(setting, name, 1, defaults.length);
    for (let i = 0; i < given.length; i++) result[i] = given[i]!;
  };
  chain?.forEach(apply);
  if (own) apply(own);
  return result;
}

/** Any number of numbers, or undefined. */
export function readList(settings: Settings, name: string): number[] | undefined {
  const setting = findSetting(settings, name);
  return setting && parseNumbers(setting, name, 0, Number.POSITIVE_INFINITY);
}

const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/;

/** Splits and checks the numbers of one setting. */
export function parseNumbers(setting: Setting, name: string, least: number, most: number): number[] {
  const parts = setting.value.trim() === '' ? [] : setting.value.trim().split(/\s+/);
  if (parts.length < least || parts.length > most) {
    const wanted = least === most ? `${least}` : `${least} to ${most}`;
    const plural = most === 1 ? 'number' : 'numbers';
    fail(
      'invalid-value',
      setting,
      `'${name}' needs ${wanted} ${plural}, got ${parts.length}`,
      'separate numbers by spaces',
    );
  }
  return parts.map((part) => {
    const value = NUMBER.test(part) ? Number(part) : Number.NaN;
    if (!Number.isFinite(value)) {
      const hint = part.includes(',') ? 'separate numbers with spaces' : 'write numbers as 0.5, -1 or 2e-3';
      fail('invalid-value', setting, `'${name}' must be finite numbers, got '${part.slice(0, 40)}'`, hint);
    }
    return value;
  });
}
