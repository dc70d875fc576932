import type { UnsupportedItem } from '@nexdyn/formats';
import type { CommandIo } from './command-io.ts';
import { escapeName } from './terminal-text.ts';

/** Tells what of a file did not make it into the scene, what changes the motion first. */
export function reportUnsupported(items: readonly UnsupportedItem[], io: CommandIo): void {
  const order = { physics: 0, sensor: 1, visual: 2 };
  const sorted = [...items].sort((a, b) => order[a.affects] - order[b.affects]);
  for (const item of sorted) io.writeMessage(`${formatUnsupported(item)}\n`);
}

/** `unsupported[physics] file:line:column element attribute: message`. */
export function formatUnsupported(item: UnsupportedItem): string {
  const what = item.attribute === undefined ? item.element : `${item.element} ${item.attribute}`;
  return escapeName(`unsupported[${item.affects}] ${item.file}:${item.line}:${item.column} ${what}: ${item.message}`);
}
