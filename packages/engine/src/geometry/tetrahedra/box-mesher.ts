/**
 * A box of regular cells, five tetrahedra each: one in the middle, on every other corner of the cell, and four that cut off the
 * other corners. Neighbouring cells are mirror images, so that the diagonals on their common face agree. In cubic cells the
 * dihedral angles are 54.7°, 70.5° and 90°. The six-fold split around a diagonal is not used: it has angles of 45° and a sixth
 * more tetrahedra for the same vertices.
 */
import { type ErrorPlace, NexdynError } from '../../error.ts';
import type { TetrahedralMesh } from './tetrahedral-mesh.ts';

/** Most cells of one box: a simulation of more would not fit into its memory. */
export const MAX_CELLS = 500_000;

/** Corners of a cell (bits: high x, high y, high z), four per tetrahedron; mirrored in x for odd cells. */
const SPLIT: readonly number[] = [0, 3, 6, 5, 1, 0, 5, 3, 2, 3, 6, 0, 4, 5, 0, 6, 7, 6, 3, 5];

/** @param halfSize half the edges, m; @param cells number of cells along each edge */
export function meshBox(
  halfSize: ArrayLike<number>,
  cells: ArrayLike<number>,
  subject = 'the box',
  place: ErrorPlace = {},
): TetrahedralMesh {
  const [nx, ny, nz] = [cells[0], cells[1], cells[2]];
  const [ex, ey, ez] = [halfSize[0], halfSize[1], halfSize[2]];
  if (![ex, ey, ez].every((e) => e > 0 && e < Infinity)) {
    throw new NexdynError('invalid-value', `${subject} has half edges ${ex}, ${ey}, ${ez}: all must be positive`, {
      hint: 'give metres, as in 0.1',
      ...place,
    });
  }
  if (![nx, ny, nz].every((n) => Number.isInteger(n) && n >= 1)) {
    throw new NexdynError('invalid-value', `${subject} has ${nx} by ${ny} by ${nz} cells: each must be at least 1`, {
      hint: 'give whole numbers',
      ...place,
    });
  }
  if (nx * ny * nz > MAX_CELLS) {
    const reason = `${subject} has ${nx} by ${ny} by ${nz} cells, more than ${MAX_CELLS}`;
    throw new NexdynError('too-large', reason, { hint: 'use fewer cells', ...place });
  }
  const vertices = new Float64Array(3 * (nx + 1) * (ny + 1) * (nz + 1));
  for (let k = 0, o = 0; k <= nz; k++) {
    for (let j = 0; j <= ny; j++) {
      for (let i = 0; i <= nx; i++) {
        vertices[o++] = ex * ((2 * i) / nx - 1);
        vertices[o++] = ey * ((2 * j) / ny - 1);
        vertices[o++] = ez * ((2 * k) / nz - 1);
      }
    }
  }
  const tetrahedra = new Int32Array(20 * nx * ny * nz);
  for (let k = 0, o = 0; k < nz; k++) {
    for (let j = 0; j < ny; j++) {
      for (let i = 0; i < nx; i++, o += 20) {
        const isOdd = (i + j + k) % 2;
        for (let c = 0; c < 20; c++) {
          const octant = SPLIT[c] ^ isOdd;
          const [x, y, z] = [i + (octant & 1), j + ((octant >> 1) & 1), k + (octant >> 2)];
          // a mirror image turns over: two corners change places
          const to = isOdd === 1 && c % 4 > 1 ? o + (c ^ 1) : o + c;
          tetrahedra[to] = x + (nx + 1) * (y + (ny + 1) * z);
        }
      }
    }
  }
  return { vertices, tetrahedra };
}
