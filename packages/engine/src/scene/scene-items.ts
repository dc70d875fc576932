/**
 * Things of a scene by path, with the words of the scene format: `bodies.arm`, `shapes.*`, `joints.elbow`, `materials.rubber`. A name
 * may have dots; `*` means all of them; a number counts in the order of the file, bodies before their children.
 */
import { NexdynError } from '../error.ts';
import type { Body } from './body.ts';
import type { Scene } from './scene.ts';
import { suggestSpelling } from './spelling.ts';

/** Fields of a thing of a scene. */
export type SceneFields = Record<string, unknown>;

/** A thing of a scene and the words of the path that are left below it. */
export interface SceneItem {
  readonly item: SceneFields;
  readonly rest: readonly string[];
}

/** First words of paths that lead to things with names. */
export const ITEM_KINDS: readonly string[] = [
  'bodies',
  'shapes',
  'joints',
  'sites',
  'actuators',
  'sensors',
  'tendons',
  'equalities',
  'materials',
  'meshes',
  'softBodies',
  'contactPairs',
  'keyframes',
  'cameras',
  'lights',
  'textures',
  'appearances',
  'skins',
  'terms',
];

/** Short words for constants of soft bodies. */
const SHORT: Readonly<Record<string, readonly string[]>> = {
  E: ['elasticity', 'youngsModulus'],
  nu: ['elasticity', 'poissonRatio'],
  youngsModulus: ['elasticity', 'youngsModulus'],
  poissonRatio: ['elasticity', 'poissonRatio'],
  density: ['elasticity', 'density'],
};

/** The things that a path means, at least one; `path` as the user wrote it, `words` its parts. */
export function findSceneItems(path: string, [kind, name, ...rest]: readonly string[], scene: Scene): SceneItem[] {
  const all = listSceneItems(kind, scene);
  const names = all.map((item, n) => (typeof item.name === 'string' ? item.name : String(n)));
  if (name === undefined || rest.length === 0) {
    const hint = `write ${kind}.NAME.FIELD; ${suggestSpelling(name ?? '', names, kind)}`;
    throw new NexdynError('unknown-reference', `'${path}' names no field`, { hint });
  }
  if (name === '*' && all.length > 0) return all.map((item) => ({ item, rest }));
  for (let used = 1; used <= rest.length; used++) {
    const whole = [name, ...rest.slice(0, used - 1)].join('.');
    const found = all.filter((item) => item.name === whole);
    if (found.length > 0) return found.map((item) => ({ item, rest: rest.slice(used - 1) }));
  }
  const numbered = /^\d+$/.test(name) ? all[Number(name)] : undefined;
  if (numbered) return [{ item: numbered, rest }];
  const reason = `'${path}': there is no '${name}' among the ${kind} of the scene`;
  throw new NexdynError('unknown-reference', reason, { hint: suggestSpelling(name, names, kind) });
}

/** All things of a kind, in the order of the file. */
export function listSceneItems(kind: string, scene: Scene): SceneFields[] {
  const bodies: Body[] = [];
  const pending = [...(scene.bodies ?? [])].reverse();
  while (pending.length > 0) {
    const body = pending.pop()!;
    bodies.push(body);
    pending.push(...[...(body.bodies ?? [])].reverse());
  }
  const within = (field: 'shapes' | 'joints' | 'sites' | 'cameras' | 'lights'): SceneFields[] =>
    bodies.flatMap((body) => (body[field] ?? []) as unknown as SceneFields[]);
  if (kind === 'bodies') return bodies as unknown as SceneFields[];
  if (kind === 'joints') return within('joints');
  if (kind === 'shapes' || kind === 'sites' || kind === 'cameras' || kind === 'lights')
    return [...((scene[kind] ?? []) as unknown as SceneFields[]), ...within(kind)];
  return ((scene as unknown as SceneFields)[kind] ?? []) as SceneFields[];
}

/** The words below a thing, with short words of soft bodies written out. */
export function expandShortWord(kind: string, rest: readonly string[]): readonly string[] {
  return kind === 'softBodies' && Object.hasOwn(SHORT, rest[0]) ? [...SHORT[rest[0]], ...rest.slice(1)] : rest;
}
