/** Which shapes a fluid acts on as on ellipsoids, and the half axes of those ellipsoids. */
import { SHAPE_TABLE } from '../geometry/shapes/shape-table.ts';
import type { Model } from '../model/model.ts';

/** Whether the fluid acts on shape s by itself: fields and unbounded shapes have no half axes. */
export function isFluidShape({ shape }: Model, s: number): boolean {
  const { data, isEndless } = SHAPE_TABLE[shape.kind[s]];
  if (shape.fluidMesh.has(s)) return true;
  return data === undefined && !isEndless && shape.fluid.subarray(5 * s, 5 * s + 5).some(Boolean);
}

/** out = half axes of shape s, m. */
export function writeFluidAxes(out: Float64Array, at: number, { shape }: Model, s: number): void {
  const ofMesh = shape.fluidMesh.get(s);
  if (ofMesh) {
    out.set(ofMesh.subarray(7), at);
    return;
  }
  const bounds = new Float64Array(6);
  const placed = {
    size: shape.size.subarray(3 * s, 3 * s + 3),
    position: new Float64Array(3),
    rotation: Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1),
  };
  SHAPE_TABLE[shape.kind[s]].writeBounds(bounds, 0, placed as never, 0);
  out.set(bounds.subarray(3), at);
}
