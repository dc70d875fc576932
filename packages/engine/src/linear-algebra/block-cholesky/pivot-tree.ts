/**
 * The outcome of an elimination of blocks: pivots in their order, and the tree they form. A pivot is one block or several
 * that are eliminated together; its parent is the later pivot whose element absorbs its own.
 */
import { fitInts } from '../growth.ts';
import type { Memory } from '../memory.ts';
import type { BlockGraph } from './block-graph.ts';

export class PivotTree {
  count = 0;
  /** Per pivot: its parent, −1 for a root. */
  parent: Int32Array;
  /** Per pivot: scalar columns eliminated, and scalar rows below them. */
  width: Int32Array;
  boundary: Int32Array;
  /** Per block: the pivot that eliminates it. */
  pivotOf: Int32Array;
  /** Whether the last pivot collects the blocks with very many neighbours: its relations are not counted. */
  hasLast = false;
  readonly #memory: Memory;
  // per block: the pivot that was made of it, −1 where none was
  #number: Int32Array;

  constructor(memory: Memory) {
    this.#memory = memory;
    this.parent = this.width = this.boundary = this.pivotOf = this.#number = memory.i32(0);
  }

  /** Removes all pivots and reserves space for so many blocks. */
  clear(blocks: number, hasLast: boolean): void {
    const memory = this.#memory;
    this.parent = fitInts(memory, this.parent, blocks);
    this.width = fitInts(memory, this.width, blocks);
    this.boundary = fitInts(memory, this.boundary, blocks);
    this.pivotOf = fitInts(memory, this.pivotOf, blocks);
    this.#number = fitInts(memory, this.#number, blocks);
    this.#number.fill(-1, 0, blocks);
    this.count = 0;
    this.hasLast = hasLast;
  }

  /** The next pivot, made of a block and what was merged into it. */
  add(block: number, width: number, boundary: number): void {
    const k = this.count++;
    this.#number[block] = k;
    this.width[k] = width;
    this.boundary[k] = boundary;
    // for now the block; its parent replaces it when all are known
    this.parent[k] = block;
  }

  /** Finds parents and the pivots of blocks; `into`: per block, what it was merged into or absorbed by, −1 where neither. */
  finish(graph: BlockGraph, into: Int32Array): void {
    const last = this.hasLast ? this.count : -1;
    for (let k = 0; k < this.count; k++) {
      const absorber = into[this.parent[k]];
      this.parent[k] = absorber < 0 ? last : this.#number[absorber];
    }
    if (this.hasLast) this.#collectLast(graph, into);
    this.#findPivots(graph.count, into);
  }

  // the pivot of the blocks that were taken out
  #collectLast({ count, size }: BlockGraph, into: Int32Array): void {
    const last = this.count++;
    let width = 0;
    for (let b = 0; b < count; b++) {
      if (this.#number[b] >= 0 || into[b] >= 0) continue;
      this.#number[b] = last;
      width += size[b];
    }
    this.parent[last] = -1;
    this.width[last] = width;
    this.boundary[last] = 0;
  }

  // the pivot of what a block was merged into, or of the element that absorbed it
  #findPivots(blocks: number, into: Int32Array): void {
    const number = this.#number;
    for (let b = 0; b < blocks; b++) {
      let root = b;
      while (number[root] < 0) root = into[root];
      this.pivotOf[b] = number[root];
      // path compression
      for (let v = b; v !== root; ) {
        const next = into[v];
        into[v] = root;
        v = next;
      }
    }
  }
}
