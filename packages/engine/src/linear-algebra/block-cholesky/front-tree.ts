/**
 * Fronts: sets of columns that are eliminated together as one dense panel, and the tree in which they pass on their Schur complements.
 *
 * A pivot of the ordering with w columns and b rows below them costs, in products of two numbers,
 *
 *   T(w, b) = START + ((w + b)³ − b³) / 6 + EXTRA b²
 *
 * START for the bookkeeping of a front, EXTRA for clearing, filling and passing on each number of the b×b Schur complement. A child
 * (w', b') is merged with its parent when T(w + w', b) ≤ T(w, b) + T(w', b'): small fronts accept zeros for fewer steps.
 * Fronts are numbered in postorder: children before parents, each subtree without gaps.
 */

import { fitInts } from '../growth.ts';
import type { Memory } from '../memory.ts';
import type { BlockGraph } from './block-graph.ts';
import type { PivotTree } from './pivot-tree.ts';

const START = 250;
const EXTRA = 2;

export class FrontTree {
  frontCount = 0;
  /** Per front: its parent, -1 for a root. */
  parent: Int32Array;
  /** Per front: its first position; one more than there are fronts. */
  firstPosition: Int32Array;
  /** Per position in the order of elimination: block, front. Per block: its position. */
  block: Int32Array;
  front: Int32Array;
  position: Int32Array;
  readonly #memory: Memory;
  #mergedInto: Int32Array;
  #width: Int32Array;
  #child: Int32Array;
  #sibling: Int32Array;
  #number: Int32Array;
  #stack: Int32Array;

  constructor(memory: Memory) {
    this.#memory = memory;
    const none = memory.i32(0);
    this.parent = this.firstPosition = this.block = this.front = this.position = none;
    this.#mergedInto = this.#width = this.#child = this.#sibling = this.#number = this.#stack = none;
  }

  build(graph: BlockGraph, order: PivotTree): void {
    const memory = this.#memory;
    const { count } = order;
    this.#mergedInto = fitInts(memory, this.#mergedInto, count);
    this.#width = fitInts(memory, this.#width, count);
    this.#child = fitInts(memory, this.#child, count);
    this.#sibling = fitInts(memory, this.#sibling, count);
    this.#number = fitInts(memory, this.#number, count);
    this.#stack = fitInts(memory, this.#stack, count);
    this.parent = fitInts(memory, this.parent, count);
    this.firstPosition = fitInts(memory, this.firstPosition, count + 1);
    this.#merge(order);
    this.#numberFronts(order);
    this.#placeBlocks(graph, order);
  }

  /** Merges children with parents where it saves time; parents come after their children. */
  #merge(order: PivotTree): void {
    const { count: pivotCount, parent, boundary, hasLast } = order;
    const merged = this.#mergedInto;
    const width = this.#width;
    const child = this.#child;
    const sibling = this.#sibling;
    child.fill(-1, 0, pivotCount);
    // children in descending order, so that the largest numbers are first
    for (let k = 0; k < pivotCount; k++) {
      merged[k] = -1;
      width[k] = order.width[k];
      const p = parent[k];
      if (p < 0) continue;
      sibling[k] = child[p];
      child[p] = k;
    }
    // what the fronts of the last pivot have below them was not counted
    const end = hasLast ? pivotCount - 1 : pivotCount;
    for (let p = 0; p < end; p++) {
      const b = boundary[p];
      let w = width[p];
      let cost = estimate(w, b);
      for (let c = child[p]; c >= 0; c = sibling[c]) {
        const together = estimate(w + width[c], b);
        if (together > cost + estimate(width[c], boundary[c])) continue;
        merged[c] = p;
        w += width[c];
        cost = together;
      }
      width[p] = w;
    }
  }

  /** Postorder of the fronts that are left. */
  #numberFronts(order: PivotTree): void {
    const { count: pivotCount } = order;
    const merged = this.#mergedInto;
    const child = this.#child;
    const sibling = this.#sibling;
    const number = this.#number;
    const stack = this.#stack;
    // parents first: the front of each pivot, then the tree of fronts
    for (let k = pivotCount - 1; k >= 0; k--) {
      child[k] = -1;
      const p = merged[k];
      if (p >= 0 && merged[p] >= 0) merged[k] = merged[p];
    }
    for (let k = pivotCount - 1; k >= 0; k--) {
      if (merged[k] >= 0) continue;
      let p = order.parent[k];
      if (p < 0) continue;
      if (merged[p] >= 0) p = merged[p];
      sibling[k] = child[p];
      child[p] = k;
    }
    let next = 0;
    for (let root = 0; root < pivotCount; root++) {
      if (merged[root] >= 0 || order.parent[root] >= 0) continue;
      let depth = 0;
      stack[0] = root;
      while (depth >= 0) {
        const k = stack[depth];
        const c = child[k];
        if (c >= 0) {
          child[k] = sibling[c];
          stack[++depth] = c;
        } else {
          number[k] = next++;
          depth--;
        }
      }
    }
    this.frontCount = next;
    for (let k = 0; k < pivotCount; k++) {
      if (merged[k] >= 0) continue;
      let p = order.parent[k];
      if (p >= 0 && merged[p] >= 0) p = merged[p];
      this.parent[number[k]] = p < 0 ? -1 : number[p];
    }
    for (let k = 0; k < pivotCount; k++) if (merged[k] >= 0) number[k] = number[merged[k]];
  }

  /** Blocks of a front in ascending order. */
  #placeBlocks(graph: BlockGraph, order: PivotTree): void {
    const memory = this.#memory;
    const count = graph.count;
    const block = (this.block = fitInts(memory, this.block, count));
    const front = (this.front = fitInts(memory, this.front, count));
    const position = (this.position = fitInts(memory, this.position, count));
    const first = this.firstPosition;
    const number = this.#number;
    first.fill(0, 0, this.frontCount + 1);
    for (let b = 0; b < count; b++) first[number[order.pivotOf[b]] + 1]++;
    for (let f = 0; f < this.frontCount; f++) first[f + 1] += first[f];
    for (let b = 0; b < count; b++) {
      const f = number[order.pivotOf[b]];
      const p = first[f]++;
      position[b] = p;
      block[p] = b;
      front[p] = f;
    }
    for (let f = this.frontCount; f > 0; f--) first[f] = first[f - 1];
    first[0] = 0;
  }
}

function estimate(width: number, boundary: number): number {
  const height = width + boundary;
  return START + (height * height * height - boundary * boundary * boundary) / 6 + EXTRA * boundary * boundary;
}
