/** How deep shapes may overlap at the start, under every formulation, and the words for those that are left out. */
import { JOINT, type Model } from '../../model/model.ts';
import { measureShapeLength, measureShapeThickness } from '../shape-thickness.ts';
import type { OverlappingPair } from './left-out-pairs.ts';
import { describeLength, nameShape } from './shape-names.ts';

/** Depth that counts as round-off under every rule, share of d̂. */
export const TOUCH_SHARE = 0.5;
/** Depth beyond which a pair is left out, share of the thickness of the thinner shape, or of the length of one in the ground. */
export const DEPTH_SHARE = 0.5;
/** What a body that is put into the ground by just half of it may be deeper by, share. */
const ROUND_OFF = 1e-6;

/**
 * Depth beyond which pairs of rigid shapes are left out. From planes and terrain the way out is up, however deep a shape is in them: a body
 * that is free to move, and stands with its centre on the ground, comes out.
 */
export class OverlapLimit {
  readonly #model: Model;
  readonly #thickness: Float64Array;
  readonly #length: Float64Array;

  constructor(model: Model) {
    this.#model = model;
    this.#thickness = measureShapeThickness(model);
    this.#length = measureShapeLength(model);
  }

  /** Of two shapes, m. */
  of(one: number, two: number): number {
    const thickness = this.#thickness;
    if (thickness[one] === Infinity && this.#isFree(two)) return (1 + ROUND_OFF) * DEPTH_SHARE * this.#length[two];
    if (thickness[two] === Infinity && this.#isFree(one)) return (1 + ROUND_OFF) * DEPTH_SHARE * this.#length[one];
    return DEPTH_SHARE * Math.min(thickness[one], thickness[two]);
  }

  /** Of a shape and something as thick as that, m. */
  ofThickness(one: number, thickness: number): number {
    return DEPTH_SHARE * Math.min(this.#thickness[one], thickness);
  }

  // no joint holds its mechanism
  #isFree(s: number): boolean {
    const { body, joint, constraintJoint, shape } = this.#model;
    const b = shape.body[s];
    if (body.lastDof[b] < 0 || constraintJoint.body2.includes(b)) return false;
    return joint.kind.some((kind, j) => kind === JOINT.free && joint.body[j] === body.root[b]);
  }
}

/** Pairs that are named one by one; the others are counted. */
const MOST_NAMED = 100;

/** Pairs in words, the first of them one by one. */
export function describePairs<Pair>(pairs: readonly Pair[], describe: (pair: Pair) => string): string[] {
  const words = pairs.slice(0, MOST_NAMED).map(describe);
  const others = pairs.length - words.length;
  if (others > 0) words.push(`contact of ${others} more pairs that overlap at the start`);
  return words;
}

/** A pair that has no contact, in words. */
export function describeLeftOut(model: Model, { shape1, shape2, depth }: OverlappingPair): string {
  const isSelf = shape1 === shape2;
  const names = isSelf ? `${nameShape(model, shape1)} with itself` : namePair(model, shape1, shape2);
  const size = depth > 0 && !isSelf ? `, which overlap by ${describeLength(depth)} at the start` : '';
  return `contact of ${names}${size}, until they have come apart`;
}

export function namePair(model: Model, one: number, two: number): string {
  return `${nameShape(model, one)} and ${nameShape(model, two)}`;
}
