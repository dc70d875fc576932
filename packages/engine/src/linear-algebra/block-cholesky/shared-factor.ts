/**
 * A multifrontal factor by several threads: subtrees at the same time, then the fronts above them one after the other, the rows of a large
 * one at the same time. Every number is computed from the same numbers in the same order as by one thread.
 */
import type { CompiledFunctions } from '../compiled-functions.ts';
import { fitInts } from '../growth.ts';
import type { Memory } from '../memory.ts';
import type { SharedWork } from '../shared-work.ts';
import { estimateFront } from './front-pieces.ts';
import type { SymbolicFactor } from './symbolic-factor.ts';

/** As in packages/kernels/assembly/panel-factor.ts: columns at once, most columns that are factored as they are, rows of a piece. */
const GROUP = 48;
const LARGEST = 96;
const PIECE_ROWS = 48;
/** Cost of a front from which on its rows are shared, and least rows of which some are given away. */
const LARGE_FRONT = 4e5;
const MANY_ROWS = 2 * PIECE_ROWS;

export class SharedFactor {
  readonly #symbolic: SymbolicFactor;
  readonly #record: Int32Array;
  readonly #compiled: CompiledFunctions;
  readonly #work: SharedWork;
  readonly #memory: Memory;
  #bad: Int32Array;

  constructor(
    symbolic: SymbolicFactor,
    record: Int32Array,
    compiled: CompiledFunctions,
    work: SharedWork,
    memory: Memory,
  ) {
    this.#symbolic = symbolic;
    this.#record = record;
    this.#compiled = compiled;
    this.#work = work;
    this.#memory = memory;
    this.#bad = memory.i32(0);
  }

  /** Whether there is enough to share. */
  get isWorthwhile(): boolean {
    return this.#symbolic.pieces.count > 0;
  }

  /** Writes what the tasks see, from this word of the record on. */
  bind(next: number): void {
    const { first, end, count } = this.#symbolic.pieces;
    this.#bad = fitInts(this.#memory, this.#bad, count);
    this.#record[next] = first.byteOffset;
    this.#record[next + 1] = end.byteOffset;
    this.#record[next + 2] = this.#bad.byteOffset;
  }

  /** Factors all fronts. Returns the first column (in order of elimination) that fails, or -1. */
  factor(): number {
    const { pieces, frontCount } = this.#symbolic;
    const compiled = this.#compiled;
    const address = this.#record.byteOffset;
    this.#work.run('factorSubtree', address, pieces.count);
    // the first one of several is found in order
    for (let p = 0; p < pieces.count; p++) if (this.#bad[p] >= 0) return compiled.factorFronts(address, 0, frontCount);
    for (let f = 0; f < frontCount; f++) {
      const bad = pieces.isTop(f) ? this.factorFront(f) : -1;
      if (bad >= 0) return bad;
    }
    return -1;
  }

  /** Factors one front, whose children are done. Returns the column that fails, or -1. */
  factorFront(f: number): number {
    const { width, boundary } = this.#symbolic;
    const isLarge = estimateFront(width[f], boundary[f]) > LARGE_FRONT;
    return isLarge ? this.#factorLargeFront(f) : this.#compiled.factorFronts(this.#record.byteOffset, f, f + 1);
  }

  #factorLargeFront(f: number): number {
    const { width, boundary } = this.#symbolic;
    const compiled = this.#compiled;
    const address = this.#record.byteOffset;
    const w = width[f];
    const b = boundary[f];
    const group = w <= LARGEST ? w : GROUP;
    compiled.openFront(address, f);
    for (let j = 0; j < w; j += group) {
      const bad = compiled.factorFrontColumns(address, j);
      if (bad >= 0) return bad;
      this.#share('solvePanelRows', w + b - Math.min(j + group, w));
    }
    this.#share('writeRestRows', b);
    return -1;
  }

  #share(task: 'solvePanelRows' | 'writeRestRows', rows: number): void {
    const address = this.#record.byteOffset;
    const pieces = Math.ceil(rows / PIECE_ROWS);
    if (rows > MANY_ROWS) this.#work.run(task, address, pieces);
    else for (let piece = 0; piece < pieces; piece++) this.#compiled[task](address, piece);
  }
}
