/**
 * An order of elimination with little fill: approximate minimum degree on the quotient graph.
 *
 * Eliminating a variable joins its neighbours to a clique. A clique is kept as an *element*: a list of its variables. Each
 * variable i holds a list of elements Eᵢ and a list of variables Aᵢ that no element covers. A step takes the variable p of
 * least degree, makes the element Lₚ = (∪_{e∈Eₚ} Lₑ ∪ Aₚ) \ p, which absorbs the elements of Eₚ, and for i in Lₚ sets
 *
 *   degree(i) = |Lₚ \ i| + |Aᵢ \ Lₚ| + Σ_{e∈Eᵢ, e≠p} |Lₑ \ Lₚ|        (an upper bound, weights are block sizes)
 *
 * where |Lₑ \ Lₚ| for all e costs one pass over the lists Eᵢ. Elements with Lₑ ⊆ Lₚ are absorbed too. Variables whose lists
 * are equal (found by a hash) become one, variables with nothing but p are eliminated with p. Among equal degrees the
 * variable touched last comes first, at the start the lowest number: the order depends on the graph alone.
 * Variables with very many neighbours would be touched by every step; they are removed and eliminated last.
 * Source: Amestoy, Davis, Duff, An approximate minimum degree ordering algorithm (1996). No compaction of the lists: their
 * total length is that of the lists of rows of the factor, which are stored anyway.
 */

import { extendInts, fitInts } from '../growth.ts';
import type { Memory } from '../memory.ts';
import type { BlockGraph } from './block-graph.ts';
import { DegreeLists } from './degree-lists.ts';
import { PivotTree } from './pivot-tree.ts';

/** A variable with more neighbours than this times √count is eliminated last. */
const MANY_NEIGHBORS = 10;
const FEWEST_MANY = 16;
const LARGEST_TAG = 2 ** 30;

export class MinimumDegree {
  /** What came of it. */
  readonly pivots: PivotTree;
  readonly #memory: Memory;
  // per variable or element: where its list begins, its length, and how many of the list are elements
  #list: Int32Array;
  #listEnd = 0;
  #start: Int32Array;
  #length: Int32Array;
  #elements: Int32Array;
  // size of a variable (negative while it is in the new element, 0 once it is gone), its degree or that of an element
  #weight: Int32Array;
  #degree: Int32Array;
  // variables that are left, by degree
  readonly #left: DegreeLists;
  // tag + |Lₑ \ Lₚ| of elements, 0 for an absorbed one
  #mark: Int32Array;
  #tag = 1;
  // variables that may be equal, in lists by hash
  #hashHead: Int32Array;
  #hashNext: Int32Array;
  #hash: Int32Array;
  // variable: what it was merged into; element: what absorbed it
  #into: Int32Array;
  #count = 0;
  #sizeLeft = 0;
  #pivotWeight = 0;
  #elementWeight = 0;

  constructor(memory: Memory) {
    this.#memory = memory;
    this.pivots = new PivotTree(memory);
    this.#left = new DegreeLists(memory);
    const none = memory.i32(0);
    this.#list = this.#start = this.#length = this.#elements = this.#weight = this.#degree = none;
    this.#mark = this.#hashHead = this.#hashNext = this.#hash = this.#into = none;
  }

  /** Finds the order for a graph; blocks with a mark in `last` are eliminated last, together. */
  order(graph: BlockGraph, last?: Int32Array): void {
    this.#begin(graph, last);
    for (let pivot = this.#left.takeLeast(); pivot >= 0; pivot = this.#left.takeLeast()) {
      this.#formElement(pivot);
      this.#compareElements(pivot);
      this.#updateDegrees(pivot);
      this.#mergeEqual(pivot);
      this.#finishElement(pivot);
    }
    this.pivots.finish(graph, this.#into);
  }

  /** Every block is a variable, next to those of the graph; no element yet. */
  #begin(graph: BlockGraph, last: Int32Array | undefined): void {
    const { count, size, neighborStart, neighbor } = graph;
    this.#clear(count, 2 * neighborStart[count]);
    const list = this.#list;
    const start = this.#start;
    const length = this.#length;
    const weight = this.#weight;
    const degree = this.#degree;
    // variables with very many neighbours have weight 0 for the others
    const many = Math.max(FEWEST_MANY, MANY_NEIGHBORS * Math.sqrt(count));
    let hasLast = false;
    this.#sizeLeft = 0;
    for (let b = 0; b < count; b++) {
      const isLast = last ? last[b] !== 0 : neighborStart[b + 1] - neighborStart[b] > many;
      weight[b] = isLast ? 0 : size[b];
      this.#sizeLeft += weight[b];
      if (weight[b] === 0) hasLast = true;
    }
    this.pivots.clear(count, hasLast);
    this.#left.clear(count, this.#sizeLeft);
    let end = 0;
    for (let b = 0; b < count; b++) {
      start[b] = end;
      let sum = 0;
      for (let k = neighborStart[b]; k < neighborStart[b + 1]; k++) {
        const other = weight[neighbor[k]];
        if (other === 0) continue;
        list[end++] = neighbor[k];
        sum += other;
      }
      length[b] = end - start[b];
      degree[b] = sum;
    }
    this.#listEnd = end;
    // lowest numbers end up in front
    for (let b = count - 1; b >= 0; b--) if (weight[b] > 0) this.#left.add(b, degree[b]);
  }

  /** Room for so many variables and entries of lists; nothing is known of them. */
  #clear(count: number, listLength: number): void {
    const memory = this.#memory;
    this.#count = count;
    this.#start = fitInts(memory, this.#start, count);
    this.#length = fitInts(memory, this.#length, count);
    this.#elements = fitInts(memory, this.#elements, count);
    this.#weight = fitInts(memory, this.#weight, count);
    this.#degree = fitInts(memory, this.#degree, count);
    this.#mark = fitInts(memory, this.#mark, count);
    this.#hashHead = fitInts(memory, this.#hashHead, count);
    this.#hashNext = fitInts(memory, this.#hashNext, count);
    this.#hash = fitInts(memory, this.#hash, count);
    this.#into = fitInts(memory, this.#into, count);
    this.#list = fitInts(memory, this.#list, listLength);
    this.#elements.fill(0, 0, count);
    this.#mark.fill(1, 0, count);
    this.#hashHead.fill(-1, 0, count);
    this.#into.fill(-1, 0, count);
    this.#tag = 2;
  }

  /** Lₚ: the variables of the elements and of the list of p. */
  #formElement(pivot: number): void {
    const start = this.#start;
    const length = this.#length;
    const weight = this.#weight;
    const degree = this.#degree;
    const left = this.#left;
    const from = start[pivot];
    const elements = this.#elements[pivot];
    const total = length[pivot];
    this.#pivotWeight = weight[pivot];
    weight[pivot] = -this.#pivotWeight;
    // capacity for the largest possible size
    let room = total - elements;
    for (let k = from; k < from + elements; k++) room += length[this.#list[k]];
    this.#list = extendInts(this.#memory, this.#list, this.#listEnd + room);
    const list = this.#list;
    const begin = this.#listEnd;
    let end = begin;
    let sum = 0;
    for (let k = from; k < from + total; k++) {
      const member = list[k];
      // the lists of elements, then the own list as one of variables
      const isElement = k < from + elements;
      const first = isElement ? start[member] : k;
      const last = isElement ? first + length[member] : k + 1;
      for (let s = first; s < last; s++) {
        const i = list[s];
        const w = weight[i];
        if (w <= 0) continue;
        weight[i] = -w;
        sum += w;
        list[end++] = i;
        left.remove(i, degree[i]);
      }
      if (isElement) {
        this.#into[member] = pivot;
        this.#mark[member] = 0;
      }
    }
    start[pivot] = begin;
    length[pivot] = end - begin;
    this.#listEnd = end;
    this.#elementWeight = sum;
  }

  /** mark(e) ← tag + |Lₑ \ Lₚ| for every element e next to Lₚ. */
  #compareElements(pivot: number): void {
    const list = this.#list;
    const start = this.#start;
    const elements = this.#elements;
    const weight = this.#weight;
    const degree = this.#degree;
    const mark = this.#mark;
    const tag = this.#tag;
    const begin = start[pivot];
    const end = begin + this.#length[pivot];
    for (let k = begin; k < end; k++) {
      const i = list[k];
      const w = -weight[i];
      const from = start[i];
      const to = from + elements[i];
      for (let s = from; s < to; s++) {
        const e = list[s];
        const m = mark[e];
        if (m >= tag) mark[e] = m - w;
        else if (m !== 0) mark[e] = degree[e] + tag - w;
      }
    }
  }

  /** Rewrites the lists of i in Lₚ without what Lₚ covers, and sets all of degree(i) but |Lₚ \ i|. */
  #updateDegrees(pivot: number): void {
    const list = this.#list;
    const start = this.#start;
    const weight = this.#weight;
    const mark = this.#mark;
    const tag = this.#tag;
    const begin = start[pivot];
    const end = begin + this.#length[pivot];
    const hashSize = this.#count;
    for (let k = begin; k < end; k++) {
      const i = list[k];
      const from = start[i];
      const elementEnd = from + this.#elements[i];
      const to = from + this.#length[i];
      let write = from;
      let sum = 0;
      let hash = pivot;
      for (let s = from; s < elementEnd; s++) {
        const e = list[s];
        const m = mark[e];
        if (m === 0) continue;
        if (m > tag) {
          sum += m - tag;
          list[write++] = e;
          hash += e;
        } else {
          // Lₑ lies in Lₚ
          this.#into[e] = pivot;
          mark[e] = 0;
        }
      }
      const elementCount = write - from;
      for (let s = elementEnd; s < to; s++) {
        const j = list[s];
        const w = weight[j];
        if (w <= 0) continue;
        sum += w;
        list[write++] = j;
        hash += j;
      }
      if (write === from) {
        // nothing but p: eliminated with it
        const w = -weight[i];
        this.#into[i] = pivot;
        this.#pivotWeight += w;
        this.#elementWeight -= w;
        weight[i] = 0;
        continue;
      }
      // p before the elements; dropped entries made room for it
      list[write] = list[from + elementCount];
      list[from + elementCount] = list[from];
      list[from] = pivot;
      this.#elements[i] = elementCount + 1;
      this.#length[i] = write - from + 1;
      if (sum < this.#degree[i]) this.#degree[i] = sum;
      hash %= hashSize;
      this.#hash[i] = hash;
      this.#hashNext[i] = this.#hashHead[hash];
      this.#hashHead[hash] = i;
    }
    // no mark reaches the next tag
    this.#advanceTag(this.#sizeLeft + 1);
  }

  #advanceTag(step: number): void {
    this.#tag += step;
    if (this.#tag < LARGEST_TAG) return;
    const mark = this.#mark;
    for (let e = 0; e < this.#count; e++) if (mark[e] !== 0) mark[e] = 1;
    this.#tag = 2;
  }

  /** Variables of Lₚ with the same lists become one. */
  #mergeEqual(pivot: number): void {
    const list = this.#list;
    const start = this.#start;
    const length = this.#length;
    const elements = this.#elements;
    const weight = this.#weight;
    const mark = this.#mark;
    const next = this.#hashNext;
    const begin = start[pivot];
    const end = begin + length[pivot];
    for (let k = begin; k < end; k++) {
      if (weight[list[k]] === 0) continue;
      const hash = this.#hash[list[k]];
      let i = this.#hashHead[hash];
      if (i < 0) continue;
      this.#hashHead[hash] = -1;
      while (i >= 0 && next[i] >= 0) {
        const from = start[i];
        const size = length[i];
        const tag = this.#tag;
        for (let s = from + 1; s < from + size; s++) mark[list[s]] = tag;
        let last = i;
        let j = next[i];
        while (j >= 0) {
          let isEqual = length[j] === size && elements[j] === elements[i];
          for (let s = start[j] + 1; isEqual && s < start[j] + size; s++) isEqual = mark[list[s]] === tag;
          const following = next[j];
          if (isEqual) {
            this.#into[j] = i;
            weight[i] += weight[j];
            weight[j] = 0;
            next[last] = following;
          } else {
            last = j;
          }
          j = following;
        }
        this.#advanceTag(1);
        i = next[i];
      }
    }
  }

  /** Returns the remaining variables of Lₚ to the graph and records the pivot. */
  #finishElement(pivot: number): void {
    const list = this.#list;
    const weight = this.#weight;
    const degree = this.#degree;
    const left = this.#left;
    const begin = this.#start[pivot];
    const end = begin + this.#length[pivot];
    this.#sizeLeft -= this.#pivotWeight;
    let write = begin;
    for (let k = begin; k < end; k++) {
      const i = list[k];
      const w = -weight[i];
      if (w === 0) continue;
      weight[i] = w;
      degree[i] = Math.min(degree[i] + this.#elementWeight - w, this.#sizeLeft - w);
      left.add(i, degree[i]);
      list[write++] = i;
    }
    this.#length[pivot] = write - begin;
    this.#listEnd = write;
    weight[pivot] = 0;
    degree[pivot] = this.#elementWeight;
    this.#mark[pivot] = write > begin ? 1 : 0;
    this.pivots.add(pivot, this.#pivotWeight, this.#elementWeight);
  }
}
