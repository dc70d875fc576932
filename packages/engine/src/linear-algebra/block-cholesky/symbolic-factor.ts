/**
 * The place of every number of the factor: rows of each front, and how a front assembles the matrix and its children.
 *
 * A front with w columns and b rows below them is a panel of (w + b) × w numbers of L, row-major, and a Schur complement of b × b
 * numbers that its parent assembles. Row r of L reaches front f when the matrix has an entry (r, c) and f lies on the path
 * from the front of c to the front of r: following these paths for r = 0, 1, 2, … gives the rows of every front sorted.
 * Schur complements are kept on two stacks by the parity of their depth in the tree, so that a front pushes its own onto one stack while it
 * pops those of its children from the other, and nothing is moved.
 */

import { fitInts } from '../growth.ts';
import type { Memory } from '../memory.ts';
import type { BlockGraph } from './block-graph.ts';
import { FrontPieces } from './front-pieces.ts';
import type { FrontTree } from './front-tree.ts';

/** Numbers per entry of `assembly`: offset in the matrix, offset in the panels, rows, columns, 1 when transposed. */
export const ASSEMBLY_FIELDS = 5;

export class SymbolicFactor {
  frontCount = 0;
  /** Scalar rows of the matrix, numbers in all panels, numbers on the stacks of rests. */
  size = 0;
  panelEnd = 0;
  restEnd = 0;
  /** Per front: scalar columns, scalar rows below them, its panel, its rest, first scalar column in order of elimination. */
  width: Int32Array;
  boundary: Int32Array;
  panelStart: Int32Array;
  restStart: Int32Array;
  scalarStart: Int32Array;
  /** Per front: its last child and per child the one before it, -1 for none. */
  lastChild: Int32Array;
  previousChild: Int32Array;
  /** Per front (and one more): its blocks of the matrix in `assembly`. */
  assemblyStart: Int32Array;
  assembly: Int32Array;
  /** Per front: runs of its rows below: first row in the order of elimination and length. */
  rowRunStart: Int32Array;
  rowRun: Int32Array;
  /** Per front: runs of its rest in its parent: first row of the parent's front and length. */
  parentRunStart: Int32Array;
  parentRun: Int32Array;
  /** Per front: the first of these runs that the parent does not eliminate. */
  parentRunRest: Int32Array;
  /** Per block: its first scalar row in the order of elimination and in the caller's order. */
  orderedStart: Int32Array;
  callerStart: Int32Array;
  /** What threads share; none without threads. */
  readonly pieces: FrontPieces;
  readonly #memory: Memory;
  #rowStart: Int32Array;
  #row: Int32Array;
  #seen: Int32Array;
  #rowOffset: Int32Array;
  #depth: Int32Array;

  constructor(memory: Memory) {
    this.#memory = memory;
    this.pieces = new FrontPieces(memory);
    const none = memory.i32(0);
    this.width = this.boundary = this.panelStart = this.restStart = this.scalarStart = none;
    this.lastChild = this.previousChild = this.assemblyStart = this.assembly = none;
    this.rowRunStart = this.rowRun = this.parentRunStart = this.parentRun = this.parentRunRest = none;
    this.orderedStart = this.callerStart = none;
    this.#rowStart = this.#row = this.#seen = this.#rowOffset = this.#depth = none;
  }

  build(graph: BlockGraph, tree: FrontTree, diagonalOffset: Int32Array, pairOffset: Int32Array): void {
    this.#reserve(graph, tree);
    this.#findRows(graph, tree);
    this.#measureFronts(graph, tree);
    this.#linkChildren(tree);
    if (this.#memory.work) this.pieces.choose(this, tree.parent);
    if (this.pieces.count > 0) this.restEnd = this.pieces.placeRests(this, this.#depth);
    else this.#placeRests();
    this.#findRuns(graph, tree);
    this.#listAssembly(graph, tree, diagonalOffset, pairOffset);
  }

  #reserve(graph: BlockGraph, tree: FrontTree): void {
    const memory = this.#memory;
    const fronts = tree.frontCount;
    const { count, pairCount } = graph;
    this.frontCount = fronts;
    this.width = fitInts(memory, this.width, fronts);
    this.boundary = fitInts(memory, this.boundary, fronts);
    this.panelStart = fitInts(memory, this.panelStart, fronts);
    this.restStart = fitInts(memory, this.restStart, fronts);
    this.scalarStart = fitInts(memory, this.scalarStart, fronts + 1);
    this.lastChild = fitInts(memory, this.lastChild, fronts);
    this.previousChild = fitInts(memory, this.previousChild, fronts);
    this.assemblyStart = fitInts(memory, this.assemblyStart, fronts + 1);
    this.assembly = fitInts(memory, this.assembly, ASSEMBLY_FIELDS * (count + pairCount));
    this.rowRunStart = fitInts(memory, this.rowRunStart, fronts + 1);
    this.parentRunStart = fitInts(memory, this.parentRunStart, fronts + 1);
    this.parentRunRest = fitInts(memory, this.parentRunRest, fronts);
    this.orderedStart = fitInts(memory, this.orderedStart, count);
    this.callerStart = fitInts(memory, this.callerStart, count);
    this.#rowStart = fitInts(memory, this.#rowStart, fronts + 1);
    this.#seen = fitInts(memory, this.#seen, fronts);
    this.#rowOffset = fitInts(memory, this.#rowOffset, count);
    this.#depth = fitInts(memory, this.#depth, fronts);
  }

  /** Positions of the blocks below each front, ascending: counted, then written. */
  #findRows(graph: BlockGraph, tree: FrontTree): void {
    const { frontCount: fronts } = this;
    const { count, neighborStart, neighbor } = graph;
    const { block, front, position, parent } = tree;
    const start = this.#rowStart;
    const seen = this.#seen;
    start.fill(0, 0, fronts + 1);
    for (let pass = 0; pass < 2; pass++) {
      seen.fill(-1, 0, fronts);
      const row = this.#row;
      for (let r = 0; r < count; r++) {
        const top = front[r];
        const b = block[r];
        seen[top] = r;
        for (let k = neighborStart[b]; k < neighborStart[b + 1]; k++) {
          const c = position[neighbor[k]];
          if (c > r) continue;
          for (let f = front[c]; seen[f] !== r; f = parent[f]) {
            seen[f] = r;
            if (pass === 0) start[f + 1]++;
            else row[start[f]++] = r;
          }
        }
      }
      if (pass === 0) {
        for (let f = 0; f < fronts; f++) start[f + 1] += start[f];
        this.#row = fitInts(this.#memory, this.#row, start[fronts]);
      } else {
        for (let f = fronts; f > 0; f--) start[f] = start[f - 1];
        start[0] = 0;
      }
    }
  }

  #measureFronts(graph: BlockGraph, tree: FrontTree): void {
    const { block, firstPosition } = tree;
    const { size } = graph;
    let scalar = 0;
    let panel = 0;
    for (let f = 0; f < this.frontCount; f++) {
      this.scalarStart[f] = scalar;
      for (let p = firstPosition[f]; p < firstPosition[f + 1]; p++) {
        this.orderedStart[block[p]] = scalar;
        scalar += size[block[p]];
      }
      const w = scalar - this.scalarStart[f];
      let b = 0;
      for (let k = this.#rowStart[f]; k < this.#rowStart[f + 1]; k++) b += size[block[this.#row[k]]];
      this.width[f] = w;
      this.boundary[f] = b;
      this.panelStart[f] = panel;
      panel += (w + b) * w;
    }
    this.scalarStart[this.frontCount] = scalar;
    this.size = scalar;
    this.panelEnd = panel;
    for (let b = 0, sum = 0; b < graph.count; b++) {
      this.callerStart[b] = sum;
      sum += size[b];
    }
  }

  /** Children of each front, and depths modulo 2. */
  #linkChildren({ parent }: FrontTree): void {
    const { lastChild, previousChild } = this;
    const depth = this.#depth;
    const fronts = this.frontCount;
    for (let f = fronts - 1; f >= 0; f--) depth[f] = parent[f] < 0 ? 0 : depth[parent[f]] ^ 1;
    lastChild.fill(-1, 0, fronts);
    for (let f = 0; f < fronts; f++) {
      const p = parent[f];
      if (p < 0) continue;
      previousChild[f] = lastChild[p];
      lastChild[p] = f;
    }
  }

  /** Places of the rests on the two stacks. */
  #placeRests(): void {
    const { boundary, restStart, lastChild, previousChild } = this;
    const depth = this.#depth;
    const fronts = this.frontCount;
    let even = 0;
    let odd = 0;
    let highestEven = 0;
    let highestOdd = 0;
    for (let f = 0; f < fronts; f++) {
      // written while the rests of the children are still there, which then leave the other stack
      const rest = boundary[f] * boundary[f];
      if (depth[f] === 0) {
        restStart[f] = even;
        even += rest;
        highestEven = Math.max(highestEven, even);
        for (let c = lastChild[f]; c >= 0; c = previousChild[c]) odd = restStart[c];
      } else {
        restStart[f] = odd;
        odd += rest;
        highestOdd = Math.max(highestOdd, odd);
        for (let c = lastChild[f]; c >= 0; c = previousChild[c]) even = restStart[c];
      }
    }
    // the second stack begins where the first can end
    for (let f = 0; f < fronts; f++) if (depth[f] === 1) restStart[f] += highestEven;
    this.restEnd = highestEven + highestOdd;
  }

  /** Scalar row of front f at which each block below its columns begins, by position. */
  #mapRows(graph: BlockGraph, tree: FrontTree, f: number): void {
    const row = this.#row;
    const offset = this.#rowOffset;
    const end = this.#rowStart[f + 1];
    let at = this.width[f];
    for (let k = this.#rowStart[f]; k < end; k++) {
      offset[row[k]] = at;
      at += graph.size[tree.block[row[k]]];
    }
  }

  /** Runs of scalar rows that stand side by side in the order of elimination, and in the front of the parent. */
  #findRuns(graph: BlockGraph, tree: FrontTree): void {
    const { block, parent } = tree;
    const { size } = graph;
    const { width, orderedStart, rowRunStart, parentRunStart, parentRunRest } = this;
    const rowStart = this.#rowStart;
    const row = this.#row;
    const total = rowStart[this.frontCount];
    // one run per block at most
    const rowRun = (this.rowRun = fitInts(this.#memory, this.rowRun, 2 * total));
    const parentRun = (this.parentRun = fitInts(this.#memory, this.parentRun, 2 * total));
    const offset = this.#rowOffset;
    let end = 0;
    for (let f = 0; f < this.frontCount; f++) {
      rowRunStart[f] = end;
      let next = -1;
      for (let k = rowStart[f]; k < rowStart[f + 1]; k++) {
        const b = block[row[k]];
        if (orderedStart[b] !== next) {
          rowRun[end++] = next = orderedStart[b];
          rowRun[end++] = 0;
        }
        rowRun[end - 1] += size[b];
        next += size[b];
      }
    }
    rowRunStart[this.frontCount] = end;
    // runs of children need the rows of their parent; a new one begins at the border of the parent's columns
    for (let p = 0; p < this.frontCount; p++) {
      this.#mapRows(graph, tree, p);
      const columnStart = this.scalarStart[p];
      for (let c = this.lastChild[p]; c >= 0; c = this.previousChild[c]) {
        let write = 2 * rowStart[c];
        let next = -1;
        for (let k = rowStart[c]; k < rowStart[c + 1]; k++) {
          const b = block[row[k]];
          const place = orderedStart[b] < columnStart + width[p] ? orderedStart[b] - columnStart : offset[row[k]];
          if (place !== next || place === width[p]) {
            parentRun[write++] = next = place;
            parentRun[write++] = 0;
          }
          parentRun[write - 1] += size[b];
          next += size[b];
        }
        parentRunStart[c] = write;
      }
      if (parent[p] < 0) parentRunStart[p] = 2 * rowStart[p];
    }
    // until here starts held ends: close the gaps
    let packed = 0;
    for (let f = 0; f < this.frontCount; f++) {
      const last = parentRunStart[f];
      const columns = parent[f] < 0 ? 0 : width[parent[f]];
      parentRunStart[f] = packed;
      parentRunRest[f] = packed;
      for (let k = 2 * rowStart[f]; k < last; k += 2) {
        parentRun[packed++] = parentRun[k];
        parentRun[packed++] = parentRun[k + 1];
        if (parentRun[k] < columns) parentRunRest[f] = packed;
      }
    }
    parentRunStart[this.frontCount] = packed;
  }

  /** Blocks of the matrix whose earlier column lies in each front. */
  #listAssembly(graph: BlockGraph, tree: FrontTree, diagonalOffset: Int32Array, pairOffset: Int32Array): void {
    const { size, neighborStart, neighbor, neighborPair } = graph;
    const { block, position, firstPosition } = tree;
    const { width, orderedStart, assembly, assemblyStart } = this;
    const offset = this.#rowOffset;
    let end = 0;
    for (let f = 0; f < this.frontCount; f++) {
      assemblyStart[f] = end;
      this.#mapRows(graph, tree, f);
      const columnStart = this.scalarStart[f];
      const lastPosition = firstPosition[f + 1];
      for (let p = firstPosition[f]; p < lastPosition; p++) {
        const b = block[p];
        const column = orderedStart[b] - columnStart;
        assembly[end++] = diagonalOffset[b];
        assembly[end++] = this.panelStart[f] + column * width[f] + column;
        assembly[end++] = size[b];
        assembly[end++] = size[b];
        assembly[end++] = 0;
        for (let k = neighborStart[b]; k < neighborStart[b + 1]; k++) {
          const other = neighbor[k];
          const q = position[other];
          if (q < p) continue;
          const rowAt = q < lastPosition ? orderedStart[other] - columnStart : offset[q];
          assembly[end++] = pairOffset[neighborPair[k]];
          assembly[end++] = this.panelStart[f] + rowAt * width[f] + column;
          assembly[end++] = size[other];
          assembly[end++] = size[b];
          // stored with the rows of the higher number
          assembly[end++] = other > b ? 0 : 1;
        }
      }
    }
    assemblyStart[this.frontCount] = end;
  }
}
