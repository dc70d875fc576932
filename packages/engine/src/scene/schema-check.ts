import { NexdynError } from '../error.ts';
import { formatPath, type Place } from './place.ts';
import type { NumberNode, NumbersNode, ObjectNode, SchemaNode, TaggedNode } from './schema.ts';
import { suggestRegistered, suggestSpelling } from './spelling.ts';

/** Length below which a direction has none. */
const SHORTEST_DIRECTION = 1e-14;

/** How values are written. */
const WRITTEN: ReadonlyMap<string, string> = /* @__PURE__ */ new Map([
  ['text', 'write it in double quotes'],
  ['true or false', 'write true or false, without quotes'],
  ['a list', 'write it in [ ]'],
  ['a list of numbers', 'write it as [1, 2, 3]'],
  ['an object', 'write it in { }'],
  ['a finite number', 'write it as 0.5, -1 or 2e-3'],
]);

/** A recursive part that waits for its turn, so that deep values need no deep stack. */
interface Pending {
  node: SchemaNode;
  value: unknown;
  place: Place | undefined;
}

/** Raises an error with the path of the first value that does not fit the schema. */
export function checkSchema(schema: SchemaNode, value: unknown, place?: Place): void {
  const pending: Pending[] = [{ node: schema, value, place }];
  for (let next = pending.pop(); next; next = pending.pop()) checkNode(next.node, next.value, next.place, pending);
}

function checkNode(node: SchemaNode, value: unknown, place: Place | undefined, pending: Pending[]): void {
  switch (node.type) {
    case 'number':
      if (!isWithin(value, node.bounds)) failNumber(value, node.bounds, place);
      return;
    case 'numbers':
      checkNumbers(node, value, place);
      return;
    case 'string':
      if (typeof value !== 'string') failType('text', value, place);
      if (value.length < node.minimumLength) fail('must not be empty', place, 'leave the field out or give a name');
      return;
    case 'boolean':
      if (typeof value !== 'boolean') failType('true or false', value, place);
      return;
    case 'choice':
      if (!node.values.includes(value as string | number)) failChoice(node.values, value, place, node.addedBy);
      return;
    case 'array':
      if (!Array.isArray(value)) failType('a list', value, place);
      checkLength(value.length, node.minimumLength, Infinity, place);
      for (let i = 0; i < value.length; i++) checkNode(node.items, value[i], { parent: place, key: i }, pending);
      return;
    case 'object':
      checkObject(node, value, place, pending);
      return;
    case 'tagged':
      checkNode(selectMember(node, value, place), value, place, pending);
      return;
    case 'reference':
      pending.push({ node: node.target(), value, place });
  }
}

function checkObject(node: ObjectNode, value: unknown, place: Place | undefined, pending: Pending[]): void {
  if (!isObject(value)) failType('an object', value, place);
  const unknown = node.isOpen ? undefined : Object.keys(value).find((key) => !node.fields.has(key));
  // a field that is there but undefined counts as absent, as it does in JSON
  for (const [key, field] of node.fields) {
    const content = Object.hasOwn(value, key) ? value[key] : undefined;
    if (content !== undefined) checkNode(field.schema, content, { parent: place, key }, pending);
    else if (!field.optional) {
      // a misspelt name says more than the one that is missing
      if (unknown !== undefined) failField(node, unknown, place);
      throw new NexdynError('missing-value', 'is missing', {
        path: formatPath({ parent: place, key }),
        hint: `add '${key}'${describeKind(field.schema)}`,
      });
    }
  }
  if (node.isOpen) checkDepth(value, place);
  if (unknown !== undefined) failField(node, unknown, place);
}

/** Fields that shapes have and soft bodies take from their material. */
const OF_MATERIALS = /^(friction|stiffness|dissipation|restitution)$/;

function failField(node: ObjectNode, key: string, place: Place | undefined): never {
  const reason = `is not a field of ${node.name ?? 'this object'}`;
  const isOfMaterial = node.fields.has('material') && OF_MATERIALS.test(key);
  const hint = isOfMaterial
    ? `name a material of the scene in 'material', and give it '${key}'`
    : suggestSpelling(key, listFields(node), 'its fields');
  throw new NexdynError('unknown-field', reason, { path: formatPath({ parent: place, key }), hint });
}

/** Names of fields, those that must be there first: they say what the object is. */
function listFields({ fields }: ObjectNode): string[] {
  const names = [...fields.keys()];
  return [
    ...names.filter((name) => !fields.get(name)!.optional),
    ...names.filter((name) => fields.get(name)!.optional),
  ];
}

/** Deepest nesting of values that the schema does not know. */
const DEEPEST_VALUE = 100;

/** Refuses values so deep that copying them would need a deep stack. */
function checkDepth(value: object, place: Place | undefined): void {
  let level: object[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > DEEPEST_VALUE) fail(`is nested more than ${DEEPEST_VALUE} deep`, place, 'use fewer levels');
    level = level.flatMap((part) => Object.values(part).filter((inner) => typeof inner === 'object' && inner !== null));
  }
}

/** What a field holds, in words that follow its name. */
function describeKind({ type }: SchemaNode): string {
  if (type === 'number') return ', a number';
  if (type === 'numbers') return ', a list of numbers';
  if (type === 'string') return ', a text';
  return type === 'array' ? ', a list' : '';
}

/** The member of a tagged union that the value says it is. */
function selectMember(node: TaggedNode, value: unknown, place: Place | undefined): ObjectNode {
  if (!isObject(value)) failType('an object', value, place);
  const kind = Object.hasOwn(value, 'kind') ? value['kind'] : undefined;
  const kindPlace = { parent: place, key: 'kind' };
  if (kind === undefined) {
    const hint = `kinds: ${[...node.members.keys()].map((known) => `'${known}'`).join(', ')}`;
    throw new NexdynError('missing-value', 'is missing', { path: formatPath(kindPlace), hint });
  }
  const member = typeof kind === 'string' ? node.members.get(kind) : undefined;
  return member ?? failChoice([...node.members.keys()], kind, kindPlace, node.addedBy);
}

function checkNumbers({ bounds, list }: NumbersNode, value: unknown, place: Place | undefined): void {
  if (!Array.isArray(value)) failType('a list of numbers', value, place);
  if (Array.isArray(value[0])) {
    const hint = 'write the numbers one after the other, without inner brackets: [0, 0, 0, 1, 0, 0]';
    fail('must be one flat list of numbers, but its first item is a list', place, hint);
  }
  checkLength(value.length, list.minimumLength, list.maximumLength, place);
  for (let i = 0; i < value.length; i++) {
    if (!isWithin(value[i], bounds)) failNumber(value[i], bounds, { parent: place, key: i });
  }
  const all: number[] = value;
  if (list.nonzero && Math.hypot(...all) < SHORTEST_DIRECTION)
    fail('must not be zero', place, 'give a direction, as in [0, 0, 1]');
  if (list.sameSign && all.some((n) => n > 0) && !all.every((n) => n > 0)) {
    fail('must be all above 0, or none', place, 'one sign chooses the meaning of all of them');
  }
  if (list.order !== 'any') checkOrder(list.order, all, place);
}

function checkOrder(order: 'increasing' | 'nondecreasing', list: number[], place: Place | undefined): void {
  for (let i = 1; i < list.length; i++) {
    const before = list[i - 1];
    if (list[i] > before || (order === 'nondecreasing' && list[i] === before)) continue;
    const relation = order === 'increasing' ? 'above' : 'at or above';
    const found = `but ${list[i]} follows ${before}`;
    const hint = 'write the smaller number first';
    if (list.length === 2) fail(`the second number must be ${relation} the first, ${found}`, place, hint);
    fail(`each number must be ${relation} the one before, ${found}`, { parent: place, key: i }, 'put them in order');
  }
}

function checkLength(length: number, minimum: number, maximum: number, place: Place | undefined): void {
  if (length >= minimum && length <= maximum) return;
  const wanted = minimum === maximum ? `${minimum}` : length < minimum ? `at least ${minimum}` : `at most ${maximum}`;
  fail(
    `must have ${wanted} ${wanted.endsWith(' 1') ? 'item' : 'items'}, but has ${length}`,
    place,
    length < minimum ? 'add what is missing' : 'remove what is too much',
  );
}

function isWithin(value: unknown, bounds: NumberNode['bounds']): value is number {
  // NaN fails every comparison, and infinities fail the open bounds, which are infinite at most
  return (
    typeof value === 'number' &&
    value > bounds.exclusiveMinimum &&
    value < bounds.exclusiveMaximum &&
    value >= bounds.minimum &&
    value <= bounds.maximum &&
    (!bounds.integer || Number.isInteger(value))
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function failNumber(value: unknown, bounds: NumberNode['bounds'], place: Place | undefined): never {
  if (typeof value !== 'number' || !Number.isFinite(value)) failType('a finite number', value, place);
  const rules = [
    bounds.integer && 'whole',
    Number.isFinite(bounds.minimum) && `at least ${bounds.minimum}`,
    Number.isFinite(bounds.exclusiveMinimum) && `above ${bounds.exclusiveMinimum}`,
    Number.isFinite(bounds.maximum) && `at most ${bounds.maximum}`,
    Number.isFinite(bounds.exclusiveMaximum) && `below ${bounds.exclusiveMaximum}`,
  ];
  fail(
    `must be ${rules.filter((rule) => rule).join(' and ')}, but is ${value}`,
    place,
    bounds.hint || 'the page of scenes tells the unit and the range of each field',
  );
}

function failChoice(
  values: readonly (string | number)[],
  value: unknown,
  place: Place | undefined,
  addedBy: string | undefined,
): never {
  const known = values.map((choice) => (typeof choice === 'string' ? `'${choice}'` : `${choice}`)).join(', ');
  const suggest = (word: string): string =>
    addedBy === undefined
      ? suggestSpelling(word, values.map(String), 'allowed values')
      : suggestRegistered(word, values.map(String), 'allowed values', addedBy);
  const hint = typeof value === 'string' ? suggest(value) : `allowed values: ${known}`;
  fail(`${values.length === 1 ? `must be ${known}` : 'is not an allowed value'}: ${formatValue(value)}`, place, hint);
}

function failType(expected: string, value: unknown, place: Place | undefined): never {
  // JSON writes NaN and infinities as null
  const hint =
    value === null && expected.includes('number')
      ? 'null often stands for a NaN that was saved as JSON'
      : (WRITTEN.get(expected) ?? `give ${expected}`);
  fail(`must be ${expected}, but is ${formatValue(value)}`, place, hint);
}

function fail(reason: string, place: Place | undefined, hint: string): never {
  throw new NexdynError('invalid-value', reason, { path: formatPath(place), hint });
}

function formatValue(value: unknown): string {
  if (typeof value === 'string') return `'${value.length > 40 ? `${value.slice(0, 40)}...` : value}'`;
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object' && value !== null) return 'an object';
  return typeof value === 'function' ? 'a function' : String(value);
}
