/**
 * Hessians of the user's terms in the unknowns of the frames: blocks Tᵀ H T, with T = [1, −[a]×; 0, 1] per body, T = [1, −[a]×] per soft
 * vertex that is fixed to a frame, T = 1 per other vertex; a the arm. Gathered once per assembly: first for the pattern of the matrix,
 * then for its numbers.
 */
import type { FramePoses } from '../../../dynamics/frames.ts';
import { copyInto } from '../../../linear-algebra/growth.ts';
import { LARGEST_BLOCK, projectPsd } from '../../../linear-algebra/project-psd.ts';
import { requireBlockSize } from '../../../term/hessian-block.ts';
import type { HessianSink, Term } from '../../../term/term.ts';
import type { BodyMatrix } from '../body-matrix.ts';
import type { TermConfiguration } from './term-configuration.ts';

export class TermBlocks implements HessianSink {
  readonly #at: TermConfiguration;
  /** Factor on all blocks: h². */
  #scale = 0;
  #term: Term | undefined;
  #isProjected = false;
  #poses: FramePoses;
  #blockCount = 0;
  /** Frames and numbers of each block. */
  #frameStart = new Int32Array(65);
  #valueStart = new Int32Array(65);
  #frame = new Int32Array(256);
  #value = new Float64Array(1024);
  /** T of the block at hand, by rows. */
  readonly #map = new Float64Array(2 * LARGEST_BLOCK * LARGEST_BLOCK);
  readonly #product = new Float64Array(2 * LARGEST_BLOCK * LARGEST_BLOCK);
  readonly #local = new Float64Array(LARGEST_BLOCK * LARGEST_BLOCK);

  /** `at` is placed at the poses whenever blocks are gathered. */
  constructor(at: TermConfiguration) {
    this.#at = at;
    this.#poses = at.frames.start;
  }

  /** Forgets all blocks. */
  clear(): void {
    this.#blockCount = 0;
  }

  /** Gathers the blocks of terms at the poses of the configuration. */
  gather(terms: readonly Term[], poses: FramePoses, scale: number, isProjected: boolean): void {
    this.#poses = poses;
    this.#scale = scale;
    this.#isProjected = isProjected;
    for (const term of terms) {
      if (!term.addHessian || term.weight === 0) continue;
      this.#term = term;
      term.addHessian(this.#at, this, isProjected);
    }
  }

  /** Per frame of a block: all frames that share one with it, itself among them. */
  listNear(): Map<number, number[]> {
    const sets = new Map<number, Set<number>>();
    for (let n = 0; n < this.#blockCount; n++) {
      const members = this.#frame.subarray(this.#frameStart[n], this.#frameStart[n + 1]);
      for (const f of members) {
        const near = sets.get(f) ?? new Set();
        for (const g of members) near.add(g);
        sets.set(f, near);
      }
    }
    return new Map([...sets].map(([f, near]) => [f, [...near]]));
  }

  /** Says which frames are coupled. */
  couple(matrix: BodyMatrix): void {
    for (let n = 0; n < this.#blockCount; n++) {
      const end = this.#frameStart[n + 1];
      for (let i = this.#frameStart[n]; i < end; i++)
        for (let j = i + 1; j < end; j++) matrix.couple(this.#frame[i], this.#frame[j]);
    }
  }

  /** Adds all blocks. */
  add(matrix: BodyMatrix): void {
    for (let n = 0; n < this.#blockCount; n++) this.#addBlockTo(matrix, n);
  }

  /** Takes a block of the term at hand, in the unknowns of the frames. */
  addBlock(bodies: ArrayLike<number>, vertices: ArrayLike<number>, block: ArrayLike<number>): void {
    const term = this.#term as Term;
    const size = requireBlockSize(term.name, bodies, vertices, block);
    const n = this.#mapUnknowns(bodies, vertices, size);
    if (n === 0) return;
    const T = this.#map;
    const product = this.#product;
    const start = this.#valueStart[this.#blockCount];
    if (start + n * n > this.#value.length) this.#value = copyInto(this.#value, new Float64Array(2 * (start + n * n)));
    const weight = this.#scale * (term.weight ?? 1);
    const local = this.#local;
    for (let i = 0; i < size * size; i++) local[i] = weight * block[i];
    // vertices that are fixed to frames may make the block larger than can be projected: it is projected before
    const isLarge = n > LARGEST_BLOCK;
    if (this.#isProjected && isLarge) projectPsd(local, 0, size);
    for (let i = 0; i < size; i++) {
      for (let j = 0; j < n; j++) {
        let sum = 0;
        for (let k = 0; k < size; k++) sum += local[size * i + k] * T[n * k + j];
        product[n * i + j] = sum;
      }
    }
    for (let i = 0; i < n; i++) {
      for (let j = 0; j < n; j++) {
        let sum = 0;
        for (let k = 0; k < size; k++) sum += T[n * k + i] * product[n * k + j];
        this.#value[start + n * i + j] = sum;
      }
    }
    if (this.#isProjected && !isLarge) projectPsd(this.#value, start, n);
    this.#valueStart[++this.#blockCount] = start + n * n;
  }

  // T of a block, size × n, and its frames; n
  #mapUnknowns(bodies: ArrayLike<number>, vertices: ArrayLike<number>, size: number): number {
    this.#reserve(bodies.length + vertices.length);
    const first = this.#frameStart[this.#blockCount];
    let end = first;
    // frames that may be unknowns, each once
    for (let i = 0; i < bodies.length + vertices.length; i++) {
      const f = this.#at.frameOf(bodies, vertices, i);
      let at = first;
      while (at < end && this.#frame[at] !== f) at++;
      if (at === end && f !== this.#at.frames.moving) this.#frame[end++] = f;
    }
    this.#frameStart[this.#blockCount + 1] = end;
    let n = 0;
    for (let k = first; k < end; k++) n += this.#at.sizeOf(this.#frame[k]);
    this.#map.fill(0, 0, size * n);
    for (let i = 0; i < bodies.length + vertices.length; i++) {
      const f = this.#at.frameOf(bodies, vertices, i);
      let column = 0;
      let at = first;
      for (; at < end && this.#frame[at] !== f; at++) column += this.#at.sizeOf(this.#frame[at]);
      if (at === end) continue;
      const isBody = i < bodies.length;
      const row = isBody ? 6 * i : 6 * bodies.length + 3 * (i - bodies.length);
      for (let k = 0; k < 3; k++) this.#map[n * (row + k) + column + k] = 1;
      if (this.#at.sizeOf(f) === 3) continue;
      if (isBody) for (let k = 3; k < 6; k++) this.#map[n * (row + k) + column + k] = 1;
      this.#at.readArm(isBody ? bodies[i] : -1, isBody ? -1 : vertices[i - bodies.length], f, this.#poses);
      const [x, y, z] = this.#at.arm;
      const o = n * row + column + 3;
      this.#map[o + 1] = z;
      this.#map[o + 2] = -y;
      this.#map[o + n] = -z;
      this.#map[o + n + 2] = x;
      this.#map[o + 2 * n] = y;
      this.#map[o + 2 * n + 1] = -x;
    }
    return n;
  }

  #addBlockTo(matrix: BodyMatrix, block: number): void {
    const first = this.#frameStart[block];
    const end = this.#frameStart[block + 1];
    let n = 0;
    for (let k = first; k < end; k++) n += this.#at.sizeOf(this.#frame[k]);
    for (let i = first, row = 0; i < end; row += this.#at.sizeOf(this.#frame[i++])) {
      const a = matrix.blockOf(this.#frame[i]);
      if (a < 0) continue;
      for (let j = i, column = row; j < end; column += this.#at.sizeOf(this.#frame[j++])) {
        const b = matrix.blockOf(this.#frame[j]);
        if (b >= 0) matrix.addPart(a, b, this.#value, this.#valueStart[block] + n * row + column, n, 1);
      }
    }
  }

  #reserve(frames: number): void {
    const end = this.#frameStart[this.#blockCount] + frames;
    if (end > this.#frame.length) this.#frame = copyInto(this.#frame, new Int32Array(2 * end));
    if (this.#blockCount + 1 < this.#frameStart.length) return;
    this.#frameStart = copyInto(this.#frameStart, new Int32Array(2 * this.#frameStart.length));
    this.#valueStart = copyInto(this.#valueStart, new Int32Array(2 * this.#valueStart.length));
  }
}
