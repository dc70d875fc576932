/**
 * A cone program whose N is stored: rows of nonzero entries, from a dense matrix or from a list of entries. Products cost one
 * multiplication per entry; the factor is dense.
 */
import { factorDense, solveDense } from '../../linear-algebra/dense-cholesky.ts';
import type { Memory } from '../../linear-algebra/memory.ts';
import type { BlockProgram, FactorableProgram } from './cone-program.ts';
import type { ConeSet } from './cone-set.ts';

/** Entries of a matrix; several for one place are added. */
export interface MatrixEntries {
  /** Row of each entry, from 0. */
  readonly row: ArrayLike<number>;
  /** Column of each entry, from 0. */
  readonly column: ArrayLike<number>;
  /** Value of each entry. */
  readonly value: ArrayLike<number>;
}

/** A cone program whose N is stored entry by entry. */
export class StoredProgram implements BlockProgram, FactorableProgram {
  /** Number of rows. */
  readonly size: number;
  /** p. */
  readonly linear: Float64Array;
  /** K, block by block. */
  readonly cones: ConeSet;
  /** Blocks of N on the diagonal, after `prepareBlocks`. */
  diagonal: Float64Array;
  /** Where its arrays come from. */
  readonly memory: Memory;
  readonly #rowStart: Int32Array;
  readonly #column: Int32Array;
  readonly #value: Float64Array;
  #gamma: Float64Array;
  #factor: Float64Array;
  #inverseDiagonal: Float64Array;

  /** Takes N as entries; p is copied, the cones are kept. */
  constructor(entries: MatrixEntries, linear: ArrayLike<number>, cones: ConeSet, memory: Memory) {
    const n = linear.length;
    this.size = n;
    this.cones = cones;
    this.linear = memory.f64(n);
    this.linear.set(linear);
    this.memory = memory;
    this.#rowStart = memory.i32(n + 1);
    this.#column = memory.i32(entries.value.length);
    this.#value = memory.f64(entries.value.length);
    this.#sortEntries(entries);
    this.diagonal = memory.f64(0);
    this.#gamma = this.linear;
    this.#factor = memory.f64(0);
    this.#inverseDiagonal = memory.f64(0);
  }

  /** Takes N as rows one after the other. */
  static fromDense(
    matrix: ArrayLike<number>,
    linear: ArrayLike<number>,
    cones: ConeSet,
    memory: Memory,
  ): StoredProgram {
    const n = linear.length;
    const row: number[] = [];
    const column: number[] = [];
    const value: number[] = [];
    for (let i = 0; i < n; i++) {
      for (let j = 0; j < n; j++) {
        if (matrix[i * n + j] === 0) continue;
        row.push(i);
        column.push(j);
        value.push(matrix[i * n + j]);
      }
    }
    return new StoredProgram({ row, column, value }, linear, cones, memory);
  }

  /** out ← N x. */
  multiply(out: Float64Array, x: Float64Array): void {
    const start = this.#rowStart;
    const column = this.#column;
    const value = this.#value;
    for (let i = 0; i < this.size; i++) {
      let sum = 0;
      const end = start[i + 1];
      for (let k = start[i]; k < end; k++) sum += value[k] * x[column[k]];
      out[i] = sum;
    }
  }

  /** Computes `diagonal`. */
  prepareBlocks(): void {
    const { rowStart, count } = this.cones;
    let total = 0;
    for (let b = 0; b < count; b++) total += (rowStart[b + 1] - rowStart[b]) * (rowStart[b + 1] - rowStart[b]);
    if (this.diagonal.length < total) this.diagonal = this.memory.f64(total);
    this.diagonal.fill(0);
    let at = 0;
    for (let b = 0; b < count; b++) {
      const first = rowStart[b];
      const end = rowStart[b + 1];
      for (let i = first; i < end; i++) {
        for (let k = this.#rowStart[i]; k < this.#rowStart[i + 1]; k++) {
          const j = this.#column[k];
          if (j >= first && j < end) this.diagonal[at + j - first] += this.#value[k];
        }
        at += end - first;
      }
    }
  }

  /** Sets the γ from which Gauss-Seidel starts. */
  beginBlocks(gamma: Float64Array): void {
    this.#gamma = gamma;
  }

  /** The rows of N γ that belong to a block. */
  blockProduct(out: Float64Array, b: number): void {
    const first = this.cones.rowStart[b];
    const end = this.cones.rowStart[b + 1];
    const gamma = this.#gamma;
    for (let i = first; i < end; i++) {
      let sum = 0;
      for (let k = this.#rowStart[i]; k < this.#rowStart[i + 1]; k++) sum += this.#value[k] * gamma[this.#column[k]];
      out[i - first] = sum;
    }
  }

  // products are taken from γ itself, which the solver has changed already
  /** Called when γ of a block has changed. Products are recomputed here, so there is nothing to do. */
  addBlock(_b: number, _change: Float64Array): void {}

  /** Factors N plus a positive diagonal; false where it is not positive definite. */
  factorShifted(shift: Float64Array): boolean {
    const n = this.size;
    if (this.#factor.length < n * n) {
      this.#factor = this.memory.f64(n * n);
      this.#inverseDiagonal = this.memory.f64(n);
    }
    const factor = this.#factor;
    factor.fill(0);
    for (let i = 0; i < n; i++) {
      for (let k = this.#rowStart[i]; k < this.#rowStart[i + 1]; k++) factor[i * n + this.#column[k]] += this.#value[k];
      factor[i * n + i] += shift[i];
    }
    return factorDense(factor, this.#inverseDiagonal, n, this.memory.compiled) < 0;
  }

  /** Solves with that factor, in place. */
  solveShifted(x: Float64Array): void {
    solveDense(x, this.#factor, this.#inverseDiagonal, this.size);
  }

  // counting sort by rows; within a row the order of the list remains
  #sortEntries({ row, column, value }: MatrixEntries): void {
    const start = this.#rowStart;
    for (let k = 0; k < value.length; k++) start[row[k] + 1]++;
    for (let i = 0; i < this.size; i++) start[i + 1] += start[i];
    const next = start.slice();
    for (let k = 0; k < value.length; k++) {
      const at = next[row[k]]++;
      this.#column[at] = column[k];
      this.#value[at] = value[k];
    }
  }
}
