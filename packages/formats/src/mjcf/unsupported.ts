/** The list of unsupported elements of a file. */
import type { UnsupportedItem } from '../loaded-scene.ts';
import type { XmlElement } from '../xml/xml.ts';
import { readText, type Settings } from './attributes.ts';

/** What is lost. */
export interface Loss {
  attribute?: string;
  affects: UnsupportedItem['affects'];
  message: string;
}

/** Collects items in the order of the file. */
export class Unsupported {
  readonly items: UnsupportedItem[] = [];

  /** Adds an element, or one attribute of it. */
  add(element: XmlElement, loss: Loss): void {
    const at = (loss.attribute !== undefined && element.attributes.get(loss.attribute)) || element;
    const item: UnsupportedItem = {
      file: element.file,
      line: at.line,
      column: at.column,
      element: element.name,
      affects: loss.affects,
      message: loss.message,
    };
    if (loss.attribute !== undefined) item.attribute = loss.attribute;
    this.items.push(item);
  }
}

/** Lists an attribute that is not zero and is not used. */
export function listUnused(
  settings: Settings,
  attribute: string,
  loss: Omit<Loss, 'attribute'>,
  list: Unsupported,
): void {
  const value = readText(settings, attribute);
  if (value !== undefined && /[1-9]/.test(value)) list.add(settings.element, { attribute, ...loss });
}

/** Attributes that no reader asks for, by element: what is lost where they have another value than `plain`. */
const UNREAD_ATTRIBUTES: readonly [
  elements: string,
  attribute: string,
  plain: RegExp,
  loss: Omit<Loss, 'attribute'>,
][] = [
  ['*', 'user', /^\s*$/, { affects: 'visual', message: 'user data is not read' }],
  ['flag', 'sensor', /^enable$/, { affects: 'sensor', message: 'sensors are measured all the same' }],
  ['flag', 'autoreset', /^enable$/, { affects: 'physics', message: 'a state that is not finite ends the run' }],
  ['geom', 'castshadow', /^true$/, { affects: 'visual', message: 'all shapes cast shadows' }],
  ['mesh', 'smoothnormal', /^false$/, { affects: 'visual', message: 'meshes are shaded in one way' }],
  ['light', 'texture', /^$/, { affects: 'visual', message: 'lights have no images' }],
  ['texture', 'colorspace', /^auto$/, { affects: 'visual', message: 'colours are drawn as they are in the image' }],
  ['contact', 'solmix', /^1$/, { affects: 'physics', message: 'materials of soft bodies are mixed in equal parts' }],
  ['flexcomp', 'inertiabox', /^$/, { affects: 'physics', message: 'vertices of soft bodies are points' }],
];

/** Lists attributes that no reader asks for. */
export function listUnread(root: XmlElement, list: Unsupported): void {
  for (const [elements, attribute, plain, loss] of UNREAD_ATTRIBUTES) {
    if (elements !== '*' && elements !== root.name) continue;
    const given = root.attributes.get(attribute);
    if (given && !plain.test(given.value)) list.add(root, { attribute, ...loss });
  }
  for (const child of root.children) listUnread(child, list);
}

/** Sections that NexDyn reads nothing from. */
export const UNREAD_SECTIONS: ReadonlyMap<string, Loss> = new Map<string, Loss>([
  ['size', { affects: 'visual', message: 'memory sizes are not needed' }],
  ['custom', { affects: 'visual', message: 'user data is not read' }],
]);
