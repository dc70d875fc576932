/** J x over all blocks of rows, columns numbered over all dofs: the compiled twin of multiplyRows in the engine's linear-algebra/block-rows.ts. */
import { Doubles, Integers } from './doubles';
import { multiplyRow, multiplyThree } from './rows';

/** Rows in blocks, in the order of the engine's linear-algebra/rows-record.ts. */
@unmanaged
export class Rows {
  rowStart: Integers;
  columnStart: Integers;
  columnCount: Integers;
  valueStart: Integers;
  column: Integers;
  value: Doubles;
}

export function multiplyAllRows(a: Rows, count: i32, out: Doubles, x: Doubles): void {
  for (let b: i32 = 0; b < count; b++) {
    const n: i32 = a.columnCount[b];
    const first: i32 = a.rowStart[b];
    const dimension: i32 = a.rowStart[b + 1] - first;
    const c: usize = a.column.at(a.columnStart[b]);
    const k: usize = a.value.at(a.valueStart[b]);
    if (dimension == 3) multiplyThree(out.at(first), k, n, c, x);
    else for (let r: i32 = 0; r < dimension; r++) out[first + r] = multiplyRow(k + ((<usize>(r * n)) << 3), n, c, x);
  }
}
