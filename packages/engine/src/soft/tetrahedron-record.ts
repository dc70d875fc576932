/**
 * Linear tetrahedra as their compiled twins see them (packages/kernels/assembly/tetrahedra.ts): sizes and addresses. Those take two
 * tetrahedra at once and stop at a pair in which one has no rotation by Newton's iteration: the caller takes that pair and goes on
 * behind it. Results are the bits of the TypeScript.
 */
import type { CompiledSoft } from '../linear-algebra/compiled-functions.ts';
import type { Memory } from '../linear-algebra/memory.ts';
import { ELASTIC_LAW, type Material } from './material.ts';
import type { RestShape } from './rest-shape.ts';

/** Tetrahedra that are taken at once. */
export const PAIR = 2;
/** Numbers of scratch: 174 slots of two. */
export const SCRATCH = 348;
/** Words of a record; those of a piece have more (tetrahedron-pieces.ts), in which zeros mean that there are no pieces. */
const WORDS = 9;
const ALL_WORDS = 19;

export class TetrahedronRecord {
  readonly compiled: CompiledSoft;
  readonly address: number;
  readonly #words: Int32Array;
  /** Energy, J; constants of the law, Pa; scale of the Hessian. */
  readonly #numbers: Float64Array;

  constructor(compiled: CompiledSoft, words: Int32Array, numbers: Float64Array) {
    this.compiled = compiled;
    this.address = words.byteOffset;
    this.#words = words;
    this.#numbers = numbers;
  }

  /** Where the energy adds up, J. */
  get energy(): number {
    return this.#numbers[0];
  }

  set energy(value: number) {
    this.#numbers[0] = value;
  }

  /** Takes the law; for a Hessian also what it is multiplied by, and whether it is projected. */
  take({ law, mu, lambda }: Material, scale: number = 1, isProjected: boolean = false): void {
    const words = this.#words;
    const numbers = this.#numbers;
    words[7] = law;
    words[8] = isProjected ? 1 : 0;
    numbers[1] = mu;
    numbers[2] = lambda;
    numbers[3] = scale;
  }

  /** The beginning of the record of a piece. */
  copyTo(words: Int32Array): void {
    words.set(this.#words.subarray(0, WORDS));
  }

  /** The law that was taken last, to the record of a piece that begins at a word. */
  copyLawTo(words: Int32Array, at: number): void {
    words[at + 7] = this.#words[7];
    words[at + 8] = this.#words[8];
  }
}

/** Undefined where nothing is compiled, or the arrays are not in the memory that compiled functions see. */
export function createTetrahedronRecord(
  { tetrahedra, inverseRest, volume }: RestShape,
  place: Int32Array,
  memory: Memory,
): TetrahedronRecord | undefined {
  const compiled = memory.compiledSoft;
  if (!compiled || ![tetrahedra, inverseRest, volume, place].every(isCompiledMemory)) return undefined;
  const record = memory.i32(ALL_WORDS);
  const numbers = memory.f64(4);
  const scratch = memory.f64(SCRATCH);
  record[0] = volume.length;
  [tetrahedra, inverseRest, volume, place, numbers, scratch].forEach((array, k) => {
    record[k + 1] = array.byteOffset;
  });
  return new TetrahedronRecord(compiled, record, numbers);
}

/** Whether the compiled twins know a law; the Hessian of the neo-Hookean one only without projection. */
export function hasCompiledLaw({ law }: Material, isProjected: boolean): boolean {
  return law === ELASTIC_LAW.corotated || (law === ELASTIC_LAW.neoHookean && !isProjected);
}

/** Arrays of an arena are views of a shared memory, others are not. */
export function isCompiledMemory({ buffer }: Float64Array | Int32Array): boolean {
  return !(buffer instanceof ArrayBuffer);
}
