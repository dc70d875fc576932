/** How thick and how long shapes are: the smallest and the largest extent of the box of a shape along the axes of its own frame, m. */
import { writeShapeBounds } from '../geometry/bounds/shape-bounds.ts';
import { placeShape } from '../geometry/placed-shape.ts';
import { hasShapeData, SHAPE_TABLE } from '../geometry/shapes/shape-table.ts';
import { selectShapeData } from '../model/collision-geometry.ts';
import type { Model } from '../model/model.ts';

/** Least thickness, share of the largest extent: sheets have none of their own. */
const SHEET_SHARE = 0.002;

/** Thickness of every shape; Infinity for planes and terrain, which are solid below, and for shapes without data. */
export function measureShapeThickness(model: Model): Float64Array {
  return measureExtents(model, (extents) => Math.max(Math.min(...extents), SHEET_SHARE * Math.max(...extents)));
}

/** Length of every shape; Infinity where thickness is. */
export function measureShapeLength(model: Model): Float64Array {
  return measureExtents(model, (extents) => Math.max(...extents));
}

function measureExtents(model: Model, read: (extents: readonly number[]) => number): Float64Array {
  const { shape, size, geometry } = model;
  const box = new Float64Array(6);
  return Float64Array.from({ length: size.shape }, (_, s) => {
    const kind = shape.kind[s];
    const placed = placeShape(
      kind,
      Array.from(shape.size.subarray(3 * s, 3 * s + 3)),
      [0, 0, 0],
      [1, 0, 0, 0, 1, 0, 0, 0, 1],
      selectShapeData(geometry, kind, shape.asset[s]),
    );
    if (SHAPE_TABLE[kind].isEndless || placed.heightField || !hasShapeData(placed)) return Infinity;
    writeShapeBounds(box, 0, placed, 0);
    return read([0, 1, 2].map((k) => box[3 + k] - box[k]));
  });
}
