/**
 * J: constraint rows in blocks. The rows of a block share their columns, so a block is a small dense matrix and a list of
 * column numbers; blocks that touch the same dofs share the list. Storage grows and never shrinks.
 */

import { copyInto } from './growth.ts';
import type { Memory } from './memory.ts';

export class BlockRows {
  blockCount = 0;
  rowCount = 0;
  columnEnd = 0;
  valueEnd = 0;
  /** Per block: its first row; one more than there are blocks. */
  rowStart: Int32Array;
  /** Per block: its first entry in `column`, and how many there are, ascending. */
  columnStart: Int32Array;
  columnCount: Int32Array;
  /** Per block: its first entry in `value`, row by row. */
  valueStart: Int32Array;
  column: Int32Array;
  value: Float64Array;
  readonly #memory: Memory;

  constructor(memory: Memory) {
    this.#memory = memory;
    this.rowStart = memory.i32(65);
    this.columnStart = memory.i32(64);
    this.columnCount = memory.i32(64);
    this.valueStart = memory.i32(64);
    this.column = memory.i32(256);
    this.value = memory.f64(1024);
  }

  clear(): void {
    this.blockCount = 0;
    this.rowCount = 0;
    this.columnEnd = 0;
    this.valueEnd = 0;
  }

  /** Adds a block; its columns and values are for the caller to fill. Returns its number. */
  add(dimension: number, columnCount: number): number {
    const start = this.columnEnd;
    this.columnEnd += columnCount;
    if (this.columnEnd > this.column.length) this.#growColumns();
    return this.#append(dimension, start, columnCount);
  }

  /** Adds a block with the columns of another. */
  addLike(dimension: number, block: number): number {
    return this.#append(dimension, this.columnStart[block], this.columnCount[block]);
  }

  /** Adds rows to the last block; their values are for the caller to set. */
  extend(rows: number): void {
    const block = this.blockCount - 1;
    this.valueEnd += rows * this.columnCount[block];
    if (this.valueEnd > this.value.length) this.#growValues();
    this.rowCount += rows;
    this.rowStart[block + 1] = this.rowCount;
  }

  #append(dimension: number, columnStart: number, columnCount: number): number {
    const block = this.blockCount++;
    if (this.blockCount > this.columnStart.length) this.#growBlocks();
    this.columnStart[block] = columnStart;
    this.columnCount[block] = columnCount;
    this.valueStart[block] = this.valueEnd;
    this.valueEnd += dimension * columnCount;
    if (this.valueEnd > this.value.length) this.#growValues();
    this.rowStart[block] = this.rowCount;
    this.rowCount += dimension;
    this.rowStart[block + 1] = this.rowCount;
    return block;
  }

  #growBlocks(): void {
    const n = 2 * this.columnStart.length;
    this.rowStart = copyInto(this.rowStart, this.#memory.i32(n + 1));
    this.columnStart = copyInto(this.columnStart, this.#memory.i32(n));
    this.columnCount = copyInto(this.columnCount, this.#memory.i32(n));
    this.valueStart = copyInto(this.valueStart, this.#memory.i32(n));
  }

  #growColumns(): void {
    this.column = copyInto(this.column, this.#memory.i32(2 * this.columnEnd));
  }

  #growValues(): void {
    this.value = copyInto(this.value, this.#memory.f64(2 * this.valueEnd));
  }
}

/**
 * out ← J x over the rows of the blocks order[first] to order[end − 1]. Sums run over even and odd places apart, two lanes of
 * the compiled twin; the last column of an odd number comes last.
 */
export function multiplyRows(
  out: Float64Array,
  rows: BlockRows,
  x: Float64Array,
  order: Int32Array,
  first: number,
  end: number,
): void {
  const { rowStart, columnStart, columnCount, valueStart, column, value } = rows;
  for (let s = first; s < end; s++) {
    const b = order[s];
    const c = columnStart[b];
    const n = columnCount[b];
    let k = valueStart[b];
    const last = rowStart[b + 1];
    const pairs = c + n - (n % 2);
    if (last - rowStart[b] === 3) {
      // contacts: every entry of x is fetched once
      let s0 = 0;
      let t0 = 0;
      let s1 = 0;
      let t1 = 0;
      let s2 = 0;
      let t2 = 0;
      for (let i = c; i < pairs; i += 2, k += 2) {
        const xi = x[column[i]];
        const xj = x[column[i + 1]];
        s0 += value[k] * xi;
        t0 += value[k + 1] * xj;
        s1 += value[k + n] * xi;
        t1 += value[k + n + 1] * xj;
        s2 += value[k + 2 * n] * xi;
        t2 += value[k + 2 * n + 1] * xj;
      }
      s0 += t0;
      s1 += t1;
      s2 += t2;
      if (pairs < c + n) {
        const xi = x[column[pairs]];
        s0 += value[k] * xi;
        s1 += value[k + n] * xi;
        s2 += value[k + 2 * n] * xi;
      }
      out[last - 3] = s0;
      out[last - 2] = s1;
      out[last - 1] = s2;
      continue;
    }
    for (let r = rowStart[b]; r < last; r++) {
      let even = 0;
      let odd = 0;
      for (let i = c; i < pairs; i += 2, k += 2) {
        even += value[k] * x[column[i]];
        odd += value[k + 1] * x[column[i + 1]];
      }
      let sum = even + odd;
      if (pairs < c + n) sum += value[k++] * x[column[pairs]];
      out[r] = sum;
    }
  }
}

/** out ← out + scale Jᵀ f over the rows of the blocks order[first] to order[end − 1]. */
export function addTransposed(
  out: Float64Array,
  scale: number,
  rows: BlockRows,
  f: Float64Array,
  order: Int32Array,
  first: number,
  end: number,
): void {
  const { rowStart, columnStart, columnCount, valueStart, column, value } = rows;
  for (let s = first; s < end; s++) {
    const b = order[s];
    const c = columnStart[b];
    const n = columnCount[b];
    let k = valueStart[b];
    const last = rowStart[b + 1];
    if (last - rowStart[b] === 3) {
      const f0 = scale * f[last - 3];
      const f1 = scale * f[last - 2];
      const f2 = scale * f[last - 1];
      if (f0 === 0 && f1 === 0 && f2 === 0) continue;
      for (let i = c; i < c + n; i++, k++) {
        out[column[i]] += value[k] * f0 + value[k + n] * f1 + value[k + 2 * n] * f2;
      }
      continue;
    }
    for (let r = rowStart[b]; r < last; r++, k += n) {
      const force = scale * f[r];
      if (force === 0) continue;
      for (let i = 0; i < n; i++) out[column[c + i]] += value[k + i] * force;
    }
  }
}
