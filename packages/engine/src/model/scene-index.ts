import { NexdynError } from '../error.ts';
import type { Body } from '../scene/body.ts';
import type { Joint } from '../scene/joint.ts';
import type { Scene } from '../scene/scene.ts';
import type { Shape } from '../scene/shape.ts';
import type { Site } from '../scene/site.ts';

/**
 * The tree of a scene laid out in lists: bodies depth-first with the world first, and joints, shapes and sites in the
 * order of their bodies. Numbers in a model are places in these lists.
 */
export interface SceneIndex {
  readonly scene: Scene;
  /** The world is a body with the shapes and sites of the scene. */
  readonly bodies: readonly Body[];
  readonly parent: Int32Array;
  /** Place of each body among the children of its parent. */
  readonly childNumber: Int32Array;
  readonly joints: readonly Joint[];
  readonly jointBody: Int32Array;
  readonly shapes: readonly Shape[];
  readonly shapeBody: Int32Array;
  readonly sites: readonly Site[];
  readonly siteBody: Int32Array;
  readonly number: {
    readonly body: NameTable;
    readonly joint: NameTable;
    readonly shape: NameTable;
    readonly site: NameTable;
    readonly tendon: NameTable;
  };
}

/** Finds the number of a named thing; an unknown name is an error at the given path. */
export type NameTable = (name: string, path: () => string) => number;

/** Lay out the tree of a scene. */
export function indexScene(scene: Scene): SceneIndex {
  const bodies: Body[] = [{ name: 'world', shapes: scene.shapes ?? [], sites: scene.sites ?? [] }];
  const parents = [-1];
  const childNumbers = [0];

  // walk depth-first without recursion: a chain may be thousands of bodies deep
  const seen = new Set<Body>();
  const pending: { children: readonly Body[]; parent: number; next: number }[] = [];
  pending.push({ children: scene.bodies ?? [], parent: 0, next: 0 });
  while (pending.length > 0) {
    const level = pending[pending.length - 1];
    if (level.next === level.children.length) {
      pending.pop();
      continue;
    }
    const body = level.children[level.next];
    const number = bodies.length;
    bodies.push(body);
    parents.push(level.parent);
    childNumbers.push(level.next);
    level.next++;
    if (seen.has(body)) throwRepeatedBody(body, parents, childNumbers);
    seen.add(body);
    if (body.bodies && body.bodies.length > 0) pending.push({ children: body.bodies, parent: number, next: 0 });
  }

  const [joints, jointBody] = collect(bodies, (body) => body.joints);
  const [shapes, shapeBody] = collect(bodies, (body) => body.shapes);
  const [sites, siteBody] = collect(bodies, (body) => body.sites);
  return {
    scene,
    bodies,
    parent: Int32Array.from(parents),
    childNumber: Int32Array.from(childNumbers),
    joints,
    jointBody,
    shapes,
    shapeBody,
    sites,
    siteBody,
    number: {
      body: createNameTable('body', bodies),
      joint: createNameTable('joint', joints),
      shape: createNameTable('shape', shapes),
      site: createNameTable('site', sites),
      tendon: createNameTable('tendon', scene.tendons ?? []),
    },
  };
}

/** Path of a body into the scene; the world has none. */
export function bodyPath(index: Pick<SceneIndex, 'parent' | 'childNumber'>, body: number): string {
  const steps: string[] = [];
  for (let b = body; b > 0; b = index.parent[b]) steps.push(`bodies[${index.childNumber[b]}]`);
  return steps.reverse().join('.');
}

/** Path of a joint, shape or site: the n-th of its kind in the model. */
export function partPath(index: SceneIndex, list: 'joints' | 'shapes' | 'sites', number: number): string {
  const owner = list === 'joints' ? index.jointBody : list === 'shapes' ? index.shapeBody : index.siteBody;
  let first = number;
  while (first > 0 && owner[first - 1] === owner[number]) first--;
  const body = bodyPath(index, owner[number]);
  return `${body ? `${body}.` : ''}${list}[${number - first}]`;
}

/** A name in quotes after a space, or nothing. */
export function quoteName(name: string | undefined): string {
  return name ? ` '${name}'` : '';
}

/** Look-up by name; the table is made at the first use. */
export function createNameTable(kind: string, things: readonly { name?: string }[]): NameTable {
  let table: Map<string, number> | undefined;
  return (name, path) => {
    if (!table) {
      table = new Map();
      for (let i = things.length - 1; i >= 0; i--) if (things[i].name) table.set(things[i].name as string, i);
    }
    const number = table.get(name);
    if (number === undefined) {
      const known = [...table.keys()].slice(0, 10);
      const hint = known.length > 0 ? `known: ${known.join(', ')}` : `the scene has no named ${kind}`;
      throw new NexdynError('unknown-reference', `there is no ${kind} '${name}'`, { path: path(), hint });
    }
    return number;
  };
}

function collect<T>(bodies: readonly Body[], get: (body: Body) => readonly T[] | undefined): [T[], Int32Array] {
  const things: T[] = [];
  const owner: number[] = [];
  for (let b = 0; b < bodies.length; b++) {
    const own = get(bodies[b]);
    if (!own) continue;
    for (const thing of own) {
      things.push(thing);
      owner.push(b);
    }
  }
  return [things, Int32Array.from(owner)];
}

// the same object twice in the tree: below itself it would never end, elsewhere the two would share a name
function throwRepeatedBody(body: Body, parents: readonly number[], childNumbers: readonly number[]): never {
  const index = { parent: Int32Array.from(parents), childNumber: Int32Array.from(childNumbers) };
  throw new NexdynError('cyclic-tree', `body${quoteName(body.name)} appears twice in the tree`, {
    path: bodyPath(index, parents.length - 1),
    hint: 'every body object may stand at one place only; copy it to use it again',
  });
}
