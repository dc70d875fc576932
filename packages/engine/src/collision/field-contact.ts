/** Contacts of signed-distance shapes; they come with '@nexdyn/engine/fields'. */
import type { PairTest } from '../geometry/pair-test.ts';
import type { PlacedShape } from '../geometry/placed-shape.ts';
import { LazyModule } from '../parts/lazy-module.ts';

export const FIELD_CONTACT: LazyModule<{
  /** Makes the samples of a surface before they are needed. */
  prepare(shape: PlacedShape): void;
  readonly test: PairTest;
}> = new LazyModule('fields', 'signed-distance fields');

/** A any shape, B one with a field. */
export const testFieldPair: PairTest = (out, a, b, reach) => FIELD_CONTACT.require().test(out, a, b, reach);
