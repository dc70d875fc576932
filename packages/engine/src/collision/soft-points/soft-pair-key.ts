import type { Model } from '../../model/model.ts';

/** One number for a pair with a soft body, beyond those of all pairs of rigid shapes; a soft body counts as shape `size.shape` + s. */
export function softPairKey({ size }: Model, a: number, b: number): number {
  const total = size.shape + size.softBody;
  return size.shape * size.shape + (a < b ? a * total + b : b * total + a);
}
