import type { Contact, ContactForce } from '@nexdyn/engine';
import { formatNumber } from '../run/summary.ts';
import { escapeName } from '../terminal-text.ts';

const HEADINGS = [
  'shape 1',
  'shape 2',
  'mode',
  'gap [mm]',
  'normal [N]',
  'friction [N]',
  'position [m]',
  'normal direction',
];
/** Columns of text; the others are numbers. */
const TEXTS = 3;

/** Contacts for people: how many, how deep, how strong, and one line each. */
export function formatContacts(
  contacts: readonly (Contact | ContactForce)[],
  { keyframe, formulation }: { keyframe: string | number | null; formulation: string },
): string {
  const state = keyframe === null ? 'in the initial pose' : `at keyframe ${JSON.stringify(keyframe)}`;
  if (contacts.length === 0) return `No contacts ${state}.\n`;
  const worst = contacts.reduce((least, { gap }) => Math.min(least, gap), Infinity);
  const depth = worst < 0 ? `the deepest ${formatNumber(-1000 * worst)} mm` : 'none penetrates';
  const count = `${contacts.length} contact${contacts.length > 1 ? 's' : ''}`;
  const rows = contacts.map((contact) => [
    labelShape(contact.shapeName1, contact.bodyName1, contact.shape1),
    labelShape(contact.shapeName2, contact.bodyName2, contact.shape2),
    ...formatForce(contact),
    formatTriple(contact.position),
    formatTriple(contact.normal),
  ]);
  const head = `${count} ${state}, ${depth}; ${describeForces(contacts, formulation)}`;
  return `${head}\n\n${formatColumns([HEADINGS, ...rows])}`;
}

/** Mode, gap and the two parts of the force. */
function formatForce(contact: Contact | ContactForce): string[] {
  const gap = formatFixed(1000 * contact.gap, 3);
  if (!isResolved(contact)) return ['-', gap, '-', '-'];
  const along = contact.normalForce;
  const across = Math.hypot(...contact.force.map((part, axis) => part - along * contact.normal[axis]!));
  return [contact.mode, gap, formatFixed(along, 3), formatFixed(across, 3)];
}

function describeForces(contacts: readonly (Contact | ContactForce)[], formulation: string): string {
  if (!contacts.every(isResolved)) return `${formulation} does not resolve contacts yet`;
  const sum = contacts.reduce((total, { normalForce }) => total + normalForce, 0);
  return `normal forces of ${formatNumber(sum)} N in all under ${formulation}`;
}

function isResolved(contact: Contact | ContactForce): contact is ContactForce {
  return 'normalForce' in contact;
}

/** `body/shape`; shapes without a name by their number. */
function labelShape(shape: string, body: string, index: number): string {
  return escapeName(`${body || '?'}/${shape || `#${index}`}`);
}

/** Numbers under each other. */
function formatTriple(values: readonly number[]): string {
  return values.map((value) => formatFixed(value, 4).padStart(8)).join(' ');
}

/** A number with some digits behind the point; rounding leaves no negative zero. */
function formatFixed(value: number, digits: number): string {
  return value.toFixed(digits).replace(/^-(0\.0+)$/, '$1');
}

/** Columns as wide as their widest cell, numbers to the right. */
function formatColumns(rows: readonly (readonly string[])[]): string {
  const widths = HEADINGS.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  return rows
    .map((row) => {
      const cells = row.map((cell, column) =>
        column < TEXTS ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!),
      );
      return `${cells.join('  ')}\n`;
    })
    .join('');
}
