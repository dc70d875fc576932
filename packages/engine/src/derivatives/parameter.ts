/**
 * Numbers of a scene by path, with the words of the scene format: `bodies.cube.mass`, `shapes.ball.friction`, `joints.elbow.damping`,
 * `actuators.servo.stiffness`, `softBodies.beam.elasticity.youngsModulus`, `materials.rubber.stiffness`; below `options` without that
 * word, as after `--set`: `gravity.2`, `sap.stiffness`. `*` in place of a name changes all of them together, by the same amount. A path
 * that ends at a list is one parameter per number.
 */
import { NexdynError } from '../error.ts';
import type { Model } from '../model/model.ts';
import type { Body } from '../scene/body.ts';
import { listFormulations } from '../scene/formulation-table.ts';
import type { Scene } from '../scene/scene.ts';
import { copyScene } from '../scene/scene-copy.ts';
import {
  expandShortWord,
  findSceneItems,
  ITEM_KINDS,
  listSceneItems,
  type SceneFields,
  type SceneItem,
} from '../scene/scene-items.ts';
import { suggestSpelling } from '../scene/spelling.ts';
import { readMass, scaleMass } from './body-mass.ts';
import { findDefault, listNumberFields } from './parameter-defaults.ts';

/** One number of a scene. */
export interface Parameter {
  /** Its full path. */
  readonly path: string;
  /** What it is now, or what the first of them is where `*` stands for several. */
  readonly value: number;
  /** A copy of the scene in which it is larger by an amount. */
  shift(scene: Scene, amount: number): Scene;
  /** Whether the formulation never reads it, and why; else undefined. */
  readonly unread: string | undefined;
}

/** Those whose fields describe surfaces. */
const SURFACES = ['shapes', 'materials', 'contactPairs'];
/** The parameters of a path; several where it ends at a list of numbers. */
export function resolveParameter(path: string, scene: Scene, model: Model): Parameter[] {
  const words = path.split('.');
  if (words.some((word) => word === '')) throw refuse(path, 'is not a path', 'write words with dots between them');
  const isListed = ITEM_KINDS.includes(words[0]);
  const keys = isListed ? words : words[0] === 'options' ? words.slice(1) : words;
  const places = isListed
    ? findSceneItems(path, keys, scene)
    : [{ item: (scene.options ?? {}) as SceneFields, rest: keys }];
  if (!isListed) refuseUnknownOption(path, keys, model);
  const whole = expandShortWord(keys[0], places[0].rest);
  if (keys[0] === 'bodies' && whole.length === 1 && whole[0] === 'mass')
    return [createMass(path, places, scene, model)];
  // an entry of a list: the list is written as a whole, also where the scene leaves it out
  const isEntry = whole.length > 1 && /^\d+$/.test(whole.at(-1)!);
  const rest = isEntry ? whole.slice(0, -1) : whole;
  const value = readNumber(path, keys[0], places[0].item, rest, scene, model);
  const unread = findUnread(keys, rest, model);
  const make = (tail: readonly string[], now: number, full: string): Parameter => ({
    path: full,
    value: now,
    unread,
    shift: (from, amount) => {
      const copy = copyScene(from);
      const items = isListed
        ? findSceneItems(path, keys, copy).map(({ item }) => item)
        : [(copy.options ??= {}) as SceneFields];
      for (const item of items) {
        const before = readNumber(path, keys[0], item, rest, copy, model);
        writeNumber(item, rest, tail, before, amount);
      }
      return copy;
    },
  });
  if (typeof value === 'number') return [make([], value, path)];
  if (isEntry) {
    const k = Number(whole.at(-1));
    if (k < value.length) return [make([whole.at(-1)!], value[k], path)];
    throw refuse(path, `has no entry ${k}`, `the list has ${value.length} numbers, counted from 0`);
  }
  return value.map((entry, k) => make([String(k)], entry, `${path}.${k}`));
}

function readNumber(
  path: string,
  kind: string,
  item: SceneFields,
  rest: readonly string[],
  scene: Scene,
  model: Model,
): number | number[] {
  let value: unknown = item;
  for (const word of rest) value = (value as SceneFields | undefined)?.[word];
  value ??= findDefault(kind, item, rest, scene, model);
  if (typeof value === 'number') return value;
  if (Array.isArray(value) && value.length > 0 && value.every((entry) => typeof entry === 'number')) return value;
  if (value !== undefined) throw refuse(path, 'is no number', `it is ${JSON.stringify(value).slice(0, 60)}`);
  const near = suggestSpelling(rest.at(-1)!, listNumberFields(kind, item, model), 'fields that it has');
  throw refuse(path, 'is not given in the scene', `${near}; or write its value down`);
}

function writeNumber(
  item: SceneFields,
  rest: readonly string[],
  tail: readonly string[],
  before: number | number[],
  amount: number,
): void {
  let target = item;
  for (const word of rest.slice(0, -1)) target = (target[word] ??= {}) as SceneFields;
  const last = rest.at(-1)!;
  if (typeof before === 'number') {
    // entries of lists that the scene leaves out come with their list
    target[last] = before + amount;
    return;
  }
  const list = [...before];
  list[Number(tail[0])] += amount;
  target[last] = list;
}

function createMass(path: string, places: readonly SceneItem[], scene: Scene, model: Model): Parameter {
  const names = places.map(({ item }) => item);
  const all = listSceneItems('bodies', scene);
  const numbers = names.map((item) => all.indexOf(item));
  const masses = numbers.map((n) => readMass(all[n] as unknown as Body, model, n));
  return {
    path,
    value: masses[0],
    unread: undefined,
    shift: (from, amount) => {
      const copy = copyScene(from);
      const bodies = listSceneItems('bodies', copy) as unknown as Body[];
      for (const [k, n] of numbers.entries()) scaleMass(bodies[n], (masses[k] + amount) / masses[k], copy);
      return copy;
    },
  };
}

/** Groups of options that belong to other formulations, and parameters of materials that this one has no use for. */
function findUnread(keys: readonly string[], rest: readonly string[], model: Model): string | undefined {
  const { formulation } = model.options;
  const traits = listFormulations();
  const group = traits.find(({ id }) => id === keys[0] && id !== formulation);
  if (group) return `${formulation} does not read the options of ${group.id}`;
  if (!SURFACES.includes(keys[0])) return undefined;
  const unread = traits.find(({ id }) => id === formulation)?.unread ?? [];
  const word = rest.find((part) => unread.includes(part));
  return word === undefined ? undefined : `${formulation} does not read '${word}'`;
}

function refuseUnknownOption(path: string, keys: readonly string[], model: Model): void {
  const known = ['gravity', 'timestep', 'medium', 'contactOverride', ...listFormulations().map(({ id }) => id)];
  if (known.includes(keys[0])) return;
  const { options } = model;
  const all = [...ITEM_KINDS, ...known, 'state', 'control', 'appliedForce'];
  throw refuse(
    path,
    'is no path of the scene',
    suggestSpelling(keys[0], all, `under ${options.formulation} there are`),
  );
}

function refuse(path: string, reason: string, hint: string): NexdynError {
  return new NexdynError('unknown-reference', `'${path}' ${reason}`, { path: 'inputs', hint });
}
