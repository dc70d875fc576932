import { BufferAttribute, BufferGeometry } from 'three';
import type { DrawnHeightField } from '../session/scene-drawing.ts';

/** Surface of a terrain with walls down to its base; samples run along x first, from the corner (-x, -y). */
export function heightFieldGeometry(field: DrawnHeightField): BufferGeometry {
  const { rows, columns, heights } = field;
  const positions: number[] = [];
  const indices: number[] = [];

  // the surface: one vertex per sample, two triangles per cell
  for (let row = 0; row < rows; row++)
    for (let column = 0; column < columns; column++) {
      positions.push(...samplePoint(field, row, column));
    }
  for (let row = 0; row + 1 < rows; row++)
    for (let column = 0; column + 1 < columns; column++) {
      const corner = row * columns + column;
      indices.push(corner, corner + 1, corner + columns + 1, corner, corner + columns + 1, corner + columns);
    }

  // the walls: once around, counter-clockwise from above, with separate vertices so that the rim stays sharp
  const base = heights.reduce((low, height) => Math.min(low, height), Infinity) - field.baseDepth;
  const rim: [number, number][] = [];
  for (let column = 0; column < columns; column++) rim.push([0, column]);
  for (let row = 1; row < rows; row++) rim.push([row, columns - 1]);
  for (let column = columns - 2; column >= 0; column--) rim.push([rows - 1, column]);
  for (let row = rows - 2; row >= 0; row--) rim.push([row, 0]);
  for (let i = 0; i + 1 < rim.length; i++) {
    const [ax, ay, az] = samplePoint(field, ...rim[i]!);
    const [bx, by, bz] = samplePoint(field, ...rim[i + 1]!);
    const first = positions.length / 3;
    positions.push(ax, ay, az, bx, by, bz, ax, ay, base, bx, by, base);
    indices.push(first, first + 2, first + 3, first, first + 3, first + 1);
  }

  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new BufferAttribute(Float32Array.from(positions), 3));
  geometry.setIndex(indices);
  geometry.computeVertexNormals();
  return geometry;
}

function samplePoint(field: DrawnHeightField, row: number, column: number): [number, number, number] {
  const { rows, columns, halfSize, heights } = field;
  return [
    halfSize[0] * ((2 * column) / (columns - 1) - 1),
    halfSize[1] * ((2 * row) / (rows - 1) - 1),
    heights[row * columns + column]!,
  ];
}
