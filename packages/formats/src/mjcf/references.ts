/** The names by which objects of a scene refer to each other. */
import type { Actuator, ContactExclude, ContactPair, Equality, Sensor, SensorObject, Tendon } from '@nexdyn/engine';
import type { OpenBody } from './reading.ts';

/** Kinds of things that can be referred to. */
export type NameSpace = 'body' | 'joint' | 'shape' | 'site' | 'tendon' | 'actuator' | 'camera';

/** One reference of an object. */
export interface Reference {
  space: NameSpace;
  name: string;
  /** The attribute of MJCF it was written in. */
  attribute: string;
  /** Makes the object refer to another name. */
  assign: (name: string) => void;
}

/** Names in use, by kind. */
export type Names = Record<NameSpace, Set<string>>;

/** Objects that refer to others. */
export type Referring = ContactPair | ContactExclude | Equality | Tendon | Actuator | Sensor;

/** Names that sensors have in fields of their own. */
const SENSED = [
  ['site', 'site'],
  ['joint', 'joint'],
  ['tendon', 'tendon'],
  ['actuator', 'actuator'],
  ['body', 'body'],
  ['camera', 'camera'],
  ['shape', 'shape', 'geom'],
] as const;

/** Things that sensors name by kind and name. */
const SENSED_OBJECTS = [
  ['object', 'objname'],
  ['reference', 'refname'],
  ['first', 'geom1'],
  ['second', 'geom2'],
] as const;
const SPACES: Readonly<Partial<Record<SensorObject['kind'], NameSpace>>> = {
  shape: 'shape',
  shapeCenter: 'shape',
  site: 'site',
  camera: 'camera',
};

/** All references of an object, in a fixed order. */
export function listReferences(object: Referring): Reference[] {
  const found: Reference[] = [];
  // `holder[key]` is a name or absent
  const add = (holder: object, key: string, space: NameSpace, attribute: string): void => {
    const record = holder as Record<string, unknown>;
    const name = record[key];
    if (typeof name !== 'string') return;
    const assign = (value: string): void => {
      record[key] = value;
    };
    found.push({ space, name, attribute, assign });
  };
  if ('transmission' in object) {
    const { transmission } = object;
    add(transmission, 'joint', 'joint', 'inParent' in transmission ? 'jointinparent' : 'joint');
    add(transmission, 'tendon', 'tendon', 'tendon');
    add(transmission, 'site', 'site', 'site');
    add(transmission, 'referenceSite', 'site', 'refsite');
    add(transmission, 'crankSite', 'site', 'cranksite');
    add(transmission, 'sliderSite', 'site', 'slidersite');
    add(transmission, 'body', 'body', 'body');
    return found;
  }
  if ('terms' in object) for (const term of object.terms) add(term, 'joint', 'joint', 'joint');
  if ('path' in object) {
    for (const station of object.path) {
      add(station, 'site', 'site', 'site');
      add(station, 'shape', 'shape', 'geom');
      add(station, 'sideSite', 'site', 'sidesite');
    }
  }
  for (const [key, space, attribute = key] of SENSED) add(object, key, space, attribute);
  for (const [key, attribute] of SENSED_OBJECTS) {
    const thing = (object as { [K in typeof key]?: SensorObject })[key];
    if (thing) add(thing, 'name', SPACES[thing.kind] ?? 'body', attribute);
  }
  for (const side of ['1', '2']) {
    add(object, `shape${side}`, 'shape', `geom${side}`);
    add(object, `body${side}`, 'body', `body${side}`);
    add(object, `site${side}`, 'site', `site${side}`);
    add(object, `joint${side}`, 'joint', `joint${side}`);
    add(object, `tendon${side}`, 'tendon', `tendon${side}`);
  }
  return found;
}

/** Whether there is a name at all; without one nothing can be referred to. */
export function hasNames(names: Names): boolean {
  return Object.values(names).some((known) => known.size > 0);
}

/** Whether an object refers to one of the names. */
export function refersTo(object: Referring, names: Names): boolean {
  return listReferences(object).some(({ space, name }) => names[space].has(name));
}

/** Names of everything inside a body, not of the body itself. */
export function collectNames(root: OpenBody): Names {
  const names: Names = {
    body: new Set(),
    joint: new Set(),
    shape: new Set(),
    site: new Set(),
    tendon: new Set(),
    actuator: new Set(),
    camera: new Set(),
  };
  const visit = (body: OpenBody): void => {
    for (const joint of body.joints) if (joint.name) names.joint.add(joint.name);
    for (const shape of body.shapes) if (shape.name) names.shape.add(shape.name);
    for (const site of body.sites) if (site.name) names.site.add(site.name);
    for (const camera of body.cameras) if (camera.name) names.camera.add(camera.name);
    for (const child of body.bodies) {
      if (child.name) names.body.add(child.name);
      visit(child);
    }
  };
  visit(root);
  return names;
}
