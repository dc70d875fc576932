/** Changes of a scene that a user makes by hand. Each changes the scene it is given; the id of what it concerns comes back. */
import type { Actuator, Body, Joint, Scene, Shape, SoftBody } from '@nexdyn/engine';
import {
  anglesOf,
  combineTurns,
  invertTurn,
  NO_TURN,
  normalizeTurn,
  type Point,
  type Turn,
  turnAbout,
  turnOfAngles,
  turnPoint,
} from './rotation.ts';
import { findThing, freeName, idOf, listNames, type SceneThing } from './scene-items.ts';
import { roundNumber } from './scene-text.ts';

/** Where the parent of a thing is in the world. */
export interface Frame {
  position: Point;
  orientation: Turn;
}

export const WORLD: Frame = { position: [0, 0, 0], orientation: NO_TURN };

const round = <T extends number[]>(numbers: T): T => numbers.map(roundNumber) as T;

/** States of keyframes no longer fit bodies and joints that have changed. */
export function dropStates(scene: Scene): void {
  if (scene.keyframes?.some(({ position, velocity, control }) => position ?? velocity ?? control))
    delete scene.keyframes;
}

export function addBody(scene: Scene, name: string, shape: Shape, position: Point): string {
  dropStates(scene);
  const names = listNames(scene);
  const own = freeName(names, name);
  const body: Body = {
    name: own,
    position: round([...position]),
    joints: [{ kind: 'free' }],
    shapes: [{ ...shape, name: freeName(names, `${own} shape`) } as Shape],
  };
  scene.bodies = [...(scene.bodies ?? []), body];
  return idOf(scene, body)!;
}

/** A body that hangs on another by a joint. */
export function addChild(scene: Scene, id: string, shape: Shape, offset: Point): string {
  const thing = findThing(scene, id);
  if (thing?.kind !== 'body') return id;
  dropStates(scene);
  const names = listNames(scene);
  const name = freeName(names, 'part');
  const body: Body = {
    name,
    position: offset,
    joints: [{ kind: 'hinge', name: freeName(names, `${name} joint`), axis: [0, 1, 0] }],
    shapes: [{ ...shape, name: freeName(names, `${name} shape`) } as Shape],
  };
  thing.item.bodies = [...(thing.item.bodies ?? []), body];
  return idOf(scene, body)!;
}

/** A shape fixed to a body, or to the world where none is chosen. */
export function addShape(scene: Scene, id: string | undefined, shape: Shape): string {
  const thing = findThing(scene, id);
  const named = { ...shape, name: freeName(listNames(scene), shape.kind) } as Shape;
  if (thing?.kind === 'body') thing.item.shapes = [...(thing.item.shapes ?? []), named];
  else scene.shapes = [...(scene.shapes ?? []), named];
  return idOf(scene, named)!;
}

export function addSoftBody(scene: Scene, body: SoftBody): string {
  const named = { ...body, name: freeName(listNames(scene), body.name ?? 'soft') };
  scene.softBodies = [...(scene.softBodies ?? []), named];
  return idOf(scene, named)!;
}

/** Moves a thing by a distance in the world, m. */
export function move(scene: Scene, id: string, distance: Point, parent: Frame): void {
  const thing = findThing(scene, id);
  if (!thing) return;
  if (thing.kind === 'body') dropStates(scene);
  const local = turnPoint(invertTurn(parent.orientation), distance);
  const before = thing.item.position ?? [0, 0, 0];
  thing.item.position = round(before.map((part, k) => part + local[k]!) as Point);
}

/** Turns a thing about an axis of the world through its origin, rad. */
export function turn(scene: Scene, id: string, axis: number, angle: number, parent: Frame): void {
  const thing = findThing(scene, id);
  if (!thing) return;
  if (thing.kind === 'body') dropStates(scene);
  const own = (thing.item.orientation ?? NO_TURN) as Turn;
  const { orientation } = parent;
  const local = combineTurns(combineTurns(invertTurn(orientation), turnAbout(axis, angle)), orientation);
  setOrientation(thing, combineTurns(local, own));
}

function setOrientation(thing: SceneThing, orientation: Turn): void {
  const unit = round(normalizeTurn(orientation));
  if (Math.abs(Math.abs(unit[0]) - 1) < 1e-12) delete thing.item.orientation;
  else thing.item.orientation = unit;
}

/** Angles of a thing in its parent, degrees. */
export function readAngles({ item }: SceneThing): Point {
  return anglesOf(normalizeTurn((item.orientation ?? NO_TURN) as Turn)).map((angle) =>
    roundNumber(Number(((angle * 180) / Math.PI).toFixed(6))),
  ) as Point;
}

export function setAngles(scene: Scene, id: string, degrees: readonly number[]): void {
  const thing = findThing(scene, id);
  if (!thing) return;
  if (thing.kind === 'body') dropStates(scene);
  setOrientation(thing, turnOfAngles(degrees.map((angle) => (angle * Math.PI) / 180)));
}

/** Fields of a shape that are lengths, in the order x, y, z where they are three. */
const LENGTHS = ['halfSize', 'radii', 'radius', 'halfLength', 'size'] as const;

/** Makes a thing larger by a factor: along one axis where its shape allows it, else as a whole. */
export function scale(scene: Scene, id: string, factor: number, axis?: number): void {
  const thing = findThing(scene, id);
  if (!thing || !(factor > 0)) return;
  if (thing.kind === 'shape') scaleLengths(thing.item as unknown as Fields, factor, axis);
  else if (thing.kind === 'soft') scaleLengths(thing.item.mesh as unknown as Fields, factor, axis);
  else scaleBody(thing.item, factor, axis);
}

function scaleBody(body: Body, factor: number, axis?: number): void {
  const shapes = body.shapes ?? [];
  for (const shape of shapes) {
    scaleLengths(shape as unknown as Fields, factor, axis);
    if (shape.position && axis === undefined)
      shape.position = round(shape.position.map((part) => factor * part) as Point);
  }
}

type Fields = Record<string, unknown>;

function scaleLengths(fields: Fields, factor: number, axis?: number): void {
  for (const key of LENGTHS) {
    const value = fields[key];
    if (typeof value === 'number') {
      // of a capsule or cylinder z is its length, x and y its radius
      const isMeant =
        axis === undefined || (key === 'halfLength' ? axis === 2 : axis !== 2 || !('halfLength' in fields));
      if (isMeant) fields[key] = roundNumber(factor * value);
    } else if (Array.isArray(value))
      fields[key] = value.map((part: number, k) =>
        axis === undefined || axis === k ? roundNumber(factor * part) : part,
      );
  }
}

/** A copy beside the thing, with names of its own. */
export function duplicate(scene: Scene, id: string, offset: Point = [0, 0, 0]): string {
  const thing = findThing(scene, id);
  if (!thing) return id;
  if (thing.kind === 'body') dropStates(scene);
  const copy = copyNamed(scene, thing.item);
  copy.position = round((thing.item.position ?? [0, 0, 0]).map((part, k) => part + offset[k]!) as Point);
  (thing.list as unknown[]).splice((thing.list as unknown[]).indexOf(thing.item) + 1, 0, copy);
  return idOf(scene, copy as Body)!;
}

/** A copy beside the thing along x, where the two do not touch: on the next line of a grid, m. */
export function duplicateBeside(scene: Scene, id: string, spacing: number): string {
  const thing = findThing(scene, id);
  if (!thing) return id;
  const turned = (thing.item.orientation ?? NO_TURN) as Turn;
  const width = 2 * measureReach(scene, thing, turnPoint(invertTurn(turned), [1, 0, 0]));
  return duplicate(scene, id, [roundNumber(spacing * (Math.floor(width / spacing + 1e-6) + 1)), 0, 0]);
}

/** How far a thing reaches from its origin along a direction of its frame, either way, at most, m. */
function measureReach(scene: Scene, thing: SceneThing, direction: Point): number {
  if (thing.kind === 'soft') return measureLengths(scene, thing.item.mesh as unknown as Fields, direction);
  const shapes = thing.kind === 'shape' ? [{ ...thing.item, position: undefined }] : (thing.item.shapes ?? []);
  return Math.max(
    0,
    ...shapes.map((shape) => {
      const turned = thing.kind === 'shape' ? NO_TURN : ((shape.orientation ?? NO_TURN) as Turn);
      const along = turnPoint(invertTurn(turned), direction);
      const offset = (shape.position ?? [0, 0, 0]).reduce((sum, part, k) => sum + part * direction[k]!, 0);
      return Math.abs(offset) + measureLengths(scene, shape as unknown as Fields, along);
    }),
  );
}

/** Of the box around a shape. */
function measureLengths(scene: Scene, fields: Fields, direction: Point): number {
  const radius = (fields['radius'] as number | undefined) ?? 0;
  const half = (fields['halfLength'] as number | undefined) ?? 0;
  const sizes = (fields['halfSize'] ?? fields['radii']) as Point | undefined;
  const mesh = scene.meshes?.find(({ name }) => name === fields['mesh']);
  const extent: Point = sizes ?? (mesh ? boxOf(mesh.vertices) : [radius, radius, half + radius]);
  return direction.reduce((sum, part, k) => sum + Math.abs(part) * extent[k]!, 0);
}

function boxOf(vertices: readonly number[]): Point {
  const extent: Point = [0, 0, 0];
  for (const [i, value] of vertices.entries()) extent[i % 3] = Math.max(extent[i % 3]!, Math.abs(value));
  return extent;
}

function copyNamed<T extends object>(scene: Scene, item: T): T {
  const names = listNames(scene);
  return JSON.parse(JSON.stringify(item), (key, value: unknown) =>
    key === 'name' && typeof value === 'string' ? freeName(names, value) : value,
  ) as T;
}

/** Copies on a circle about a point of the parent in the plane of x and z, the first and last half a sector from the ends, degrees. */
export function repeatAround(scene: Scene, id: string, count: number, degrees: number, center: Point): void {
  const thing = findThing(scene, id);
  if (!thing || count < 2) return;
  const { item } = thing;
  const position = item.position ?? [0, 0, 0];
  const orientation = (item.orientation ?? NO_TURN) as Turn;
  const sector = (degrees * Math.PI) / 180 / count;
  for (let i = 1; i < count; i++) {
    const copy = findThing(scene, duplicate(scene, idOf(scene, item)!))!;
    // from x towards z is against the sense of y
    const about = turnAbout(1, -sector * i);
    const arm = turnPoint(
      about,
      position.map((part, k) => part - center[k]!),
    );
    copy.item.position = round(arm.map((part, k) => part + center[k]!) as Point);
    setOrientation(copy, combineTurns(about, orientation));
  }
}

/** Copies in a row, each a distance from the one before, m. */
export function repeatAlong(scene: Scene, id: string, count: number, distance: Point): void {
  const thing = findThing(scene, id);
  if (!thing) return;
  const position = thing.item.position ?? [0, 0, 0];
  for (let i = count - 1; i >= 1; i--) {
    const copy = findThing(scene, duplicate(scene, idOf(scene, thing.item)!))!;
    copy.item.position = round(position.map((part, k) => part + i * distance[k]!) as Point);
  }
}

/** Takes a thing out, with everything that refers to it by name. */
export function remove(scene: Scene, id: string): void {
  const thing = findThing(scene, id);
  if (!thing) return;
  if (thing.kind === 'body') dropStates(scene);
  const before = listNames(scene);
  (thing.list as unknown[]).splice((thing.list as unknown[]).indexOf(thing.item), 1);
  const after = listNames(scene);
  const gone = new Set([...before].filter((name) => !after.has(name)));
  const mentions = (value: unknown): boolean =>
    typeof value === 'string'
      ? gone.has(value)
      : typeof value === 'object' &&
        value !== null &&
        Object.entries(value).some(([key, part]) => key !== 'name' && mentions(part));
  const fields = scene as unknown as Record<string, unknown[] | undefined>;
  for (const list of ['equalities', 'tendons', 'actuators', 'sensors', 'contactPairs', 'contactExcludes', 'terms'])
    if (fields[list]?.some(mentions)) fields[list] = fields[list]!.filter((item) => !mentions(item));
  for (const key of Object.keys(fields))
    if (Array.isArray(fields[key]) && fields[key]!.length === 0) delete fields[key];
}

/** How a body moves against its parent; `fixed` is welded to it. */
export function setJoint(scene: Scene, id: string, kind: Joint['kind'] | 'fixed'): void {
  const thing = findThing(scene, id);
  if (thing?.kind !== 'body') return;
  dropStates(scene);
  const [before] = thing.item.joints ?? [];
  const name = before?.name ?? freeName(listNames(scene), `${thing.item.name ?? 'body'} joint`);
  if (kind === 'fixed') delete thing.item.joints;
  else if (kind === 'free') thing.item.joints = [{ kind }];
  else if (kind === 'ball') thing.item.joints = [{ kind, name }];
  else {
    const axis = before && 'axis' in before && before.axis ? before.axis : ([1, 0, 0] as Point);
    thing.item.joints = [{ kind, name, axis }];
  }
}

/** A servo that holds the joint of a body at its control. */
export function addServo(scene: Scene, id: string): void {
  const thing = findThing(scene, id);
  const joint = thing?.kind === 'body' ? thing.item.joints?.[0] : undefined;
  if (!joint || (joint.kind !== 'hinge' && joint.kind !== 'slide')) return;
  dropStates(scene);
  joint.name ??= freeName(listNames(scene), 'joint');
  const name = freeName(listNames(scene), `${joint.name} servo`);
  const range: [number, number] = joint.limit?.range ?? (joint.kind === 'hinge' ? [-1.5, 1.5] : [-0.1, 0.1]);
  const transmission = { kind: 'joint', joint: joint.name } as const;
  const servo: Actuator = {
    kind: 'position',
    name,
    transmission,
    stiffness: 200,
    dampingRatio: 1,
    controlRange: range,
  };
  scene.actuators = [...(scene.actuators ?? []), servo];
}

/** Sets a field of a thing, by its keys; undefined takes it out. */
export function setField(scene: Scene, id: string, keys: readonly (string | number)[], value: unknown): void {
  const thing = findThing(scene, id);
  if (!thing) return;
  let target = thing.item as unknown as Fields;
  for (const [k, key] of keys.slice(0, -1).entries()) {
    target[key] ??= typeof keys[k + 1] === 'number' ? [] : {};
    target = target[key] as Fields;
  }
  const last = keys.at(-1)!;
  if (value === undefined) delete target[last];
  else target[last] = typeof value === 'number' ? roundNumber(value) : value;
}
