/** H of an island in blocks of trees: the twin of the engine's objective/sparse-hessian.ts. */
import { Integers } from './doubles';
import { multiplyHessianBlock } from './hessian-product';
import { addRows, addSix, findRuns } from './hessian-rows';
import { Target } from './hessian-target';
import { Island } from './island';

/** H in blocks of trees and of pairs of trees. */
export function assembleBlocks(a: Island, t: Target): void {
  const rowStart: Integers = a.patternRow;
  const column: Integers = a.patternColumn;
  memory.fill(t.matrix.at(0), 0, (<usize>t.matrixLength) << 3);
  for (let s: i32 = a.firstTree; s < a.endTree; s++) {
    const first: i32 = a.treeDof[a.tree[s]];
    const end: i32 = a.treeDof[a.tree[s] + 1];
    const size: i32 = end - first;
    const offset: i32 = t.diagonalOffset[s - a.firstTree];
    for (let g: i32 = first; g < end; g++) {
      const row: i32 = offset + (g - first) * size - first;
      for (let k: i32 = rowStart[g]; k < rowStart[g + 1]; k++) t.matrix[row + column[k]] = a.metric[k];
    }
  }
  let before: i32 = -1;
  let segments: i32 = 0;
  for (let s: i32 = a.firstBlock; s < a.endBlock; s++) {
    const b: i32 = a.block[s];
    const dimension: i32 = multiplyHessianBlock(a, t.product, b);
    if (dimension == 0) continue;
    const c: i32 = a.columnStart[b];
    const m: i32 = a.columnCount[b];
    if (c != before) {
      before = c;
      segments = splitColumns(t, a.column, c, m);
    }
    addSegments(t, a.column, c, m, segments, t.blockEdge[b], a.value.at(a.valueStart[b]), dimension);
  }
}

/** Places in their trees, runs and segments of one tree each. */
@inline
function splitColumns(t: Target, column: Integers, c: i32, m: i32): i32 {
  let count: i32 = 0;
  let before: i32 = -1;
  for (let i: i32 = 0; i < m; i++) {
    const tree: i32 = t.treeOf[column[c + i]];
    if (tree != before) t.segment[count++] = i;
    before = tree;
    t.place[i] = column[c + i] - t.treeFirst[tree];
  }
  t.segment[count] = m;
  for (let q: i32 = 0; q < count; q++) findRuns(t, t.segment[q], t.segment[q + 1]);
  return count;
}

/** Whether each segment has the six columns of a body in their order. */
@inline
function areWhole(t: Target, column: Integers, c: i32, segments: i32): bool {
  for (let q: i32 = 0; q < segments; q++) {
    const from: i32 = 6 * q;
    if (t.segment[q] != from || t.runEnd[from] != from + 6) return false;
    if (t.place[from] != 0 || t.treeSize[t.treeOf[column[c + from]]] != 6) return false;
  }
  return true;
}

@inline
function addSegments(
  t: Target,
  column: Integers,
  c: i32,
  m: i32,
  segments: i32,
  firstEdge: i32,
  value: usize,
  dimension: i32,
): void {
  const step: usize = (<usize>m) << 3;
  const product: usize = t.product.at(0);
  let edge: i32 = firstEdge;
  if (dimension == 3 && segments <= 2 && m == 6 * segments && areWhole(t, column, c, segments)) {
    const tree: i32 = t.treeOf[column[c]];
    addSix(t.matrix.at(t.diagonalOffset[tree]), 48, value, product, step, true);
    if (segments == 1) return;
    const other: i32 = t.treeOf[column[c + 6]];
    addSix(t.matrix.at(t.diagonalOffset[other]), 48, value + 48, product + 48, step, true);
    if (!t.isCoupled) return;
    const base: usize = t.matrix.at(t.edgeOffset[edge]);
    if (t.edgeIsTransposed[edge]) addSix(base, 48, product, value + 48, step, false);
    else addSix(base, 48, value + 48, product, step, false);
    return;
  }
  for (let q: i32 = 0; q < segments; q++) {
    const from: i32 = t.segment[q];
    const to: i32 = t.segment[q + 1];
    const tree: i32 = t.treeOf[column[c + from]];
    const size: i32 = t.treeSize[tree];
    const stride: usize = (<usize>size) << 3;
    addRows(t, t.matrix.at(t.diagonalOffset[tree]), stride, from, to, value, product, step, dimension, from, to, true);
    if (!t.isCoupled) continue;
    for (let p: i32 = 0; p < q; p++, edge++) {
      const left: i32 = t.segment[p];
      const right: i32 = t.segment[p + 1];
      const base: usize = t.matrix.at(t.edgeOffset[edge]);
      if (t.edgeIsTransposed[edge]) {
        addRows(t, base, stride, left, right, product, value, step, dimension, from, to, false);
      } else {
        const width: usize = (<usize>t.treeSize[t.treeOf[column[c + left]]]) << 3;
        addRows(t, base, width, from, to, value, product, step, dimension, left, right, false);
      }
    }
  }
}
