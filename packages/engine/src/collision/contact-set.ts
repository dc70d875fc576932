import { NexdynError } from '../error.ts';
import type { Arena } from '../kernels/arena.ts';

/**
 * The arrays of a contact set: type, numbers per contact and their units ('' where they count or name something). Allocation and
 * growth follow from this table; `ContactSet` documents each array.
 */
export const CONTACT_FIELDS = {
  shape1: { type: 'i32', width: 1, unit: '' },
  shape2: { type: 'i32', width: 1, unit: '' },
  carrierKind1: { type: 'u8', width: 1, unit: '' },
  carrierKind2: { type: 'u8', width: 1, unit: '' },
  carrier1: { type: 'i32', width: 1, unit: '' },
  carrier2: { type: 'i32', width: 1, unit: '' },
  vertex1: { type: 'i32', width: 4, unit: '' },
  vertex2: { type: 'i32', width: 4, unit: '' },
  weight1: { type: 'f64', width: 4, unit: '1' },
  weight2: { type: 'f64', width: 4, unit: '1' },
  area: { type: 'f64', width: 1, unit: 'm²' },
  pressure: { type: 'f64', width: 1, unit: 'Pa' },
  position: { type: 'f64', width: 3, unit: 'm' },
  frame: { type: 'f64', width: 9, unit: '1' },
  gap: { type: 'f64', width: 1, unit: 'm' },
  ahead: { type: 'u8', width: 1, unit: '' },
  sweep: { type: 'f64', width: 3, unit: 'm' },
  recovery: { type: 'f64', width: 1, unit: 'm' },
  margin: { type: 'f64', width: 1, unit: 'm' },
  friction: { type: 'f64', width: 5, unit: '1, 1, m, m, m' },
  condim: { type: 'u8', width: 1, unit: '' },
  solref: { type: 'f64', width: 2, unit: 's, 1' },
  solrefFriction: { type: 'f64', width: 2, unit: 's, 1' },
  solimp: { type: 'f64', width: 5, unit: '1, 1, m, 1, 1' },
  stiffness: { type: 'f64', width: 1, unit: 'N/m' },
  dissipation: { type: 'f64', width: 1, unit: 's' },
  restitution: { type: 'f64', width: 1, unit: '1' },
  adhesion: { type: 'f64', width: 1, unit: 'N' },
  pair: { type: 'f64', width: 1, unit: '' },
  feature: { type: 'i32', width: 1, unit: '' },
  previous: { type: 'i32', width: 1, unit: '' },
  force: { type: 'f64', width: 6, unit: 'N, N, N, N m, N m, N m' },
  mode: { type: 'u8', width: 1, unit: '' },
} as const;

type FieldName = keyof typeof CONTACT_FIELDS;
interface ArrayTypes {
  i32: Int32Array;
  f64: Float64Array;
  u8: Uint8Array;
}
/** One array per field. */
export type ContactArrays = { [K in FieldName]: ArrayTypes[(typeof CONTACT_FIELDS)[K]['type']] };

/** Most contacts of a step: half a gigabyte. */
const MOST_CONTACTS = 1_000_000;

const NAMES = /* @__PURE__ */ Object.keys(CONTACT_FIELDS) as FieldName[];
const CONSTRUCTORS = { i32: Int32Array, f64: Float64Array, u8: Uint8Array } as const;

/** Contacts up to which their arrays lie in an arena, 30 MB: what grows there leaves its old place behind. */
const MOST_IN_ARENA = 65_536;

/**
 * The contacts of one configuration, structure of arrays, sorted by pair of shapes and then by feature.
 *
 * Each contact has two sides, shape 1 and shape 2, and on each side a carrier: what moves with the contact point. The normal
 * points from side 1 to side 2; gap is negative in penetration; the point lies half way between the surfaces.
 */
export class ContactSet implements ContactArrays {
  /** Contacts in use. */
  count = 0;
  /** Numbers of the two shapes; soft body s counts as shape `size.shape` + s. */
  shape1: Int32Array = new Int32Array(0);
  /** Number of the second shape. */
  shape2: Int32Array = new Int32Array(0);
  /** What carries each side: see CARRIER; the number is that of the body or soft body. */
  carrierKind1: Uint8Array = new Uint8Array(0);
  /** The same of side 2. */
  carrierKind2: Uint8Array = new Uint8Array(0);
  /** Number of the body or soft body of side 1. */
  carrier1: Int32Array = new Int32Array(0);
  /** Number of the body or soft body of side 2. */
  carrier2: Int32Array = new Int32Array(0);
  /** Carriers that are soft: four vertices (−1 where there are fewer) and their weights, which sum to 1. */
  vertex1: Int32Array = new Int32Array(0);
  /** The same of side 2. */
  vertex2: Int32Array = new Int32Array(0);
  /** Weights of the four vertices of side 1. */
  weight1: Float64Array = new Float64Array(0);
  /** Weights of the four vertices of side 2. */
  weight2: Float64Array = new Float64Array(0);
  /** Faces of a pressure field: area, m², and pressure at the start of the step, Pa; zero at single points. */
  area: Float64Array = new Float64Array(0);
  /** Pressure of a face at the start of the step, Pa. */
  pressure: Float64Array = new Float64Array(0);
  /** World, m. */
  position: Float64Array = new Float64Array(0);
  /** Rows normal, first tangent, second tangent; world axes. */
  frame: Float64Array = new Float64Array(0);
  /** m. */
  gap: Float64Array = new Float64Array(0);
  /** See AHEAD. */
  ahead: Uint8Array = new Uint8Array(0);
  /** From the point of side 1, `position`, to that of side 2, m: zero but where a fast body touches in the course of the step. */
  sweep: Float64Array = new Float64Array(0);
  /** Of pairs that overlapped at the start: what is to be added to the gap, so that they are pushed apart slowly, m; else 0. */
  recovery: Float64Array = new Float64Array(0);
  /** Gap below which the contact acts; contacts above it are only detected, m. */
  margin: Float64Array = new Float64Array(0);
  /** Two sliding coefficients, spin (m), two rolling (m). */
  friction: Float64Array = new Float64Array(0);
  /** Dimension under `mujoco`: 1, 3, 4 or 6. */
  condim: Uint8Array = new Uint8Array(0);
  /** Time constant (s) and damping ratio under `mujoco`; two numbers. */
  solref: Float64Array = new Float64Array(0);
  /** Of the friction directions; zeros mean as `solref`. */
  solrefFriction: Float64Array = new Float64Array(0);
  /** Impedance under `mujoco`: at zero depth, at the width, width (m), midpoint, power; five numbers. */
  solimp: Float64Array = new Float64Array(0);
  /** N/m; 0 leaves it to the formulation. */
  stiffness: Float64Array = new Float64Array(0);
  /** s; negative leaves it to the formulation. */
  dissipation: Float64Array = new Float64Array(0);
  /** Coefficient of restitution, 0 to 1. */
  restitution: Float64Array = new Float64Array(0);
  /** Adhesion under `mujoco`, N. */
  adhesion: Float64Array = new Float64Array(0);
  /** One number per pair of shapes, ascending over the set. */
  pair: Float64Array = new Float64Array(0);
  /** Stays with a contact while the same features of the same shapes touch. */
  feature: Int32Array = new Int32Array(0);
  /** Number of the same contact in the detection before, or −1. */
  previous: Int32Array = new Int32Array(0);
  /** Written by the solve: force of side 1 on side 2 in the contact frame, N, and spin and roll torques, N m; six numbers. */
  force: Float64Array = new Float64Array(0);
  /** Written by the solve: see CONTACT_MODE. */
  mode: Uint8Array = new Uint8Array(0);

  #capacity = 0;
  readonly #arena: Arena | undefined;

  /** In arrays of its own, or in an arena, where compiled functions reach them. */
  constructor(arena?: Arena) {
    this.#arena = arena;
  }

  /** Makes room for some more contacts and returns the number of the first. */
  reserve(more: number): number {
    const first = this.count;
    if (first + more > MOST_CONTACTS) refuse();
    this.count += more;
    if (this.count > this.#capacity) this.#grow();
    return first;
  }

  #grow(): void {
    const capacity = Math.min(MOST_CONTACTS, Math.max(64, 2 * this.count));
    const arena = capacity <= MOST_IN_ARENA ? this.#arena : undefined;
    for (const name of NAMES) {
      const { type, width } = CONTACT_FIELDS[name];
      const length = width * capacity;
      const grown = arena ? arena[type](length) : new CONSTRUCTORS[type](length);
      grown.set(this[name]);
      (this as Record<FieldName, ArrayTypes[keyof ArrayTypes]>)[name] = grown;
    }
    this.#capacity = capacity;
  }
}

function refuse(): never {
  throw new NexdynError('too-large', `there are more than ${MOST_CONTACTS} contacts in a step`, {
    hint: 'move shapes apart that overlap, or give them collision groups, so that not all of them touch each other',
  });
}

/** Values of `carrierKind`: the world, a rigid body with the point fixed to it, or vertices of a soft body with weights. */
export const CARRIER = { world: 0, body: 1, soft: 2 } as const;

/**
 * Values of `ahead`: an ordinary contact; a pair that approaches fast, which in this step may come into touch but not penetrate, whatever the
 * contact law; a pair at a gap that only another impact of the same step may close.
 */
export const AHEAD = { no: 0, fast: 1, byImpact: 2 } as const;

/** Values of `mode`: no force, a force inside the friction cone, a force on it (or no friction). */
export const CONTACT_MODE = { open: 0, stick: 1, slide: 2 } as const;

/** Whether a side of contact i is carried by a soft body. */
export function isSoftContact({ carrierKind1, carrierKind2 }: ContactSet, i: number): boolean {
  return carrierKind1[i] === CARRIER.soft || carrierKind2[i] === CARRIER.soft;
}
