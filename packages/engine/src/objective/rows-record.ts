/**
 * A matrix of block rows for the compiled products, all of its blocks in their order: the part of an island's record (island-record.ts) that
 * they read. Without compiled functions the products of linear-algebra/block-rows.ts, which give the same bits.
 */
import { addTransposed, type BlockRows, multiplyRows } from '../linear-algebra/block-rows.ts';
import { copyInto } from '../linear-algebra/growth.ts';
import type { Memory } from '../linear-algebra/memory.ts';

const WORDS = 43;
/** Places of the number of blocks and of the addresses. */
const END_BLOCK = 2;
const ROWS = 8;
const ORDER = 31;

export class RowsRecord {
  readonly #rows: BlockRows;
  readonly #memory: Memory;
  readonly #words: Int32Array;
  /** 0, 1, 2, … */
  #order: Int32Array;

  constructor(rows: BlockRows, memory: Memory) {
    this.#rows = rows;
    this.#memory = memory;
    this.#words = memory.i32(WORDS);
    this.#order = memory.i32(0);
  }

  /** Before products, after rows were added. */
  bind(): void {
    const rows = this.#rows;
    if (this.#order.length < rows.blockCount) {
      const before = this.#order.length;
      this.#order = copyInto(this.#order, this.#memory.i32(2 * rows.blockCount));
      for (let b = before; b < this.#order.length; b++) this.#order[b] = b;
    }
    const words = this.#words;
    words[END_BLOCK] = rows.blockCount;
    words[ROWS] = rows.rowStart.byteOffset;
    words[ROWS + 1] = rows.columnStart.byteOffset;
    words[ROWS + 2] = rows.columnCount.byteOffset;
    words[ROWS + 3] = rows.valueStart.byteOffset;
    words[ROWS + 4] = rows.column.byteOffset;
    words[ROWS + 5] = rows.value.byteOffset;
    words[ORDER] = this.#order.byteOffset;
  }

  /** out ← X x. */
  multiply(out: Float64Array, x: Float64Array): void {
    const { compiled } = this.#memory;
    if (compiled && this.#hasAddresses(out, x))
      compiled.multiplyRows(this.#words.byteOffset, out.byteOffset, x.byteOffset);
    else multiplyRows(out, this.#rows, x, this.#order, 0, this.#rows.blockCount);
  }

  /** out ← out + Xᵀ f. */
  addTransposed(out: Float64Array, f: Float64Array): void {
    const { compiled } = this.#memory;
    if (compiled && this.#hasAddresses(out, f))
      compiled.addTransposed(this.#words.byteOffset, out.byteOffset, 1, f.byteOffset);
    else addTransposed(out, 1, this.#rows, f, this.#order, 0, this.#rows.blockCount);
  }

  // arrays outside the shared memory have no address in it
  #hasAddresses(a: Float64Array, b: Float64Array): boolean {
    const shared = this.#words.buffer.constructor;
    return a.buffer.constructor === shared && b.buffer.constructor === shared;
  }
}
