import type { UnsupportedItem } from './loaded-scene.ts';

const ORDER: readonly UnsupportedItem['affects'][] = ['physics', 'sensor', 'visual'];

/** Items that say the same of several elements, together: what changes the motion first, and each group in the order of the file. */
export function groupUnsupported(items: readonly UnsupportedItem[]): UnsupportedItem[][] {
  const groups = new Map<string, UnsupportedItem[]>();
  for (const item of [...items].sort((a, b) => ORDER.indexOf(a.affects) - ORDER.indexOf(b.affects))) {
    const key = JSON.stringify([item.affects, item.file, item.element, item.attribute, item.message]);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return [...groups.values()];
}
