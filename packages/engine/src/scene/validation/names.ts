import { NexdynError } from '../../error.ts';
import type { Actuator } from '../actuator.ts';
import type { Body } from '../body.ts';
import type { Camera } from '../camera.ts';
import type { Joint } from '../joint.ts';
import { formatPath, type Place, placeBelow } from '../place.ts';
import type { Scene } from '../scene.ts';
import type { Shape } from '../shape.ts';
import type { Site } from '../site.ts';
import { suggestSpelling } from '../spelling.ts';
import type { Tendon } from '../tendon.ts';

/** A body with its place in the tree. */
export interface PlacedBody {
  body: Body;
  place: Place;
  /** Whether its parent is the world. */
  isTop: boolean;
  /** Whether a joint of its own or of an ancestor moves it. */
  moves: boolean;
  /** Whether a joint of an ancestor moves it. */
  isCarried: boolean;
}

/** Things of one kind by name, each with its place. */
export class NameTable<T> {
  readonly #entries = new Map<string, { item: T; place: Place | undefined }>();
  readonly #kind: string;
  readonly #plural: string;
  readonly #taken: NameTable<unknown> | undefined;

  /** Names in `taken` are not free for this table either. */
  constructor(kind: string, plural: string, taken?: NameTable<unknown>) {
    this.#kind = kind;
    this.#plural = plural;
    this.#taken = taken;
  }

  /** Adds a thing where it has a name; the name must be new. */
  add(item: T, name: string | undefined, place: Place | undefined): void {
    if (name === undefined) return;
    const first = this.get(name) ?? this.#taken?.get(name);
    if (first) {
      const hint = first.place ? `the first is ${formatPath(first.place)}` : 'this name is taken by the scene itself';
      const path = formatPath({ parent: place, key: 'name' });
      throw new NexdynError('duplicate-name', `two ${this.#plural} have the name '${name}'`, { path, hint });
    }
    this.#entries.set(name, { item, place });
  }

  /** What has that name, if anything has. */
  get(name: string): { item: T; place: Place | undefined } | undefined {
    return this.#entries.get(name);
  }

  /** The thing of that name; `place` is where the name is written. */
  find(name: string, place: Place): T {
    const entry = this.get(name);
    if (entry) return entry.item;
    const hint = suggestSpelling(name, this.#entries.keys(), this.#plural);
    throw new NexdynError('unknown-reference', `there is no ${this.#kind} '${name}'`, {
      path: formatPath(place),
      hint,
    });
  }

  /** Raises an error where a name is given and nothing has it. */
  require(name: string | undefined, place: Place): void {
    if (name !== undefined) this.find(name, place);
  }
}

/** Everything in a scene that others refer to by name. */
export interface SceneNames {
  bodies: PlacedBody[];
  materials: NameTable<unknown>;
  meshes: NameTable<unknown>;
  heightFields: NameTable<unknown>;
  signedDistanceFields: NameTable<unknown>;
  body: NameTable<unknown>;
  joint: NameTable<Joint>;
  shape: NameTable<Shape>;
  site: NameTable<Site>;
  tendon: NameTable<Tendon>;
  actuator: NameTable<Actuator>;
  softBody: NameTable<unknown>;
  texture: NameTable<unknown>;
  appearance: NameTable<unknown>;
  camera: NameTable<Camera>;
}

/** Collects the names of a scene of sound structure; two things of one kind must not share a name. */
export function indexNames(scene: Scene): SceneNames {
  const names: SceneNames = {
    bodies: [],
    materials: new NameTable('material', 'materials'),
    meshes: new NameTable('mesh', 'meshes'),
    heightFields: new NameTable('height field', 'height fields'),
    signedDistanceFields: new NameTable('signed-distance field', 'signed-distance fields'),
    body: new NameTable('body', 'bodies'),
    joint: new NameTable('joint', 'joints'),
    shape: new NameTable('shape', 'shapes'),
    site: new NameTable('site', 'sites'),
    tendon: new NameTable('tendon', 'tendons'),
    actuator: new NameTable('actuator', 'actuators'),
    softBody: new NameTable('soft body', 'bodies'),
    texture: new NameTable('texture', 'textures'),
    appearance: new NameTable('appearance', 'appearances'),
    camera: new NameTable('camera', 'cameras'),
  };
  // a soft body and a rigid one cannot share a name
  names.softBody = new NameTable('soft body', 'bodies', names.body);
  addAll(names.materials, scene.materials, undefined, 'materials');
  addAll(names.meshes, scene.meshes, undefined, 'meshes');
  addAll(names.heightFields, scene.heightFields, undefined, 'heightFields');
  addAll(names.signedDistanceFields, scene.signedDistanceFields, undefined, 'signedDistanceFields');
  addAll(names.texture, scene.textures, undefined, 'textures');
  addAll(names.appearance, scene.appearances, undefined, 'appearances');
  addAll(names.camera, scene.cameras, undefined, 'cameras');
  const lights = new NameTable('light', 'lights');
  addAll(lights, scene.lights, undefined, 'lights');
  addAll(names.shape, scene.shapes, undefined, 'shapes');
  addAll(names.site, scene.sites, undefined, 'sites');
  names.body.add(undefined, 'world', undefined);
  names.bodies = listBodies(scene);
  for (const { body, place } of names.bodies) {
    names.body.add(body, body.name, place);
    addAll(names.joint, body.joints, place, 'joints');
    addAll(names.shape, body.shapes, place, 'shapes');
    addAll(names.site, body.sites, place, 'sites');
    addAll(names.camera, body.cameras, place, 'cameras');
    addAll(lights, body.lights, place, 'lights');
  }
  addAll(names.tendon, scene.tendons, undefined, 'tendons');
  addAll(names.softBody, scene.softBodies, undefined, 'softBodies');
  addAll(names.actuator, scene.actuators, undefined, 'actuators');
  // names that nothing refers to are unique all the same
  addAll(new NameTable('equality', 'equalities'), scene.equalities, undefined, 'equalities');
  addAll(new NameTable('skin', 'skins'), scene.skins, undefined, 'skins');
  addAll(new NameTable('pair', 'contact pairs'), scene.contactPairs, undefined, 'contactPairs');
  addAll(new NameTable('exclude', 'contact excludes'), scene.contactExcludes, undefined, 'contactExcludes');
  addAll(new NameTable('sensor', 'sensors'), scene.sensors, undefined, 'sensors');
  addAll(new NameTable('keyframe', 'keyframes'), scene.keyframes, undefined, 'keyframes');
  return names;
}

function addAll<T extends { name?: string }>(
  table: NameTable<T> | NameTable<unknown>,
  items: T[] | undefined,
  parent: Place | undefined,
  key: string,
): void {
  items?.forEach((item, i) => {
    table.add(item, item.name, item.name === undefined ? undefined : placeBelow(parent, key, i));
  });
}

/** All bodies, depth first. */
function listBodies(scene: Scene): PlacedBody[] {
  const list: PlacedBody[] = [];
  const open: PlacedBody[] = [];
  const push = (bodies: Body[] = [], parent?: PlacedBody) => {
    const key = { parent: parent?.place, key: 'bodies' };
    for (let i = bodies.length - 1; i >= 0; i--) {
      const body = bodies[i];
      const isCarried = parent?.moves ?? false;
      const moves = isCarried || (body.joints?.length ?? 0) > 0;
      open.push({ body, place: { parent: key, key: i }, isTop: !parent, moves, isCarried });
    }
  };
  push(scene.bodies);
  for (let next = open.pop(); next; next = open.pop()) {
    list.push(next);
    push(next.body.bodies, next);
  }
  return list;
}
