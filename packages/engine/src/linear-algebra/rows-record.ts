/** The description of rows in blocks for the compiled twin of multiplyRows: addresses in the order of packages/kernels/assembly/row-product.ts. */
import type { BlockRows } from './block-rows.ts';
import type { CompiledDynamics } from './compiled-functions.ts';
import { isInReach, type Memory } from './memory.ts';

export class RowsRecord {
  readonly #compiled: CompiledDynamics;
  readonly #words: Int32Array;
  readonly #rows: BlockRows;
  #blocks: Int32Array | undefined;
  #columns: Int32Array | undefined;
  #values: Float64Array | undefined;

  constructor(compiled: CompiledDynamics, rows: BlockRows, memory: Memory) {
    this.#compiled = compiled;
    this.#rows = rows;
    this.#words = memory.i32(6);
  }

  /** out ← J x; false where x is out of reach and nothing is done. */
  multiply(out: Float64Array, x: Float64Array): boolean {
    if (!isInReach(x, this.#words)) return false;
    const rows = this.#rows;
    if (rows.rowStart !== this.#blocks || rows.column !== this.#columns || rows.value !== this.#values) this.#bind();
    this.#compiled.multiplyAllRows(this.#words.byteOffset, rows.blockCount, out.byteOffset, x.byteOffset);
    return true;
  }

  #bind(): void {
    const { rowStart, columnStart, columnCount, valueStart, column, value } = this.#rows;
    this.#blocks = rowStart;
    this.#columns = column;
    this.#values = value;
    const arrays = [rowStart, columnStart, columnCount, valueStart, column, value];
    for (let k = 0; k < arrays.length; k++) this.#words[k] = arrays[k].byteOffset;
  }
}
