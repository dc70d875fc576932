/**
 * Pieces of a multifrontal factor for threads: whole subtrees of fronts, none with much more than a share of the cost; the fronts above
 * them are the *top*. Pieces depend on the pattern alone, not on the number of threads.
 *
 * The cost of a front is counted in products of two numbers, ((w + b)³ − b³) / 6 for w columns and b rows below. A subtree in a piece
 * costs at most 1/SHARES of all; neighbouring subtrees are one piece until they cost half of that.
 * Every piece has two stacks of its own for its Schur complements (see symbolic-factor.ts), every front of the top a place of its own.
 */
import { fitInts } from '../growth.ts';
import type { Memory } from '../memory.ts';

const SHARES = 24;
/** Cost from which on threads are worth it: some 0.3 ms. */
const LARGE = 4e5;

/** What is known of the fronts; places of the rests are written. */
export interface PlacedFronts {
  readonly frontCount: number;
  readonly width: Int32Array;
  readonly boundary: Int32Array;
  readonly restStart: Int32Array;
  readonly lastChild: Int32Array;
  readonly previousChild: Int32Array;
}

/** ((w + b)³ − b³) / 6. */
export function estimateFront(w: number, b: number): number {
  return (w * (w * w + 3 * w * b + 3 * b * b)) / 6;
}

export class FrontPieces {
  /** Zero where one thread is as fast. */
  count = 0;
  /** Per piece: its first front, and the one after its last. */
  first: Int32Array;
  end: Int32Array;
  readonly #memory: Memory;
  /** Per front: cost of its subtree, 1 where it is of the top. */
  #cost = new Float64Array(0);
  #isTop: Int32Array;

  constructor(memory: Memory) {
    this.#memory = memory;
    this.first = this.end = this.#isTop = memory.i32(0);
  }

  /** Whether a front belongs to no piece. */
  isTop(front: number): boolean {
    return this.#isTop[front] === 1;
  }

  choose({ frontCount, width, boundary }: PlacedFronts, parent: Int32Array): void {
    this.count = 0;
    if (this.#cost.length < frontCount) this.#cost = new Float64Array(2 * frontCount);
    const cost = this.#cost;
    cost.fill(0, 0, frontCount);
    let all = 0;
    for (let f = 0; f < frontCount; f++) {
      const own = estimateFront(width[f], boundary[f]);
      all += own;
      cost[f] += own;
      if (parent[f] >= 0) cost[parent[f]] += cost[f];
    }
    if (all < LARGE) return;
    const most = all / SHARES;
    this.#isTop = fitInts(this.#memory, this.#isTop, frontCount);
    this.first = fitInts(this.#memory, this.first, frontCount);
    this.end = fitInts(this.#memory, this.end, frontCount);
    let first = 0;
    let sum = 0;
    for (let f = 0; f < frontCount; f++) {
      const isTop = cost[f] > most;
      this.#isTop[f] = isTop ? 1 : 0;
      if (isTop) {
        this.#close(first, f);
        first = f + 1;
        sum = 0;
        continue;
      }
      const isWhole = parent[f] < 0 || cost[parent[f]] > most;
      if (!isWhole) continue;
      sum += cost[f];
      if (sum < most / 2) continue;
      this.#close(first, f + 1);
      first = f + 1;
      sum = 0;
    }
    this.#close(first, frontCount);
  }

  #close(first: number, end: number): void {
    if (first === end) return;
    this.first[this.count] = first;
    this.end[this.count] = end;
    this.count++;
  }

  /** Places of the rests, whose children are known; returns where they end. `depth`: per front its depth in the tree, modulo 2. */
  placeRests(fronts: PlacedFronts, depth: Int32Array): number {
    const { frontCount, boundary, restStart } = fronts;
    let base = 0;
    for (let p = 0; p < this.count; p++) base = this.#placePiece(fronts, depth, this.first[p], this.end[p], base);
    for (let f = 0; f < frontCount; f++) {
      if (!this.isTop(f)) continue;
      restStart[f] = base;
      base += boundary[f] * boundary[f];
    }
    return base;
  }

  #placePiece(fronts: PlacedFronts, depth: Int32Array, first: number, end: number, base: number): number {
    const { boundary, restStart, lastChild, previousChild } = fronts;
    const next = [0, 0];
    const highest = [0, 0];
    for (let f = first; f < end; f++) {
      const stack = depth[f];
      restStart[f] = next[stack];
      next[stack] += boundary[f] * boundary[f];
      highest[stack] = Math.max(highest[stack], next[stack]);
      for (let c = lastChild[f]; c >= 0; c = previousChild[c]) next[1 - stack] = restStart[c];
    }
    for (let f = first; f < end; f++) restStart[f] += base + (depth[f] === 1 ? highest[0] : 0);
    return base + highest[0] + highest[1];
  }
}
