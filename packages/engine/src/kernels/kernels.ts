/**
 * Functions over whole arrays of one arena in two implementations with the same results: portable TypeScript (reference,
 * fallback, debugger) and WebAssembly with two-lane doubles.
 */
import type { CompiledFunctions } from '../linear-algebra/compiled-functions.ts';
import { factorTree, solveTree } from '../linear-algebra/tree-ldl.ts';
import type { Arena } from './arena.ts';

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
  return arena.compiled ? wrap(arena.compiled) : PORTABLE_KERNELS;
}

function wrap(compiled: CompiledFunctions): Kernels {
  return {
    kind: 'compiled',
    factorTree: (factor, inverseDiagonal, rowStart, column) =>
      compiled.factorTree(
        inverseDiagonal.length,
        factor.byteOffset,
        inverseDiagonal.byteOffset,
        rowStart.byteOffset,
        column.byteOffset,
      ),
    solveTree: (x, factor, inverseDiagonal, rowStart, column) =>
      compiled.solveTree(
        x.length,
        x.byteOffset,
        factor.byteOffset,
        inverseDiagonal.byteOffset,
        rowStart.byteOffset,
        column.byteOffset,
      ),
  };
}
