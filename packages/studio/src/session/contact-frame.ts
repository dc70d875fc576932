/**
 * Contacts of one state, packed for the page: worst first, in single precision, in arrays that are handed over whole.
 *
 * Where there are more than the page can use, the ones with the smallest gaps are sent; the numbers of the whole set are kept.
 * The force of a contact is the one on its moving side, so that arrows of a floor point into what stands on it; between two
 * moving bodies it is the one that points up, which is the one on the body that is carried.
 */

/** The part of a contact set that is shown. */
export interface ContactArrays {
  readonly count: number;
  readonly shape1: Int32Array;
  readonly shape2: Int32Array;
  /** Three per contact, m. */
  readonly position: Float64Array;
  /** Nine per contact: normal and two tangents. */
  readonly frame: Float64Array;
  /** m. */
  readonly gap: Float64Array;
  /** m. */
  readonly margin: Float64Array;
  /** Six per contact: force of side 1 on side 2 in the frame of the contact, N; torques are not shown. */
  readonly force: Float64Array;
  /** Places in `CONTACT_MODES`. */
  readonly mode: Uint8Array;
  /** Faces of a pressure field, m²; zero at single points. */
  readonly area?: Float64Array;
  /** Of faces of a pressure field, Pa. */
  readonly pressure?: Float64Array;
}

export interface ContactFrame {
  /** Contacts of the state; those in the arrays may be fewer. */
  total: number;
  /** How many of all are of each kind. */
  kinds: Record<ContactKind, number>;
  /** How many of all do what. */
  modes: Record<ContactMode, number>;
  /** Smallest gap, m, negative in penetration; undefined where nothing touches. */
  worstGap: number | undefined;
  /** Sum of the normal forces of all, N. */
  normalForce: number;
  /** Faces of pressure fields among all, their area, m², and the highest pressure, Pa. */
  patch: { faces: number; area: number; pressure: number };
  /** Sum of the forces of fixed bodies on moving ones, world axes, N. */
  support: [number, number, number];
  /** Numbers of the two shapes of each contact. */
  shapes: Int32Array;
  /** `POINT_WIDTH` numbers per contact: position, normal from the first shape to the second, gap, margin, force, normal force, mode, area, pressure. */
  points: Float32Array;
}

export type ContactKind = 'penetrating' | 'touching' | 'near';

/** No force; a force inside the friction cone; a force on it. */
export type ContactMode = (typeof CONTACT_MODES)[number];

export const CONTACT_MODES = ['open', 'stick', 'slide'] as const;

/** Numbers per contact in `points`, and where in them the single ones are. */
export const POINT_WIDTH = 15;
export const GAP_OFFSET = 6;
export const MARGIN_OFFSET = 7;
export const FORCE_OFFSET = 8;
export const NORMAL_FORCE_OFFSET = 11;
export const MODE_OFFSET = 12;
export const AREA_OFFSET = 13;

/** Surfaces within this distance of each other touch, m. */
export const TOUCH = 1e-4;
/** Contacts sent to the page and drawn at most. */
export const MOST_CONTACTS = 2000;
/** Gaps closer than this are no reason to change the order, m. */
const ORDER_STEP = 1e-6;

export function classifyGap(gap: number): ContactKind {
  return gap < -TOUCH ? 'penetrating' : gap <= TOUCH ? 'touching' : 'near';
}

/** Packs contact sets of one scene; its scratch arrays are kept from frame to frame. */
export class ContactPacker {
  readonly #isFixed: ArrayLike<boolean | number>;
  readonly #up: ArrayLike<number>;
  readonly #most: number;
  #order = new Int32Array(64);
  #rank = new Float64Array(64);
  readonly #force: [number, number, number] = [0, 0, 0];

  /** `isFixed`: per shape, whether nothing moves it; `gravity` says where up is, of any length. */
  constructor(isFixed: ArrayLike<boolean | number>, gravity: ArrayLike<number>, most: number = MOST_CONTACTS) {
    this.#isFixed = isFixed;
    this.#up = Array.from(gravity, (part) => -part);
    this.#most = most;
  }

  pack(set: ContactArrays): ContactFrame {
    const count = Math.min(this.#most, set.count);
    const frame: ContactFrame = {
      total: set.count,
      kinds: { penetrating: 0, touching: 0, near: 0 },
      modes: { open: 0, stick: 0, slide: 0 },
      worstGap: undefined,
      normalForce: 0,
      patch: { faces: 0, area: 0, pressure: 0 },
      support: [0, 0, 0],
      shapes: new Int32Array(2 * count),
      points: new Float32Array(POINT_WIDTH * count),
    };
    for (let i = 0; i < set.count; i++) this.#count(set, i, frame);
    const order = this.#sort(set);
    for (let rank = 0; rank < count; rank++) this.#write(set, order[rank]!, frame, rank);
    return frame;
  }

  #count(set: ContactArrays, i: number, frame: ContactFrame): void {
    const gap = set.gap[i]!;
    frame.kinds[classifyGap(gap)] += 1;
    frame.modes[CONTACT_MODES[set.mode[i]!]!] += 1;
    frame.normalForce += set.force[6 * i]!;
    const area = set.area?.[i] ?? 0;
    if (area > 0) {
      frame.patch.faces += 1;
      frame.patch.area += area;
      frame.patch.pressure = Math.max(frame.patch.pressure, set.pressure?.[i] ?? 0);
    }
    if (frame.worstGap === undefined || gap < frame.worstGap) frame.worstGap = gap;
    if (this.#isFixed[set.shape1[i]!] === this.#isFixed[set.shape2[i]!]) return;
    const force = this.#readForce(set, i);
    for (let k = 0; k < 3; k++) frame.support[k]! += force[k]!;
  }

  /** The force on the moving or carried side, in world axes. */
  #readForce({ frame, force, shape1, shape2 }: ContactArrays, i: number): [number, number, number] {
    const [normal, first, second] = [force[6 * i]!, force[6 * i + 1]!, force[6 * i + 2]!];
    let [size, rise] = [0, 0];
    for (let k = 0; k < 3; k++) {
      const part = frame[9 * i + k]! * normal + frame[9 * i + 3 + k]! * first + frame[9 * i + 6 + k]! * second;
      this.#force[k] = part;
      size += Math.abs(part * this.#up[k]!);
      rise += part * this.#up[k]!;
    }
    const [isFixed1, isFixed2] = [this.#isFixed[shape1[i]!], this.#isFixed[shape2[i]!]];
    // level forces keep their direction: rounding must not turn them to and fro
    const isTurned = isFixed1 === isFixed2 ? rise < -1e-6 * size : isFixed2;
    if (isTurned) for (let k = 0; k < 3; k++) this.#force[k]! *= -1;
    return this.#force;
  }

  /** Worst first; equal ones in the order of the engine, so that corners of a resting box do not trade places. */
  #sort({ count, gap }: ContactArrays): Int32Array {
    if (count > this.#order.length) {
      this.#order = new Int32Array(2 * count);
      this.#rank = new Float64Array(2 * count);
    }
    for (let i = 0; i < count; i++) {
      this.#order[i] = i;
      this.#rank[i] = Math.round(gap[i]! / ORDER_STEP);
    }
    const rank = this.#rank;
    return this.#order.subarray(0, count).sort((a, b) => rank[a]! - rank[b]! || a - b);
  }

  #write(set: ContactArrays, i: number, { shapes, points }: ContactFrame, rank: number): void {
    shapes[2 * rank] = set.shape1[i]!;
    shapes[2 * rank + 1] = set.shape2[i]!;
    const force = this.#readForce(set, i);
    const o = POINT_WIDTH * rank;
    for (let k = 0; k < 3; k++) {
      points[o + k] = set.position[3 * i + k]!;
      points[o + 3 + k] = set.frame[9 * i + k]!;
      points[o + FORCE_OFFSET + k] = force[k]!;
    }
    points[o + GAP_OFFSET] = set.gap[i]!;
    points[o + MARGIN_OFFSET] = set.margin[i]!;
    points[o + NORMAL_FORCE_OFFSET] = set.force[6 * i]!;
    points[o + MODE_OFFSET] = set.mode[i]!;
    points[o + AREA_OFFSET] = set.area?.[i] ?? 0;
    points[o + AREA_OFFSET + 1] = set.pressure?.[i] ?? 0;
  }
}
