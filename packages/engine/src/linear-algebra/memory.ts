/** Where growing arrays come from; the arena of a simulation is one. */
import type { CompiledDynamics, CompiledFunctions, CompiledSoft } from './compiled-functions.ts';

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
}
