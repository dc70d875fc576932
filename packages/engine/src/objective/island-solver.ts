/** Solvers that take islands one by one; several threads share them with what comes with '@nexdyn/engine/threads'. */
import type { Memory } from '../linear-algebra/memory.ts';
import type { SolveTrace } from '../minimize/solve-trace.ts';
import { LazyModule } from '../parts/lazy-module.ts';
import type { ConvexProblem } from './convex-problem.ts';
import type { Place } from './island-table.ts';
import type { Islands } from './islands.ts';
import type { SharedIslands } from './shared-islands.ts';

/** Iterations of an island whose trace there is room for. */
const MOST_ITERATIONS = 1000;

export const SHARED_ISLANDS: LazyModule<typeof SharedIslands> = /* @__PURE__ */ new LazyModule(
  'sparse',
  'islands of several threads',
);

/** A solver of islands one by one, in any order. */
export interface IslandSolver {
  readonly islands: Islands;
  /** Most iterations of an island. */
  readonly limit: number;
  /** Arrays of the thread that steps which a solve reads and writes beside the problem. */
  readonly places: readonly Place[];
  /** Measures what a start of the island is worth, where there are several. */
  weighIsland?(island: number, start: Float64Array): void;
  /** Minimises from `start`; writes the unknowns of the island and Jᵀ f to their places among those of all dofs. */
  solveIsland(island: number, start: Float64Array, x: Float64Array, push: Float64Array, trace: SolveTrace): void;
}

/** Shares the islands of a solver; undefined where no other thread is to have work. */
export function shareIslands(
  solver: IslandSolver,
  problem: ConvexProblem,
  setup: object,
  memory: Memory,
): SharedIslands | undefined {
  const { work } = memory;
  const { forest } = solver.islands;
  // soft bodies are solved by the thread that steps
  if (!work || forest.rigidCount < forest.count || solver.limit > MOST_ITERATIONS) return undefined;
  const { provided } = SHARED_ISLANDS;
  if (!provided) return undefined;
  work.setUpIslands(setup);
  return new provided(solver, problem, work, memory);
}
