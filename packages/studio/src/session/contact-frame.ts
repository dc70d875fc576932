/**
 * Contacts of one state, packed for the page: worst first, in single precision, in arrays that are handed over whole.
 *
 * Where there are more than the page can use, the ones with the smallest gaps are sent; the numbers of the whole set are kept.
 */

/** The part of a contact set that is shown. */
export interface ContactArrays {
  readonly count: number;
  readonly shape1: Int32Array;
  readonly shape2: Int32Array;
  /** Three per contact, m. */
  readonly position: Float64Array;
  /** Nine per contact; the first three are the normal. */
  readonly frame: Float64Array;
  /** m. */
  readonly gap: Float64Array;
  /** m. */
  readonly margin: Float64Array;
}

export interface ContactFrame {
  /** Contacts of the state; those in the arrays may be fewer. */
  total: number;
  /** How many of all are of each kind. */
  kinds: Record<ContactKind, number>;
  /** Smallest gap, m, negative in penetration; undefined where nothing touches. */
  worstGap: number | undefined;
  /** Numbers of the two shapes of each contact. */
  shapes: Int32Array;
  /** `POINT_WIDTH` numbers per contact: position, normal from the first shape to the second, gap, margin. */
  points: Float32Array;
}

export type ContactKind = 'penetrating' | 'touching' | 'near';

/** Numbers per contact in `points`, and where in them gap and margin are. */
export const POINT_WIDTH = 8;
export const GAP_OFFSET = 6;
export const MARGIN_OFFSET = 7;

/** Surfaces within this distance of each other touch, m. */
export const TOUCH = 1e-4;

/** Contacts sent to the page and drawn at most. */
export const MOST_CONTACTS = 2000;

/** Gaps closer than this are no reason to change the order, m. */
const ORDER_STEP = 1e-6;

export function classifyGap(gap: number): ContactKind {
  return gap < -TOUCH ? 'penetrating' : gap <= TOUCH ? 'touching' : 'near';
}

export function packContacts(set: ContactArrays, most: number = MOST_CONTACTS): ContactFrame {
  const kinds: ContactFrame['kinds'] = { penetrating: 0, touching: 0, near: 0 };
  let worstGap: number | undefined;
  for (let i = 0; i < set.count; i++) {
    const gap = set.gap[i]!;
    kinds[classifyGap(gap)] += 1;
    if (worstGap === undefined || gap < worstGap) worstGap = gap;
  }

  // worst first; equal ones in the order of the engine, so that corners of a resting box do not trade places
  const steps = Array.from({ length: set.count }, (_, i) => Math.round(set.gap[i]! / ORDER_STEP));
  const order = Array.from(steps.keys()).sort((a, b) => steps[a]! - steps[b]! || a - b);
  const count = Math.min(most, set.count);
  const shapes = new Int32Array(2 * count);
  const points = new Float32Array(POINT_WIDTH * count);
  for (let rank = 0; rank < count; rank++) {
    const i = order[rank]!;
    shapes[2 * rank] = set.shape1[i]!;
    shapes[2 * rank + 1] = set.shape2[i]!;
    const o = POINT_WIDTH * rank;
    for (let k = 0; k < 3; k++) {
      points[o + k] = set.position[3 * i + k]!;
      points[o + 3 + k] = set.frame[9 * i + k]!;
    }
    points[o + GAP_OFFSET] = set.gap[i]!;
    points[o + MARGIN_OFFSET] = set.margin[i]!;
  }
  return { total: set.count, kinds, worstGap, shapes, points };
}
