/**
 * The few functions that are worth compiling: coarse, allocation-free, over whole arrays of one arena. Two implementations
 * with the same results: portable TypeScript (reference, fallback, debugger) and WebAssembly with two-lane doubles.
 */
import { factorTree, solveTree } from '../linear-algebra/tree-ldl.ts';
import type { Arena } from './arena.ts';
import { instantiateCompiled } from './compiled.ts';
import { collectSelfOverlaps } from './self-overlap.ts';

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
  /**
   * Pairs of items of a bounding tree whose boxes meet, two numbers each, the lower first (see geometry/bounding-tree). Writes
   * as many as fit and returns how many there are.
   */
  collectSelfOverlaps(
    count: number,
    bounds: Float64Array,
    children: Int32Array,
    skip: Int32Array,
    out: Int32Array,
  ): number;
}

export const PORTABLE_KERNELS: Kernels = { kind: 'portable', factorTree, solveTree, collectSelfOverlaps };

/** Compiled kernels on the arena's memory; the portable ones where the host refuses WebAssembly. */
export function createKernels(arena: Arena): Kernels {
  return instantiateCompiled(arena) ?? PORTABLE_KERNELS;
}
