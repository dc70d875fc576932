/** Hessians of islands as block-sparse matrices; they come with '@nexdyn/engine/sparse'. */
import type { Memory } from '../linear-algebra/memory.ts';
import type { LinearSolver } from '../minimize/objective.ts';
import { LazyModule } from '../parts/lazy-module.ts';
import type { ConvexObjective } from './convex-objective.ts';

/** What an island asks of such a matrix. */
export interface SparseMatrix extends LinearSolver {
  /** Takes the pattern of the objective's island; once per solve. */
  analyze(): void;
}

/** Which pairs of trees have a block: all that constraints join; those of a spanning forest, whose factor has no fill; or none. */
export type Coupling = 'all' | 'forest' | 'none';

type CreateSparse = (
  objective: ConvexObjective,
  product: Float64Array,
  memory: Memory,
  coupling: Coupling,
) => SparseMatrix;

export const SPARSE_HESSIANS: LazyModule<CreateSparse> = new LazyModule('sparse', 'block-sparse matrices');
