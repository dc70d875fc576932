/** What may stand at a place of a scene's text, from its JSON schema. */
import { findContext } from './json-context.ts';
import { listValues, type SchemaNode, walkSchema } from './schema-walk.ts';

export interface Completion {
  /** What is offered. */
  label: string;
  /** What replaces the word that was typed. */
  insert: string;
  /** Where the caret stands then, from the start of what was inserted. */
  caret: number;
  description: string;
}

export interface Completions {
  start: number;
  options: Completion[];
}

const MOST = 60;

export function completeJson(schema: SchemaNode, text: string, caret: number): Completions {
  const context = findContext(text, caret);
  const node = walkSchema(schema, context.steps, context.rootKind);
  const typed = context.word.replace(/^"/, '').toLowerCase();
  const isMeant = ({ label }: Completion): boolean => label.toLowerCase().includes(typed);
  const all = node
    ? context.place === 'key'
      ? offerKeys(node, context.taken)
      : offerValues(schema, node, context)
    : [];
  const options = all.filter(isMeant);
  const begins = ({ label }: Completion): number => (label.toLowerCase().startsWith(typed) ? 0 : 1);
  return { start: context.start, options: options.sort((a, b) => begins(a) - begins(b)).slice(0, MOST) };
}

function offerKeys(node: SchemaNode, taken: readonly string[]): Completion[] {
  const { properties = {}, required = [] } = node;
  const keys = Object.keys(properties).filter((key) => !taken.includes(key));
  const rank = (key: string): number => (required.includes(key) ? 0 : 1);
  return keys
    .sort((a, b) => rank(a) - rank(b))
    .map((key) => {
      const insert = `"${key}": `;
      return { label: key, insert, caret: insert.length, description: properties[key]!.description ?? '' };
    });
}

function offerValues(
  schema: SchemaNode,
  node: SchemaNode,
  { key, steps, rootKind }: ReturnType<typeof findContext>,
): Completion[] {
  const below = walkSchema(schema, [...steps, { key, kind: undefined }], rootKind);
  const meant = key === undefined ? below : (below ?? node.properties?.[key]);
  if (!meant) return [];
  const values = listValues(meant).map((value) => offer(JSON.stringify(value), String(value), meant.description));
  const types = [meant.type].flat();
  if (types.includes('object') || (meant.properties && values.length === 0))
    values.push(offer('{  }', '{ }', meant.description, 2));
  if (types.includes('array')) values.push(offer('[]', '[ ]', meant.description, 1));
  return values;
}

function offer(insert: string, label: string, description = '', caret: number = insert.length): Completion {
  return { label, insert, caret, description };
}
