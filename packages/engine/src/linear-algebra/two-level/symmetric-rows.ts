/** All neighbours of every block of a block-sparse matrix, of which one triangle is stored, and where their blocks are. */
import type { BlockSparseMatrix } from '../block-sparse-matrix.ts';
import type { Memory } from '../memory.ts';

/** Neighbours of block b: entries start[b] .. start[b + 1]. */
export interface BlockRows {
  readonly start: Int32Array;
  readonly neighbor: Int32Array;
}

export interface SymmetricRows extends BlockRows {
  /** Per entry: its place in the values; the stored block is that of the row b if the neighbour has a lower number, else its transpose. */
  readonly place: Int32Array;
}

export function listRows({ count, pairCount, low, high }: BlockSparseMatrix, memory: Memory): SymmetricRows {
  const start = memory.i32(count + 1);
  for (let p = 0; p < pairCount; p++) {
    start[low[p] + 1]++;
    start[high[p] + 1]++;
  }
  for (let b = 0; b < count; b++) start[b + 1] += start[b];
  const next = start.slice();
  const neighbor = memory.i32(2 * pairCount);
  const place = memory.i32(2 * pairCount);
  for (let p = 0; p < pairCount; p++) {
    const k = next[low[p]]++;
    const m = next[high[p]]++;
    neighbor[k] = high[p];
    neighbor[m] = low[p];
    place[k] = place[m] = 9 * (count + p);
  }
  return { start, neighbor, place };
}
