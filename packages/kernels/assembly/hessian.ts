/**
 * H = A + Σ Jᵀ G J of an island, in the pattern of A, as a dense matrix or in blocks of trees: twins of the engine's
 * objective/{tree,dense,sparse}-hessian.ts. Every entry takes one addend per block, so the order within a block is free.
 */
import { Doubles, Integers } from './doubles';
import { factorPanel } from './panel-factor';
import { Island } from './island';
import { SPRING } from './laws';
import { factorRows } from './tree-ldl';

/** Where the numbers go, in the order in which the engine writes them (objective/hessian-record.ts). */
@unmanaged
export class Target {
  /** G J of one block. */
  product: Doubles;
  /** Per column of a block: its place in a row; the end of its run of neighbours; the address of its row. */
  place: Integers;
  runEnd: Integers;
  rowAddress: Integers;
  matrix: Doubles;
  inverseDiagonal: Doubles;
  // blocks of trees
  isCoupled: i32;
  matrixLength: i32;
  segment: Integers;
  treeOf: Integers;
  treeFirst: Integers;
  treeSize: Integers;
  blockEdge: Integers;
  diagonalOffset: Integers;
  edgeOffset: Integers;
  edgeIsTransposed: Integers;
}

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

// the end of the run of neighbouring places that each of the columns from to end − 1 is in
function findRuns(t: Target, from: i32, last: i32): void {
  let end: i32 = last;
  for (let i: i32 = last - 1; i >= from; i--) {
    t.runEnd[i] = end;
    if (i > from && t.place[i] != t.place[i - 1] + 1) end = i;
  }
}

/**
 * Rows first to last − 1 take Σ_r a_r b_r at the columns from to end − 1 (up to their own where `isTriangle`): a at the column
 * of the row in one factor, b along the other. Rows stand `stride` bytes apart from `base` on, or at their own addresses.
 */
function addRows(
  t: Target,
  base: usize,
  stride: usize,
  first: i32,
  last: i32,
  a: usize,
  b: usize,
  step: usize,
  dimension: i32,
  from: i32,
  end: i32,
  isTriangle: bool,
): void {
  const place: Integers = t.place;
  const runEnd: Integers = t.runEnd;
  for (let i: i32 = first; i < last; i++) {
    const row: usize = stride > 0 ? base + <usize>place[i] * stride : <usize>t.rowAddress[i];
    const limit: i32 = isTriangle ? i + 1 : end;
    const factor: usize = a + ((<usize>i) << 3);
    let j: i32 = from;
    while (j < limit) {
      const to: i32 = min<i32>(runEnd[j], limit);
      const target: usize = row + ((<usize>place[j]) << 3);
      const source: usize = b + ((<usize>j) << 3);
      if (dimension == 3) addThree(target, factor, source, step, to - j);
      else for (let r: i32 = 0; r < dimension; r++) {
        const shift: usize = <usize>r * step;
        addOne(target, load<f64>(factor + shift), source + shift, to - j);
      }
      j = to;
    }
  }
}

@inline
function addThree(target: usize, a: usize, b: usize, step: usize, count: i32): void {
  const s0: f64 = load<f64>(a);
  const s1: f64 = load<f64>(a + step);
  const s2: f64 = load<f64>(a + 2 * step);
  const a0: v128 = f64x2.splat(s0);
  const a1: v128 = f64x2.splat(s1);
  const a2: v128 = f64x2.splat(s2);
  let left: i32 = count;
  while (left >= 2) {
    const sum: v128 = f64x2.add(
      f64x2.add(f64x2.mul(a0, v128.load(b)), f64x2.mul(a1, v128.load(b + step))),
      f64x2.mul(a2, v128.load(b + 2 * step)),
    );
    v128.store(target, f64x2.add(v128.load(target), sum));
    target += 16;
    b += 16;
    left -= 2;
  }
  if (left > 0) {
    const sum: f64 = s0 * load<f64>(b) + s1 * load<f64>(b + step) + s2 * load<f64>(b + 2 * step);
    store<f64>(target, load<f64>(target) + sum);
  }
}

@inline
function addOne(target: usize, a: f64, b: usize, count: i32): void {
  const lanes: v128 = f64x2.splat(a);
  let left: i32 = count;
  while (left >= 2) {
    v128.store(target, f64x2.add(v128.load(target), f64x2.mul(lanes, v128.load(b))));
    target += 16;
    b += 16;
    left -= 2;
  }
  if (left > 0) store<f64>(target, load<f64>(target) + a * load<f64>(b));
}

/** T = G J of one block; returns its number of rows, 0 where the block has no curvature. */
function multiplyHessianBlock(a: Island, out: Doubles, b: i32): i32 {
  const first: i32 = a.rowStart[b];
  const dimension: i32 = a.rowStart[b + 1] - first;
  const n: i32 = a.columnCount[b];
  const step: usize = (<usize>n) << 3;
  const value: usize = a.value.at(a.valueStart[b]);
  const g: usize = a.hessian.at(a.hessianStart[b]);
  if (a.law[b] == SPRING) {
    let isActive: bool = false;
    for (let r: i32 = 0; r < dimension; r++) {
      const d: f64 = load<f64>(g + ((<usize>(r * (dimension + 1))) << 3));
      if (d != 0) isActive = true;
      const shift: usize = <usize>r * step;
      scale(out.at(0) + shift, d, value + shift, n);
    }
    return isActive ? dimension : 0;
  }
  if (a.zone[first] == 0) return 0;
  if (dimension == 3) {
    multiplyThree(out.at(0), g, value, step, n);
    return 3;
  }
  for (let r: i32 = 0; r < dimension; r++) {
    for (let i: i32 = 0; i < n; i++) {
      let sum: f64 = 0;
      for (let k: i32 = 0; k < dimension; k++) {
        sum += load<f64>(g + ((<usize>(r * dimension + k)) << 3)) * load<f64>(value + ((<usize>(k * n + i)) << 3));
      }
      out[r * n + i] = sum;
    }
  }
  return dimension;
}

@inline
function scale(out: usize, s: f64, x: usize, n: i32): void {
  for (let i: i32 = 0; i < n; i++, out += 8, x += 8) store<f64>(out, s * load<f64>(x));
}

@inline
function multiplyThree(out: usize, g: usize, value: usize, step: usize, n: i32): void {
  const g00: v128 = v128.load64_splat(g);
  const g01: v128 = v128.load64_splat(g, 8);
  const g02: v128 = v128.load64_splat(g, 16);
  const g11: v128 = v128.load64_splat(g, 32);
  const g12: v128 = v128.load64_splat(g, 40);
  const g22: v128 = v128.load64_splat(g, 64);
  let left: i32 = n;
  while (left > 0) {
    // the last of an odd number stands alone in its lane
    const isPair: bool = left > 1;
    const a: v128 = isPair ? v128.load(value) : v128.load64_zero(value);
    const b: v128 = isPair ? v128.load(value + step) : v128.load64_zero(value + step);
    const c: v128 = isPair ? v128.load(value + 2 * step) : v128.load64_zero(value + 2 * step);
    const t0: v128 = f64x2.add(f64x2.add(f64x2.mul(g00, a), f64x2.mul(g01, b)), f64x2.mul(g02, c));
    const t1: v128 = f64x2.add(f64x2.add(f64x2.mul(g01, a), f64x2.mul(g11, b)), f64x2.mul(g12, c));
    const t2: v128 = f64x2.add(f64x2.add(f64x2.mul(g02, a), f64x2.mul(g12, b)), f64x2.mul(g22, c));
    if (isPair) {
      v128.store(out, t0);
      v128.store(out + step, t1);
      v128.store(out + 2 * step, t2);
    } else {
      v128.store64_lane(out, t0, 0);
      v128.store64_lane(out + step, t1, 0);
      v128.store64_lane(out + 2 * step, t2, 0);
    }
    out += 16;
    value += 16;
    left -= 2;
  }
}
