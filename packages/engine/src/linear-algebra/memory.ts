/** Where growing arrays come from; the arena of a simulation is one. */
export interface Memory {
  /** Zeroed doubles. */
  f64(length: number): Float64Array;
  /** Zeroed 32-bit integers. */
  i32(length: number): Int32Array;
}
