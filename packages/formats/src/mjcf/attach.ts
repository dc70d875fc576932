/** <attach>: a body, a frame or the whole of another model, with everything that refers to it. */
import type { XmlElement } from '../xml/xml.ts';
import { findSetting, locate, readText, requireText, settingsOf } from './attributes.ts';
import type { Scope } from './body.ts';
import {
  addCopies,
  addLooks,
  copyContent,
  copyReferring,
  countCopies,
  measureState,
  pourContent,
  REFERRING_LISTS,
  referringList,
  reportCut,
  translateState,
} from './copy.ts';
import { fail, suggestName, suggestWord } from './failure.ts';
import { type OpenBody, openBody, type Reading } from './reading.ts';
import { collectNames, listReferences, refersTo } from './references.ts';
import { checkAttributes } from './schema.ts';
import { copySkin } from './skin.ts';

/** Attaches what an element names; all names get its prefix. */
export function attachModel(element: XmlElement, scope: Scope, reading: Reading): void {
  checkAttributes(element);
  const settings = settingsOf(element);
  const prefix = findSetting(settings, 'prefix');
  if (!prefix)
    fail('missing-value', element, "<attach> needs the attribute 'prefix'", 'write prefix="..."; it may be empty');
  const rename = (name: string): string => prefix.value + name;
  const source = findSource(element, reading);
  const content = findContent(element, source);
  checkFreeJoints(content, element, scope);
  countCopies(content, 1, element, reading);
  const names = collectNames(content);
  const own = source === reading;
  const copy = copyContent(content, rename, own ? (name) => name : rename, reading);
  // skins of this model are read after its bodies
  if (own) reading.ownCopies.push({ bodies: names.body, rename });
  else {
    copyAssets(content, rename, source, reading);
    copySkins(names.body, rename, source, reading);
  }
  for (const object of copy.map.values()) reading.attached.add(object);

  for (const list of REFERRING_LISTS) {
    const target = referringList(reading.part, list);
    addLooks(referringList(source.part, list).length, element, reading);
    for (const member of [...referringList(source.part, list)]) {
      if (refersTo(member, names)) addCopies(1, element, reading);
      const outcome = copyReferring(member, names, [rename], reading);
      if (outcome.kind === 'cut') reportCut(member, reading);
      if (outcome.kind !== 'copied') continue;
      // from another model, nothing outside can come along
      const complete = own || listOutside(member, names) === 0;
      if (!complete) {
        reportCut(member, reading);
        continue;
      }
      if (!own) bringMesh(outcome.copies[0]!, rename, source, reading);
      target.push(outcome.copies[0] as never);
      copy.map.set(member, outcome.copies[0]!);
      reading.attached.add(outcome.copies[0]!);
    }
  }
  if (!own) {
    for (const state of source.part.keyframes) {
      addLooks(measureState(state), element, reading);
      const name = state.name === undefined ? undefined : rename(state.name);
      reading.part.keyframes.push(translateState(state, copy.map, false, name));
    }
  }
  pourContent(copy.content, scope.body, scope.frame);
}

function listOutside(member: Parameters<typeof copyReferring>[0], names: ReturnType<typeof collectNames>): number {
  return listReferences(member).filter(
    ({ space, name }) => !names[space].has(name) && !(space === 'body' && name === 'world'),
  ).length;
}

function findSource(element: XmlElement, reading: Reading): Reading {
  const settings = settingsOf(element);
  const model = readText(settings, 'model');
  if (model === undefined) {
    if (findSetting(settings, 'body') || findSetting(settings, 'frame')) return reading;
    fail(
      'missing-value',
      element,
      "<attach> needs 'model', or the 'body' or 'frame' of this model to copy",
      'write model="..."',
    );
  }
  const source = reading.models.get(requireText(settings, 'model'));
  if (!source) {
    const hint = suggestWord(model, reading.models.keys()) ?? 'add <model name="..." file="..."/> to <asset>';
    fail('unknown-reference', locate(settings, 'model'), `there is no model '${model}'`, hint);
  }
  return source;
}

function findContent(element: XmlElement, source: Reading): OpenBody {
  const settings = settingsOf(element);
  const body = readText(settings, 'body');
  const frame = readText(settings, 'frame');
  if (body !== undefined && frame !== undefined) {
    fail('invalid-value', locate(settings, 'frame'), "'body' and 'frame' exclude each other", 'keep one of them');
  }
  if (frame !== undefined) {
    const content = source.frames.get(frame);
    if (content) return content;
    fail(
      'unknown-reference',
      locate(settings, 'frame'),
      `there is no frame '${frame}'`,
      suggestName(frame, source.frames.keys(), 'frames'),
    );
  }
  if (body === undefined) return source.part.world;
  const found = findBody(source.part.world, body);
  if (!found) {
    const hint = suggestName(body, collectNames(source.part.world).body, 'bodies');
    fail('unknown-reference', locate(settings, 'body'), `there is no body '${body}'`, hint);
  }
  return { ...openBody(), bodies: [found] };
}

function findBody(parent: OpenBody, name: string): OpenBody | undefined {
  for (const child of parent.bodies) {
    const found = child.name === name ? child : findBody(child, name);
    if (found) return found;
  }
  return undefined;
}

function checkFreeJoints(content: OpenBody, element: XmlElement, scope: Scope): void {
  const topLevel = scope.topLevel && scope.role !== 'body';
  if (topLevel || !content.bodies.some((body) => body.joints.some((joint) => joint.kind === 'free'))) return;
  fail(
    'invalid-joint',
    element,
    'what is attached has a free joint and would not be a child of the world',
    'attach it in <worldbody>',
  );
}

/** Meshes, height fields and signed-distance fields that are used come along. */
function copyAssets(content: OpenBody, rename: (name: string) => string, source: Reading, reading: Reading): void {
  const used = new Set<string>();
  const visit = (body: OpenBody): void => {
    for (const shape of body.shapes) {
      if (shape.appearance) used.add(`appearance ${shape.appearance}`);
      if ('mesh' in shape) used.add(`mesh ${shape.mesh}`);
      if ('heightField' in shape) used.add(`field ${shape.heightField}`);
      if ('field' in shape) used.add(`distance ${shape.field}`);
    }
    for (const { appearance } of body.sites) if (appearance) used.add(`appearance ${appearance}`);
    body.bodies.forEach(visit);
  };
  visit(content);
  copyAppearances(used, rename, source, reading);
  for (const { name } of source.part.meshes) if (used.has(`mesh ${name}`)) copyMesh(name, rename, source, reading);
  for (const field of source.part.heightFields) {
    const name = rename(field.name);
    if (!used.has(`field ${field.name}`) || reading.heightFields.has(name)) continue;
    const copy = { ...field, name };
    reading.heightFields.set(name, copy);
    reading.part.heightFields.push(copy);
  }
  const fields = reading.part.signedDistanceFields;
  for (const field of source.part.signedDistanceFields) {
    const name = rename(field.name);
    if (!used.has(`distance ${field.name}`) || fields.some((known) => known.name === name)) continue;
    fields.push({ ...field, name });
  }
}

function copyMesh(name: string, rename: (name: string) => string, source: Reading, reading: Reading): void {
  const mesh = source.meshes.get(name);
  if (!mesh || reading.meshes.has(rename(name))) return;
  const copy = { ...mesh, name: rename(name) };
  reading.meshes.set(copy.name, copy);
  reading.part.meshes.push(copy);
}

/** The mesh on which a sensor has its taxels comes along. */
function bringMesh(member: object, rename: (name: string) => string, source: Reading, reading: Reading): void {
  if (!('kind' in member && member.kind === 'meshTactile' && 'mesh' in member)) return;
  const name = member.mesh as string;
  copyMesh(name, rename, source, reading);
  member.mesh = rename(name);
}

/** Skins come along with the bodies that pull them. */
function copySkins(
  bodies: ReadonlySet<string>,
  rename: (name: string) => string,
  source: Reading,
  reading: Reading,
): void {
  for (const skin of source.part.skins) {
    const copy = copySkin(skin, bodies, rename, reading, source);
    if (!copy) continue;
    if (skin.appearance) {
      copyAppearances(new Set([`appearance ${skin.appearance}`]), rename, source, reading);
      copy.appearance = rename(skin.appearance);
    }
    reading.part.skins.push(copy);
  }
}

/** Appearances come with their textures. */
function copyAppearances(
  used: ReadonlySet<string>,
  rename: (name: string) => string,
  { part }: Reading,
  reading: Reading,
): void {
  for (const appearance of part.appearances) {
    const name = rename(appearance.name);
    if (!used.has(`appearance ${appearance.name}`) || reading.materials.has(name)) continue;
    reading.materials.set(name, appearance.color ?? [1, 1, 1, 1]);
    const copy = { ...appearance, name };
    reading.part.appearances.push(copy);
    if (appearance.texture === undefined) continue;
    copy.texture = rename(appearance.texture);
    const texture = part.textures.find((known) => known.name === appearance.texture);
    if (!texture || reading.textures.has(copy.texture)) continue;
    const copied = { ...texture, name: copy.texture };
    reading.textures.set(copy.texture, copied);
    reading.part.textures.push(copied);
  }
}
