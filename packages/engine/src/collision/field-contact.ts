/** Contacts of signed-distance shapes; they come with '@nexdyn/engine/fields'. */
import type { PairTest } from '../geometry/pair-test.ts';
import type { PlacedShape } from '../geometry/placed-shape.ts';
import { LatePart } from '../parts/late-part.ts';

export const FIELD_CONTACT: LatePart<{
  /** Makes the samples of a surface before they are needed. */
  prepare(shape: PlacedShape): void;
  readonly test: PairTest;
}> = new LatePart('fields', 'signed-distance fields');

/** A any shape, B one with a field. */
export const testFieldPair: PairTest = (out, a, b, reach) => FIELD_CONTACT.require().test(out, a, b, reach);
