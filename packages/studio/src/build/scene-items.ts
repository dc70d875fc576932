/** Things of a scene by the ids of its parts: `body:3` counts bodies before their children, `shape:0` those of the world first. */
import type { Body, Scene, Shape, SoftBody } from '@nexdyn/engine';

/** A body, shape or soft body where it stands in a scene. */
export type SceneThing = (
  | { kind: 'body'; item: Body; list: Body[] }
  | { kind: 'shape'; item: Shape; list: Shape[] }
  | { kind: 'soft'; item: SoftBody; list: SoftBody[] }
) & {
  /** Number of the body whose frame it stands in; 0 is the world. */
  parent: number;
  id: string;
};

interface PlacedBody {
  body: Body;
  list: Body[];
  parent: number;
}

/** All bodies; the first has the number 1. */
export function listBodies(scene: Scene): PlacedBody[] {
  const found: PlacedBody[] = [];
  const visit = (list: Body[], parent: number): void => {
    for (const body of list) {
      found.push({ body, list, parent });
      const number = found.length;
      if (body.bodies) visit(body.bodies, number);
    }
  };
  visit(scene.bodies ?? [], 0);
  return found;
}

/** All shapes, those of the world first. */
export function listShapes(scene: Scene): { shape: Shape; list: Shape[]; body: number }[] {
  const world = (scene.shapes ?? []).map((shape) => ({ shape, list: scene.shapes!, body: 0 }));
  const ofBodies = listBodies(scene).flatMap(({ body }, i) =>
    (body.shapes ?? []).map((shape) => ({ shape, list: body.shapes!, body: i + 1 })),
  );
  return [...world, ...ofBodies];
}

/** The thing that a part id means; joints and others are none. */
export function findThing(scene: Scene, id: string | undefined): SceneThing | undefined {
  const [kind, number] = id?.split(':') ?? [];
  const index = Number(number);
  if (kind === 'body') {
    const found = listBodies(scene)[index - 1];
    return found && { kind, id: id!, item: found.body, list: found.list, parent: found.parent };
  }
  if (kind === 'shape') {
    const found = listShapes(scene)[index];
    return found && { kind, id: id!, item: found.shape, list: found.list, parent: found.body };
  }
  const soft = kind === 'soft' ? scene.softBodies?.[index] : undefined;
  return soft && { kind: 'soft', id: id!, item: soft, list: scene.softBodies!, parent: 0 };
}

/** The id of a thing of the scene. */
export function idOf(scene: Scene, item: Body | Shape | SoftBody): string | undefined {
  const body = listBodies(scene).findIndex((placed) => placed.body === item);
  if (body >= 0) return `body:${body + 1}`;
  const shape = listShapes(scene).findIndex((placed) => placed.shape === item);
  if (shape >= 0) return `shape:${shape}`;
  const soft = scene.softBodies?.indexOf(item as SoftBody) ?? -1;
  return soft >= 0 ? `soft:${soft}` : undefined;
}

/** All names of a kind of thing that a scene has. */
export function listNames(scene: Scene): Set<string> {
  const names = new Set<string>();
  JSON.stringify(scene, (key, value: unknown) => {
    if (key === 'name' && typeof value === 'string') names.add(value);
    return value;
  });
  return names;
}

/** A name that nothing else has: `box`, `box 2` and so on. */
export function freeName(names: Set<string>, wanted: string): string {
  const base = wanted.replace(/ \d+$/, '');
  let name = wanted;
  for (let n = 2; names.has(name); n++) name = `${base} ${n}`;
  names.add(name);
  return name;
}
