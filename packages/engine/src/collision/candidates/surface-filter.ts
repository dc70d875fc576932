/** Which surfaces may touch where soft bodies are among them; soft body s is shape `size.shape` + s. */

import type { Model } from '../../model/model.ts';
import { mayTouch, type PairFilter } from '../pair-filter.ts';

/** Selects which of the pairs that may touch are checked. */
export type PairChoice = (shape1: number, shape2: number) => boolean;

/** Whether shapes a and b may touch; a soft body may touch itself where it says so. */
export function maySurfacesTouch(model: Model, filter: PairFilter, a: number, b: number): boolean {
  const { shape: count } = model.size;
  if (a < count && b < count) return mayTouch(model, filter, a, b);
  const { groups, mask } = model.shape;
  const { soft } = model;
  if (a === b) return soft.touchesItself[a - count] === 1;
  const groupsA = a < count ? groups[a] : soft.groups[a - count];
  const groupsB = b < count ? groups[b] : soft.groups[b - count];
  const maskA = a < count ? mask[a] : soft.mask[a - count];
  const maskB = b < count ? mask[b] : soft.mask[b - count];
  return ((groupsA & maskB) | (groupsB & maskA)) !== 0;
}
