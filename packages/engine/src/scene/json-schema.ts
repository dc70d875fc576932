import { sceneSchema } from './scene-schema.ts';
import type { NumberNode, NumbersNode, ObjectNode, SchemaNode, TaggedNode } from './schema.ts';

/** A JSON Schema of draft 2020-12, as plain JSON. */
export type JsonSchema = { [keyword: string]: unknown };

/** What to say about interfaces (`Body`) and their fields (`Body.mocap`). */
export type SchemaDescriptions = Readonly<Record<string, string>>;

/** The JSON Schema of a scene, for completion and checks in editors. */
export function sceneJsonSchema(descriptions: SchemaDescriptions = {}): JsonSchema {
  return publishSchema(sceneSchema, 'NexDyn scene', descriptions);
}

/** The JSON Schema of any schema; named objects stand in `$defs`, once each. */
export function publishSchema(schema: SchemaNode, title: string, descriptions: SchemaDescriptions): JsonSchema {
  const definitions: JsonSchema = {};
  const root = publishNode(schema, { descriptions, definitions });
  return { $schema: 'https://json-schema.org/draft/2020-12/schema', title, ...root, $defs: definitions };
}

interface Publication {
  readonly descriptions: SchemaDescriptions;
  readonly definitions: JsonSchema;
}

function publishNode(node: SchemaNode, publication: Publication): JsonSchema {
  switch (node.type) {
    case 'number':
      return publishNumber(node.bounds);
    case 'numbers':
      return publishNumbers(node);
    case 'string':
      return { type: 'string', ...(node.minimumLength > 0 && { minLength: node.minimumLength }) };
    case 'boolean':
      return { type: 'boolean' };
    case 'choice':
      return node.values.length === 1 ? { const: node.values[0] } : { enum: node.values };
    case 'array': {
      const items = publishNode(node.items, publication);
      return { type: 'array', items, ...(node.minimumLength > 0 && { minItems: node.minimumLength }) };
    }
    case 'object':
      return define(node.name, () => publishObject(node, publication), publication);
    case 'tagged':
      return define(node.name, () => publishTagged(node, publication), publication);
    case 'reference':
      return publishNode(node.target(), publication);
  }
}

/** Publishes a named part once and refers to it; the entry is made first, so that a part may contain its like. */
function define(name: string | undefined, publish: () => JsonSchema, { definitions }: Publication): JsonSchema {
  if (name === undefined) return publish();
  if (!Object.hasOwn(definitions, name)) {
    definitions[name] = {};
    definitions[name] = publish();
  }
  return { $ref: `#/$defs/${name}` };
}

function publishObject(node: ObjectNode, publication: Publication): JsonSchema {
  const properties: JsonSchema = {};
  const required: string[] = [];
  for (const [key, field] of node.fields) {
    const description = publication.descriptions[`${node.name}.${key}`];
    properties[key] = { ...publishNode(field.schema, publication), ...(description && { description }) };
    if (!field.optional) required.push(key);
  }
  const description = publication.descriptions[node.name ?? ''];
  return {
    ...(description && { description }),
    type: 'object',
    properties,
    ...(required.length > 0 && { required }),
    additionalProperties: node.isOpen,
  };
}

function publishTagged(node: TaggedNode, publication: Publication): JsonSchema {
  const description = publication.descriptions[node.name];
  return {
    ...(description && { description }),
    type: 'object',
    properties: { kind: { enum: [...node.members.keys()] } },
    required: ['kind'],
    oneOf: [...new Set(node.members.values())].map((member) => publishNode(member, publication)),
  };
}

function publishNumber({ integer, ...bounds }: NumberNode['bounds']): JsonSchema {
  const finite = Object.entries(bounds).filter(([, bound]) => Number.isFinite(bound));
  return { type: integer ? 'integer' : 'number', ...Object.fromEntries(finite) };
}

function publishNumbers({ bounds, list }: NumbersNode): JsonSchema {
  // the order of numbers is beyond JSON Schema; `validateScene` checks it
  return {
    type: 'array',
    items: publishNumber(bounds),
    ...(list.minimumLength > 0 && { minItems: list.minimumLength }),
    ...(list.maximumLength < Infinity && { maxItems: list.maximumLength }),
    ...(list.nonzero && { not: { items: { const: 0 } } }),
    ...(list.sameSign && { anyOf: [{ items: { exclusiveMinimum: 0 } }, { items: { maximum: 0 } }] }),
  };
}
