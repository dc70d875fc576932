/** A constraint that nothing can change (both bodies part of the world, say) has no rows: MuJoCo drops it, so do we. */
import type { BlockRows } from '../linear-algebra/block-rows.ts';

/** Takes the last block away again where all its values are zero: -1 then, else its number. It must own its columns. */
export function dropZeroBlock(rows: BlockRows, block: number): number {
  for (let k = rows.valueStart[block]; k < rows.valueEnd; k++) if (rows.value[k] !== 0) return block;
  rows.valueEnd = rows.valueStart[block];
  rows.columnEnd = rows.columnStart[block];
  rows.rowCount = rows.rowStart[block];
  rows.blockCount = block;
  return -1;
}
