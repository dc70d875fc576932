/**
 * The graph of a block matrix: which pairs of blocks are joined, each pair once, from a list of edges that may repeat.
 * Pairs (low, high) with low < high are sorted by low, then high, by two passes of counting sort: linear in edges.
 */
import { NexdynError } from '../../error.ts';
import { fitInts } from '../growth.ts';
import type { Memory } from '../memory.ts';

export class BlockGraph {
  /** Blocks and their sizes (scalar rows). */
  count = 0;
  size: Int32Array;
  /** Distinct pairs. */
  pairCount = 0;
  low: Int32Array;
  high: Int32Array;
  /** Per edge of the last list: its pair. */
  pairOfEdge: Int32Array;
  /** Neighbours of block b: entries neighborStart[b] .. neighborStart[b + 1] of `neighbor`, ascending, and their pairs. */
  neighborStart: Int32Array;
  neighbor: Int32Array;
  neighborPair: Int32Array;
  readonly #memory: Memory;
  // the pairs of the next list while they are compared with these
  #nextLow: Int32Array;
  #nextHigh: Int32Array;
  #start: Int32Array;
  #byHigh: Int32Array;
  #byLow: Int32Array;

  constructor(memory: Memory) {
    this.#memory = memory;
    const none = memory.i32(0);
    this.size = this.low = this.high = this.pairOfEdge = none;
    this.neighborStart = memory.i32(1);
    this.neighbor = this.neighborPair = none;
    this.#nextLow = this.#nextHigh = this.#start = this.#byHigh = this.#byLow = none;
  }

  /** Takes a new list of edges. Returns whether blocks or pairs changed. */
  update(size: Int32Array, count: number, first: Int32Array, second: Int32Array, edgeCount: number): boolean {
    const pairCount = this.#collectPairs(count, first, second, edgeCount);
    if (this.#isSame(size, count, pairCount)) return false;
    const memory = this.#memory;
    this.count = count;
    this.size = fitInts(memory, this.size, count);
    for (let b = 0; b < count; b++) this.size[b] = size[b];
    this.pairCount = pairCount;
    const { low, high } = this;
    this.low = this.#nextLow;
    this.high = this.#nextHigh;
    this.#nextLow = low;
    this.#nextHigh = high;
    this.#connect();
    return true;
  }

  /** Sorts edges and numbers distinct pairs. */
  #collectPairs(count: number, first: Int32Array, second: Int32Array, edgeCount: number): number {
    const memory = this.#memory;
    const start = (this.#start = fitInts(memory, this.#start, count + 1));
    const byHigh = (this.#byHigh = fitInts(memory, this.#byHigh, edgeCount));
    const byLow = (this.#byLow = fitInts(memory, this.#byLow, edgeCount));
    const pairOfEdge = (this.pairOfEdge = fitInts(memory, this.pairOfEdge, edgeCount));
    const low = (this.#nextLow = fitInts(memory, this.#nextLow, edgeCount));
    const high = (this.#nextHigh = fitInts(memory, this.#nextHigh, edgeCount));
    // by high, then, keeping that order, by low
    start.fill(0, 0, count + 1);
    for (let e = 0; e < edgeCount; e++) start[Math.max(first[e], second[e]) + 1]++;
    for (let b = 0; b < count; b++) start[b + 1] += start[b];
    for (let e = 0; e < edgeCount; e++) byHigh[start[Math.max(first[e], second[e])]++] = e;
    start.fill(0, 0, count + 1);
    for (let e = 0; e < edgeCount; e++) start[Math.min(first[e], second[e]) + 1]++;
    for (let b = 0; b < count; b++) start[b + 1] += start[b];
    for (let k = 0; k < edgeCount; k++) {
      const e = byHigh[k];
      byLow[start[Math.min(first[e], second[e])]++] = e;
    }
    // equal pairs are adjacent
    let pair = -1;
    let lastLow = -1;
    let lastHigh = -1;
    for (let k = 0; k < edgeCount; k++) {
      const e = byLow[k];
      const l = Math.min(first[e], second[e]);
      const h = Math.max(first[e], second[e]);
      if (l !== lastLow || h !== lastHigh) {
        pair++;
        low[pair] = lastLow = l;
        high[pair] = lastHigh = h;
      }
      pairOfEdge[e] = pair;
    }
    return pair + 1;
  }

  #isSame(size: Int32Array, count: number, pairCount: number): boolean {
    if (count !== this.count || pairCount !== this.pairCount) return false;
    for (let b = 0; b < count; b++) if (size[b] !== this.size[b]) return false;
    const nextLow = this.#nextLow;
    const nextHigh = this.#nextHigh;
    const { low, high } = this;
    for (let p = 0; p < pairCount; p++) if (nextLow[p] !== low[p] || nextHigh[p] !== high[p]) return false;
    return true;
  }

  /** Lists of neighbours; ascending because pairs (·, b) come before pairs (b, ·). */
  #connect(): void {
    const memory = this.#memory;
    const { count, pairCount, low, high } = this;
    const start = (this.neighborStart = fitInts(memory, this.neighborStart, count + 1));
    const neighbor = (this.neighbor = fitInts(memory, this.neighbor, 2 * pairCount));
    const neighborPair = (this.neighborPair = fitInts(memory, this.neighborPair, 2 * pairCount));
    start.fill(0, 0, count + 1);
    for (let p = 0; p < pairCount; p++) {
      start[low[p] + 1]++;
      start[high[p] + 1]++;
    }
    for (let b = 0; b < count; b++) start[b + 1] += start[b];
    for (let p = 0; p < pairCount; p++) {
      const l = low[p];
      const h = high[p];
      neighborPair[start[l]] = p;
      neighbor[start[l]++] = h;
      neighborPair[start[h]] = p;
      neighbor[start[h]++] = l;
    }
    // each start has moved to the next one
    for (let b = count; b > 0; b--) start[b] = start[b - 1];
    start[0] = 0;
  }
}

/** Edge e joins blocks a and b: an error unless they are two of `count`. */
export function requireEdge(e: number, a: number, b: number, count: number): void {
  if (a !== b && a >= 0 && b >= 0 && a < count && b < count) return;
  throw new NexdynError('invalid-argument', `edge ${e} joins blocks ${a} and ${b} of ${count}`, {
    path: `edges[${e}]`,
    hint: 'an edge joins two different blocks',
  });
}
