/**
 * Columns of the rows of terms, block by block: the dofs that move a body of the block, and three per soft vertex that is not held,
 * ascending. They are kept as they are before islands renumber them, so that forces can be read back afterwards.
 */
import { copyInto } from '../../linear-algebra/growth.ts';
import type { Model } from '../../model/model.ts';

export class BlockColumns {
  /** Columns of all blocks; those of block n are from `start[n]` to `start[n + 1]`. */
  column: Int32Array = new Int32Array(64);
  start: Int32Array = new Int32Array(65);
  /** Per block: 1 where its term is external. */
  isExternal: Uint8Array = new Uint8Array(64);
  /** Blocks that are closed; the next one is at hand. */
  count = 0;
  readonly #model: Model;
  readonly #mark: Int32Array;
  #stamp = 0;

  constructor(model: Model) {
    this.#model = model;
    this.#mark = new Int32Array(model.size.velocity);
  }

  /** Lists those of the block at hand, of the first `rigid` of some bodies; how many. */
  list(bodies: Int32Array, rigid: number, vertices: ArrayLike<number>, held: Float64Array): number {
    const { parent } = this.#model.dof;
    const { lastDof } = this.#model.body;
    const nv = this.#model.size.velocity;
    const start = this.start[this.count];
    this.#reserve(start + nv + 3 * vertices.length);
    const { column } = this;
    let end = start;
    this.#stamp++;
    for (let n = 0; n < rigid; n++) {
      for (let i = lastDof[bodies[n]]; i >= 0 && this.#mark[i] !== this.#stamp; i = parent[i]) {
        this.#mark[i] = this.#stamp;
        insert(column, start, end++, i);
      }
    }
    for (let n = 0; n < vertices.length; n++) {
      if (held[vertices[n]] !== 0) continue;
      for (let k = 0; k < 3; k++) {
        const dof = nv + 3 * vertices[n] + k;
        if (!contains(column, start, end, dof)) insert(column, start, end++, dof);
      }
    }
    this.start[this.count + 1] = end;
    return end - start;
  }

  /** Makes the three dofs of a soft vertex the columns of the block at hand. */
  setVertex(vertex: number): void {
    const start = this.start[this.count];
    this.#reserve(start + 3);
    for (let k = 0; k < 3; k++) this.column[start + k] = this.#model.size.velocity + 3 * vertex + k;
    this.start[this.count + 1] = start + 3;
  }

  /** Ends the block at hand. */
  close(isExternal: boolean): void {
    this.isExternal[this.count++] = isExternal ? 1 : 0;
  }

  // room for one more block and for columns up to an end
  #reserve(end: number): void {
    if (end > this.column.length) this.column = copyInto(this.column, new Int32Array(2 * end));
    if (this.count + 1 < this.isExternal.length) return;
    this.start = copyInto(this.start, new Int32Array(2 * this.start.length));
    this.isExternal = copyInto(this.isExternal, new Uint8Array(this.start.length - 1));
  }
}

/** Puts a number into the ascending list from start to end. */
function insert(list: Int32Array, start: number, end: number, number: number): void {
  let at = end;
  for (; at > start && list[at - 1] > number; at--) list[at] = list[at - 1];
  list[at] = number;
}

function contains(list: Int32Array, start: number, end: number, number: number): boolean {
  for (let i = start; i < end; i++) if (list[i] === number) return true;
  return false;
}
