/**
 * Linear tetrahedra in pieces for threads. Pieces have fixed sizes. Vertices that several pieces have are *shared*: what a tetrahedron adds to
 * them is put aside and added when all pieces are done, in the order of the tetrahedra. So every sum has the order that it has with one
 * thread, and its bits.
 */
import type { CompiledSoft } from '../linear-algebra/compiled-functions.ts';
import type { Memory } from '../linear-algebra/memory.ts';
import type { SharedWork } from '../linear-algebra/shared-work.ts';
import { PAIR, SCRATCH, type TetrahedronRecord } from './tetrahedron-record.ts';

/** Tetrahedra of a piece, an even number; least pieces that are worth it. */
const SIZE = 512;
const LEAST = 4;
/** Words of the record of a piece; places in it after those of tetrahedron-record.ts. */
const PIECE_WORDS = 19;
const [FIRST, STOP, X, TARGET, IS_SHARED, SLOT, DEFERRED, ENERGIES, BORDER, BORDER_COUNT] = [
  9, 10, 11, 12, 13, 14, 15, 16, 17, 18,
] as const;
/** Numbers that a tetrahedron has to put aside: of its forces, of its blocks. */
export const FORCES = 12;
export const BLOCKS = 54;

export class TetrahedronPieces {
  /** Per tetrahedron: V Ψ, J. */
  readonly energies: Float64Array;
  /** Per vertex: 1 where several pieces have it. Per tetrahedron: its place among those that have such a vertex, or −1. */
  readonly isShared: Int32Array;
  readonly slot: Int32Array;
  /** What is put aside. */
  readonly deferred: Float64Array;
  readonly #record: TetrahedronRecord;
  readonly #work: SharedWork;
  readonly #count: number;
  readonly #tetrahedra: number;
  readonly #words: Int32Array;

  constructor(record: TetrahedronRecord, work: SharedWork, tetrahedra: Int32Array, memory: Memory) {
    const count = tetrahedra.length / 4;
    this.#record = record;
    this.#work = work;
    this.#tetrahedra = count;
    this.#count = Math.ceil(count / SIZE);
    this.isShared = findShared(tetrahedra, memory);
    this.slot = memory.i32(count);
    const border: number[] = [];
    for (let t = 0; t < count; t++) {
      const isOnBorder = [0, 1, 2, 3].some((a) => this.isShared[tetrahedra[4 * t + a]] === 1);
      this.slot[t] = isOnBorder ? border.push(t) - 1 : -1;
    }
    this.deferred = memory.f64(BLOCKS * border.length);
    this.energies = memory.f64(count);
    const list = memory.i32(border.length);
    list.set(border);
    this.#words = memory.i32(PIECE_WORDS * this.#count);
    const scratch = memory.f64(SCRATCH * this.#count);
    for (let p = 0; p < this.#count; p++) {
      const words = this.#words.subarray(PIECE_WORDS * p, PIECE_WORDS * (p + 1));
      record.copyTo(words);
      words[0] = Math.min(SIZE * (p + 1), count);
      words[6] = scratch.byteOffset + 8 * SCRATCH * p;
      words[IS_SHARED] = this.isShared.byteOffset;
      words[SLOT] = this.slot.byteOffset;
      words[DEFERRED] = this.deferred.byteOffset;
      words[ENERGIES] = this.energies.byteOffset;
      words[BORDER] = list.byteOffset;
      words[BORDER_COUNT] = border.length;
    }
  }

  /**
   * Adds to the forces at `target`, or to none where it is 0, or to the blocks of a Hessian. `take` does what the compiled function leaves to
   * its twin: tetrahedra first to end − 1. The record has the law.
   */
  add(kind: 'forces' | 'blocks', x: Float64Array, target: number, take: (first: number, end: number) => void): void {
    const { compiled } = this.#record;
    const words = this.#words;
    const address = words.byteOffset;
    const task = kind === 'forces' ? 'addGradientPiece' : 'addHessianPiece';
    for (let p = 0; p < this.#count; p++) {
      const at = PIECE_WORDS * p;
      this.#record.copyLawTo(words, at);
      words[at + FIRST] = SIZE * p;
      words[at + X] = x.byteOffset;
      words[at + TARGET] = target;
    }
    this.#work.run(task, address, this.#count);
    for (let p = 0; p < this.#count; p++) this.#finish(compiled, task, p, take);
    if (kind === 'blocks') compiled.addDeferredBlocks(address);
    else if (target !== 0) compiled.addDeferredForces(address);
  }

  // pairs that the piece stopped at
  #finish(
    compiled: CompiledSoft,
    task: 'addGradientPiece' | 'addHessianPiece',
    piece: number,
    take: (first: number, end: number) => void,
  ): void {
    const words = this.#words;
    const at = PIECE_WORDS * piece;
    const end = words[at];
    while (words[at + STOP] < end) {
      const t = words[at + STOP];
      take(t, Math.min(t + PAIR, end));
      words[at + FIRST] = t + PAIR;
      words[at + STOP] = end;
      if (t + PAIR < end) compiled[task](words.byteOffset, piece);
    }
  }

  /** Energies of all tetrahedra, in their order, J. */
  sumEnergies(): number {
    const { energies } = this;
    let sum = 0;
    for (let t = 0; t < this.#tetrahedra; t++) sum += energies[t];
    return sum;
  }
}

/** Undefined where there are no threads, or too little for them. */
export function createTetrahedronPieces(
  record: TetrahedronRecord | undefined,
  tetrahedra: Int32Array,
  memory: Memory,
): TetrahedronPieces | undefined {
  const { work } = memory;
  if (!record || !work || tetrahedra.length < 4 * LEAST * SIZE) return undefined;
  return new TetrahedronPieces(record, work, tetrahedra, memory);
}

/** Per vertex: 1 where tetrahedra of several pieces have it. */
function findShared(tetrahedra: Int32Array, memory: Memory): Int32Array {
  let vertices = 0;
  for (const v of tetrahedra) vertices = Math.max(vertices, v + 1);
  const piece = new Int32Array(vertices).fill(-1);
  const isShared = memory.i32(vertices);
  for (let k = 0; k < tetrahedra.length; k++) {
    const v = tetrahedra[k];
    const p = Math.floor(k / (4 * SIZE));
    if (piece[v] >= 0 && piece[v] !== p) isShared[v] = 1;
    piece[v] = p;
  }
  return isShared;
}
