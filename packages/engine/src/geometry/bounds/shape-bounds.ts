/** Boxes along the world's axes around placed shapes; each kind writes its own (geometry/shapes). */
import type { PlacedShape } from '../placed-shape.ts';
import { SHAPE_TABLE } from '../shapes/shape-table.ts';

/** Writes the box of a shape, grown by `inflate` (m) on all sides, at offset o: low x y z, high x y z. */
export function writeShapeBounds(out: Float64Array, o: number, shape: PlacedShape, inflate: number): void {
  SHAPE_TABLE[shape.kind].writeBounds(out, o, shape, inflate);
}
