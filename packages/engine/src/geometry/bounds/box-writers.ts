/** Boxes along the world's axes around intervals, points and boxes of the frame of a shape, m. */
import type { PlacedShape } from '../placed-shape.ts';
import { UNBOUNDED } from './unbounded.ts';

/** The interval center ± half along one axis. */
export function writeRange(out: Float64Array, o: number, center: number, half: number): void {
  out[o] = center - half;
  out[o + 3] = center + half;
}

/** Box of points of the shape's frame. */
export function writeVertices(
  out: Float64Array,
  o: number,
  vertices: Float64Array,
  { position, rotation }: PlacedShape,
  inflate: number,
): void {
  for (let i = 0; i < 3; i++) {
    const x = rotation[3 * i];
    const y = rotation[3 * i + 1];
    const z = rotation[3 * i + 2];
    let low = Infinity;
    let high = -Infinity;
    for (let v = 0; v < vertices.length; v += 3) {
      const along = x * vertices[v] + y * vertices[v + 1] + z * vertices[v + 2];
      if (along < low) low = along;
      if (along > high) high = along;
    }
    out[o + i] = position[i] + low - inflate;
    out[o + 3 + i] = position[i] + high + inflate;
  }
}

/**
 * Box around a box of the shape's frame, which may be unbounded: sums of the least and largest shares of its edges. Exact while
 * that frame is along the world's axes.
 */
export function writeLocalBox(
  out: Float64Array,
  o: number,
  box: Float64Array,
  { position, rotation }: PlacedShape,
  inflate: number,
): void {
  for (let i = 0; i < 3; i++) {
    let low = position[i] - inflate;
    let high = position[i] + inflate;
    for (let k = 0; k < 3; k++) {
      const r = rotation[3 * i + k];
      if (r === 0) continue;
      low += r * (r > 0 ? box[k] : box[3 + k]);
      high += r * (r > 0 ? box[3 + k] : box[k]);
    }
    out[o + i] = Math.max(low, -UNBOUNDED);
    out[o + 3 + i] = Math.min(high, UNBOUNDED);
  }
}
