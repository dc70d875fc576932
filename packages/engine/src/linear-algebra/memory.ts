/** Where growing arrays come from; the arena of a simulation is one. */
import type { CompiledBarrier, CompiledDynamics, CompiledFunctions, CompiledSoft } from './compiled-functions.ts';
import type { SharedWork } from './shared-work.ts';

export interface Memory {
  /** Zeroed doubles. */
  f64(length: number): Float64Array;
  /** Zeroed 32-bit integers. */
  i32(length: number): Int32Array;
  /** Compiled twins of hot functions that work on these arrays, where the host has them. */
  readonly compiled?: CompiledFunctions | undefined;
  /** Those of soft bodies, where they are loaded. */
  readonly compiledSoft?: CompiledSoft | undefined;
  /** The second module of them. */
  readonly compiledDynamics?: CompiledDynamics | undefined;
  /** Those of contacts under `ipc`, where they are loaded. */
  readonly compiledBarrier?: CompiledBarrier | undefined;
  /** Threads that share the work of a step, where there are some. */
  readonly work?: SharedWork | undefined;
}

/** That of a thread which also sees arrays of others. */
export interface SharedMemory extends Memory {
  /** Doubles that another thread has. */
  viewDoubles(address: number, length: number): Float64Array;
  /** Integers that another thread has. */
  viewInts(address: number, length: number): Int32Array;
}

/** Arrays of their own, for what is made once or no compiled function sees. */
export const GROWING_MEMORY: Memory = {
  f64: (length) => new Float64Array(length),
  i32: (length) => new Int32Array(length),
};

/** Integers of a model, whose arrays need not lie in the memory of the compiled functions, copied there. */
export function copyToMemory(memory: Memory, from: Int32Array): Int32Array {
  const to = memory.i32(from.length);
  to.set(from);
  return to;
}

/** Whether an address of the array means something to the compiled functions, as those of a record of theirs do: the memory of an arena is shared. */
export function isInReach(array: Float64Array | Int32Array, record: Int32Array): boolean {
  return array.buffer.constructor === record.buffer.constructor;
}
