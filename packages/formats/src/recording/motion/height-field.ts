import type { ModelHeightFields } from '@nexdyn/engine';
import type { Solid } from './solid.ts';

/** The surface of a terrain with walls down to its base, open below; samples run along x first, from the corner (−x, −y). */
export function triangulateHeightField(fields: ModelHeightFields, field: number): Solid {
  const rows = fields.rows[field]!;
  const columns = fields.columns[field]!;
  const start = fields.dataStart[field]!;
  const heights = fields.heights.subarray(start, start + rows * columns);
  const lowest = heights.reduce((low, height) => Math.min(low, height), Number.POSITIVE_INFINITY);
  const base = lowest - fields.baseDepth[field]!;
  const place = (row: number, column: number): [number, number] => [
    fields.halfSize[2 * field]! * ((2 * column) / (columns - 1) - 1),
    fields.halfSize[2 * field + 1]! * ((2 * row) / (rows - 1) - 1),
  ];

  // the surface: one vertex per sample, two triangles per cell
  const vertices: number[] = [];
  const faces: number[] = [];
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++)
      vertices.push(...place(row, column), heights[row * columns + column]!);
  }
  for (let row = 0; row + 1 < rows; row++) {
    for (let column = 0; column + 1 < columns; column++) {
      const corner = row * columns + column;
      faces.push(corner, corner + 1, corner + columns + 1, corner, corner + columns + 1, corner + columns);
    }
  }

  // the walls: once around, counter-clockwise from above
  const rim: [number, number][] = [];
  for (let column = 0; column < columns; column++) rim.push([0, column]);
  for (let row = 1; row < rows; row++) rim.push([row, columns - 1]);
  for (let column = columns - 2; column >= 0; column--) rim.push([rows - 1, column]);
  for (let row = rows - 2; row > 0; row--) rim.push([row, 0]);
  const below = vertices.length / 3;
  for (const [row, column] of rim) vertices.push(...place(row, column), base);
  rim.forEach(([row, column], i) => {
    const next = (i + 1) % rim.length;
    const above = row * columns + column;
    const [nextRow, nextColumn] = rim[next]!;
    const nextAbove = nextRow * columns + nextColumn;
    faces.push(above, below + i, below + next, above, below + next, nextAbove);
  });
  return { kind: 'mesh', vertices: Float64Array.from(vertices), faces: Int32Array.from(faces) };
}
