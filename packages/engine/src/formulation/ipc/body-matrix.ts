/**
 * The Newton matrix and gradient of a step: six rows per movable group (dx, dθ in world axes) and then three per soft vertex.
 * Terms first say which frames they couple, then add numbers; frames that are no unknowns (the world, mocap bodies, held
 * vertices) are skipped. Vertices that are no unknowns keep a row of their own with a one on the diagonal.
 */
import { BlockCholesky } from '../../linear-algebra/block-cholesky/block-cholesky.ts';
import type { Memory } from '../../linear-algebra/memory.ts';
import type { Frames } from './frames.ts';

export class BodyMatrix {
  /** Movable groups. */
  readonly count: number;
  /** ∇E, six numbers per group, then three per soft vertex. */
  readonly gradient: Float64Array;
  readonly #frames: Frames;
  readonly #factor: BlockCholesky;
  readonly #blocks: number;
  readonly #size: Int32Array;
  /** Number of a pair of blocks: its edge. */
  readonly #edgeOf = new Map<number, number>();
  #first = new Int32Array(64);
  #second = new Int32Array(64);
  #edgeCount = 0;
  #diagonal: Float64Array;

  constructor(frames: Frames, memory: Memory) {
    const { moving, isFree } = frames;
    const rows = 6 * moving + 3 * isFree.length;
    this.count = moving;
    this.#frames = frames;
    this.#blocks = moving + isFree.length;
    this.gradient = memory.f64(rows);
    this.#factor = new BlockCholesky(memory);
    this.#size = memory.i32(this.#blocks).fill(3).fill(6, 0, moving);
    this.#diagonal = memory.f64(rows);
  }

  /** Block of a frame; −1 where it is no unknown. */
  blockOf(frame: number): number {
    const { count } = this;
    if (frame < count) return frame;
    const { firstSoft, isFree } = this.#frames;
    return frame >= firstSoft && isFree[frame - firstSoft] === 1 ? count + frame - firstSoft : -1;
  }

  /** First row of a block. */
  rowOf(block: number): number {
    return block < this.count ? 6 * block : 3 * (block + this.count);
  }

  /** Forgets which frames are coupled. */
  clearPattern(): void {
    this.#edgeCount = 0;
    this.#edgeOf.clear();
  }

  /** Says that two frames are coupled; their edge, or −1: equal frames and those that are no unknowns are no pair. */
  couple(f: number, g: number): number {
    const a = this.blockOf(f);
    const b = this.blockOf(g);
    if (a === b || a < 0 || b < 0) return -1;
    const key = a < b ? a * this.#blocks + b : b * this.#blocks + a;
    const known = this.#edgeOf.get(key);
    if (known !== undefined) return known;
    if (this.#edgeCount === this.#first.length) this.#grow();
    this.#first[this.#edgeCount] = Math.min(a, b);
    this.#second[this.#edgeCount] = Math.max(a, b);
    this.#edgeOf.set(key, this.#edgeCount);
    return this.#edgeCount++;
  }

  /** After the last couple(): zeros everything. */
  begin(): void {
    const factor = this.#factor;
    const { isFree } = this.#frames;
    factor.analyze(this.#size, this.#blocks, this.#first, this.#second, this.#edgeCount);
    factor.clear();
    this.gradient.fill(0);
    for (let v = 0; v < isFree.length; v++) {
      if (isFree[v] === 1) continue;
      const o = factor.diagonalOffset[this.count + v];
      for (let k = 0; k < 9; k += 4) factor.values[o + k] = 1;
    }
  }

  /** Adds scale × the 6 × 6 block at m (rows of group a, columns of group b; row stride given) of a symmetric matrix. */
  addBlock(a: number, b: number, block: Float64Array, m: number, stride: number, scale: number): void {
    if (a >= this.count || b >= this.count) return;
    this.addPart(a, b, block, m, stride, scale);
  }

  /** The same for blocks of any size; each pair is given once. */
  addPart(a: number, b: number, block: Float64Array, m: number, stride: number, scale: number): void {
    const { values, diagonalOffset, edgeOffset } = this.#factor;
    const rows = this.#size[a];
    const columns = this.#size[b];
    if (a === b) {
      const o = diagonalOffset[a];
      for (let i = 0; i < rows; i++)
        for (let j = 0; j < rows; j++) values[o + rows * i + j] += scale * block[m + stride * i + j];
      return;
    }
    // blocks are stored with the rows of the higher number
    const edge = this.#edgeOf.get(a < b ? a * this.#blocks + b : b * this.#blocks + a);
    if (edge === undefined) return;
    const o = edgeOffset[edge];
    if (a > b) {
      for (let i = 0; i < rows; i++)
        for (let j = 0; j < columns; j++) values[o + columns * i + j] += scale * block[m + stride * i + j];
    } else {
      for (let i = 0; i < rows; i++)
        for (let j = 0; j < columns; j++) values[o + rows * j + i] += scale * block[m + stride * i + j];
    }
  }

  /** Adds nine numbers to the diagonal block of a soft vertex, and to the block of an edge with the rows of the higher one. */
  addVertexBlock(block: number, from: Float64Array, p: number): void {
    const { values, diagonalOffset } = this.#factor;
    const o = diagonalOffset[block];
    for (let k = 0; k < 9; k++) values[o + k] += from[p + k];
  }

  addEdgeBlock(edge: number, from: Float64Array, p: number): void {
    const { values, edgeOffset } = this.#factor;
    const o = edgeOffset[edge];
    for (let k = 0; k < 9; k++) values[o + k] += from[p + k];
  }

  /** Adds to one entry of the diagonal block of group a. */
  addDiagonal(a: number, i: number, j: number, value: number): void {
    this.#factor.values[this.#factor.diagonalOffset[a] + 6 * i + j] += value;
  }

  /** step ← −H⁻¹ ∇E, six numbers per frame; false where H has no Cholesky factor. Frames that are no unknowns do not move. */
  solve(step: Float64Array): boolean {
    if (this.#factor.factor() >= 0) return false;
    const x = this.#diagonal;
    const n = 6 * this.count;
    for (let i = 0; i < x.length; i++) x[i] = -this.gradient[i];
    this.#factor.solve(x);
    for (let i = 0; i < n; i++) step[i] = x[i];
    const first = 6 * this.#frames.firstSoft;
    for (let v = 0, i = n; i < x.length; v++, i += 3) for (let k = 0; k < 3; k++) step[first + 6 * v + k] = x[i + k];
    return true;
  }

  #grow(): void {
    const first = new Int32Array(2 * this.#first.length);
    const second = new Int32Array(2 * this.#first.length);
    first.set(this.#first);
    second.set(this.#second);
    this.#first = first;
    this.#second = second;
  }
}
