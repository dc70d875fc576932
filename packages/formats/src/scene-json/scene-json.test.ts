import { type JsonSchema, type Scene, sceneJsonSchema } from '@nexdyn/engine';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { longTest, takeSamples } from '../../../../scripts/long-run.ts';
import { memoryFiles } from '../file-source.ts';
import { arbitraryScene } from './arbitrary-scene.ts';
import { compareFields } from './field-order.ts';
import { parseJson } from './json-text.ts';
import { parseSceneJson } from './parse-scene-json.ts';
import { readSceneJson } from './read-scene-json.ts';
import { writeSceneJson } from './write-scene-json.ts';

const EMPTY: Scene = { format: 'nexdyn-scene', version: 1 };

describe('round trip', () => {
  test('random scenes survive exactly', () => {
    fc.assert(
      fc.property(arbitraryScene, (scene) => {
        expect(parseSceneJson(writeSceneJson(scene), 's.json')).toStrictEqual(scene);
      }),
      { numRuns: takeSamples(300, 0.1) },
    );
  });

  test('random values of every field of the schema survive exactly', () => {
    const schema = sceneJsonSchema();
    fc.assert(
      fc.property(arbitraryOf(schema, schema.$defs as Record<string, JsonSchema>), (value) => {
        expect(parseJson(writeSceneJson(value as Scene), 's.json')).toStrictEqual(value);
      }),
      { numRuns: takeSamples(300, 0.1) },
    );
  });

  test('the text does not depend on the order of the fields', () => {
    const shuffle = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(shuffle);
      if (typeof value !== 'object' || value === null) return value;
      return Object.fromEntries(
        Object.entries(value)
          .reverse()
          .map(([key, content]) => [key, shuffle(content)]),
      );
    };
    fc.assert(
      fc.property(arbitraryScene, (scene) => {
        expect(writeSceneJson(shuffle(scene) as Scene)).toBe(writeSceneJson(scene));
      }),
      { numRuns: takeSamples(50, 0.3) },
    );
  });

  test('4,000 bodies in a chain', () => {
    const scene: Scene = { ...EMPTY, bodies: [] };
    let bodies = scene.bodies!;
    for (let i = 0; i < 4000; i++) {
      const below: Scene['bodies'] = [];
      bodies.push({ name: `b${i}`, joints: [{ kind: 'hinge' }], bodies: below });
      bodies = below!;
    }
    const text = writeSceneJson(scene);
    expect(writeSceneJson(parseSceneJson(text, 's.json'))).toBe(text);
    expect(text).toContain('"b3999"');
    expect(text.length).toBeLessThan(4000 * 1000);
  });

  longTest('a list of a million numbers', () => {
    const control = Array.from({ length: 1_000_000 }, (_, i) => i / 7);
    const text = writeSceneJson({ ...EMPTY, keyframes: [{ control }] });
    expect((parseJson(text, '') as Scene).keyframes![0].control).toEqual(control);
  });
});

describe('text', () => {
  test('is laid out for people', () => {
    const scene: Scene = {
      bodies: [
        {
          shapes: [{ halfSize: [0.1, 0.2, 0.30000000000000004], kind: 'box' }],
          joints: [{ axis: [0, -0, 1], kind: 'hinge', name: 'swing' }],
          position: [0, 0, 1],
          name: 'arm',
        },
      ],
      meshes: [{ name: 'm', vertices: Array.from({ length: 60 }, (_, i) => i / 8) }],
      version: 1,
      options: { gravity: [0, 0, -9.81], timestep: 1e-3 },
      format: 'nexdyn-scene',
    };
    expect(writeSceneJson(scene)).toMatchInlineSnapshot(`
      "{
        "format": "nexdyn-scene",
        "version": 1,
        "options": { "timestep": 0.001, "gravity": [0, 0, -9.81] },
        "meshes": [
          {
            "name": "m",
            "vertices": [
              0, 0.125, 0.25, 0.375, 0.5, 0.625, 0.75, 0.875, 1, 1.125, 1.25, 1.375, 1.5, 1.625, 1.75, 1.875, 2, 2.125, 2.25,
              2.375, 2.5, 2.625, 2.75, 2.875, 3, 3.125, 3.25, 3.375, 3.5, 3.625, 3.75, 3.875, 4, 4.125, 4.25, 4.375, 4.5,
              4.625, 4.75, 4.875, 5, 5.125, 5.25, 5.375, 5.5, 5.625, 5.75, 5.875, 6, 6.125, 6.25, 6.375, 6.5, 6.625, 6.75,
              6.875, 7, 7.125, 7.25, 7.375
            ]
          }
        ],
        "bodies": [
          {
            "name": "arm",
            "position": [0, 0, 1],
            "joints": [{ "kind": "hinge", "name": "swing", "axis": [0, -0, 1] }],
            "shapes": [{ "kind": "box", "halfSize": [0.1, 0.2, 0.30000000000000004] }]
          }
        ]
      }
      "
    `);
  });

  test('every field of a scene has its place in the order', () => {
    // the knobs of each formulation follow in alphabetical order; everything else has been thought about
    const definitions = Object.entries(sceneJsonSchema().$defs as Record<string, JsonSchema>);
    const fields = definitions
      .filter(([name]) => !/Options|Rules|Override|Medium|Parameters$/.test(name))
      .flatMap(([, schema]) => Object.keys((schema.properties ?? {}) as object));
    expect(fields.length).toBeGreaterThan(100);
    expect(fields.filter((field) => compareFields(field, '') > 0)).toEqual([]);
  });

  test('a number that JSON does not have is an error with its path', () => {
    const scene: Scene = { ...EMPTY, bodies: [{ position: [0, Number.NaN, 0] }] };
    expect(() => writeSceneJson(scene)).toThrow(
      expect.objectContaining({ code: 'invalid-value', path: 'bodies[0].position[1]' }),
    );
    const flat: Scene = { ...EMPTY, options: { timestep: 1 / 0 } };
    expect(() => writeSceneJson(flat)).toThrow(expect.objectContaining({ path: 'options.timestep' }));
  });
});

describe('errors name the place in the file', () => {
  const read = (text: string): unknown => readSceneJson('a/s.json', { files: memoryFiles({ 'a/s.json': text }) });
  const head = '{\n  "format": "nexdyn-scene",\n  "version": 1';
  const cases: [name: string, text: string, code: string, line: number, column: number, path: string | undefined][] = [
    [
      'wrong type',
      `${head},\n  "bodies": [{ "joints": [{ "kind": "hinge", "axis": 3 }] }]\n}`,
      'invalid-value',
      4,
      54,
      'bodies[0].joints[0].axis',
    ],
    [
      'zero axis',
      `${head},\n  "bodies": [{ "joints": [{ "kind": "hinge",\n "axis": [0, 0, 0] }] }]\n}`,
      'invalid-value',
      5,
      10,
      'bodies[0].joints[0].axis',
    ],
    [
      'unknown field',
      `${head},\n  "bodies": [{ "possition": [0, 0, 1] }]\n}`,
      'unknown-field',
      4,
      16,
      'bodies[0].possition',
    ],
    ['missing field', `${head},\n  "shapes": [{ "kind": "sphere" }]\n}`, 'missing-value', 4, 14, 'shapes[0].radius'],
    ['unknown kind', `${head},\n  "shapes": [{ "kind": "ball" }]\n}`, 'invalid-value', 4, 24, 'shapes[0].kind'],
    [
      'negative mass',
      `${head},\n  "shapes": [{ "kind": "sphere", "radius": 1, "mass": -1 }]\n}`,
      'invalid-value',
      4,
      55,
      'shapes[0].mass',
    ],
    [
      'unknown material',
      `${head},\n  "shapes": [{ "kind": "sphere", "radius": 1, "material": "x" }]\n}`,
      'unknown-reference',
      4,
      59,
      'shapes[0].material',
    ],
    [
      'duplicate name',
      `${head},\n  "bodies": [{ "name": "a" },\n    { "name": "a" }]\n}`,
      'duplicate-name',
      5,
      15,
      'bodies[1].name',
    ],
    ['not a scene', '[]', 'invalid-value', 1, 1, undefined],
    ['another format', '{ "format": "gltf", "version": 1 }', 'invalid-value', 1, 13, 'format'],
    ['a later version', '{ "format": "nexdyn-scene", "version": 2 }', 'invalid-value', 1, 40, 'version'],
    ['duplicate field', `${head},\n  "version": 1\n}`, 'malformed-json', 4, 3, undefined],
    ['syntax', `${head},\n}`, 'malformed-json', 4, 1, undefined],
    ['null for a number', `${head},\n  "options": { "timestep": null }\n}`, 'invalid-value', 4, 28, 'options.timestep'],
  ];
  test.each(cases)('%s', (_name, text, code, line, column, path) => {
    expect(() => read(text)).toThrow(
      expect.objectContaining({ name: 'NexdynError', code, file: 'a/s.json', line, column, path }),
    );
  });

  test('a file that is not there, and one that is not text', () => {
    const files = memoryFiles({ 'b.json': Uint8Array.from([0x7b, 0xff, 0x7d]) });
    expect(() => readSceneJson('a.json', { files })).toThrow(expect.objectContaining({ code: 'file-not-found' }));
    expect(() => readSceneJson('b.json', { files })).toThrow(expect.objectContaining({ code: 'malformed-json' }));
  });

  test('a byte order mark is not an error', () => {
    const files = memoryFiles({ 's.json': `\ufeff${head}}` });
    expect(readSceneJson('s.json', { files }).scene).toEqual(EMPTY);
  });
});

/** Values that fit a JSON schema in structure: types and fields, not references. */
function arbitraryOf(schema: JsonSchema, definitions: Record<string, JsonSchema>, depth = 0): fc.Arbitrary<unknown> {
  if (typeof schema.$ref === 'string') {
    return arbitraryOf(definitions[schema.$ref.replace('#/$defs/', '')], definitions, depth + 1);
  }
  if ('const' in schema) return fc.constant(schema.const);
  if (Array.isArray(schema.enum)) return fc.constantFrom(...schema.enum);
  const choices = (schema.oneOf ?? schema.anyOf) as JsonSchema[] | undefined;
  if (choices && !schema.type) return fc.oneof(...choices.map((choice) => arbitraryOf(choice, definitions, depth)));
  switch (schema.type) {
    case 'object': {
      const fields = Object.entries(schema.properties as Record<string, JsonSchema>);
      // deep in the tree only what must be there
      const required = (schema.required ?? []) as string[];
      const kept = depth > 4 ? fields.filter(([key]) => required.includes(key)) : fields;
      const model = Object.fromEntries(kept.map(([key, field]) => [key, arbitraryOf(field, definitions, depth)]));
      return fc.record(model, { requiredKeys: required, noNullPrototype: true });
    }
    case 'array':
      return fc.array(arbitraryOf(schema.items as JsonSchema, definitions, depth + 1), { maxLength: 3 });
    case 'string':
      return fc.string({ unit: 'binary', maxLength: 6 });
    case 'boolean':
      return fc.boolean();
    case 'integer':
      return fc.integer();
    case 'number':
      return fc.double({ noNaN: true, noDefaultInfinity: true });
    default:
      throw new Error(`no values for ${JSON.stringify(schema)}`);
  }
}
