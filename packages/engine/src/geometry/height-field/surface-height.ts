/** The surface of a height field over a point: flat on each of the two triangles of a cell. */
import type { HeightField } from '../height-field.ts';

/** Height of the surface at (x, y), m; outside of the field that of its border. */
export function measureHeight(field: HeightField, x: number, y: number): number {
  const { rows, columns, heights, halfSizeX, halfSizeY } = field;
  const u = clamp(((x + halfSizeX) / (2 * halfSizeX)) * (columns - 1), columns - 1);
  const v = clamp(((y + halfSizeY) / (2 * halfSizeY)) * (rows - 1), rows - 1);
  const c = Math.min(Math.floor(u), columns - 2);
  const r = Math.min(Math.floor(v), rows - 2);
  const s = u - c;
  const w = v - r;
  const at = r * columns + c;
  const low = heights[at];
  const high = heights[at + columns + 1];
  // the diagonal goes from (r, c) to (r + 1, c + 1)
  if (s >= w) {
    const corner = heights[at + 1];
    return low + s * (corner - low) + w * (high - corner);
  }
  const corner = heights[at + columns];
  return low + w * (corner - low) + s * (high - corner);
}

function clamp(x: number, most: number): number {
  return x > 0 ? Math.min(x, most) : 0;
}
