/** Arrays that grow and never shrink, so that repeated sizes need no allocation: by half more than needed, or as the caller chooses. */
import type { Memory } from './memory.ts';

/** The array when it is long enough, else a longer one; old numbers are lost. */
export function fitInts(memory: Memory, array: Int32Array, length: number): Int32Array {
  return array.length >= length ? array : memory.i32(Math.ceil(1.5 * length));
}

/** As fitInts, for doubles. */
export function fitDoubles(memory: Memory, array: Float64Array, length: number): Float64Array {
  return array.length >= length ? array : memory.f64(Math.ceil(1.5 * length));
}

/** As fitInts, keeping old numbers. */
export function extendInts(memory: Memory, array: Int32Array, length: number): Int32Array {
  if (array.length >= length) return array;
  return copyInto(array, memory.i32(Math.ceil(1.5 * length)));
}

/** A longer array with the numbers of an old one in front. */
export function copyInto<T extends Float64Array | Int32Array | Uint8Array>(from: T, to: T): T {
  to.set(from);
  return to;
}
