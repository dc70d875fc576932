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

/** Sections that NexDyn reads nothing from. */
export const UNREAD_SECTIONS: ReadonlyMap<string, Loss> = new Map<string, Loss>([
  ['size', { affects: 'visual', message: 'memory sizes are not needed' }],
  ['custom', { affects: 'visual', message: 'user data is not read' }],
]);
