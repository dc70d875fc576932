/**
 * The Newton matrix and gradient of a step: six rows per movable group (dx, dθ in world axes), 6 × 6 blocks.
 * Terms first say which groups they couple, then add numbers; groups beyond the movable ones (the world, mocap) are skipped.
 */
import { BlockCholesky } from '../../linear-algebra/block-cholesky/block-cholesky.ts';
import type { Memory } from '../../linear-algebra/memory.ts';

export class BodyMatrix {
  readonly count: number;
  /** ∇E, six numbers per group. */
  readonly gradient: Float64Array;
  readonly #factor: BlockCholesky;
  readonly #size: Int32Array;
  /** Dense number of a pair of groups: its edge plus one, or 0. */
  readonly #edgeOf = new Map<number, number>();
  #first = new Int32Array(64);
  #second = new Int32Array(64);
  #edgeCount = 0;
  #diagonal: Float64Array;

  constructor(count: number, memory: Memory) {
    this.count = count;
    this.gradient = memory.f64(6 * count);
    this.#factor = new BlockCholesky(memory);
    this.#size = memory.i32(count).fill(6);
    this.#diagonal = memory.f64(6 * count);
  }

  /** Forgets which groups are coupled. */
  clearPattern(): void {
    this.#edgeCount = 0;
    this.#edgeOf.clear();
  }

  /** Says that two groups are coupled; the world and equal groups are no pair. */
  couple(a: number, b: number): void {
    if (a === b || a >= this.count || b >= this.count) return;
    const key = a < b ? a * this.count + b : b * this.count + a;
    if (this.#edgeOf.has(key)) return;
    if (this.#edgeCount === this.#first.length) this.#grow();
    this.#first[this.#edgeCount] = Math.min(a, b);
    this.#second[this.#edgeCount] = Math.max(a, b);
    this.#edgeOf.set(key, this.#edgeCount++);
  }

  /** After the last couple(): zeros everything. */
  begin(): void {
    this.#factor.analyze(this.#size, this.count, this.#first, this.#second, this.#edgeCount);
    this.#factor.clear();
    this.gradient.fill(0);
  }

  /** Adds scale × the 6 × 6 block at m (rows of group a, columns of group b; row stride given) of a symmetric matrix. */
  addBlock(a: number, b: number, block: Float64Array, m: number, stride: number, scale: number): void {
    if (a >= this.count || b >= this.count) return;
    const { values, diagonalOffset, edgeOffset } = this.#factor;
    if (a === b) {
      const o = diagonalOffset[a];
      for (let i = 0; i < 6; i++)
        for (let j = 0; j < 6; j++) values[o + 6 * i + j] += scale * block[m + stride * i + j];
      return;
    }
    // blocks are stored with the rows of the higher number; the caller gives each pair once
    const edge = this.#edgeOf.get(a < b ? a * this.count + b : b * this.count + a);
    if (edge === undefined) return;
    const o = edgeOffset[edge];
    if (a > b) {
      for (let i = 0; i < 6; i++)
        for (let j = 0; j < 6; j++) values[o + 6 * i + j] += scale * block[m + stride * i + j];
    } else {
      for (let i = 0; i < 6; i++)
        for (let j = 0; j < 6; j++) values[o + 6 * j + i] += scale * block[m + stride * i + j];
    }
  }

  /** Adds to one entry of the diagonal block of group a. */
  addDiagonal(a: number, i: number, j: number, value: number): void {
    this.#factor.values[this.#factor.diagonalOffset[a] + 6 * i + j] += value;
  }

  /** step ← −H⁻¹ ∇E; false where H has no Cholesky factor. */
  solve(step: Float64Array): boolean {
    if (this.#factor.factor() >= 0) return false;
    const n = 6 * this.count;
    for (let i = 0; i < n; i++) this.#diagonal[i] = -this.gradient[i];
    this.#factor.solve(this.#diagonal);
    for (let i = 0; i < n; i++) step[i] = this.#diagonal[i];
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
