/** How deep shapes may overlap at the start, under every formulation, and the words for those that are left out. */
import type { Model } from '../../model/model.ts';
import type { OverlappingPair } from './left-out-pairs.ts';
import { describeLength, nameShape } from './shape-names.ts';

/** Depth that counts as round-off under every rule, share of d̂. */
export const TOUCH_SHARE = 0.5;
/** Depth beyond which a pair is left out, share of the thickness of the thinner shape. */
export const THICKNESS_SHARE = 0.5;

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
