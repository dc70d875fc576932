/**
 * (X Xᵀ + Δ)⁻¹ for a positive diagonal Δ, by the matrix over the dofs (Woodbury):
 *
 *   (X Xᵀ + Δ)⁻¹ = Δ⁻¹ − Δ⁻¹ X H⁻¹ Xᵀ Δ⁻¹,    H = 1 + Xᵀ Δ⁻¹ X
 *
 * H is block-sparse like the matrix of Newton's method: one block per tree, one more per pair of trees that a block joins.
 */
import { BlockCholesky } from '../../linear-algebra/block-cholesky/block-cholesky.ts';
import { addTransposed, type BlockRows, multiplyRows } from '../../linear-algebra/block-rows.ts';
import type { Memory } from '../../linear-algebra/memory.ts';

export class ShiftedFactor {
  readonly #memory: Memory;
  readonly #cholesky: BlockCholesky;
  readonly #size: Int32Array;
  /** Per column: its tree; per tree: its first column. */
  readonly #treeOf: Int32Array;
  readonly #firstColumn: Int32Array;
  readonly #z: Float64Array;
  #inverse: Float64Array;
  #rowWork: Float64Array;
  #edgeFirst: Int32Array;
  #edgeSecond: Int32Array;
  #order: Int32Array;
  #treeCount = 0;
  #dofs = 0;

  constructor(dofs: number, memory: Memory) {
    this.#memory = memory;
    this.#cholesky = new BlockCholesky(memory);
    this.#size = memory.i32(dofs);
    this.#treeOf = memory.i32(dofs);
    this.#firstColumn = memory.i32(dofs + 1);
    this.#z = memory.f64(dofs);
    this.#inverse = memory.f64(0);
    this.#rowWork = memory.f64(0);
    this.#edgeFirst = memory.i32(0);
    this.#edgeSecond = memory.i32(0);
    this.#order = memory.i32(0);
  }

  /** Takes the pattern of X; `treeStart` gives the first column of the tree of every column. */
  analyze(rows: BlockRows, treeStart: Int32Array, dofs: number): void {
    const n = rows.blockCount;
    if (this.#order.length < n) {
      this.#order = this.#memory.i32(2 * n);
      this.#edgeFirst = this.#memory.i32(2 * n);
      this.#edgeSecond = this.#memory.i32(2 * n);
      for (let b = 0; b < this.#order.length; b++) this.#order[b] = b;
    }
    if (this.#inverse.length < rows.rowCount) {
      this.#inverse = this.#memory.f64(2 * rows.rowCount);
      this.#rowWork = this.#memory.f64(2 * rows.rowCount);
    }
    this.#dofs = dofs;
    this.#treeCount = 0;
    for (let k = 0; k < dofs; k++) {
      if (treeStart[k] === k) {
        this.#firstColumn[this.#treeCount] = k;
        this.#size[this.#treeCount++] = 0;
      }
      this.#size[this.#treeCount - 1]++;
      this.#treeOf[k] = this.#treeCount - 1;
    }
    let edges = 0;
    this.#eachPair(rows, (a, b) => {
      if (edges === this.#edgeFirst.length) this.#growEdges();
      this.#edgeFirst[edges] = a;
      this.#edgeSecond[edges++] = b;
    });
    this.#cholesky.analyze(this.#size, this.#treeCount, this.#edgeFirst, this.#edgeSecond, edges);
  }

  /** Factors with Δ; false where that fails. */
  factor(rows: BlockRows, diagonal: Float64Array): boolean {
    const cholesky = this.#cholesky;
    const inverse = this.#inverse;
    for (let r = 0; r < rows.rowCount; r++) inverse[r] = 1 / diagonal[r];
    cholesky.clear();
    const { values, diagonalOffset, edgeOffset, edgeIsTransposed } = cholesky;
    for (let t = 0; t < this.#treeCount; t++) {
      for (let k = 0; k < this.#size[t]; k++) values[diagonalOffset[t] + k * this.#size[t] + k] = 1;
    }
    for (let b = 0; b < rows.blockCount; b++) {
      for (let at = rows.columnStart[b]; at < rows.columnStart[b] + rows.columnCount[b]; ) {
        const tree = this.#treeOf[rows.column[at]];
        const end = this.#findEnd(rows, b, at);
        this.#addProduct(values, diagonalOffset[tree], this.#size[tree], 1, rows, b, at, end, at, end);
        at = end;
      }
    }
    let edge = 0;
    this.#eachPair(rows, (a, b, block, startA, startB) => {
      const endA = this.#findEnd(rows, block, startA);
      const endB = this.#findEnd(rows, block, startB);
      // rows of the second tree, columns of the first
      const isTransposed = edgeIsTransposed[edge] === 1;
      const rowStep = isTransposed ? 1 : this.#size[a];
      const columnStep = isTransposed ? this.#size[b] : 1;
      this.#addProduct(values, edgeOffset[edge], rowStep, columnStep, rows, block, startB, endB, startA, endA);
      edge++;
    });
    return cholesky.factor() < 0;
  }

  /** x ← (X Xᵀ + Δ)⁻¹ x. */
  solve(rows: BlockRows, x: Float64Array): void {
    const z = this.#z;
    const inverse = this.#inverse;
    const work = this.#rowWork;
    z.fill(0, 0, this.#dofs);
    for (let r = 0; r < rows.rowCount; r++) x[r] *= inverse[r];
    addTransposed(z, 1, rows, x, this.#order, 0, rows.blockCount);
    this.#cholesky.solve(z);
    multiplyRows(work, rows, z, this.#order, 0, rows.blockCount);
    for (let r = 0; r < rows.rowCount; r++) x[r] -= inverse[r] * work[r];
  }

  // Σ over the rows of a block: entries of one run of columns times those of another, over Δ
  #addProduct(
    out: Float64Array,
    at: number,
    rowStep: number,
    columnStep: number,
    { rowStart, columnStart, columnCount, column, value, valueStart }: BlockRows,
    b: number,
    rowFirst: number,
    rowEnd: number,
    columnFirst: number,
    columnEnd: number,
  ): void {
    const n = columnCount[b];
    const rowOrigin = this.#firstColumn[this.#treeOf[column[rowFirst]]];
    const columnOrigin = this.#firstColumn[this.#treeOf[column[columnFirst]]];
    for (let r = rowStart[b]; r < rowStart[b + 1]; r++) {
      const v = valueStart[b] + (r - rowStart[b]) * n - columnStart[b];
      const inverse = this.#inverse[r];
      for (let i = rowFirst; i < rowEnd; i++) {
        const factor = inverse * value[v + i];
        if (factor === 0) continue;
        const row = at + (column[i] - rowOrigin) * rowStep;
        for (let j = columnFirst; j < columnEnd; j++) {
          out[row + (column[j] - columnOrigin) * columnStep] += factor * value[v + j];
        }
      }
    }
  }

  // end of the run of columns of one tree that begins at an entry
  #findEnd({ columnStart, columnCount, column }: BlockRows, b: number, at: number): number {
    const tree = this.#treeOf[column[at]];
    let end = at + 1;
    while (end < columnStart[b] + columnCount[b] && this.#treeOf[column[end]] === tree) end++;
    return end;
  }

  // pairs of trees of every block, the lower one first
  #eachPair(
    rows: BlockRows,
    visit: (a: number, b: number, block: number, startA: number, startB: number) => void,
  ): void {
    for (let block = 0; block < rows.blockCount; block++) {
      const start = rows.columnStart[block];
      const end = start + rows.columnCount[block];
      for (let i = start; i < end; i = this.#findEnd(rows, block, i)) {
        for (let j = this.#findEnd(rows, block, i); j < end; j = this.#findEnd(rows, block, j)) {
          visit(this.#treeOf[rows.column[i]], this.#treeOf[rows.column[j]], block, i, j);
        }
      }
    }
  }

  #growEdges(): void {
    const n = Math.max(16, 2 * this.#edgeFirst.length);
    const first = this.#memory.i32(n);
    const second = this.#memory.i32(n);
    first.set(this.#edgeFirst);
    second.set(this.#edgeSecond);
    this.#edgeFirst = first;
    this.#edgeSecond = second;
  }
}
