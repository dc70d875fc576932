import type { HeightField } from '../height-field.ts';

/** Least and largest height of a field, m: computed once for each field, which does not change. */
export interface HeightExtent {
  readonly low: number;
  readonly high: number;
}

const extents = /* @__PURE__ */ new WeakMap<HeightField, HeightExtent>();

export function heightExtent(field: HeightField): HeightExtent {
  const known = extents.get(field);
  if (known !== undefined) return known;
  const { heights } = field;
  let low = Infinity;
  let high = -Infinity;
  for (let i = 0; i < heights.length; i++) {
    if (heights[i] < low) low = heights[i];
    if (heights[i] > high) high = heights[i];
  }
  const extent = { low, high };
  extents.set(field, extent);
  return extent;
}
