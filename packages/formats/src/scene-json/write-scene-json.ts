import { NexdynError, type Scene } from '@nexdyn/engine';
import { compareFields } from './field-order.ts';

/** Longest line, where it can be kept. */
const LINE = 120;
/** Levels beyond this are not indented further, so that deep chains of bodies stay small. */
const DEEPEST_INDENT = 40;

/**
 * The scene as JSON text that people can read: fields in a fixed order, vectors and small objects on one line, long
 * lists of numbers wrapped. Numbers are written in the shortest form that reads back as the same double.
 */
export function writeSceneJson(scene: Scene): string {
  const parts: string[] = [];
  // values still to be written, last first: deeply nested scenes need no deep call stack
  const pending: (string | Task)[] = ['\n', { value: scene, depth: 0, column: 0, path: '' }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (typeof next === 'string') parts.push(next);
    else writeValue(next, parts, pending);
  }
  return parts.join('');
}

/** A value whose first character is at `column`; the lines that follow are indented by `depth`. */
interface Task {
  value: unknown;
  depth: number;
  column: number;
  path: string;
}

/** Writes a value, or its bracket and leaves the rest to `pending`. */
function writeValue({ value, depth, column, path }: Task, parts: string[], pending: (string | Task)[]): void {
  const flat =
    typeof value === 'object' && value !== null ? writeFlat(value, LINE - column, path) : writeScalar(value, path);
  if (flat !== undefined) {
    parts.push(flat);
    return;
  }
  const margin = `\n${indent(depth + 1)}`;
  const end = `\n${indent(depth)}`;
  if (!Array.isArray(value)) {
    parts.push('{');
    pending.push(`${end}}`);
    const fields = listFields(value as object);
    for (const [i, [key, content]] of [...fields.entries()].reverse()) {
      const name = `${margin}${JSON.stringify(key)}: `;
      pending.push({ value: content, depth: depth + 1, column: name.length, path: path ? `${path}.${key}` : key });
      pending.push(i ? `,${name}` : name);
    }
  } else if (value.every((item) => typeof item !== 'object')) {
    parts.push('[');
    wrapScalars(parts, value, margin, path);
    parts.push(end, ']');
  } else {
    parts.push('[');
    pending.push(`${end}]`);
    for (let i = value.length - 1; i >= 0; i--) {
      pending.push({ value: value[i], depth: depth + 1, column: margin.length, path: `${path}[${i}]` });
      pending.push(i ? `,${margin}` : margin);
    }
  }
}

/** A list or object on one line, or undefined where it is longer than `room` or holds lists of objects. */
function writeFlat(value: object, room: number, path: string): string | undefined {
  // every item takes at least three characters
  if (Array.isArray(value) && 3 * value.length > room) return undefined;
  const entries: [string, unknown][] = Array.isArray(value)
    ? value.map((item, i) => [`[${i}]`, item])
    : listFields(value).map(([key, content]) => [`.${key}`, content]);
  const words: string[] = [];
  let length = 4;
  for (const [key, content] of entries) {
    let text: string | undefined;
    if (typeof content !== 'object' || content === null) text = writeScalar(content, path + key);
    else if (Array.isArray(content) && content.some((item) => typeof item === 'object')) return undefined;
    else text = writeFlat(content, room - length, path + key);
    if (text === undefined) return undefined;
    words.push(Array.isArray(value) ? text : `${JSON.stringify(key.slice(1))}: ${text}`);
    length += words.at(-1)!.length + 2;
    if (length > room + 2) return undefined;
  }
  if (Array.isArray(value)) return `[${words.join(', ')}]`;
  return words.length ? `{ ${words.join(', ')} }` : '{}';
}

/** Scalars on as few lines as fit. */
function wrapScalars(parts: string[], items: unknown[], margin: string, path: string): void {
  let column = LINE;
  for (let i = 0; i < items.length; i++) {
    const text = writeScalar(items[i], `${path}[${i}]`) + (i + 1 < items.length ? ',' : '');
    if (column + 1 + text.length > LINE) {
      parts.push(margin);
      column = margin.length - 1;
    } else {
      parts.push(' ');
      column++;
    }
    parts.push(text);
    column += text.length;
  }
}

function writeScalar(value: unknown, path: string): string {
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) {
      throw new NexdynError('invalid-value', `${value} cannot be written`, {
        path: path.replace(/^\./, ''),
        hint: 'JSON has no NaN and no infinity; give a finite number',
      });
    }
    return Object.is(value, -0) ? '-0' : String(value);
  }
  return JSON.stringify(value) ?? 'null';
}

/** Fields that are there, in the order in which they are written. */
function listFields(value: object): [string, unknown][] {
  return Object.entries(value)
    .filter(([, content]) => content !== undefined)
    .sort(([a], [b]) => compareFields(a, b));
}

function indent(depth: number): string {
  return '  '.repeat(Math.min(depth, DEEPEST_INDENT));
}
