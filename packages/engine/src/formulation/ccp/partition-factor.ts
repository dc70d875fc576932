/**
 * Solves with K of the Newton steps of `ccp` (held-impulses.ts) over the dofs of an island, where these are fewer than its rows. With the
 * whitened rows X (N = X Xᵀ + E), blocks B = ∂F/∂γ and C = ∂F/∂u, and D = B + C (E + ε),
 *   K = D + C X Xᵀ,   K x = b:    x = t − G X z,   H z = Xᵀ t,   t = D⁻¹ b         H = 1 + Xᵀ G X,   G = D⁻¹ C
 *                     Kᵀ x = b:   x = D⁻ᵀ (b − X z),   Hᵀ z = Xᵀ Gᵀ b
 * H has a block for each tree and for each pair of trees that touch. For the cone program it is symmetric and has a Cholesky factor; under Coulomb's
 * law it is not symmetric, and dense.
 */
import { BlockCholesky } from '../../linear-algebra/block-cholesky/block-cholesky.ts';
import type { BlockRows } from '../../linear-algebra/block-rows.ts';
import { DenseLu } from '../../linear-algebra/dense-lu.ts';
import { GROWING_MEMORY } from '../../linear-algebra/memory.ts';
import { solveSmallSystem } from '../../linear-algebra/small-system.ts';

/** Dofs up to which H is dense. */
const DENSE_DOFS = 96;

/** Solves with K and its transpose. */
export interface RowFactor {
  solve(x: Float64Array): void;
  solveTransposed(x: Float64Array): void;
  /** An estimate of the condition of what was factored. */
  readonly condition: number;
}

/** A block of rows that push: its first row among them, X over its columns, D⁻¹ and G, row by row. */
interface Piece {
  readonly first: number;
  readonly size: number;
  readonly column: Int32Array;
  readonly value: Float64Array;
  readonly inverse: Float64Array;
  readonly response: Float64Array;
}

/** A run of columns of one tree within a piece. */
interface Run {
  readonly tree: number;
  readonly start: number;
  readonly end: number;
}

export class PartitionFactor implements RowFactor {
  readonly #dofs: number;
  readonly #pieces: Piece[] = [];
  readonly #z: Float64Array;
  readonly #t = new Float64Array(6);
  #rows = 0;
  #dense: DenseLu | undefined;
  #sparse: BlockCholesky | undefined;

  constructor(dofs: number) {
    this.#dofs = dofs;
    this.#z = new Float64Array(dofs);
  }

  /** Adds block b of the rows with its B, C and E + ε; false where D has no inverse. */
  add(
    rows: BlockRows,
    b: number,
    byImpulse: Float64Array,
    byVelocity: Float64Array,
    compliance: Float64Array,
  ): boolean {
    const d = rows.rowStart[b + 1] - rows.rowStart[b];
    const n = rows.columnCount[b];
    const column = rows.column.slice(rows.columnStart[b], rows.columnStart[b] + n);
    const value = rows.value.slice(rows.valueStart[b], rows.valueStart[b] + d * n);
    const inverse = new Float64Array(d * d);
    const matrix = new Float64Array(d * d);
    const unit = new Float64Array(d);
    for (let k = 0; k < d; k++) {
      for (let i = 0; i < d; i++)
        for (let j = 0; j < d; j++) matrix[i * d + j] = byImpulse[i * d + j] + byVelocity[i * d + j] * compliance[j];
      unit.fill(0);
      unit[k] = 1;
      solveSmallSystem(matrix, unit, d);
      for (let i = 0; i < d; i++) {
        if (!Number.isFinite(unit[i])) return false;
        inverse[i * d + k] = unit[i];
      }
    }
    const response = new Float64Array(d * d);
    for (let i = 0; i < d; i++)
      for (let j = 0; j < d; j++)
        for (let k = 0; k < d; k++) response[i * d + j] += inverse[i * d + k] * byVelocity[k * d + j];
    this.#pieces.push({ first: this.#rows, size: d, column, value, inverse, response });
    this.#rows += d;
    return true;
  }

  /** Factors H of the blocks added; `treeStart` gives the first column of the tree of every column. False where that fails. */
  factor(treeStart: Int32Array, isSymmetric: boolean): boolean {
    return this.#dofs <= DENSE_DOFS || !isSymmetric ? this.#factorDense() : this.#factorSparse(treeStart);
  }

  get condition(): number {
    return this.#dense?.condition ?? this.#sparse?.condition ?? 1;
  }

  #factorDense(): boolean {
    const n = this.#dofs;
    const matrix = new Float64Array(n * n);
    for (let i = 0; i < n; i++) matrix[i * n + i] = 1;
    for (const piece of this.#pieces) {
      const whole = { tree: 0, start: 0, end: piece.column.length };
      addProduct(matrix, 0, n, 1, 0, 0, piece, whole, whole);
    }
    this.#dense = DenseLu.factor(matrix, n);
    return this.#dense !== undefined;
  }

  #factorSparse(treeStart: Int32Array): boolean {
    const n = this.#dofs;
    const treeOf = new Int32Array(n);
    const first: number[] = [];
    for (let k = 0; k < n; k++) {
      if (treeStart[k] === k) first.push(k);
      treeOf[k] = first.length - 1;
    }
    const size = Int32Array.from(first, (k, t) => (first[t + 1] ?? n) - k);
    const runs = this.#pieces.map(({ column }) => listRuns(column, treeOf));
    const edgeFirst: number[] = [];
    const edgeSecond: number[] = [];
    for (const list of runs)
      for (let i = 0; i < list.length; i++)
        for (let j = i + 1; j < list.length; j++) {
          edgeFirst.push(list[i].tree);
          edgeSecond.push(list[j].tree);
        }
    const cholesky = (this.#sparse ??= new BlockCholesky(GROWING_MEMORY));
    cholesky.analyze(size, first.length, Int32Array.from(edgeFirst), Int32Array.from(edgeSecond), edgeFirst.length);
    cholesky.clear();
    const { values, diagonalOffset, edgeOffset, edgeIsTransposed } = cholesky;
    for (let t = 0; t < first.length; t++)
      for (let k = 0; k < size[t]; k++) values[diagonalOffset[t] + k * size[t] + k] = 1;
    let edge = 0;
    for (const [p, piece] of this.#pieces.entries()) {
      const list = runs[p];
      for (let i = 0; i < list.length; i++) {
        const a = list[i];
        const origin = first[a.tree];
        addProduct(values, diagonalOffset[a.tree], size[a.tree], 1, origin, origin, piece, a, a);
        for (let j = i + 1; j < list.length; j++) {
          // rows of the second tree, columns of the first
          const b = list[j];
          const isTransposed = edgeIsTransposed[edge] === 1;
          const rowStep = isTransposed ? 1 : size[a.tree];
          const columnStep = isTransposed ? size[b.tree] : 1;
          addProduct(values, edgeOffset[edge], rowStep, columnStep, first[b.tree], origin, piece, b, a);
          edge++;
        }
      }
    }
    return cholesky.factor() < 0;
  }

  solve(x: Float64Array): void {
    const z = this.#z.fill(0);
    const t = this.#t;
    for (const { first, size: d, column, value, inverse } of this.#pieces) {
      for (let r = 0; r < d; r++) {
        t[r] = 0;
        for (let c = 0; c < d; c++) t[r] += inverse[r * d + c] * x[first + c];
      }
      for (let r = 0; r < d; r++) {
        x[first + r] = t[r];
        for (let k = 0; k < column.length; k++) z[column[k]] += value[r * column.length + k] * t[r];
      }
    }
    this.#divide(z, false);
    for (const { first, size: d, column, value, response } of this.#pieces) {
      multiplyPiece(t, column, value, d, z);
      for (let r = 0; r < d; r++) for (let c = 0; c < d; c++) x[first + r] -= response[r * d + c] * t[c];
    }
  }

  solveTransposed(x: Float64Array): void {
    const z = this.#z.fill(0);
    const t = this.#t;
    for (const { first, size: d, column, value, response } of this.#pieces) {
      for (let c = 0; c < d; c++) {
        let sum = 0;
        for (let r = 0; r < d; r++) sum += response[r * d + c] * x[first + r];
        for (let k = 0; k < column.length; k++) z[column[k]] += value[c * column.length + k] * sum;
      }
    }
    this.#divide(z, true);
    for (const { first, size: d, column, value, inverse } of this.#pieces) {
      multiplyPiece(t, column, value, d, z);
      for (let r = 0; r < d; r++) t[r] = x[first + r] - t[r];
      for (let c = 0; c < d; c++) {
        x[first + c] = 0;
        for (let r = 0; r < d; r++) x[first + c] += inverse[r * d + c] * t[r];
      }
    }
  }

  #divide(z: Float64Array, isTransposed: boolean): void {
    if (this.#sparse) this.#sparse.solve(z);
    else if (isTransposed) this.#dense!.solveTransposed(z);
    else this.#dense!.solve(z);
  }
}

function listRuns(column: Int32Array, treeOf: Int32Array): Run[] {
  const runs: Run[] = [];
  for (let start = 0, end = 0; start < column.length; start = end) {
    const tree = treeOf[column[start]];
    for (end = start + 1; end < column.length && treeOf[column[end]] === tree; ) end++;
    runs.push({ tree, start, end });
  }
  return runs;
}

// t = X z
function multiplyPiece(t: Float64Array, column: Int32Array, value: Float64Array, d: number, z: Float64Array): void {
  for (let r = 0; r < d; r++) {
    t[r] = 0;
    for (let k = 0; k < column.length; k++) t[r] += value[r * column.length + k] * z[column[k]];
  }
}

// out += Xᵀ G X over two runs of columns
function addProduct(
  out: Float64Array,
  at: number,
  rowStep: number,
  columnStep: number,
  rowOrigin: number,
  columnOrigin: number,
  { size: d, column, value, response }: Piece,
  rowRun: Run,
  columnRun: Run,
): void {
  const n = column.length;
  for (let r = 0; r < d; r++) {
    for (let c = 0; c < d; c++) {
      const g = response[r * d + c];
      if (g === 0) continue;
      for (let i = rowRun.start; i < rowRun.end; i++) {
        const scale = g * value[r * n + i];
        if (scale === 0) continue;
        const row = at + (column[i] - rowOrigin) * rowStep;
        for (let j = columnRun.start; j < columnRun.end; j++)
          out[row + (column[j] - columnOrigin) * columnStep] += scale * value[c * n + j];
      }
    }
  }
}
