/**
 * For cells of a grid, the triangles that can be nearest to a point of the cell: with c the centre, d its distance from the
 * mesh, r half the diagonal,
 *
 *   |x − T| ≤ |x − c| + d ≤ r + d,   |c − T| ≤ |x − T| + r ≤ d + 2 r
 *
 * for the triangle T nearest to a point x of the cell. Where they are many, a search through the tree is faster.
 */
import type { ExactMeshField } from './exact-mesh-field.ts';
import type { GridField } from './grid-field.ts';

/** Longest list. */
const MAX_TRIANGLES = 24;

export interface NearbyTriangles {
  /** Per cell of the spline, x fastest: where its list begins; −1 where none is asked for. */
  readonly starts: Int32Array;
  /** Lists one after the other: the number of triangles, and these; or 0, and a triangle to start a search from. */
  readonly lists: Int32Array;
}

/**
 * @param isListed per cell of the spline, x fastest: 1 if a list is asked for
 * @param values samples of the true distance, x fastest, m
 * @param counts number of samples along x, y, z
 * @param nearest per sample the nearest triangle
 */
export function listNearbyTriangles(
  isListed: Uint8Array,
  grid: GridField,
  exact: ExactMeshField,
  values: Float64Array,
  counts: ArrayLike<number>,
  nearest: Int32Array,
): NearbyTriangles {
  const [nx, ny, nz] = [counts[0], counts[1], counts[2]];
  const { bounds, spacing: h } = grid;
  const starts = new Int32Array(isListed.length).fill(-1);
  const lists: number[] = [];
  for (let k = 1, cell = 0; k < nz - 1; k++) {
    for (let j = 1; j < ny - 1; j++) {
      for (let i = 1; i < nx - 1; i++, cell++) {
        if (isListed[cell] === 0) continue;
        starts[cell] = lists.length;
        const n = i + nx * (j + ny * k);
        const reach = (Math.abs(values[n]) + Math.sqrt(3) * h) * (1 + 1e-9);
        // the nearest to the centre first: mostly others are then seen to be farther by their discs
        const [x, y, z] = [bounds[0] + h * i, bounds[1] + h * j, bounds[2] + h * k];
        const found = exact.collectNearby(MAX_TRIANGLES, reach, x, y, z);
        if (found === undefined) lists.push(0, nearest[n]);
        else lists.push(found.length, ...found);
      }
    }
  }
  return { starts, lists: Int32Array.from(lists) };
}
