import { NexdynError } from '../error.ts';
import type { Body } from '../scene/body.ts';
import type { Camera, Light } from '../scene/camera.ts';
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
  readonly cameras: readonly Camera[];
  readonly cameraBody: Int32Array;
  readonly lights: readonly Light[];
  readonly lightBody: Int32Array;
  readonly number: {
    readonly body: NameTable;
    readonly joint: NameTable;
    readonly shape: NameTable;
    readonly site: NameTable;
    readonly tendon: NameTable;
  };
}

/** Finds the number of a named thing. */
export type NameTable = (name: string) => number;

/** Lay out the tree of a scene. */
export function indexScene(scene: Scene): SceneIndex {
  const bodies: Body[] = [
    {
      name: 'world',
      shapes: scene.shapes ?? [],
      sites: scene.sites ?? [],
      cameras: scene.cameras ?? [],
      lights: scene.lights ?? [],
    },
  ];
  const parents = [-1];
  const childNumbers = [0];

  // walk depth-first without recursion: a chain may be thousands of bodies deep
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
    if (body.bodies && body.bodies.length > 0) pending.push({ children: body.bodies, parent: number, next: 0 });
  }

  const [joints, jointBody] = collect(bodies, (body) => body.joints);
  const [shapes, shapeBody] = collect(bodies, (body) => body.shapes);
  const [sites, siteBody] = collect(bodies, (body) => body.sites);
  const [cameras, cameraBody] = collect(bodies, (body) => body.cameras);
  const [lights, lightBody] = collect(bodies, (body) => body.lights);
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
    cameras,
    cameraBody,
    lights,
    lightBody,
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
export function bodyPath(index: SceneIndex, body: number): string {
  const steps: string[] = [];
  for (let b = body; b > 0; b = index.parent[b]) steps.push(`bodies[${index.childNumber[b]}]`);
  return steps.reverse().join('.');
}

/** Paths of all bodies; each shares the characters of its parent's, so that a deep tree costs no more than a flat one. */
export function listBodyPaths({ parent, childNumber }: SceneIndex): string[] {
  const paths = [''];
  for (let b = 1; b < parent.length; b++) {
    const above = paths[parent[b]];
    paths.push(`${above === '' ? '' : `${above}.`}bodies[${childNumber[b]}]`);
  }
  return paths;
}

/** A name in quotes after a space, or nothing. */
export function quoteName(name: string | undefined): string {
  return name ? ` '${name}'` : '';
}

/** Look-up by name; the table is made at the first use. Names of a valid scene are unique and known. */
export function createNameTable(kind: string, things: readonly { name?: string }[]): NameTable {
  let table: Map<string, number> | undefined;
  return (name) => {
    if (!table) {
      table = new Map();
      for (let i = 0; i < things.length; i++) if (things[i].name) table.set(things[i].name as string, i);
    }
    const number = table.get(name);
    if (number === undefined) {
      const hint = table.size > 0 ? `there are ${[...table.keys()].join(', ')}` : `give a ${kind} that name`;
      throw new NexdynError('unknown-reference', `there is no ${kind} '${name}'`, { hint });
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
