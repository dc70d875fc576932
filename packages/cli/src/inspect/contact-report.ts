import type { Contact } from '@nexdyn/engine';
import { formatNumber } from '../run/summary.ts';

const HEADINGS = ['shape 1', 'shape 2', 'gap [mm]', 'position [m]', 'normal'];

/** Contacts for people: how many, how deep, and one line each. */
export function formatContacts(contacts: readonly Contact[], keyframe: string | number | null): string {
  const state = keyframe === null ? 'in the initial pose' : `at keyframe ${JSON.stringify(keyframe)}`;
  if (contacts.length === 0) return `No contacts ${state}.\n`;
  const worst = contacts.reduce((least, { gap }) => Math.min(least, gap), Infinity);
  const depth = worst < 0 ? `, the deepest ${formatNumber(-1000 * worst)} mm` : ', none penetrates';
  const count = `${contacts.length} contact${contacts.length > 1 ? 's' : ''}`;
  const rows = contacts.map((contact) => [
    labelShape(contact.shapeName1, contact.bodyName1, contact.shape1),
    labelShape(contact.shapeName2, contact.bodyName2, contact.shape2),
    (1000 * contact.gap).toFixed(3),
    formatTriple(contact.position),
    formatTriple(contact.normal),
  ]);
  return `${count} ${state}${depth}\n\n${formatColumns([HEADINGS, ...rows])}`;
}

/** `body/shape`; shapes without a name by their number. */
function labelShape(shape: string, body: string, index: number): string {
  return `${body || '?'}/${shape || `#${index}`}`;
}

/** Numbers under each other; rounding leaves no negative zero. */
function formatTriple(values: readonly number[]): string {
  return values
    .map((value) =>
      value
        .toFixed(4)
        .replace(/^-(0\.0+)$/, '$1')
        .padStart(8),
    )
    .join(' ');
}

/** Columns as wide as their widest cell, numbers to the right. */
function formatColumns(rows: readonly (readonly string[])[]): string {
  const widths = HEADINGS.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  return rows
    .map((row) => {
      const cells = row.map((cell, column) =>
        column < 2 ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!),
      );
      return `${cells.join('  ')}\n`;
    })
    .join('');
}
