/**
 * The Newton matrix and gradient of a step: six rows per movable group (dx, dθ in world axes), then three per soft vertex, then
 * where there are such vertices six per mocap body.
 * Terms first declare which frames they couple, then add numbers. Frames that are not unknowns (the world, mocap bodies and held
 * vertices unless they are pulled) are skipped; if they have rows anyway, the diagonal is one.
 * Solved by Cholesky; solids of more than 3000 vertices by conjugate gradients, with Cholesky if these do not converge.
 */

import type { Frames } from '../../dynamics/frames.ts';
import { BlockCholesky } from '../../linear-algebra/block-cholesky/block-cholesky.ts';
import type { CompiledBarrier } from '../../linear-algebra/compiled-functions.ts';
import { copyInto } from '../../linear-algebra/growth.ts';
import type { Memory } from '../../linear-algebra/memory.ts';
import { BlockGradients } from './block-gradients.ts';

/** Vertices of solids above which the factor costs more than conjugate gradients, and how exactly those solve, how long at most. */
export const GRADIENTS_FROM = 3000;
const GRADIENT_TOLERANCE = 1e-3;
const GRADIENT_LIMIT = 1000;

export class BodyMatrix {
  /** Movable groups. */
  readonly count: number;
  /** ∇E, by rows. */
  readonly gradient: Float64Array;
  /** ∇E along the step solved for last. */
  slope = 0;
  /** Whether terms add to the gradient alone. */
  isGradientOnly = false;
  /** How often it has been assembled. */
  version = 0;
  readonly #frames: Frames;
  readonly #factor: BlockCholesky;
  readonly #blocks: number;
  readonly #firstPulled: number;
  readonly #size: Int32Array;
  /** Number of a pair of blocks: its edge. */
  readonly #edgeOf = new Map<number, number>();
  /** The pair asked for last and its edge: contacts of a pair follow each other. */
  #lastKey = -1;
  #lastEdge: number | undefined;
  #first = new Int32Array(64);
  #second = new Int32Array(64);
  #edgeCount = 0;
  #keptEdges = 0;
  #diagonal: Float64Array;
  /** Numbers and places of the blocks: those of the factor, or its own where there is none at first. */
  #values: Float64Array;
  #diagonalOffset: Int32Array;
  #edgeOffset: Int32Array;
  /** Compiled sums, and the address of the numbers, where they are those of the factor. */
  readonly #compiled: CompiledBarrier | undefined;
  #address = 0;
  #kept = new Float64Array(0);
  readonly #gradients: BlockGradients | undefined;
  readonly #row: Int32Array;

  constructor(frames: Frames, memory: Memory) {
    const { moving, isFree, mocapBody } = frames;
    const vertices = isFree.length;
    const pulled = vertices > 0 ? mocapBody.length : 0;
    const rows = 6 * moving + 3 * vertices + 6 * pulled;
    this.count = moving;
    this.#frames = frames;
    this.#firstPulled = moving + vertices;
    this.#blocks = moving + vertices + pulled;
    this.gradient = memory.f64(rows);
    this.#factor = new BlockCholesky(memory);
    this.#size = memory.i32(this.#blocks).fill(6).fill(3, moving, this.#firstPulled);
    this.#diagonal = memory.f64(rows);
    this.#row = Int32Array.from({ length: this.#blocks }, (_, b) => this.rowOf(b));
    this.#values = new Float64Array(0);
    this.#edgeOffset = new Int32Array(0);
    this.#diagonalOffset = new Int32Array(this.#blocks);
    if (frames.solidVertices <= GRADIENTS_FROM) {
      this.#compiled = memory.compiledBarrier;
      return;
    }
    let end = 0;
    for (let b = 0; b < this.#blocks; b++) {
      this.#diagonalOffset[b] = end;
      end += this.#size[b] ** 2;
    }
    this.#gradients = new BlockGradients(rows, end, memory);
  }

  /** Block of a frame; −1 where it is no unknown. */
  blockOf(frame: number): number {
    const { count } = this;
    if (frame < count) return frame;
    const frames = this.#frames;
    const { firstSoft, isFree, isPulled } = frames;
    const v = frame - firstSoft;
    if (v >= 0) return isFree[v] === 1 || (isPulled && !frames.isAttached(v)) ? count + v : -1;
    return isPulled && frame > count ? this.#firstPulled + frame - count - 1 : -1;
  }

  /** First row of a block. */
  rowOf(block: number): number {
    if (block < this.count) return 6 * block;
    const first = this.#firstPulled;
    return block < first ? 3 * (block + this.count) : 3 * (first + this.count) + 6 * (block - first);
  }

  /** Whether a block is that of a frame that turns. */
  isTurning(block: number): boolean {
    return this.#size[block] === 6;
  }

  /** Forgets which frames are coupled. */
  clearPattern(): void {
    this.#edgeCount = 0;
    this.#edgeOf.clear();
    this.#lastKey = -1;
  }

  /** Stores the current couplings, which `restorePattern` restores. */
  keepPattern(): void {
    this.#keptEdges = this.#edgeCount;
  }

  /** Removes the couplings added since `keepPattern`. */
  restorePattern(): void {
    for (let e = this.#keptEdges; e < this.#edgeCount; e++)
      this.#edgeOf.delete(this.#first[e] * this.#blocks + this.#second[e]);
    this.#edgeCount = this.#keptEdges;
    this.#lastKey = -1;
  }

  // the edge of two blocks that are not the same
  #findEdge(a: number, b: number): number | undefined {
    const key = a < b ? a * this.#blocks + b : b * this.#blocks + a;
    if (key === this.#lastKey) return this.#lastEdge;
    this.#lastKey = key;
    this.#lastEdge = this.#edgeOf.get(key);
    return this.#lastEdge;
  }

  /** Says that two frames are coupled; their edge, or −1: equal frames and those that are no unknowns are no pair. */
  couple(f: number, g: number): number {
    const a = this.blockOf(f);
    const b = this.blockOf(g);
    if (a === b || a < 0 || b < 0) return -1;
    const known = this.#findEdge(a, b);
    if (known !== undefined) return known;
    if (this.#edgeCount === this.#first.length) this.#grow();
    this.#first[this.#edgeCount] = Math.min(a, b);
    this.#second[this.#edgeCount] = Math.max(a, b);
    this.#edgeOf.set(this.#lastKey, this.#edgeCount);
    this.#lastEdge = this.#edgeCount;
    return this.#edgeCount++;
  }

  /** Zeros the gradient; up to the next `begin` Hessians are not taken. */
  beginGradient(): void {
    this.isGradientOnly = true;
    this.gradient.fill(0);
  }

  /** After the last couple(): zeros everything. */
  begin(): void {
    this.isGradientOnly = false;
    this.version++;
    const factor = this.#factor;
    const { isFree, isPulled, firstSoft } = this.#frames;
    if (this.#gradients) {
      this.#placeEdges();
    } else {
      factor.analyze(this.#size, this.#blocks, this.#first, this.#second, this.#edgeCount);
      factor.clear();
      this.#values = factor.values;
      this.#address = factor.values.byteOffset;
      this.#diagonalOffset = factor.diagonalOffset;
      this.#edgeOffset = factor.edgeOffset;
    }
    this.gradient.fill(0);
    for (let v = 0; v < isFree.length; v++) if (this.blockOf(firstSoft + v) < 0) this.#fix(this.count + v);
    if (!isPulled) for (let b = this.#firstPulled; b < this.#blocks; b++) this.#fix(b);
  }

  // edges after the diagonal blocks, in their order; zeros everywhere
  #placeEdges(): void {
    const last = this.#blocks - 1;
    let end = this.#diagonalOffset[last] + this.#size[last] ** 2;
    if (this.#edgeOffset.length < this.#edgeCount) this.#edgeOffset = new Int32Array(this.#first.length);
    for (let e = 0; e < this.#edgeCount; e++) {
      this.#edgeOffset[e] = end;
      end += this.#size[this.#first[e]] * this.#size[this.#second[e]];
    }
    if (this.#values.length < end) this.#values = new Float64Array(Math.ceil(1.2 * end));
    else this.#values.fill(0);
  }

  #fix(block: number): void {
    for (let k = 0; k < this.#size[block]; k++) this.addToDiagonal(block, k, 1);
  }

  /** Adds to entry (k, k) of a diagonal block. */
  addToDiagonal(block: number, k: number, value: number): void {
    if (this.isGradientOnly) return;
    this.#values[this.#diagonalOffset[block] + k * (this.#size[block] + 1)] += value;
  }

  /** Adds scale × the 6 × 6 block at m (rows of group a, columns of group b; row stride given) of a symmetric matrix. */
  addBlock(a: number, b: number, block: Float64Array, m: number, stride: number, scale: number): void {
    if (a >= this.count || b >= this.count) return;
    this.addPart(a, b, block, m, stride, scale);
  }

  /** The same for blocks of any size; each pair is given once. */
  addPart(a: number, b: number, block: Float64Array, m: number, stride: number, scale: number): void {
    if (this.isGradientOnly) return;
    const values = this.#values;
    const rows = this.#size[a];
    const columns = this.#size[b];
    if (a === b) {
      const o = this.#diagonalOffset[a];
      for (let i = 0; i < rows; i++)
        for (let j = 0; j < rows; j++) values[o + rows * i + j] += scale * block[m + stride * i + j];
      return;
    }
    // blocks are stored with the rows of the higher number
    const edge = this.#findEdge(a, b);
    if (edge === undefined) return;
    const o = this.#edgeOffset[edge];
    if (a > b) {
      for (let i = 0; i < rows; i++)
        for (let j = 0; j < columns; j++) values[o + columns * i + j] += scale * block[m + stride * i + j];
    } else {
      for (let i = 0; i < rows; i++)
        for (let j = 0; j < columns; j++) values[o + rows * j + i] += scale * block[m + stride * i + j];
    }
  }

  /** Adds the symmetric 12 × 12 matrix of two frames that turn; rows of a first. `record` is the address of the blocks that hold it, or 0. */
  addPair(a: number, b: number, block: Float64Array, record: number): void {
    if (this.isGradientOnly) return;
    const edge = this.#findEdge(a, b);
    if (this.#compiled && record > 0) {
      const from = this.#address;
      const ofA = from + 8 * this.#diagonalOffset[a];
      const ofB = from + 8 * this.#diagonalOffset[b];
      const between = edge === undefined ? 0 : from + 8 * this.#edgeOffset[edge];
      this.#compiled.addPairBlocks(record, ofA, ofB, between, a > b ? 0 : 1);
      return;
    }
    this.#addSquare(this.#diagonalOffset[a], block, 0, 12, 1);
    this.#addSquare(this.#diagonalOffset[b], block, 78, 12, 1);
    if (edge === undefined) return;
    // blocks are stored with the rows of the higher number
    const o = this.#edgeOffset[edge];
    if (a > b) this.#addSquare(o, block, 6, 12, 1);
    else this.#addSquare(o, block, 6, 1, 12);
  }

  // 6 × 6 numbers at m, with their distance from row to row and within a row
  #addSquare(o: number, block: Float64Array, m: number, row: number, step: number): void {
    const values = this.#values;
    for (let i = 0; i < 6; i++) {
      const to = o + 6 * i;
      const from = m + row * i;
      values[to] += block[from];
      values[to + 1] += block[from + step];
      values[to + 2] += block[from + 2 * step];
      values[to + 3] += block[from + 3 * step];
      values[to + 4] += block[from + 4 * step];
      values[to + 5] += block[from + 5 * step];
    }
  }

  /** Adds nine numbers to the diagonal block of a soft vertex, and to the block of an edge with the rows of the higher one. */
  addVertexBlock(block: number, from: Float64Array, p: number, scale: number): void {
    if (this.isGradientOnly) return;
    const o = this.#diagonalOffset[block];
    for (let k = 0; k < 9; k++) this.#values[o + k] += scale * from[p + k];
  }

  addEdgeBlock(edge: number, from: Float64Array, p: number, scale: number): void {
    if (this.isGradientOnly) return;
    const o = this.#edgeOffset[edge];
    for (let k = 0; k < 9; k++) this.#values[o + k] += scale * from[p + k];
  }

  /** Adds to one entry of the diagonal block of a frame that turns. */
  addDiagonal(a: number, i: number, j: number, value: number): void {
    if (this.isGradientOnly) return;
    this.#values[this.#diagonalOffset[a] + 6 * i + j] += value;
  }

  /** Keeps H for `blendValues`. */
  keepValues(): void {
    const values = this.#values;
    if (this.#kept.length < values.length) this.#kept = new Float64Array(values.length);
    this.#kept.set(values);
  }

  /** H ← (1 − s) times the H kept + s H, both of the same pattern. */
  blendValues(share: number): void {
    const values = this.#values;
    const kept = this.#kept;
    for (let i = 0; i < values.length; i++) values[i] = kept[i] + share * (values[i] - kept[i]);
  }

  /** step ← −H⁻¹ ∇E, six numbers per frame; false where H has no Cholesky factor. Frames that are no unknowns do not move. */
  solve(step: Float64Array): boolean {
    if (!(this.#gradients ? this.#solveByGradients(this.#gradients) : this.#solveByFactor())) return false;
    this.slope = this.measureSlope(this.gradient);
    this.#writeStep(step);
    return true;
  }

  /** Estimate of the condition of H, of the last factor. */
  get condition(): number {
    return this.#factor.condition;
  }

  /** step ← H⁻¹ b, b by rows, with the factor of the last `solve`. */
  solveAgain(step: Float64Array, b: Float64Array): void {
    this.#diagonal.set(b);
    this.#factor.solve(this.#diagonal);
    this.#writeStep(step);
  }

  // six numbers per frame of what was solved for last
  #writeStep(step: Float64Array): void {
    const x = this.#diagonal;
    const n = 6 * this.count;
    for (let i = 0; i < n; i++) step[i] = x[i];
    const { firstSoft, isFree, isPulled, moving } = this.#frames;
    for (let v = 0, i = n; v < isFree.length; v++, i += 3)
      for (let k = 0; k < 3; k++) step[6 * (firstSoft + v) + k] = x[i + k];
    const from = 3 * (this.#firstPulled + this.count);
    if (isPulled) for (let i = from; i < x.length; i++) step[6 * (moving + 1) + i - from] = x[i];
  }

  /** A gradient along the step solved for last. */
  measureSlope(gradient: Float64Array): number {
    let slope = 0;
    for (let i = 0; i < this.#diagonal.length; i++) slope += gradient[i] * this.#diagonal[i];
    return slope;
  }

  #solveByFactor(): boolean {
    if (this.#factor.factor() >= 0) return false;
    for (let i = 0; i < this.#diagonal.length; i++) this.#diagonal[i] = -this.gradient[i];
    this.#factor.solve(this.#diagonal);
    return true;
  }

  #solveByGradients(gradients: BlockGradients): boolean {
    for (let i = 0; i < this.#diagonal.length; i++) this.#diagonal[i] = -this.gradient[i];
    const matrix = {
      size: this.#size,
      row: this.#row,
      values: this.#values,
      diagonalOffset: this.#diagonalOffset,
      edgeOffset: this.#edgeOffset,
      first: this.#first,
      second: this.#second,
      edgeCount: this.#edgeCount,
    };
    if (gradients.solve(this.#diagonal, matrix, GRADIENT_TOLERANCE, GRADIENT_LIMIT)) return true;
    if (gradients.iterations <= GRADIENT_LIMIT) return false;
    // too many iterations: the factor after all
    const factor = this.#factor;
    factor.analyze(this.#size, this.#blocks, this.#first, this.#second, this.#edgeCount);
    for (let b = 0; b < this.#blocks; b++)
      copyNumbers(factor.values, factor.diagonalOffset[b], this.#values, this.#diagonalOffset[b], this.#size[b] ** 2);
    for (let e = 0; e < this.#edgeCount; e++) {
      const count = this.#size[this.#first[e]] * this.#size[this.#second[e]];
      copyNumbers(factor.values, factor.edgeOffset[e], this.#values, this.#edgeOffset[e], count);
    }
    return this.#solveByFactor();
  }

  #grow(): void {
    const n = 2 * this.#first.length;
    this.#first = copyInto(this.#first, new Int32Array(n));
    this.#second = copyInto(this.#second, new Int32Array(n));
  }
}

function copyNumbers(to: Float64Array, o: number, from: Float64Array, p: number, count: number): void {
  for (let k = 0; k < count; k++) to[o + k] = from[p + k];
}
