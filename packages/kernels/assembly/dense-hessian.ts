/** H of an island as a dense matrix: the twin of the engine's objective/dense-hessian.ts. */
import { Integers } from './doubles';
import { multiplyHessianBlock } from './hessian-product';
import { addRows, findRuns } from './hessian-rows';
import { Target } from './hessian-target';
import { Island } from './island';
import { factorPanel } from './panel-factor';

/** H as a dense matrix, then its factor. Returns the first row whose pivot is not positive, or −1. */
export function prepareDense(a: Island, t: Target): i32 {
  const n: i32 = a.size;
  const rowStart: Integers = a.patternRow;
  const column: Integers = a.patternColumn;
  memory.fill(t.matrix.at(0), 0, (<usize>(n * n)) << 3);
  for (let s: i32 = a.firstTree; s < a.endTree; s++) {
    const first: i32 = a.treeDof[a.tree[s]];
    const end: i32 = a.treeDof[a.tree[s] + 1];
    const shift: i32 = a.localDof[first] - first;
    for (let g: i32 = first; g < end; g++) {
      const row: i32 = (g + shift) * n + shift;
      for (let k: i32 = rowStart[g]; k < rowStart[g + 1]; k++) t.matrix[row + column[k]] = a.metric[k];
    }
  }
  let before: i32 = -1;
  for (let s: i32 = a.firstBlock; s < a.endBlock; s++) {
    const b: i32 = a.block[s];
    const dimension: i32 = multiplyHessianBlock(a, t.product, b);
    if (dimension == 0) continue;
    const c: i32 = a.columnStart[b];
    const m: i32 = a.columnCount[b];
    if (c != before) {
      before = c;
      for (let i: i32 = 0; i < m; i++) t.place[i] = a.column[c + i];
      findRuns(t, 0, m);
    }
    const value: usize = a.value.at(a.valueStart[b]);
    addRows(t, t.matrix.at(0), (<usize>n) << 3, 0, m, value, t.product.at(0), (<usize>m) << 3, dimension, 0, m, true);
  }
  return factorPanel(t.matrix.at(0), t.inverseDiagonal.at(0), n, n);
}
