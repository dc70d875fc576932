import { describe, expect, test } from 'vitest';
import { NexdynError } from '../error.ts';
import { publishSchema } from './json-schema.ts';
import { formatPath, placeBelow } from './place.ts';
import {
  array,
  boolean,
  type Fields,
  literal,
  name,
  number,
  numbers,
  object,
  oneOf,
  optional,
  reference,
  type Schema,
  type SchemaNode,
  string,
  tagged,
  vector,
} from './schema.ts';
import { checkSchema } from './schema-check.ts';
import { suggestSpelling } from './spelling.ts';

interface Leaf {
  kind: 'leaf';
  weight: number;
  tint?: [number, number, number];
}
interface Branch {
  kind: 'branch';
  label?: string;
  children: Tree[];
}
type Tree = Leaf | Branch;

const tree: Schema<Tree> = tagged<Tree>('Tree', {
  leaf: object<Leaf>(
    { kind: literal('leaf'), weight: number({ minimum: 0 }), tint: optional(vector(3, { minimum: 0, maximum: 1 })) },
    'Leaf',
  ),
  branch: object<Branch>(
    { kind: literal('branch'), label: optional(name()), children: array(reference(() => tree)) },
    'Branch',
  ),
});

function findFault(schema: SchemaNode, value: unknown): { code: string; path: string | undefined } | 'none' {
  try {
    checkSchema(schema, value);
  } catch (error) {
    if (error instanceof NexdynError) return { code: error.code, path: error.path };
    throw error;
  }
  return 'none';
}

function fault(code: string, path: string): { code: string; path: string } {
  return { code, path };
}

describe('a schema is as complete as its interface', () => {
  test('the compiler refuses missing, foreign and mistyped fields', () => {
    interface Sample {
      count: number;
      mode?: 'a' | 'b';
    }
    const complete: Fields<Sample> = { count: number(), mode: optional(oneOf('a', 'b')) };
    // @ts-expect-error the field mode is missing
    object<Sample>({ count: number() });
    // @ts-expect-error a required field cannot be optional
    object<Sample>({ ...complete, count: optional(number()) });
    // @ts-expect-error an optional field cannot be required
    object<Sample>({ ...complete, mode: oneOf('a', 'b') });
    // @ts-expect-error a choice is missing
    object<Sample>({ ...complete, mode: optional(oneOf('a')) });
    // @ts-expect-error a choice too many
    object<Sample>({ ...complete, mode: optional(oneOf('a', 'b', 'c')) });
    // @ts-expect-error another type
    object<Sample>({ ...complete, count: string() });
    // @ts-expect-error no such field
    object<Sample>({ count: number(), mode: optional(oneOf('a', 'b')), extra: number() });
    // @ts-expect-error a kind is missing
    tagged<Tree>('Tree', {
      leaf: object<Leaf>({ kind: literal('leaf'), weight: number(), tint: optional(vector(3)) }),
    });
    expect([...object<Sample>(complete).fields.keys()]).toEqual(['count', 'mode']);
  });
});

describe('checks name the place and the fault', () => {
  const leaf = { kind: 'leaf', weight: 1 };
  test.each<[string, unknown, ReturnType<typeof findFault>]>([
    ['a sound leaf', leaf, 'none'],
    ['a sound branch', { kind: 'branch', label: 'x', children: [leaf, { kind: 'branch', children: [] }] }, 'none'],
    ['an optional field that is undefined', { ...leaf, tint: undefined }, 'none'],
    ['not an object', 7, fault('invalid-value', '')],
    ['null', null, fault('invalid-value', '')],
    ['a list', [], fault('invalid-value', '')],
    ['no kind', { weight: 1 }, fault('missing-value', 'kind')],
    ['an unknown kind', { kind: 'leef', weight: 1 }, fault('invalid-value', 'kind')],
    ['a kind that is no text', { kind: 3 }, fault('invalid-value', 'kind')],
    ['an inherited kind', { kind: 'toString' }, fault('invalid-value', 'kind')],
    ['a missing field', { kind: 'leaf' }, fault('missing-value', 'weight')],
    ['a required field that is undefined', { kind: 'leaf', weight: undefined }, fault('missing-value', 'weight')],
    ['an unknown field', { ...leaf, wieght: 1 }, fault('unknown-field', 'wieght')],
    ['a field with an odd name', { ...leaf, 'a b': 1 }, fault('unknown-field', '["a b"]')],
    [
      'a field named like the prototype',
      JSON.parse('{"kind":"leaf","weight":1,"__proto__":{}}'),
      fault('unknown-field', '__proto__'),
    ],
    ['NaN', { kind: 'leaf', weight: Number.NaN }, fault('invalid-value', 'weight')],
    ['infinity', { kind: 'leaf', weight: Infinity }, fault('invalid-value', 'weight')],
    ['below the bound', { kind: 'leaf', weight: -1e-300 }, fault('invalid-value', 'weight')],
    ['a number as text', { kind: 'leaf', weight: '1' }, fault('invalid-value', 'weight')],
    ['too few numbers', { ...leaf, tint: [0, 1] }, fault('invalid-value', 'tint')],
    ['too many numbers', { ...leaf, tint: [0, 1, 0, 1] }, fault('invalid-value', 'tint')],
    ['a number out of bounds in a list', { ...leaf, tint: [0, 1, 1.5] }, fault('invalid-value', 'tint[2]')],
    // biome-ignore lint/suspicious/noSparseArray: the hole is the point
    ['a hole in a list', { ...leaf, tint: [0, , 1] }, fault('invalid-value', 'tint[1]')],
    ['an empty name', { kind: 'branch', label: '', children: [] }, fault('invalid-value', 'label')],
    ['a list that is none', { kind: 'branch', children: {} }, fault('invalid-value', 'children')],
    [
      'a fault deep inside',
      { kind: 'branch', children: [leaf, { kind: 'branch', children: [{ kind: 'leaf', weight: null }] }] },
      fault('invalid-value', 'children[1].children[0].weight'),
    ],
  ])('%s', (_, value, expected) => {
    expect(findFault(tree, value)).toEqual(expected);
  });

  test.each<[string, SchemaNode, unknown, string]>([
    ['whole numbers', number({ integer: true }), 1.5, 'must be whole, but is 1.5'],
    ['open bounds', number({ exclusiveMinimum: 0, exclusiveMaximum: 1 }), 1, 'must be above 0 and below 1, but is 1'],
    ['closed bounds', number({ minimum: 0, maximum: 1 }), 2, 'must be at least 0 and at most 1, but is 2'],
    ['NaN by name', number(), Number.NaN, 'must be a finite number, but is NaN'],
    ['minus infinity by name', number(), -Infinity, 'must be a finite number, but is -Infinity'],
    [
      'null in place of NaN',
      number(),
      null,
      'must be a finite number, but is null (null often stands for a NaN that was saved as JSON)',
    ],
    ['zero vectors', vector(3, { nonzero: true }), [0, 0, 0], 'must not be zero'],
    [
      'order of two',
      vector(2, { order: 'increasing' }),
      [1, 1],
      'the second number must be above the first, but 1 follows 1',
    ],
    [
      'order of many',
      numbers({ order: 'nondecreasing' }),
      [1, 1, 0],
      '[2]: each number must be at or above the one before, but 0 follows 1',
    ],
    [
      'signs',
      vector(2, { sameSign: true }),
      [1, 0],
      'must be all above 0, or none (one sign chooses the meaning of all of them)',
    ],
    ['length at least', numbers({ minimumLength: 1 }), [], 'must have at least 1 item, but has 0'],
    ['length at most', numbers({ maximumLength: 2 }), [1, 2, 3], 'must have at most 2 items, but has 3'],
    ['choices of numbers', oneOf(1, 3), 2, 'is not an allowed value: 2 (allowed values: 1, 3)'],
    ['choices of text', oneOf('euler', 'rk4'), 'eulr', "is not an allowed value: 'eulr' (did you mean 'euler'?)"],
    ['true or false', boolean(), 'true', "must be true or false, but is 'true'"],
    ['text', string(), ['x'], 'must be text, but is a list'],
  ])('message for %s', (_, schema, value, message) => {
    // the hint follows in brackets; every fault has one
    const [, reason, hint] = /^(.*?)(?: \((.*)\))?$/.exec(message)!;
    const expected = expect.stringContaining(`${reason} (${hint ?? ''}`);
    expect(() => checkSchema(schema, value)).toThrow(expect.objectContaining({ message: expected }));
  });

  test('deep values need no deep stack', () => {
    let value: unknown = { kind: 'leaf', weight: Number.NaN };
    for (let i = 0; i < 100_000; i++) value = { kind: 'branch', children: [value] };
    const found = findFault(tree, value);
    expect(found).toMatchObject({ code: 'invalid-value' });
    expect(found !== 'none' && found.path?.length).toBe('children[0].'.length * 100_000 + 'weight'.length);
  });
});

describe('JSON Schema', () => {
  test('of every construct', () => {
    const all = object<{
      a: number;
      b?: [number, number];
      c: Tree[];
      d: 'x' | 'y';
      e: number[];
      f: boolean;
      g: { h: string };
    }>(
      {
        a: number({ exclusiveMinimum: 0, integer: true }),
        b: optional(vector(2, { nonzero: true, sameSign: true, order: 'increasing' })),
        c: array(tree, 1),
        d: oneOf('x', 'y'),
        e: numbers({ maximum: 1 }),
        f: boolean(),
        g: object<{ h: string }>({ h: name() }),
      },
      'All',
    );
    const described = { All: 'Everything.', 'All.a': 'A count.', Tree: 'A tree.', 'Leaf.weight': 'kg.' };
    expect(publishSchema(all, 'Sample', described)).toEqual({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      title: 'Sample',
      $ref: '#/$defs/All',
      $defs: {
        All: {
          description: 'Everything.',
          type: 'object',
          properties: {
            a: { type: 'integer', exclusiveMinimum: 0, description: 'A count.' },
            b: {
              type: 'array',
              items: { type: 'number' },
              minItems: 2,
              maxItems: 2,
              not: { items: { const: 0 } },
              anyOf: [{ items: { exclusiveMinimum: 0 } }, { items: { maximum: 0 } }],
            },
            c: { type: 'array', items: { $ref: '#/$defs/Tree' }, minItems: 1 },
            d: { enum: ['x', 'y'] },
            e: { type: 'array', items: { type: 'number', maximum: 1 } },
            f: { type: 'boolean' },
            g: {
              type: 'object',
              properties: { h: { type: 'string', minLength: 1 } },
              required: ['h'],
              additionalProperties: false,
            },
          },
          required: ['a', 'c', 'd', 'e', 'f', 'g'],
          additionalProperties: false,
        },
        Tree: {
          description: 'A tree.',
          type: 'object',
          properties: { kind: { enum: ['leaf', 'branch'] } },
          required: ['kind'],
          oneOf: [{ $ref: '#/$defs/Leaf' }, { $ref: '#/$defs/Branch' }],
        },
        Leaf: {
          type: 'object',
          properties: {
            kind: { const: 'leaf' },
            weight: { type: 'number', minimum: 0, description: 'kg.' },
            tint: { type: 'array', items: { type: 'number', minimum: 0, maximum: 1 }, minItems: 3, maxItems: 3 },
          },
          required: ['kind', 'weight'],
          additionalProperties: false,
        },
        Branch: {
          type: 'object',
          properties: {
            kind: { const: 'branch' },
            label: { type: 'string', minLength: 1 },
            children: { type: 'array', items: { $ref: '#/$defs/Tree' } },
          },
          required: ['kind', 'children'],
          additionalProperties: false,
        },
      },
    });
  });
});

describe('paths and spelling', () => {
  test('a path reads as in JavaScript', () => {
    expect(formatPath(placeBelow(undefined, 'bodies', 2, 'joints', 0, 'axis', 1))).toBe('bodies[2].joints[0].axis[1]');
    expect(formatPath(placeBelow(undefined, 'a', 'b-c', '$d'))).toBe('a["b-c"].$d');
    expect(formatPath(undefined)).toBe('');
  });

  test.each([
    ['elbov', "did you mean 'elbow'?"],
    ['ELBOW', "did you mean 'elbow'?"],
    ['wirst', "did you mean 'wrist'?"],
    ['left_elbow', "joints: 'elbow', 'wrist'"],
    ['x', "joints: 'elbow', 'wrist'"],
  ])('%s', (word, hint) => {
    expect(suggestSpelling(word, ['elbow', 'wrist'], 'joints')).toBe(hint);
  });

  test('nothing to suggest, and too much', () => {
    expect(suggestSpelling('x', [], 'meshes')).toBe('there are no meshes');
    const many = Array.from({ length: 20 }, (_, i) => `long name ${i}`);
    expect(suggestSpelling('x', many, 'sites')).toMatch(/^sites: 'long name 0', .*'long name 11', and 8 more$/);
  });
});
