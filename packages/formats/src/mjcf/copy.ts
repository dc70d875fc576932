/** Copies parts of a model under new names. */
import type { Actuator, Body, Camera, Joint, Light } from '@nexdyn/engine';
import { checkLimit } from '../limits.ts';
import { getPose, setPose } from './body.ts';
import { setDirection } from './camera.ts';
import { type Placed, placeOf } from './failure.ts';
import { composeFrames, type Frame, rotate, transformPoint } from './orientation.ts';
import type { OpenBody, Part, Reading, StoredState } from './reading.ts';
import { collectNames, listReferences, type Names, type Referring } from './references.ts';

/** How names change. */
export type Rename = (name: string) => string;

/** Originals and their copies. */
export type CopyMap = Map<object, object>;

/** Copies plain data. */
export function copyPlain<T>(value: T): T {
  if (Array.isArray(value)) return value.map(copyPlain) as T;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, copyPlain(entry)])) as T;
}

/** Throws where copying a region would make more objects than any model has; a few nested elements can ask for billions. */
export function countCopies(content: OpenBody, times: number, at: Placed, reading: Reading): void {
  const count = (body: OpenBody): number =>
    1 +
    body.joints.length +
    body.shapes.length +
    body.sites.length +
    body.cameras.length +
    body.lights.length +
    body.softBodies.reduce((sum, { vertexNames }) => sum + Object.keys(vertexNames).length, 0) +
    body.bodies.reduce((sum, b) => sum + count(b), 0);
  addCopies(count(content) * times, at, reading);
}

/** Looking through so many objects takes about as long as copying one. */
const LOOKS_PER_COPY = 5;

/** Counts objects that are looked through once more. */
export function addLooks(count: number, at: Placed, reading: Reading): void {
  addCopies(Math.floor(count / LOOKS_PER_COPY), at, reading);
}

/** Numbers of a keyframe, which are looked through with every copy. */
export function measureState(state: StoredState): number {
  const { positions, velocities, activations, controls, mocapPositions, mocapOrientations } = state;
  const maps = [positions, velocities, activations, controls, mocapPositions, mocapOrientations];
  return maps.reduce((sum, map) => sum + map.size, 0);
}

/** Throws where so many objects more would be too many copies. */
export function addCopies(count: number, at: Placed, reading: Reading): void {
  reading.copied.count += count;
  checkLimit(reading.copied.count, 'copies', reading.access.limits, 'copied objects', () => placeOf(at));
}

/** Copies everything inside a body; `renameAsset` is for meshes and height fields. */
export function copyContent(
  content: OpenBody,
  rename: Rename,
  renameAsset: Rename,
  reading: Reading,
): { content: OpenBody; map: CopyMap } {
  const map: CopyMap = new Map();
  const keep = <T extends object>(original: T, copy: T): T => {
    map.set(original, copy);
    const origin = reading.origins.get(original);
    if (origin) reading.origins.set(copy, origin);
    if (reading.weightless.has(original)) reading.weightless.add(copy);
    return copy;
  };
  const named = <T extends { name?: string }>(original: T): T => {
    const copy = copyPlain(original);
    if (copy.name) copy.name = rename(copy.name);
    return keep(original, copy);
  };
  // what is faced inside goes along, what is outside stays
  const inside = collectNames(content).body;
  const aimed = <T extends Camera | Light>(original: T): T => {
    const copy = named(original);
    if (copy.target !== undefined && inside.has(copy.target)) copy.target = rename(copy.target);
    return copy;
  };
  const dressed = <T extends { name?: string; appearance?: string }>(original: T): T => {
    const copy = named(original);
    if (copy.appearance !== undefined) copy.appearance = renameAsset(copy.appearance);
    return copy;
  };
  const visit = (body: OpenBody): OpenBody => {
    const { joints, shapes, sites, cameras, lights, bodies, softBodies, ...own } = body;
    const copy: OpenBody = {
      ...copyPlain(own),
      joints: joints.map(named),
      shapes: shapes.map((shape) => {
        const copied = dressed(shape);
        if ('mesh' in copied) copied.mesh = renameAsset(copied.mesh);
        if ('heightField' in copied) copied.heightField = renameAsset(copied.heightField);
        if ('field' in copied) copied.field = renameAsset(copied.field);
        return copied;
      }),
      sites: sites.map(dressed),
      cameras: cameras.map(aimed),
      lights: lights.map(aimed),
      bodies: bodies.map(visit),
      softBodies: softBodies.map((soft) => {
        const copied = named(soft);
        const names = Object.entries(copied.vertexNames).map(([name, vertices]) => [rename(name), vertices] as const);
        copied.vertexNames = Object.fromEntries(names);
        for (const attachment of copied.attachments)
          if (attachment.body !== 'world') attachment.body = rename(attachment.body);
        return copied;
      }),
    };
    if (copy.name) copy.name = rename(copy.name);
    return keep(body, copy);
  };
  return { content: visit(content), map };
}

/** Pours the content of one body into another, moved by a frame. */
export function pourContent(content: OpenBody, target: OpenBody, frame: Frame): void {
  for (const object of [
    ...content.shapes,
    ...content.sites,
    ...content.cameras,
    ...content.bodies,
    ...content.softBodies,
  ]) {
    setPose(object, composeFrames(frame, getPose(object)));
  }
  for (const light of content.lights) {
    light.position = transformPoint(frame, light.position ?? [0, 0, 0]);
    setDirection(light, rotate(frame.orientation, light.direction ?? [0, 0, -1]));
  }
  // not by spreading: an argument list has a largest length
  for (const shape of content.shapes) target.shapes.push(shape);
  for (const site of content.sites) target.sites.push(site);
  for (const camera of content.cameras) target.cameras.push(camera);
  for (const light of content.lights) target.lights.push(light);
  for (const body of content.bodies) target.bodies.push(body);
  for (const soft of content.softBodies) target.softBodies.push(soft);
}

/** Lists of a part whose members refer to things by name, in the order in which they can refer to each other. */
export const REFERRING_LISTS = [
  'contactPairs',
  'contactExcludes',
  'tendons',
  'equalities',
  'actuators',
  'sensors',
] as const;

/** What copying a referring object made of it. */
export type CopyOutcome = { kind: 'untouched' } | { kind: 'cut' } | { kind: 'copied'; copies: Referring[] };

/**
 * Copies an object that refers into a copied region, once per new naming.
 *
 * Pairs, excludes and tendons may also refer to things outside; equalities and actuators that do are cut off, as in MuJoCo.
 */
export function copyReferring(
  object: Referring,
  inside: Names,
  renames: readonly Rename[],
  reading: Reading,
): CopyOutcome {
  const references = listReferences(object);
  const touching = references.filter(({ space, name }) => inside[space].has(name)).length;
  if (touching === 0) return { kind: 'untouched' };
  const strict = 'transmission' in object || ('kind' in object && !('terms' in object) && !('path' in object));
  if (strict && touching < references.length) return { kind: 'cut' };
  const copies = renames.map((rename) => {
    const copy = copyPlain(object);
    for (const { space, name, assign } of listReferences(copy)) if (inside[space].has(name)) assign(rename(name));
    if (copy.name) copy.name = rename(copy.name);
    const origin = reading.origins.get(object);
    if (origin) reading.origins.set(copy, origin);
    const factor = reading.inheritRanges.get(object as Actuator);
    if (factor !== undefined) reading.inheritRanges.set(copy as Actuator, factor);
    const reflected = reading.reflected.get(object as Actuator);
    if (reflected) reading.reflected.set(copy as Actuator, reflected);
    return copy;
  });
  if ('terms' in object || 'path' in object) if (object.name) inside.tendon.add(object.name);
  if ('transmission' in object && object.name) inside.actuator.add(object.name);
  return { kind: 'copied', copies };
}

/** Reports an object that cannot be copied because it refers to something outside. */
export function reportCut(object: Referring, reading: Reading): void {
  const element = reading.origins.get(object);
  if (!element) return;
  const message = 'it refers to something inside and something outside of what is copied; it is left out, as in MuJoCo';
  reading.unsupported.add(element, { affects: 'physics', message });
}

/** A keyframe for the copies of its objects; objects that were not copied are dropped. */
export function translateState(
  state: StoredState,
  map: CopyMap,
  keepOthers: boolean,
  name: string | undefined = state.name,
): StoredState {
  const translate = <K extends object, V>(values: Map<K, V>): Map<K, V> => {
    const result = new Map<K, V>();
    for (const [key, value] of values) {
      const copy = map.get(key) as K | undefined;
      if (copy) result.set(copy, value);
      else if (keepOthers) result.set(key, value);
    }
    return result;
  };
  return {
    name,
    time: state.time,
    positions: translate<Joint, number[]>(state.positions),
    velocities: translate<Joint, number[]>(state.velocities),
    activations: translate<Actuator, number[]>(state.activations),
    controls: translate<Actuator, number>(state.controls),
    mocapPositions: translate<Body, number[]>(state.mocapPositions),
    mocapOrientations: translate<Body, number[]>(state.mocapOrientations),
  };
}

/** The members of a referring list. */
export function referringList(part: Part, list: (typeof REFERRING_LISTS)[number]): Referring[] {
  return part[list];
}
