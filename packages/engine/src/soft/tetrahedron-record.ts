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
const SCRATCH = 348;

export interface TetrahedronRecord {
  readonly compiled: CompiledSoft;
  readonly address: number;
  /** Where the energy adds up, J. */
  readonly energy: Float64Array;
}

/** Undefined where nothing is compiled, or the arrays are not in the memory that compiled functions see. */
export function createTetrahedronRecord(
  { tetrahedra, inverseRest, volume }: RestShape,
  place: Int32Array,
  memory: Memory,
): TetrahedronRecord | undefined {
  const compiled = memory.compiledSoft;
  if (!compiled || ![tetrahedra, inverseRest, volume, place].every(isCompiledMemory)) return undefined;
  const record = memory.i32(7);
  const energy = memory.f64(1);
  const scratch = memory.f64(SCRATCH);
  record[0] = volume.length;
  [tetrahedra, inverseRest, volume, place, energy, scratch].forEach((array, k) => {
    record[k + 1] = array.byteOffset;
  });
  return { compiled, address: record.byteOffset, energy };
}

/** Whether the compiled twins know a law; the Hessian of the neo-Hookean one only without projection. */
export function hasCompiledLaw({ law }: Material, isProjected: boolean): boolean {
  return law === ELASTIC_LAW.corotated || (law === ELASTIC_LAW.neoHookean && !isProjected);
}

/** Arrays of an arena are views of a shared memory, others are not. */
export function isCompiledMemory({ buffer }: Float64Array | Int32Array): boolean {
  return !(buffer instanceof ArrayBuffer);
}
