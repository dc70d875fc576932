// Writes docs/schema/scene.schema.json from the schema in the engine and the comments of the scene's interfaces, so that
// every field is described once, where it is declared. With --check it only compares.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { formatJson } from './compact-json.mjs';
import { putGeneratedFile, root } from './generated-file.mjs';
import { buildPackages } from './setup.mjs';

const sceneFolder = join(root, 'packages/engine/src/scene');
const descriptions = readDescriptions(sceneFolder);
// all parts of the engine, whose schemas come with them
buildPackages();
const { sceneJsonSchema } = await import('@nexdyn/engine');
const schema = sceneJsonSchema(descriptions);
reportSilence(schema.$defs);
putGeneratedFile(join(root, 'docs/schema/scene.schema.json'), formatJson(schema));

/** The comment of every interface, type and field: `{ 'Body': ..., 'Body.mocap': ... }`, inherited fields included. */
function readDescriptions(folder) {
  const found = {};
  const parents = {};
  for (const file of readdirSync(folder)) {
    if (!file.endsWith('.ts') || file.endsWith('.test.ts')) continue;
    readFile(readFileSync(join(folder, file), 'utf8'), found, parents);
  }
  for (const name of Object.keys(parents)) inherit(name, found, parents);
  return found;
}

/** Reads declarations that follow a comment; fields stand two spaces in. */
function readFile(text, found, parents) {
  const pattern =
    /(?:^ *\/\*\*(?<comment>(?:[^*]|\*(?!\/))*)\*\/\n)?^(?:export (?:interface (?<name>\w+)(?: extends (?<parents>[\w, ]+))?|type (?<type>\w+))| {2}(?<field>[\w$]+)\??:\s)/gm;
  let owner;
  for (const { groups } of text.matchAll(pattern)) {
    const comment = groups.comment
      ?.replace(/^ *\* ?/gm, '')
      .replace(/\s+/g, ' ')
      .trim();
    if (groups.name) parents[groups.name] = groups.parents?.trim().split(/, */) ?? [];
    if (groups.name || groups.type) owner = groups.name ?? groups.type;
    const key = groups.field ? `${owner}.${groups.field}` : owner;
    if (comment) found[key] = comment;
  }
}

/** Gives an interface the comments of the fields it inherits. */
function inherit(name, found, parents) {
  for (const parent of parents[name] ?? []) {
    inherit(parent, found, parents);
    for (const [key, comment] of Object.entries(found)) {
      if (key.startsWith(`${parent}.`)) found[`${name}${key.slice(parent.length)}`] ??= comment;
    }
  }
}

/** Fails where a part of the schema has no comment. */
function reportSilence(definitions) {
  for (const [name, definition] of Object.entries(definitions)) {
    if (!definition.description) throw new Error(`${name} has no comment`);
    if (definition.oneOf) continue;
    for (const [key, field] of Object.entries(definition.properties)) {
      if (!field.description && key !== 'kind') throw new Error(`${name}.${key} has no comment`);
    }
  }
}
