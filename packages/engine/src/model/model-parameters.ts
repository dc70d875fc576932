/**
 * Parameters of a model that a simulation can change without being made anew: masses, inertias, friction, stiffness, damping, gains,
 * gravity and poses of shapes, with all that the compiler derives from them (inverse weights, bounds of vibrations, materials).
 *
 * A simulation with parameters of its own works on a copy of its model in which these arrays are its own. The parameters of another model
 * of the same scene are the arrays that differ; setting them copies numbers. Models that differ in anything else, or in which a number
 * comes to be zero or changes its sign, need a simulation of their own: lists of what has springs, dampers or friction depend on that.
 */
import { EQUALITY, type Model } from './model.ts';
import { MATERIAL } from './model-surfaces.ts';
import { isSame } from './same-assets.ts';

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
  inverseWeight: ['bodyTranslation', 'bodyRotation', 'dof', 'tendon'],
  vibration: ['joint', 'constraintJoint', 'tendon', 'actuator'],
};
/** Fields that may take any value. In body coordinates frames stand at centres of mass, and poses follow these. */
const FREE: Readonly<Record<string, readonly string[]>> = {
  body: ['inertiaCenter', 'inertiaOrientation'],
  joint: ['anchor'],
  keyframe: ['position', 'velocity'],
  shape: ['position', 'orientation', 'friction', 'solref', 'solimp', 'solmix'],
  surface: ['number', 'record'],
  options: ['gravity'],
};
/** Arrays of the model itself, which may take any value too. */
const WHOLE = ['initialPosition', 'springPosition'] as const;

/** Numbers of a model that differ from those a simulation was made with. */
export interface ModelParameters {
  /** By the place of the field in the list. */
  readonly values: ReadonlyMap<number, Numbers>;
  /** Mean of the diagonal of the mass matrix, kg or kg m². */
  readonly meanInertia: number;
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
  #set: ModelParameters;

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
    for (const name of WHOLE) {
      const array = model[name].slice();
      own[name] = array;
      this.#fields.push({ own: array, first: model[name], isSigned: false, read: (other) => other[name] });
    }
    this.model = own as unknown as Model;
    this.#inverseWeight = own.inverseWeight as { meanInertia: number };
    this.#set = { values: new Map(), meanInertia: model.inverseWeight.meanInertia };
  }

  /** The parameters of another model; undefined where it needs a simulation of its own. */
  match(other: Model): ModelParameters | undefined {
    const first = this.#first;
    if (other === first) return { values: new Map(), meanInertia: first.inverseWeight.meanInertia };
    if (!isFlexible(first) || !isFlexible(other) || !this.#isSameElse(other)) return undefined;
    const values = new Map<number, Numbers>();
    for (const [i, { first: before, isSigned, read }] of this.#fields.entries()) {
      const now = read(other);
      if (isSame(before, now)) continue;
      if (isSigned && !haveSameSigns(before, now)) return undefined;
      values.set(i, now);
    }
    if (!keepsServos(first, other) || hasGravity(first) !== hasGravity(other)) return undefined;
    return { values, meanInertia: other.inverseWeight.meanInertia };
  }

  /** Puts parameters in place of those that were set before. */
  set(parameters: ModelParameters): void {
    for (const i of this.#set.values.keys()) {
      if (!parameters.values.has(i)) this.#fields[i].own.set(this.#fields[i].first);
    }
    for (const [i, values] of parameters.values) this.#fields[i].own.set(values);
    this.#inverseWeight.meanInertia = parameters.meanInertia;
    this.#set = parameters;
  }

  // whether all that is no parameter is the same
  #isSameElse(other: Model): boolean {
    for (const [section, part] of Object.entries(this.#first)) {
      const twin = other[section as keyof Model];
      if (Object.is(part, twin) || (WHOLE as readonly string[]).includes(section)) continue;
      const live = [...(SIGNED[section] ?? []), ...(FREE[section] ?? [])];
      if (live.length === 0) {
        if (!isSame(part, twin)) return false;
        continue;
      }
      for (const [name, value] of Object.entries(part as Section)) {
        if (live.includes(name) || (section === 'inverseWeight' && name === 'meanInertia')) continue;
        if (!isSame(value, (twin as unknown as Section)[name])) return false;
      }
    }
    return true;
  }
}

/** Soft bodies, pressure fields, added energies and equalities of tendons take what they need when they are made. */
function isFlexible({ size, pressure, terms, equality }: Model): boolean {
  return size.softBody === 0 && !pressure.isActive && terms.length === 0 && !equality.kind.includes(EQUALITY.tendon);
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
