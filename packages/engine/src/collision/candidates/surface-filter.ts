/** Which surfaces may touch where soft bodies are among them, and the friction between them; soft body s is shape `size.shape` + s. */

import type { Model } from '../../model/model.ts';
import { mayTouch, type PairFilter } from '../pair-filter.ts';

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

/** The larger coefficient of sliding friction of two surfaces one of which is soft, as of all others of equal priority. */
export function mixSoftFriction(model: Model, a: number, b: number): number {
  const { shape: count } = model.size;
  const override = model.scene.options?.contactOverride?.friction;
  if (override) return override[0];
  const read = (s: number): number => (s < count ? model.shape.friction[3 * s] : model.soft.friction[3 * (s - count)]);
  return Math.max(read(a), read(b));
}
