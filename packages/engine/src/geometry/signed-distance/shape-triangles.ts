/** Closed surfaces of polyhedra and terrain as triangles, counter-clockwise from outside. */
import type { ConvexPolyhedron } from '../convex/polyhedron.ts';
import type { HeightField } from '../height-field.ts';
import type { ClosedMesh } from './closed-mesh.ts';

/** Vertex numbers of triangles that fan out from the first corner of each face. */
export function meshPolyhedron(hull: ConvexPolyhedron): Int32Array {
  const { faceStart, faceVertex } = hull;
  const triangles: number[] = [];
  for (let f = 0; f + 1 < faceStart.length; f++) {
    const first = faceStart[f];
    for (let i = first + 1; i + 1 < faceStart[f + 1]; i++) {
      triangles.push(faceVertex[first], faceVertex[i], faceVertex[i + 1]);
    }
  }
  return Int32Array.from(triangles);
}

/** The ground, each cell cut from its corner of low x and y to that of high x and y; its walls; its bottom. */
export function meshHeightField(field: HeightField): ClosedMesh {
  const { rows, columns, halfSizeX, halfSizeY, heights, baseDepth } = field;
  const vertices: number[] = [];
  const triangles: number[] = [];
  for (let r = 0, n = 0; r < rows; r++) {
    for (let c = 0; c < columns; c++, n++) {
      vertices.push(
        halfSizeX * ((2 * c) / (columns - 1) - 1),
        halfSizeY * ((2 * r) / (rows - 1) - 1),
        Math.max(heights[n], -baseDepth),
      );
      if (r === 0 || c === 0) continue;
      const low = n - columns - 1;
      triangles.push(low, low + 1, n, low, n, n - 1);
    }
  }

  // around the border, counter-clockwise from above
  const border: number[] = [];
  for (let c = 0; c < columns - 1; c++) border.push(c);
  for (let r = 0; r < rows - 1; r++) border.push(r * columns + columns - 1);
  for (let c = columns - 1; c > 0; c--) border.push((rows - 1) * columns + c);
  for (let r = rows - 1; r > 0; r--) border.push(r * columns);
  const below = rows * columns;
  const center = below + border.length;
  border.forEach((top, i) => {
    vertices.push(vertices[3 * top], vertices[3 * top + 1], -baseDepth);
    const next = (i + 1) % border.length;
    triangles.push(below + i, below + next, border[next], below + i, border[next], top);
    triangles.push(center, below + next, below + i);
  });
  vertices.push(0, 0, -baseDepth);
  return { vertices: Float64Array.from(vertices), triangles: Int32Array.from(triangles) };
}
