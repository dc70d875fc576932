/** H of an island in the pattern of A: the twin of the engine's objective/tree-hessian.ts. */
import { Integers } from './doubles';
import { multiplyHessianBlock } from './hessian-product';
import { addRows, findRuns } from './hessian-rows';
import { Target } from './hessian-target';
import { Island } from './island';
import { factorRows } from './tree-ldl';

/** Whether the columns of every block lie on one way from a root: H then has the pattern of A. */
export function isChained(a: Island): i32 {
  const rowStart: Integers = a.patternRow;
  const column: Integers = a.patternColumn;
  const dof: Integers = a.dof;
  const firstDof: i32 = a.firstDof;
  let before: i32 = -1;
  for (let s: i32 = a.firstBlock; s < a.endBlock; s++) {
    const b: i32 = a.block[s];
    const c: i32 = a.columnStart[b];
    if (c == before) continue;
    before = c;
    const end: i32 = c + a.columnCount[b];
    const leaf: i32 = rowStart[dof[firstDof + a.column[end - 1]]];
    const length: i32 = rowStart[dof[firstDof + a.column[end - 1]] + 1] - leaf;
    for (let k: i32 = c; k < end; k++) {
      const g: i32 = dof[firstDof + a.column[k]];
      const depth: i32 = rowStart[g + 1] - rowStart[g] - 1;
      if (depth >= length || column[leaf + depth] != g) return 0;
    }
  }
  return 1;
}

/** H in the pattern of A, then its factor Lᵀ D L. Returns a row whose pivot is not positive, or −1. */
export function prepareTrees(a: Island, t: Target): i32 {
  const rowStart: Integers = a.patternRow;
  const dof: Integers = a.dof;
  const firstDof: i32 = a.firstDof;
  for (let s: i32 = a.firstTree; s < a.endTree; s++) {
    const start: i32 = rowStart[a.treeDof[a.tree[s]]];
    const end: i32 = rowStart[a.treeDof[a.tree[s] + 1]];
    memory.copy(t.matrix.at(start), a.metric.at(start), (<usize>(end - start)) << 3);
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
      for (let i: i32 = 0; i < m; i++) {
        const start: i32 = rowStart[dof[firstDof + a.column[c + i]]];
        t.place[i] = rowStart[dof[firstDof + a.column[c + i]] + 1] - start - 1;
        t.rowAddress[i] = <i32>t.matrix.at(start);
      }
      findRuns(t, 0, m);
    }
    addRows(t, 0, 0, 0, m, a.value.at(a.valueStart[b]), t.product.at(0), (<usize>m) << 3, dimension, 0, m, true);
  }
  let bad: i32 = -1;
  for (let s: i32 = a.firstTree; s < a.endTree; s++) {
    const first: i32 = a.treeDof[a.tree[s]];
    const end: i32 = a.treeDof[a.tree[s] + 1];
    bad = max<i32>(bad, factorRows(t.matrix, t.inverseDiagonal, rowStart, a.patternColumn, first, end));
  }
  return bad;
}
