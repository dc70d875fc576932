/**
 * The few functions that are worth compiling: coarse, allocation-free, over whole arrays of one arena. Two implementations
 * with the same results: portable TypeScript (reference, fallback, debugger) and WebAssembly with two-lane doubles.
 */
import { factorTree, solveTree } from '../linear-algebra/tree-ldl.ts';
import type { Arena } from './arena.ts';
import { instantiateCompiled } from './compiled.ts';

export interface Kernels {
  readonly kind: 'portable' | 'compiled';
  /** See linear-algebra/tree-ldl.ts. */
  factorTree(factor: Float64Array, inverseDiagonal: Float64Array, rowStart: Int32Array, column: Int32Array): number;
  /** See linear-algebra/tree-ldl.ts. */
  solveTree(
    x: Float64Array,
    factor: Float64Array,
    inverseDiagonal: Float64Array,
    rowStart: Int32Array,
    column: Int32Array,
  ): void;
}

export const PORTABLE_KERNELS: Kernels = { kind: 'portable', factorTree, solveTree };

/** Compiled kernels on the arena's memory; the portable ones where the host refuses WebAssembly. */
export function createKernels(arena: Arena): Kernels {
  return instantiateCompiled(arena) ?? PORTABLE_KERNELS;
}
