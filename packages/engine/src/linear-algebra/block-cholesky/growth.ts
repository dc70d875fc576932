/** Arrays that grow by half more than asked for and never shrink, so that a pattern that was seen before needs no memory. */
import type { Memory } from '../memory.ts';

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
  const longer = memory.i32(Math.ceil(1.5 * length));
  longer.set(array);
  return longer;
}
