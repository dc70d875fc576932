/** Attributes and children of URDF elements, with the place of whatever is wrong. */
import { type ErrorCode, type ErrorPlace, NexdynError, type Pose, type Vec3 } from '@nexdyn/engine';
import type { XmlAttribute, XmlElement } from '../xml/xml.ts';
import { quaternionFromRollPitchYaw } from './rotation.ts';

/** An error at an element, or at one of its attributes where it has it. */
export function failAt(element: XmlElement, code: ErrorCode, reason: string, hint: string, attribute?: string): never {
  throw new NexdynError(code, reason, { ...placeOf(element, attribute), hint });
}

/** The place of an element, or of one of its attributes where it has it. */
export function placeOf(
  element: XmlElement,
  attribute?: string,
): Required<Pick<ErrorPlace, 'file' | 'line' | 'column'>> {
  const at: XmlAttribute | XmlElement = (attribute && element.attributes.get(attribute)) || element;
  return { file: element.file, line: at.line, column: at.column };
}

/** Text of an attribute that must be there and not be empty. */
export function requireText(element: XmlElement, attribute: string): string {
  const text = element.attributes.get(attribute)?.value.trim();
  if (text) return text;
  return failAt(
    element,
    'missing-value',
    `<${element.name}> needs the attribute '${attribute}'`,
    `write ${attribute}="..."`,
    attribute,
  );
}

/** A finite number; `fallback` where the attribute is absent, an error where there is none. */
export function readNumber(element: XmlElement, attribute: string, fallback?: number): number {
  if (fallback !== undefined && !element.attributes.has(attribute)) return fallback;
  return parseNumbers(element, attribute, 1)[0]!;
}

/** Three finite numbers; `fallback` where the attribute is absent, an error where there is none. */
export function readVector(element: XmlElement, attribute: string, fallback?: Vec3): Vec3 {
  if (fallback && !element.attributes.has(attribute)) return fallback;
  return parseNumbers(element, attribute, 3) as Vec3;
}

/** So many finite numbers, separated by spaces. */
export function parseNumbers(element: XmlElement, attribute: string, count: number): number[] {
  const text = requireText(element, attribute);
  const words = text.split(/\s+/);
  const numbers = words.map(Number);
  const wanted = count === 1 ? 'one number' : `${count} numbers`;
  if (numbers.length !== count) {
    failAt(element, 'invalid-value', `${attribute}="${text}" has ${words.length} words`, `give ${wanted}`, attribute);
  }
  const bad = numbers.findIndex((number) => !Number.isFinite(number));
  if (bad >= 0) {
    const reason = `'${words[bad]}' in '${attribute}' is not a finite number`;
    failAt(element, 'invalid-value', reason, `give ${wanted}, as in 0.5 or -1e-3`, attribute);
  }
  return numbers;
}

/** The child of a name; two are an error. */
export function findChild(element: XmlElement, name: string): XmlElement | undefined {
  const [first, second] = element.children.filter((child) => child.name === name);
  if (second) failAt(second, 'invalid-value', `<${element.name}> has a second <${name}>`, 'keep one of the two');
  return first;
}

/** The child of a name that must be there. */
export function requireChild(element: XmlElement, name: string): XmlElement {
  return (
    findChild(element, name) ??
    failAt(element, 'missing-value', `<${element.name}> needs <${name}>`, `add <${name} .../>`)
  );
}

/** Pose of the child `<origin xyz rpy>`; what is zero is left out. */
export function readOrigin(element: XmlElement): Pose {
  const origin = findChild(element, 'origin');
  if (!origin) return {};
  const position = readVector(origin, 'xyz', [0, 0, 0]);
  const angles = readVector(origin, 'rpy', [0, 0, 0]);
  return {
    ...(position.some((value) => value !== 0) && { position }),
    ...(angles.some((angle) => angle !== 0) && { orientation: quaternionFromRollPitchYaw(angles) }),
  };
}
