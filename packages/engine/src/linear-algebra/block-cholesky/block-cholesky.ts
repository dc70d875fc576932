/**
 * H x = b for a symmetric positive definite matrix of blocks of varying size, few of which are not zero: minimum-degree
 * order, fronts, multifrontal factor. The ordering and the layout depend only on the pattern and are kept while it does not change.
 */
import { fitDoubles, fitInts } from '../growth.ts';
import type { Memory } from '../memory.ts';
import { BlockGraph, requireEdge } from './block-graph.ts';
import { FRONT_WORDS, writeFrontRecord } from './front-record.ts';
import { solveFronts } from './front-solve.ts';
import { FrontTree } from './front-tree.ts';
import { MinimumDegree } from './minimum-degree.ts';
import { factorFronts } from './numeric-factor.ts';
import { SharedFactor } from './shared-factor.ts';
import { SymbolicFactor } from './symbolic-factor.ts';

export class BlockCholesky {
  /** Numbers of the matrix; factor() leaves them as they are. From `valueCount` on there is room for one block that counts for nothing. */
  values: Float64Array;
  valueCount = 0;
  /** Per block: where it begins in `values`: size × size, row-major, lower triangle used. */
  diagonalOffset: Int32Array;
  /** Per edge: where the block between its ends begins in `values`, row-major; equal pairs share one block. */
  edgeOffset: Int32Array;
  /** Per edge: 0 when stored with the rows of second[e] and the columns of first[e], 1 the other way round. */
  edgeIsTransposed: Int32Array;
  readonly #memory: Memory;
  readonly #graph: BlockGraph;
  readonly #order: MinimumDegree;
  readonly #tree: FrontTree;
  readonly #symbolic: SymbolicFactor;
  // the last list of edges; not ready if memory ran out
  #isReady = false;
  #count = 0;
  #edgeCount = 0;
  #hasLast = false;
  #marks: Int32Array;
  #blockSize: Int32Array;
  #first: Int32Array;
  #second: Int32Array;
  #pairOffset: Int32Array;
  #panels: Float64Array;
  #rests: Float64Array;
  #inverse: Float64Array;
  #ordered: Float64Array;
  /** The factor as compiled functions see it. */
  readonly #record: Int32Array;
  /** Where threads share the work. */
  readonly #shared: SharedFactor | undefined;

  constructor(memory: Memory) {
    this.#memory = memory;
    this.#graph = new BlockGraph(memory);
    this.#order = new MinimumDegree(memory);
    this.#tree = new FrontTree(memory);
    this.#symbolic = new SymbolicFactor(memory);
    this.#record = memory.i32(FRONT_WORDS);
    const { compiled, work } = memory;
    if (compiled && work) this.#shared = new SharedFactor(this.#symbolic, this.#record, compiled, work, memory);
    const none = memory.i32(0);
    this.diagonalOffset =
      this.edgeOffset =
      this.edgeIsTransposed =
      this.#marks =
      this.#blockSize =
      this.#first =
      this.#second =
      this.#pairOffset =
        none;
    this.values = this.#panels = this.#rests = this.#inverse = this.#ordered = memory.f64(0);
  }

  /** Scalar rows. */
  get size(): number {
    return this.#symbolic.size;
  }

  /** Numbers that the panels of L hold, zeros of merged fronts included. */
  get factorCount(): number {
    return this.#symbolic.panelEnd;
  }

  /** (Largest over least entry of the diagonal of L)²: an estimate, from below, of the condition of the matrix that was factored last. */
  get condition(): number {
    let least = Infinity;
    let most = 0;
    for (let i = 0; i < this.size; i++) {
      least = Math.min(least, this.#inverse[i]);
      most = Math.max(most, this.#inverse[i]);
    }
    return this.size === 0 ? 1 : (most / least) ** 2;
  }

  /**
   * Takes the pattern: sizes of `count` blocks and `edgeCount` undirected edges (first[e] ≠ second[e], duplicates allowed).
   * Does nothing when both lists are those of the last call; keeps the order when only the list of edges differs. Blocks with a mark in
   * `last` are eliminated last, in one front.
   */
  analyze(
    blockSize: Int32Array,
    count: number,
    first: Int32Array,
    second: Int32Array,
    edgeCount: number,
    last?: Int32Array,
  ): void {
    const isSameLast = this.#hasSameLast(count, last);
    if (isSameLast && this.#isLast(blockSize, count, first, second, edgeCount)) return;
    const wasReady = this.#isReady;
    this.#isReady = false;
    this.#keep(blockSize, count, first, second, edgeCount);
    this.#keepLast(count, last);
    if (this.#graph.update(blockSize, count, first, second, edgeCount) || !wasReady || !isSameLast) {
      this.#placeValues();
      this.#order.order(this.#graph, last);
      this.#tree.build(this.#graph, this.#order.pivots);
      this.#symbolic.build(this.#graph, this.#tree, this.diagonalOffset, this.#pairOffset);
      const { size, panelEnd, restEnd } = this.#symbolic;
      this.#panels = fitDoubles(this.#memory, this.#panels, panelEnd);
      this.#rests = fitDoubles(this.#memory, this.#rests, restEnd);
      this.#inverse = fitDoubles(this.#memory, this.#inverse, size);
      this.#ordered = fitDoubles(this.#memory, this.#ordered, size);
    }
    this.#placeEdges();
    if (this.#memory.compiled) this.#bind();
    this.#isReady = true;
  }

  #bind(): void {
    const record = this.#record;
    const next = writeFrontRecord(record, this.#symbolic);
    record[next] = this.values.byteOffset;
    record[next + 1] = this.#panels.byteOffset;
    record[next + 2] = this.#inverse.byteOffset;
    record[next + 3] = this.#rests.byteOffset;
    record[next + 4] = this.#ordered.byteOffset;
    this.#shared?.bind(next + 5);
  }

  /** Zeros the matrix. */
  clear(): void {
    this.values.fill(0, 0, this.valueCount);
  }

  /** Factors the matrix. Returns -1, or the number of the block whose pivot is not positive; solve() is then unusable. */
  factor(): number {
    return this.#factorFrom(0);
  }

  /** The same where only blocks between those that are eliminated last have changed since factor(), which did not fail. */
  factorLast(): number {
    return this.#factorFrom(this.#hasLast ? this.#symbolic.frontCount - 1 : 0);
  }

  #factorFrom(first: number): number {
    const column = this.#findBadColumn(first);
    if (column < 0) return -1;
    const { orderedStart } = this.#symbolic;
    for (let b = 0; b < this.#count; b++) {
      if (column >= orderedStart[b] && column < orderedStart[b] + this.#blockSize[b]) return b;
    }
    return -1;
  }

  // factors; the first column that fails, or -1
  #findBadColumn(first: number): number {
    const { compiled } = this.#memory;
    const shared = this.#shared;
    if (shared?.isWorthwhile) return first === 0 ? shared.factor() : shared.factorFront(first);
    if (compiled) return compiled.factorFronts(this.#record.byteOffset, first, this.#symbolic.frontCount);
    return factorFronts(this.#symbolic, this.values, this.#panels, this.#inverse, this.#rests, first);
  }

  /** x ← H⁻¹ x, blocks in the order given to analyze(). */
  solve(x: Float64Array): void {
    const { compiled } = this.#memory;
    const { orderedStart, callerStart } = this.#symbolic;
    const ordered = this.#ordered;
    const size = this.#blockSize;
    for (let b = 0; b < this.#count; b++) {
      const from = callerStart[b];
      const to = orderedStart[b];
      for (let k = 0; k < size[b]; k++) ordered[to + k] = x[from + k];
    }
    if (compiled) compiled.solveFronts(this.#record.byteOffset);
    else solveFronts(this.#symbolic, this.#panels, this.#inverse, ordered);
    for (let b = 0; b < this.#count; b++) {
      const to = callerStart[b];
      const from = orderedStart[b];
      for (let k = 0; k < size[b]; k++) x[to + k] = ordered[from + k];
    }
  }

  #hasSameLast(count: number, last: Int32Array | undefined): boolean {
    if (!last || !this.#hasLast) return !last && !this.#hasLast;
    if (this.#marks.length < count) return false;
    for (let b = 0; b < count; b++) if (last[b] !== this.#marks[b]) return false;
    return true;
  }

  #keepLast(count: number, last: Int32Array | undefined): void {
    this.#hasLast = last !== undefined;
    if (!last) return;
    this.#marks = fitInts(this.#memory, this.#marks, count);
    for (let b = 0; b < count; b++) this.#marks[b] = last[b];
  }

  #isLast(size: Int32Array, count: number, first: Int32Array, second: Int32Array, edgeCount: number): boolean {
    if (!this.#isReady || count !== this.#count || edgeCount !== this.#edgeCount) return false;
    const lastSize = this.#blockSize;
    for (let b = 0; b < count; b++) if (size[b] !== lastSize[b]) return false;
    const lastFirst = this.#first;
    const lastSecond = this.#second;
    for (let e = 0; e < edgeCount; e++) if (first[e] !== lastFirst[e] || second[e] !== lastSecond[e]) return false;
    return true;
  }

  #keep(size: Int32Array, count: number, first: Int32Array, second: Int32Array, edgeCount: number): void {
    const memory = this.#memory;
    const keptSize = (this.#blockSize = fitInts(memory, this.#blockSize, count));
    const keptFirst = (this.#first = fitInts(memory, this.#first, edgeCount));
    const keptSecond = (this.#second = fitInts(memory, this.#second, edgeCount));
    for (let b = 0; b < count; b++) keptSize[b] = size[b];
    for (let e = 0; e < edgeCount; e++) {
      const a = (keptFirst[e] = first[e]);
      const b = (keptSecond[e] = second[e]);
      requireEdge(e, a, b, count);
    }
    this.#count = count;
    this.#edgeCount = edgeCount;
  }

  /** Diagonal blocks, then pairs with the rows of the higher number. */
  #placeValues(): void {
    const memory = this.#memory;
    const { count, size, pairCount, low, high } = this.#graph;
    const diagonalOffset = (this.diagonalOffset = fitInts(memory, this.diagonalOffset, count));
    const pairOffset = (this.#pairOffset = fitInts(memory, this.#pairOffset, pairCount));
    let end = 0;
    for (let b = 0; b < count; b++) {
      diagonalOffset[b] = end;
      end += size[b] * size[b];
    }
    for (let p = 0; p < pairCount; p++) {
      pairOffset[p] = end;
      end += size[low[p]] * size[high[p]];
    }
    this.valueCount = end;
    let largest = 0;
    for (let b = 0; b < count; b++) largest = Math.max(largest, size[b]);
    this.values = fitDoubles(memory, this.values, end + largest * largest);
  }

  #placeEdges(): void {
    const edgeCount = this.#edgeCount;
    const { pairOfEdge } = this.#graph;
    const edgeOffset = (this.edgeOffset = fitInts(this.#memory, this.edgeOffset, edgeCount));
    this.edgeIsTransposed = fitInts(this.#memory, this.edgeIsTransposed, edgeCount);
    for (let e = 0; e < edgeCount; e++) {
      edgeOffset[e] = this.#pairOffset[pairOfEdge[e]];
      this.edgeIsTransposed[e] = this.#first[e] < this.#second[e] ? 0 : 1;
    }
  }
}
