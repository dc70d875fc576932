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
  writeValue(parts, scene, 0, 0, '');
  parts.push('\n');
  return parts.join('');
}

/** Appends a value whose first character stands at `column`; lines that follow are indented by `depth`. */
function writeValue(parts: string[], value: unknown, depth: number, column: number, path: string): void {
  if (typeof value !== 'object' || value === null) {
    parts.push(writeScalar(value, path));
    return;
  }
  const flat = writeFlat(value, LINE - column, path);
  if (flat !== undefined) {
    parts.push(flat);
    return;
  }
  const margin = `\n${indent(depth + 1)}`;
  if (!Array.isArray(value)) {
    listFields(value).forEach(([key, content], i) => {
      const name = `${JSON.stringify(key)}: `;
      parts.push(i ? ',' : '{', margin, name);
      writeValue(parts, content, depth + 1, margin.length + name.length, path ? `${path}.${key}` : key);
    });
    parts.push('\n', indent(depth), '}');
  } else if (value.every((item) => typeof item !== 'object')) {
    parts.push('[');
    wrapScalars(parts, value, margin, path);
    parts.push('\n', indent(depth), ']');
  } else {
    value.forEach((item, i) => {
      parts.push(i ? ',' : '[', margin);
      writeValue(parts, item, depth + 1, margin.length, `${path}[${i}]`);
    });
    parts.push('\n', indent(depth), ']');
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
