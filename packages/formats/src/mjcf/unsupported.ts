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

/** An attribute that no reader asks for, of some elements: what is lost where it has another value than `plain`. */
type UnreadAttribute = readonly [elements: string, attribute: string, plain: RegExp, loss: Omit<Loss, 'attribute'>];

const UNREAD_ATTRIBUTES: readonly UnreadAttribute[] = [
  ['*', 'user', /^\s*$/, { affects: 'visual', message: 'user data is not read' }],
  ['flag', 'sensor', /^enable$/, { affects: 'sensor', message: 'sensors are measured all the same' }],
  ['flag', 'autoreset', /^enable$/, { affects: 'physics', message: 'a state that is not finite ends the run' }],
  ['geom', 'castshadow', /^true$/, { affects: 'visual', message: 'all shapes cast shadows' }],
  ['mesh', 'smoothnormal', /^false$/, { affects: 'visual', message: 'meshes are shaded in one way' }],
  ['light', 'texture', /^$/, { affects: 'visual', message: 'lights have no images' }],
  ['texture', 'colorspace', /^auto$/, { affects: 'visual', message: 'colours are drawn as they are in the image' }],
  ['contact', 'solmix', /^1$/, { affects: 'physics', message: 'materials of soft bodies are mixed in equal parts' }],
  ['flexcomp', 'inertiabox', /^$/, { affects: 'physics', message: 'vertices of soft bodies are points' }],
  ['flex flexcomp', 'flatskin', /^false$/, { affects: 'visual', message: 'soft bodies are shaded in one way' }],
  ['flex flexcomp', 'texcoord', /^\s*$/, { affects: 'visual', message: 'soft bodies have no images' }],
  ['flex', 'elemtexcoord', /^\s*$/, { affects: 'visual', message: 'soft bodies have no images' }],
  ['flex flexcomp', 'group', /^0$/, { affects: 'visual', message: 'soft bodies are drawn in all groups' }],
  ['joint freejoint', 'group', /^0$/, { affects: 'visual', message: 'joints are drawn in all groups' }],
  ['tendon spatial fixed', 'group', /^0$/, { affects: 'visual', message: 'tendons are drawn in all groups' }],
];

/** Attributes of all elements, and those of some by the name of the element. */
const UNREAD_EVERYWHERE = UNREAD_ATTRIBUTES.filter(([elements]) => elements === '*');
const UNREAD_BY_ELEMENT = new Map<string, UnreadAttribute[]>();
for (const row of UNREAD_ATTRIBUTES) {
  for (const name of row[0].split(' ')) UNREAD_BY_ELEMENT.set(name, [...(UNREAD_BY_ELEMENT.get(name) ?? []), row]);
}

/** Lists attributes that no reader asks for. */
export function listUnread(root: XmlElement, list: Unsupported): void {
  for (const row of UNREAD_EVERYWHERE) listWhereGiven(root, row, list);
  for (const row of UNREAD_BY_ELEMENT.get(root.name) ?? []) listWhereGiven(root, row, list);
  for (const child of root.children) listUnread(child, list);
}

function listWhereGiven(element: XmlElement, [, attribute, plain, loss]: UnreadAttribute, list: Unsupported): void {
  const given = element.attributes.get(attribute);
  if (given && !plain.test(given.value)) list.add(element, { attribute, ...loss });
}

/** Sections that NexDyn reads nothing from. */
export const UNREAD_SECTIONS: ReadonlyMap<string, Loss> = new Map<string, Loss>([
  ['size', { affects: 'visual', message: 'memory sizes are not needed' }],
  ['custom', { affects: 'visual', message: 'user data is not read' }],
]);
