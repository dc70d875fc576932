/**
 * Islands: sets of trees that constraints join. Each is a separate problem; trees without constraints belong to none and
 * keep x*. Islands are in the order of their first tree, trees and blocks within them in the order of their numbers.
 */
import type { Memory } from '../linear-algebra/memory.ts';
import type { ConvexProblem } from './convex-problem.ts';
import type { Forest } from './forest.ts';

export class Islands {
  count = 0;
  /** Per island: first entry in `tree`, `dof` and `block`; one more than there are islands. */
  treeStart: Int32Array;
  dofStart: Int32Array;
  blockStart: Int32Array;
  /** Trees, dofs and blocks, island by island. */
  tree: Int32Array;
  dof: Int32Array;
  block: Int32Array;
  /** Per dof: its number within its island, or −1. */
  localDof: Int32Array;
  readonly forest: Forest;
  /** Per tree: towards the representative of its set; then the number of its island, or −1. */
  readonly #set: Int32Array;
  readonly #islandOf: Int32Array;
  readonly #cursor: Int32Array;
  readonly #memory: Memory;

  constructor(forest: Forest, memory: Memory) {
    const n = forest.count;
    const dofs = forest.start[n];
    this.forest = forest;
    this.#memory = memory;
    this.treeStart = memory.i32(n + 1);
    this.dofStart = memory.i32(n + 1);
    this.blockStart = memory.i32(n + 1);
    this.tree = memory.i32(n);
    this.dof = memory.i32(dofs);
    this.localDof = memory.i32(dofs);
    this.block = memory.i32(64);
    this.#set = memory.i32(n);
    this.#islandOf = memory.i32(n);
    this.#cursor = memory.i32(n + 1);
  }

  /** Splits a problem, or takes all trees that constraints touch as one; rewrites the columns of its rows to local numbers. */
  split(problem: ConvexProblem, separate: boolean): void {
    const { rows } = problem;
    const { forest } = this;
    const { treeOf } = forest;
    const { column } = rows;
    const set = this.#set;
    const islandOf = this.#islandOf;
    islandOf.fill(-1);
    for (let t = 0; t < forest.count; t++) set[t] = t;
    // join the trees of every block; lists of columns that blocks share are met once
    let seen = -1;
    let first = -1;
    for (let b = 0; b < rows.blockCount; b++) {
      const start = rows.columnStart[b];
      if (start <= seen) continue;
      seen = start;
      const end = start + rows.columnCount[b];
      if (separate) first = -1;
      let last = -1;
      for (let k = start; k < end; k++) {
        const t = treeOf[column[k]];
        if (t === last) continue;
        last = t;
        islandOf[t] = 0;
        if (first < 0) first = t;
        else this.#join(first, t);
      }
    }
    this.#number();
    this.#listBlocks(problem);
    const { localDof } = this;
    for (let k = 0; k < rows.columnEnd; k++) column[k] = localDof[column[k]];
  }

  #find(tree: number): number {
    const set = this.#set;
    let t = tree;
    while (set[t] !== t) {
      set[t] = set[set[t]];
      t = set[t];
    }
    return t;
  }

  // the lower number represents the set, so that islands come in the order of their first tree
  #join(a: number, b: number): void {
    const i = this.#find(a);
    const j = this.#find(b);
    if (i < j) this.#set[j] = i;
    else this.#set[i] = j;
  }

  #number(): void {
    const { forest, treeStart, dofStart, tree, dof, localDof } = this;
    const islandOf = this.#islandOf;
    const cursor = this.#cursor;
    this.count = 0;
    cursor.fill(0);
    for (let t = 0; t < forest.count; t++) {
      if (islandOf[t] < 0) continue;
      const root = this.#find(t);
      islandOf[t] = root === t ? this.count++ : islandOf[root];
      cursor[islandOf[t]]++;
    }
    treeStart[0] = 0;
    for (let i = 0; i < this.count; i++) {
      treeStart[i + 1] = treeStart[i] + cursor[i];
      cursor[i] = treeStart[i];
    }
    for (let t = 0; t < forest.count; t++) if (islandOf[t] >= 0) tree[cursor[islandOf[t]]++] = t;
    localDof.fill(-1);
    dofStart[0] = 0;
    let next = 0;
    for (let i = 0; i < this.count; i++) {
      for (let s = treeStart[i]; s < treeStart[i + 1]; s++) {
        const t = tree[s];
        for (let d = forest.start[t]; d < forest.start[t + 1]; d++) {
          localDof[d] = next - dofStart[i];
          dof[next++] = d;
        }
      }
      dofStart[i + 1] = next;
    }
  }

  #listBlocks(problem: ConvexProblem): void {
    const { rows } = problem;
    const { forest, blockStart, count } = this;
    const islandOf = this.#islandOf;
    const cursor = this.#cursor;
    if (rows.blockCount > this.block.length) this.block = this.#memory.i32(2 * rows.blockCount);
    const { block } = this;
    if (count === 1) {
      for (let b = 0; b < rows.blockCount; b++) block[b] = b;
      blockStart[0] = 0;
      blockStart[1] = rows.blockCount;
      return;
    }
    cursor.fill(0);
    for (let b = 0; b < rows.blockCount; b++) cursor[islandOf[forest.treeOf[rows.column[rows.columnStart[b]]]]]++;
    blockStart[0] = 0;
    for (let i = 0; i < count; i++) {
      blockStart[i + 1] = blockStart[i] + cursor[i];
      cursor[i] = blockStart[i];
    }
    for (let b = 0; b < rows.blockCount; b++) {
      const island = islandOf[forest.treeOf[rows.column[rows.columnStart[b]]]];
      block[cursor[island]++] = b;
    }
  }
}
