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
import { suggestSpelling } from '../scene/spelling.ts';
import { readMass, scaleMass } from './body-mass.ts';
import { findDefault } from './parameter-defaults.ts';
import { copyScene } from './scene-copy.ts';

type Fields = Record<string, unknown>;

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

/** Lists of a scene that have names, below which paths begin. */
const LISTS = ['bodies', 'shapes', 'joints', 'sites', 'actuators', 'tendons', 'equalities', 'materials', 'softBodies'];
const OTHER_LISTS = ['contactPairs', 'terms'];
/** Those whose fields describe surfaces. */
const SURFACES = ['shapes', 'materials', 'contactPairs'];
/** Short words for constants of soft bodies. */
const SHORT: Readonly<Record<string, readonly string[]>> = {
  E: ['elasticity', 'youngsModulus'],
  nu: ['elasticity', 'poissonRatio'],
  youngsModulus: ['elasticity', 'youngsModulus'],
  poissonRatio: ['elasticity', 'poissonRatio'],
  density: ['elasticity', 'density'],
};

/** The parameters of a path; several where it ends at a list of numbers. */
export function resolveParameter(path: string, scene: Scene, model: Model): Parameter[] {
  const words = path.split('.');
  if (words.some((word) => word === '')) throw refuse(path, 'is not a path', 'write words with dots between them');
  const isListed = LISTS.includes(words[0]) || OTHER_LISTS.includes(words[0]);
  const keys = isListed ? words : words[0] === 'options' ? words.slice(1) : words;
  const places = isListed ? findItems(path, keys, scene) : [{ item: (scene.options ?? {}) as Fields, rest: keys }];
  if (!isListed) refuseUnknownOption(path, keys, model);
  const whole = expandShort(keys[0], places[0].rest);
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
      const items = isListed ? findItems(path, keys, copy).map(({ item }) => item) : [(copy.options ??= {}) as Fields];
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

interface Place {
  readonly item: Fields;
  readonly rest: readonly string[];
}

/** Things of a scene that the first two words name. */
function findItems(path: string, [kind, name, ...rest]: readonly string[], scene: Scene): Place[] {
  const all = listItems(kind, scene);
  if (name === undefined || rest.length === 0) {
    throw refuse(
      path,
      'names no number',
      `write ${kind}.NAME.FIELD; ${suggestSpelling(name ?? '', namesOf(all), kind)}`,
    );
  }
  if (name === '*' && all.length > 0) return all.map((item) => ({ item, rest }));
  // names may have dots
  for (let used = 1; used <= rest.length; used++) {
    const whole = [name, ...rest.slice(0, used - 1)].join('.');
    const found = all.filter((item) => item.name === whole);
    if (found.length > 0) return found.map((item) => ({ item, rest: rest.slice(used - 1) }));
  }
  const number = /^\d+$/.test(name) ? all[Number(name)] : undefined;
  if (number) return [{ item: number, rest }];
  throw refuse(path, `there is no '${name}' among the ${kind} of the scene`, suggestSpelling(name, namesOf(all), kind));
}

function namesOf(items: readonly Fields[]): string[] {
  return items.map(({ name }, n) => (typeof name === 'string' ? name : String(n)));
}

function listItems(kind: string, scene: Scene): Fields[] {
  const bodies: Body[] = [];
  const pending = [...(scene.bodies ?? [])].reverse();
  while (pending.length > 0) {
    const body = pending.pop()!;
    bodies.push(body);
    pending.push(...[...(body.bodies ?? [])].reverse());
  }
  const within = (field: 'shapes' | 'joints' | 'sites'): Fields[] =>
    bodies.flatMap((body) => (body[field] ?? []) as unknown as Fields[]);
  if (kind === 'bodies') return bodies as unknown as Fields[];
  if (kind === 'joints') return within('joints');
  if (kind === 'shapes' || kind === 'sites') return [...((scene[kind] ?? []) as unknown as Fields[]), ...within(kind)];
  return ((scene as unknown as Fields)[kind] ?? []) as Fields[];
}

function expandShort(kind: string, rest: readonly string[]): readonly string[] {
  return kind === 'softBodies' && Object.hasOwn(SHORT, rest[0]) ? [...SHORT[rest[0]], ...rest.slice(1)] : rest;
}

function readNumber(
  path: string,
  kind: string,
  item: Fields,
  rest: readonly string[],
  scene: Scene,
  model: Model,
): number | number[] {
  let value: unknown = item;
  for (const word of rest) value = (value as Fields | undefined)?.[word];
  value ??= findDefault(kind, item, rest, scene, model);
  if (typeof value === 'number') return value;
  if (Array.isArray(value) && value.length > 0 && value.every((entry) => typeof entry === 'number')) return value;
  if (value !== undefined) throw refuse(path, 'is no number', `it is ${JSON.stringify(value).slice(0, 60)}`);
  const near = suggestSpelling(rest.at(-1)!, Object.keys(item), 'fields that the scene gives');
  throw refuse(path, 'is not given in the scene', `${near}; or write its value down`);
}

function writeNumber(
  item: Fields,
  rest: readonly string[],
  tail: readonly string[],
  before: number | number[],
  amount: number,
): void {
  let target = item;
  for (const word of rest.slice(0, -1)) target = (target[word] ??= {}) as Fields;
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

function createMass(path: string, places: readonly Place[], scene: Scene, model: Model): Parameter {
  const names = places.map(({ item }) => item);
  const all = listItems('bodies', scene);
  const numbers = names.map((item) => all.indexOf(item));
  const masses = numbers.map((n) => readMass(all[n] as unknown as Body, model, n));
  return {
    path,
    value: masses[0],
    unread: undefined,
    shift: (from, amount) => {
      const copy = copyScene(from);
      const bodies = listItems('bodies', copy) as unknown as Body[];
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
  const all = [...LISTS, ...OTHER_LISTS, ...known];
  throw refuse(
    path,
    'is no path of the scene',
    suggestSpelling(keys[0], all, `under ${options.formulation} there are`),
  );
}

function refuse(path: string, reason: string, hint: string): NexdynError {
  return new NexdynError('unknown-reference', `'${path}' ${reason}`, { path: 'inputs', hint });
}
