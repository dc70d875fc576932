/** One row of a Jacobian under construction: columns ascending, values of equal columns added up. Made once, reused. */
import type { MomentPattern } from '../dynamics/moment-pattern.ts';
import type { BlockRows } from '../linear-algebra/block-rows.ts';
import type { Memory } from '../linear-algebra/memory.ts';
import { dropZeroBlock } from './zero-block.ts';

export class ScalarRow {
  count = 0;
  readonly column: Int32Array;
  readonly value: Float64Array;

  /** Room for all dofs of a model. */
  constructor(dofs: number, memory: Memory) {
    this.column = memory.i32(dofs);
    this.value = memory.f64(dofs);
  }

  clear(): void {
    this.count = 0;
  }

  /** Adds to one column; cheapest in ascending order. */
  add(column: number, value: number): void {
    const { column: columns, value: values } = this;
    let at = this.count;
    while (at > 0 && columns[at - 1] > column) at--;
    if (at > 0 && columns[at - 1] === column) {
      values[at - 1] += value;
      return;
    }
    for (let k = this.count; k > at; k--) {
      columns[k] = columns[k - 1];
      values[k] = values[k - 1];
    }
    columns[at] = column;
    values[at] = value;
    this.count++;
  }

  /** Adds scale × the row of a tendon, row by row over `dofs` dofs, at the columns of its pattern. */
  addTendon(jacobian: Float64Array, dofs: number, pattern: MomentPattern, t: number, scale: number): void {
    const { rowStart, column } = pattern;
    for (let k = rowStart[t]; k < rowStart[t + 1]; k++) {
      const value = jacobian[t * dofs + column[k]];
      if (value !== 0) this.add(column[k], scale * value);
    }
  }

  /** Adds scale × row k of a block. */
  addBlockRow(rows: BlockRows, block: number, k: number, scale: number): void {
    const n = rows.columnCount[block];
    const c = rows.columnStart[block];
    const v = rows.valueStart[block] + k * n;
    for (let i = 0; i < n; i++) this.add(rows.column[c + i], scale * rows.value[v + i]);
  }

  /** Row · v. */
  multiply(v: Float64Array): number {
    let sum = 0;
    for (let k = 0; k < this.count; k++) sum += this.value[k] * v[this.column[k]];
    return sum;
  }

  /** Adds the row times `scale` as its own block; -1 where it is zero. */
  write(rows: BlockRows, scale: number): number {
    const block = rows.add(1, this.count);
    const c = rows.columnStart[block];
    const v = rows.valueStart[block];
    for (let k = 0; k < this.count; k++) {
      rows.column[c + k] = this.column[k];
      rows.value[v + k] = scale * this.value[k];
    }
    return dropZeroBlock(rows, block);
  }
}
