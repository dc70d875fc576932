/** Which shapes a fluid acts on as on ellipsoids. */
import { SHAPE_TABLE } from '../geometry/shapes/shape-table.ts';
import type { Model } from '../model/model.ts';

/** Whether the fluid acts on shape s by itself: meshes and fields have no half axes. */
export function isFluidShape({ shape }: Model, s: number): boolean {
  const { data, isEndless } = SHAPE_TABLE[shape.kind[s]];
  return data === undefined && !isEndless && shape.fluid.subarray(5 * s, 5 * s + 5).some(Boolean);
}
