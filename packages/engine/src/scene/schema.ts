/**
 * A small language for the shape of JSON values. A schema is data; `schema-check.ts` tests values against it and
 * `json-schema.ts` publishes it. `Schema<T>` is tied to the interface it describes: `object<Body>({...})` compiles only
 * when every field of `Body` is listed with a schema of its type, so that a new field cannot be forgotten.
 */

/** What a schema is made of. */
export type SchemaNode =
  | NumberNode
  | NumbersNode
  | StringNode
  | BooleanNode
  | ChoiceNode
  | ArrayNode
  | ObjectNode
  | TaggedNode
  | ReferenceNode;

/** Bounds of a number; it is finite in any case. */
export interface NumberBounds {
  minimum?: number;
  exclusiveMinimum?: number;
  maximum?: number;
  exclusiveMaximum?: number;
  integer?: boolean;
  /** What to do where a number is outside; empty where there is no more to say than the bounds. */
  hint?: string;
}

/** What holds for a list of numbers as a whole. */
export interface ListBounds {
  minimumLength?: number;
  maximumLength?: number;
  /** Each number above the one before it, or not below it. */
  order?: 'increasing' | 'nondecreasing' | 'any';
  /** Not all of them zero. */
  nonzero?: boolean;
  /** All above zero, or none. */
  sameSign?: boolean;
}

/** Nodes hold every bound, infinite where there is none: one shape of object keeps the checks fast. */
export interface NumberNode {
  readonly type: 'number';
  readonly bounds: Readonly<Required<NumberBounds>>;
}
/** An array of numbers. */
export interface NumbersNode {
  readonly type: 'numbers';
  /** Bounds of each number. */
  readonly bounds: Readonly<Required<NumberBounds>>;
  readonly list: Readonly<Required<ListBounds>>;
}
/** A text. */
export interface StringNode {
  readonly type: 'string';
  readonly minimumLength: number;
}
/** True or false. */
export interface BooleanNode {
  readonly type: 'boolean';
}
/** One of several texts or numbers. */
export interface ChoiceNode {
  readonly type: 'choice';
  readonly values: readonly (string | number)[];
  /** The function that adds further values, if there is one. */
  readonly addedBy?: string;
}
/** A list of elements of one kind. */
export interface ArrayNode {
  readonly type: 'array';
  readonly items: SchemaNode;
  readonly minimumLength: number;
}
/** An object with named fields. */
export interface ObjectNode {
  readonly type: 'object';
  /** Name of the interface; none for objects written in place. */
  readonly name: string | undefined;
  readonly fields: ReadonlyMap<string, FieldNode>;
  /** Whether other fields are allowed. */
  readonly isOpen: boolean;
}
/** A field of an object: its node, and whether it may be absent. */
export interface FieldNode {
  readonly schema: SchemaNode;
  readonly optional: boolean;
}
/** One of several objects, distinguished by the field `kind`. */
export interface TaggedNode {
  readonly type: 'tagged';
  /** Name of the union. */
  readonly name: string;
  readonly members: ReadonlyMap<string, ObjectNode>;
  /** The function that adds further members, if there is one. */
  readonly addedBy?: string;
}
/** A schema that is still being defined: recursion. */
export interface ReferenceNode {
  readonly type: 'reference';
  readonly target: () => SchemaNode;
}

declare const described: unique symbol;

/** A schema whose values are exactly of type T. */
export type Schema<T> = SchemaNode & { readonly [described]?: (value: T) => T };

/** The schema of an object of type T. */
export type ObjectSchema<T> = ObjectNode & { readonly [described]?: (value: T) => T };

/** A field that may be absent. */
export interface OptionalField<T> {
  readonly optional: Schema<T>;
}

/** A schema for each field of T. */
export type Fields<T> = {
  readonly [K in keyof T]-?: Record<never, never> extends Pick<T, K>
    ? OptionalField<Exclude<T[K], undefined>>
    : Schema<T[K]>;
};

/** Tuples of numbers by length. */
export interface Vectors {
  2: [number, number];
  3: [number, number, number];
  4: [number, number, number, number];
  5: [number, number, number, number, number];
  6: [number, number, number, number, number, number];
}

const UNBOUNDED: Required<NumberBounds> = {
  minimum: -Infinity,
  exclusiveMinimum: -Infinity,
  maximum: Infinity,
  exclusiveMaximum: Infinity,
  integer: false,
  hint: '',
};

/** A finite number within bounds. */
export function number(bounds: NumberBounds = {}): Schema<number> {
  return { type: 'number', bounds: { ...UNBOUNDED, ...bounds } };
}

/** A list of finite numbers, each within the bounds. */
export function numbers(bounds: NumberBounds & ListBounds = {}): Schema<number[]> {
  const { minimumLength = 0, maximumLength = Infinity, order = 'any', nonzero = false, sameSign = false } = bounds;
  const { minimum, exclusiveMinimum, maximum, exclusiveMaximum, integer, hint } = { ...UNBOUNDED, ...bounds };
  return {
    type: 'numbers',
    bounds: { minimum, exclusiveMinimum, maximum, exclusiveMaximum, integer, hint },
    list: { minimumLength, maximumLength, order, nonzero, sameSign },
  };
}

/** A fixed count of finite numbers, each within the bounds. */
export function vector<N extends keyof Vectors>(count: N, bounds: NumberBounds & ListBounds = {}): Schema<Vectors[N]> {
  const node: SchemaNode = numbers({ ...bounds, minimumLength: count, maximumLength: count });
  return node;
}

/** Any text. */
export function string(): Schema<string> {
  return { type: 'string', minimumLength: 0 };
}

/** A name: text that is not empty. */
export function name(): Schema<string> {
  return { type: 'string', minimumLength: 1 };
}

/** true or false. */
export function boolean(): Schema<boolean> {
  return { type: 'boolean' };
}

/** One value and no other. */
export function literal<const V extends string | number>(value: V): Schema<V> {
  return { type: 'choice', values: [value] };
}

/** One of the given values. */
export function oneOf<const V extends string | number>(...values: V[]): Schema<V> {
  return { type: 'choice', values };
}

/** A list of items of one schema. */
export function array<T>(items: Schema<T>, minimumLength: number = 0): Schema<T[]> {
  return { type: 'array', items, minimumLength };
}

/** A field that may be absent. */
export function optional<T>(schema: Schema<T>): OptionalField<T> {
  return { optional: schema };
}

/** An object with these fields and no others; the name is that of its interface. */
export function object<T>(fields: Fields<T>, name?: string): ObjectSchema<T> {
  const entries = Object.entries(fields as Record<string, SchemaNode | OptionalField<unknown>>);
  const nodes = entries.map(([key, field]): [string, FieldNode] => [
    key,
    'optional' in field ? { schema: field.optional, optional: true } : { schema: field, optional: false },
  ]);
  return { type: 'object', name, fields: new Map(nodes), isOpen: false };
}

/** The same object with any other fields besides, which somebody else checks. */
export function openObject<T>(node: ObjectNode): ObjectSchema<T> {
  return { ...node, isOpen: true };
}

/** One of several objects, distinguished by the field `kind`. */
export function tagged<T extends { kind: string }>(
  name: string,
  members: { readonly [K in T['kind']]: ObjectSchema<Extract<T, { kind: K }>> },
): Schema<T> {
  return { type: 'tagged', name, members: new Map(Object.entries<ObjectNode>(members)) };
}

/** The same choice or union, to which users add by a function of this name. */
export function addedBy<T>(register: string, node: Schema<T>): Schema<T> {
  return { ...node, addedBy: register } as Schema<T>;
}

/** A schema defined further on, for values that contain their like. */
export function reference<T>(target: () => Schema<T>): Schema<T> {
  return { type: 'reference', target };
}
