/**
 * Values of a scene replaced by path: `bodies.arm.mass`, `shapes.*.friction`, `materials.rubber.friction`, `joints.elbow.damping`,
 * `softBodies.beam.E`; options without that word, as in `gravity.2`, `timestep` or `mujoco.solver`.
 */
import { NexdynError } from '../error.ts';
import { findBuiltInShape } from '../geometry/shapes/shape-table.ts';
import type { Body, Inertia } from '../scene/body.ts';
import { listFormulations } from '../scene/formulation-table.ts';
import { LESSONS } from '../scene/lesson-access.ts';
import { isRegisteredShape } from '../scene/registered-shapes.ts';
import type { Scene } from '../scene/scene.ts';
import { copyScene } from '../scene/scene-copy.ts';
import { expandShortWord, findSceneItems, ITEM_KINDS, listSceneItems, type SceneFields } from '../scene/scene-items.ts';
import type { Shape } from '../scene/shape.ts';
import { weighShapes } from './body-inertia.ts';
import { compileModel, recompileModel } from './compile.ts';
import type { Model } from './model.ts';
import { findSource } from './model-source.ts';
import { indexScene, type SceneIndex } from './scene-index.ts';

/** Lists of numbers that a scene may leave out, of which one number can be set all the same. */
const LISTS: Readonly<Record<string, readonly number[]>> = {
  gravity: [0, 0, -9.81],
  position: [0, 0, 0],
  orientation: [1, 0, 0, 0],
};

/** The path of the sliders of a lesson: a number for each. */
const LESSON_VALUES = 'lesson.values';

/** Whether a path leads to a body, shape, joint or another thing with a name, not to an option. */
export function isItemPath(path: string): boolean {
  return path === LESSON_VALUES || ITEM_KINDS.includes(path.split('.')[0]);
}

/**
 * A copy of a scene with values replaced, by path. A path that leads nowhere is an error; whether the values make sense is for
 * `validateScene` and `compileModel` to say. With the mass of a body its inertia grows in proportion.
 */
export function setSceneParameters(scene: Scene, values: Readonly<Record<string, unknown>>): Scene {
  const changed = copyScene(scene);
  for (const [path, value] of Object.entries(values)) setParameter(changed, path, value);
  return changed;
}

/** A model with values of its scene replaced, by path: what `compileModel` gives for the changed scene, sooner. */
export function changeModel(model: Model, values: Readonly<Record<string, unknown>>): Model {
  const source = findSource(model);
  if (!source) {
    const hint = 'compile it with compileModel';
    throw new NexdynError('invalid-argument', 'the model was not compiled from a scene', { hint });
  }
  return recompileModel(model, setSceneParameters(source.scene, values));
}

/** What a path means in a scene. */
export interface ScenePath {
  readonly path: string;
  /** The word of the scene format for the kind of things, or `options`. */
  readonly kind: string;
  /** Whether all things of the kind are meant. */
  readonly isAny: boolean;
  /** Each thing and the words that are left below it. */
  readonly things: readonly { readonly item: SceneFields; readonly keys: readonly string[] }[];
}

/** Finds what a path means; one that leads nowhere is an error. */
export function findScenePath(scene: Scene, path: string): ScenePath {
  const words = path.split('.');
  if (words.some((word) => word === '')) throw refuse(path, 'is not a path', 'write words with dots between them');
  if (!isItemPath(path)) {
    scene.options ??= {};
    const keys = words[0] === 'options' ? words.slice(1) : words;
    return { path, kind: 'options', isAny: false, things: [{ item: scene.options as SceneFields, keys }] };
  }
  const [kind, name] = words;
  const things = findSceneItems(path, words, scene).map(({ item, rest }) => ({
    item,
    keys: expandShortWord(kind, rest),
  }));
  return { path, kind, isAny: name === '*', things };
}

/** Sets a value where a path leads. */
export function writeScenePath(
  scene: Scene,
  { path, kind, isAny, things }: ScenePath,
  value: unknown,
  index?: SceneIndex,
): void {
  for (const { item, keys } of things) {
    if (kind === 'bodies' && keys.length === 1 && keys[0] === 'mass') {
      const body = item as unknown as Body;
      setMass(body, value, { path, isAny, scene, index });
    } else place(item, keys, value, path);
  }
}

function setParameter(scene: Scene, path: string, value: unknown): void {
  if (path === LESSON_VALUES) setSliders(scene, value);
  else writeScenePath(scene, findScenePath(scene, path), value);
}

/** Sets everything that the sliders of the lesson set. */
function setSliders(scene: Scene, values: unknown): void {
  const { sliders } = scene.lesson ?? { sliders: [] };
  const isFit =
    Array.isArray(values) &&
    values.length === sliders.length &&
    sliders.every(({ minimum, maximum }, i) => values[i] >= minimum && values[i] <= maximum);
  if (!scene.lesson || !isFit) {
    const ranges = sliders.map(({ name, minimum, maximum }) => `${name} ${minimum} to ${maximum}`).join(', ');
    const hint = scene.lesson ? `one number for each slider: ${ranges}` : 'the scene has no lesson';
    throw new NexdynError('invalid-value', `'${LESSON_VALUES}' does not fit the sliders`, { hint });
  }
  for (const [path, value] of Object.entries(LESSONS.require().computeSettings(scene.lesson, values as number[])))
    setParameter(scene, path, value);
}

/** Sets a value at its place; objects on the way that are missing are made. */
function place(target: SceneFields, keys: readonly string[], value: unknown, path: string): void {
  let parent: unknown = target;
  for (const [k, key] of keys.slice(0, -1).entries()) {
    const next = keys[k + 1];
    const isList = /^\d+$/.test(next);
    const child = readOwn(parent, key) ?? (isList ? LISTS[key] && [...LISTS[key]] : {});
    if (!child) throw refuse(path, `leads nowhere: there is no list '${key}'`, 'check the path, or set the whole list');
    if (typeof child !== 'object') throw refuse(path, `leads nowhere: '${key}' has no fields`, 'check the path');
    assign(parent, key, child, path);
    parent = child;
  }
  assign(parent, keys.at(-1)!, value, path);
}

function readOwn(parent: unknown, key: string): unknown {
  return Object.hasOwn(parent as object, key) ? (parent as SceneFields)[key] : undefined;
}

function assign(parent: unknown, key: string, value: unknown, path: string): void {
  if (Array.isArray(parent) && !(/^\d+$/.test(key) && Number(key) < parent.length)) {
    throw refuse(path, `leads nowhere: a list has no '${key}'`, `its ${parent.length} entries are counted from 0`);
  }
  // a field of the object itself, whatever it is called: `__proto__` is then an unknown field like any other
  Object.defineProperty(parent, key, { value, writable: true, enumerable: true, configurable: true });
}

/** Whose mass is set, and where from. */
interface MassPlace {
  readonly path: string;
  readonly isAny: boolean;
  readonly scene: Scene;
  readonly index: SceneIndex | undefined;
}

/** Mass, with the inertia in proportion; `*` passes over bodies without mass. */
function setMass(body: Body, value: unknown, { path, isAny, scene, index }: MassPlace): void {
  const { inertia, shapes = [] } = body;
  if (!inertia && shapes.length === 0 && isAny) return;
  const mass = Number(value);
  if (typeof value !== 'number' || !(mass > 0)) {
    throw new NexdynError('invalid-mass', `'${path}': the mass ${value} is not above 0`, { hint: 'kg' });
  }
  if (inertia) {
    scaleInertia(inertia, mass / inertia.mass);
    inertia.mass = mass;
    return;
  }
  const before = measureMass(scene, body, index);
  if (!(before > 0)) {
    const hint = 'give it shapes with mass, or inertia';
    throw new NexdynError('invalid-mass', `'${path}': the body has no mass to change`, { hint });
  }
  for (const shape of shapes) {
    if (shape.mass !== undefined) shape.mass *= mass / before;
    else shape.density = (mass / before) * readDensity(shape, scene);
  }
}

/** I is proportional to m where the shape stays. */
function scaleInertia(inertia: Inertia, ratio: number): void {
  const numbers = inertia.kind === 'principal' ? inertia.moments : inertia.tensor;
  for (let k = 0; k < numbers.length; k++) numbers[k] *= ratio;
}

/** What the shapes of a body weigh, kg. */
function measureMass(scene: Scene, body: Body, index?: SceneIndex): number {
  const own = (body.shapes ?? []).map(({ mass }) => mass);
  if (own.every((mass) => mass !== undefined)) return own.reduce((sum, mass) => sum + mass, 0);
  if (!scene.massRules && (body.shapes ?? []).every(isPrimitive)) {
    const mass = weighShapes(index ?? indexScene(scene), body);
    if (mass > 0) return mass;
  }
  // joint coordinates hold every joint, and the first formulation of the table every scene
  const [{ id }] = listFormulations();
  const { body: compiled } = compileModel(scene, { formulation: id, coordinates: 'joint' });
  return compiled.mass[1 + listSceneItems('bodies', scene).indexOf(body as unknown as SceneFields)];
}

/** Whether a shape weighs by its own numbers alone. */
function isPrimitive(shape: Shape): boolean {
  if (isRegisteredShape(shape)) return false;
  const known: ReturnType<typeof findBuiltInShape> | undefined = findBuiltInShape(shape);
  return known !== undefined && known.data === undefined;
}

function readDensity({ density, material }: Shape, { materials = [] }: Scene): number {
  return density ?? materials.find(({ name }) => name === material)?.density ?? 1000;
}

function refuse(path: string, reason: string, hint: string): NexdynError {
  return new NexdynError('unknown-reference', `'${path}' ${reason}`, { hint });
}
