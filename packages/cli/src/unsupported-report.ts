import { groupUnsupported, type UnsupportedItem } from '@nexdyn/formats';
import type { CommandIo } from './command-io.ts';
import { escapeName } from './terminal-text.ts';

/** Tells what of a file did not make it into the scene, what changes the motion first. */
export function reportUnsupported(items: readonly UnsupportedItem[], io: CommandIo): void {
  for (const [first, ...others] of groupUnsupported(items)) {
    const count = others.length > 0 ? ` (and ${others.length} more: lines ${listLines(others)})` : '';
    io.writeMessage(`${formatUnsupported(first!)}${count}\n`);
  }
}

/** `unsupported[physics] file:line:column element attribute: message`. */
export function formatUnsupported(item: UnsupportedItem): string {
  const what = item.attribute === undefined ? item.element : `${item.element} ${item.attribute}`;
  return escapeName(`unsupported[${item.affects}] ${item.file}:${item.line}:${item.column} ${what}: ${item.message}`);
}

/** Lines that are named; of more the rest is left to the count. */
const MOST_LINES = 5;

function listLines(items: readonly UnsupportedItem[]): string {
  const lines = items.slice(0, MOST_LINES).map(({ line }) => line);
  return `${lines.join(', ')}${items.length > MOST_LINES ? ', ...' : ''}`;
}
