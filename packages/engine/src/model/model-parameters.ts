/**
 * Parameters of a model that a simulation can change without being made anew: masses, inertias, friction, stiffness, damping, gains,
 * gravity, poses of shapes, moduli, densities and damping of soft bodies, with all that the compiler derives from them (inverse weights,
 * bounds of vibrations, materials).
 *
 * A simulation with parameters of its own works on a copy of its model in which these arrays are its own. The parameters of another model
 * of the same scene are the arrays that differ; setting them copies numbers. Models that differ in anything else, or in which a number
 * comes to be zero or changes its sign, need a simulation of their own: lists of what has springs, dampers or friction depend on that.
 */
import { NexdynError } from '../error.ts';
import type { Elasticity } from '../scene/soft-body.ts';
import { createLiveModel, type LiveModel } from './live-model.ts';
import { EQUALITY, type Model } from './model.ts';
import type { ModelLook, ModelViews } from './model-look.ts';
import { MATERIAL } from './model-surfaces.ts';
import { haveSameNumbers, isSame } from './same-assets.ts';

type Numbers = Float64Array | Int32Array;
type Section = Readonly<Record<string, unknown>>;

/** Fields of which only values may change: what is zero, positive or negative stays so. */
const SIGNED: Readonly<Record<string, readonly string[]>> = {
  body: ['mass', 'subtreeMass', 'inertiaMoments', 'gravityCompensation'],
  joint: ['stiffness'],
  dof: ['damping', 'armature', 'frictionLoss'],
  constraintJoint: ['stiffness', 'damping', 'armature', 'frictionLoss', 'inverseWeight'],
  tendon: ['stiffness', 'damping', 'armature', 'frictionLoss'],
  actuator: ['gain', 'bias'],
  material: ['stiffness', 'dissipation', 'restitution'],
  shape: ['adhesion'],
  soft: ['mass', 'stiffness', 'dissipation', 'restitution'],
  inverseWeight: ['bodyTranslation', 'bodyRotation', 'dof', 'tendon'],
  vibration: ['joint', 'constraintJoint', 'tendon', 'actuator'],
};
/** Fields that may take any value. In body coordinates frames stand at centres of mass, and poses follow these. */
const FREE: Readonly<Record<string, readonly string[]>> = {
  body: ['inertiaCenter', 'inertiaOrientation'],
  joint: ['anchor'],
  keyframe: ['position', 'velocity'],
  shape: ['position', 'orientation', 'friction', 'solref', 'solimp', 'solmix'],
  soft: ['friction'],
  surface: ['number', 'record'],
  options: ['gravity'],
};
/** Fields that are no arrays of numbers. */
const SCALARS = ['inverseWeight.meanInertia', 'soft.elasticity'];
/** Arrays of the model itself, which may take any value too. */
const WHOLE = ['initialPosition', 'springPosition'] as const;
/** Cameras and lights, which follow centres of mass: arrays that may take any value, and lists with an array for each of them. */
const VIEWS = ['camera', 'light'] as const;
const VIEW_ARRAYS = ['position', 'orientation', 'offset', 'initialOrientation'] as const;
const VIEW_LISTS = ['followedMass', 'followedCenter'] as const;

/** Numbers of a model that differ from those a simulation was made with. */
export interface ModelParameters {
  /** By the place of the field in the list. */
  readonly values: ReadonlyMap<number, Numbers>;
  /** Mean of the diagonal of the mass matrix, kg or kg m². */
  readonly meanInertia: number;
  /** Per soft body. */
  readonly elasticity: readonly Readonly<Elasticity>[];
}

/** A field of the own model, and what it was at the start. */
interface LiveField {
  readonly own: Numbers;
  readonly first: Numbers;
  readonly isSigned: boolean;
  read(model: Model): Numbers;
}

/** The model of a simulation with parameters of its own. */
export class OwnParameters {
  readonly model: Model;
  readonly #first: Model;
  readonly #fields: LiveField[] = [];
  readonly #inverseWeight: { meanInertia: number };
  readonly #elasticity: Readonly<Elasticity>[];
  #set: ModelParameters;
  /** Made at the first use; null where the scene has none. */
  #live: LiveModel | null | undefined;

  constructor(model: Model) {
    this.#first = model;
    const own: Record<string, unknown> = { ...model };
    for (const [table, isSigned] of [
      [SIGNED, true],
      [FREE, false],
    ] as const) {
      for (const [section, names] of Object.entries(table)) {
        const copy: Record<string, unknown> = { ...(own[section] as Section) };
        for (const name of names) {
          const first = copy[name] as Numbers | undefined;
          if (first === undefined) continue;
          const array = section === 'surface' && name === 'record' ? makeRoom(model) : first.slice();
          copy[name] = array;
          const read = (other: Model) => (other[section as keyof Model] as unknown as Section)[name] as Numbers;
          this.#fields.push({ own: array, first, isSigned, read });
        }
        own[section] = copy;
      }
    }
    for (const name of WHOLE) own[name] = this.#ownArray(model[name], (other) => other[name]);
    own.look = this.#ownViews(model.look);
    this.#elasticity = [...model.soft.elasticity];
    (own.soft as { elasticity: unknown }).elasticity = this.#elasticity;
    this.model = own as unknown as Model;
    this.#inverseWeight = own.inverseWeight as { meanInertia: number };
    this.#set = readScalars(model, new Map());
  }

  #ownViews(look: ModelLook): ModelLook {
    const own: { -readonly [K in keyof ModelLook]: ModelLook[K] } = { ...look };
    for (const kind of VIEWS) {
      const views: { -readonly [K in keyof ModelViews]: ModelViews[K] } = { ...look[kind] };
      for (const name of VIEW_ARRAYS) {
        views[name] = this.#ownArray(look[kind][name], (other) => other.look[kind][name]);
      }
      for (const name of VIEW_LISTS) {
        views[name] = look[kind][name].map((first, v) => this.#ownArray(first, (other) => other.look[kind][name][v]));
      }
      own[kind] = views;
    }
    return own;
  }

  // a copy that takes any values
  #ownArray<T extends Numbers>(first: T, read: (other: Model) => Numbers): T {
    const own = first.slice() as T;
    this.#fields.push({ own, first, isSigned: false, read });
    return own;
  }

  /** The parameters of another model; undefined where it needs a simulation of its own. */
  match(other: Model): ModelParameters | undefined {
    const first = this.#first;
    if (other === first) return readScalars(first, new Map());
    if (!isFlexible(first) || !isFlexible(other) || !this.#isSameElse(other)) return undefined;
    return this.#collect(other);
  }

  /** The parameters of the scene with values replaced by path; undefined where they take the compiler, or another simulation. */
  compute(values: Readonly<Record<string, unknown>>): ModelParameters | undefined {
    if (!isFlexible(this.#first)) return undefined;
    this.#live ??= createLiveModel(this.#first) ?? null;
    try {
      const model = this.#live?.apply(values);
      return model && this.#collect(model);
    } catch (error) {
      // the compiler says what is wrong
      if (error instanceof NexdynError) return undefined;
      throw error;
    }
  }

  /** The numbers of a model that differs in no more than them. */
  #collect(other: Model): ModelParameters | undefined {
    const values = new Map<number, Numbers>();
    for (let i = 0; i < this.#fields.length; i++) {
      const { first, isSigned, read } = this.#fields[i];
      const now = read(other);
      if (haveSameNumbers(first, now)) continue;
      if (isSigned && !haveSameSigns(first, now)) return undefined;
      values.set(i, now.slice());
    }
    if (!keepsServos(this.#first, other) || hasGravity(this.#first) !== hasGravity(other)) return undefined;
    return keepsElements(this.#first, other) ? readScalars(other, values) : undefined;
  }

  /** Puts parameters in place of those that were set before. */
  set(parameters: ModelParameters): void {
    for (const i of this.#set.values.keys()) {
      if (!parameters.values.has(i)) this.#fields[i].own.set(this.#fields[i].first);
    }
    for (const [i, values] of parameters.values) this.#fields[i].own.set(values);
    this.#inverseWeight.meanInertia = parameters.meanInertia;
    // soft bodies take what differs from what they have: equal values are the same object
    parameters.elasticity.forEach((elasticity, n) => {
      if (!isSame(elasticity, this.#elasticity[n])) this.#elasticity[n] = elasticity;
    });
    this.#set = parameters;
  }

  // whether all that is no parameter is the same
  #isSameElse(other: Model): boolean {
    for (const [section, part] of Object.entries(this.#first)) {
      const twin = other[section as keyof Model];
      if (Object.is(part, twin) || (WHOLE as readonly string[]).includes(section)) continue;
      if (section === 'look') {
        if (!isSameLook(this.#first.look, other.look)) return false;
        continue;
      }
      const live = [...(SIGNED[section] ?? []), ...(FREE[section] ?? [])];
      if (live.length === 0) {
        if (!isSame(part, twin)) return false;
        continue;
      }
      for (const [name, value] of Object.entries(part as Section)) {
        if (live.includes(name) || SCALARS.includes(`${section}.${name}`)) continue;
        if (!isSame(value, (twin as unknown as Section)[name])) return false;
      }
    }
    return true;
  }
}

/** Whether two looks differ at most in where cameras and lights are, and in the masses that they follow. */
function isSameLook(a: ModelLook, b: ModelLook): boolean {
  const isLive = (name: string) => [...VIEW_ARRAYS, ...VIEW_LISTS].some((live) => live === name);
  const isSameView = (kind: (typeof VIEWS)[number]) =>
    Object.entries(a[kind]).every(
      ([name, value]) => isLive(name) || isSame(value, b[kind][name as keyof ModelViews]),
    ) && VIEW_LISTS.every((name) => a[kind][name].every(({ length }, v) => b[kind][name][v]?.length === length));
  return Object.entries(a).every(([name, value]) => {
    const view = VIEWS.find((kind) => kind === name);
    return view ? isSameView(view) : isSame(value, b[name as keyof ModelLook]);
  });
}

/** Added energies and equalities of tendons take what they need when they are made. */
function isFlexible({ terms, equality }: Model): boolean {
  return terms.length === 0 && !equality.kind.includes(EQUALITY.tendon);
}

function readScalars({ inverseWeight, soft }: Model, values: ModelParameters['values']): ModelParameters {
  return { values, meanInertia: inverseWeight.meanInertia, elasticity: soft.elasticity };
}

/** Whether soft bodies have the same elements: the same laws, and what is zero stays so. */
function keepsElements({ soft: a }: Model, { soft: b }: Model): boolean {
  return a.elasticity.every((elasticity, n) => {
    const other = b.elasticity[n];
    // elements with more points split the change of volume by Poisson's ratio
    const isSplit = a.dimension[n] === 3 && a.element[n] !== 'tet4';
    return isLike(elasticity, other) && (!isSplit || elasticity.poissonRatio === other.poissonRatio);
  });
}

/** Whether two values differ in numbers only, and in none of their signs. */
function isLike(a: unknown, b: unknown): boolean {
  if (typeof a === 'number' && typeof b === 'number') return Math.sign(a) === Math.sign(b);
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return Object.is(a, b);
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && isLike(a[key as keyof typeof a], b[key as keyof typeof b]))
  );
}

/** Materials that are equal share a record: room for the case that none are. */
function makeRoom({ surface }: Model): Float64Array {
  const room = new Float64Array(MATERIAL.stride * surface.number.length);
  room.set(surface.record);
  return room;
}

function haveSameSigns(a: Numbers, b: Numbers): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (Math.sign(a[i]) !== Math.sign(b[i])) return false;
  return true;
}

function hasGravity({ options: { gravity } }: Model): boolean {
  return gravity.some((part) => part !== 0);
}

/** A position servo is one whose gain is that of its length (dynamics/servo-period.ts). */
function keepsServos({ actuator: a, size }: Model, { actuator: b }: Model): boolean {
  for (let c = 0; c < 3 * size.actuator; c += 3) {
    if ((a.gain[c] === -a.bias[c + 1]) !== (b.gain[c] === -b.bias[c + 1])) return false;
  }
  return true;
}
