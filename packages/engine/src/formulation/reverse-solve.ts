/** The reverse of a solve over velocities or accelerations whose constraints are rows, for derivatives. */
import type { Workspace } from '../dynamics/workspace.ts';
import type { ConvexProblem } from '../objective/convex-problem.ts';
import type { RateParts, RowRates } from './row-rates.ts';

/** With A x − p − Jᵀ f = 0 and F(f, y) = 0 of every block, y = J x − r: λ and F_yᵀ ψ of a gradient x̄. */
export interface ReverseSolve {
  /** Takes the metric A and the solution of the last solve. */
  begin(work: Workspace, metric: Float64Array, solution: Float64Array): void;
  /** Each x̄ ← −λ; false where the matrix has no factor. */
  solve(vectors: readonly Float64Array[]): boolean;
  /** F_yᵀ ψ by row, of vector n of the last `solve`; undefined where it is S J λ with the Hessian S of each block. */
  readWeights(n: number): Float64Array | undefined;
  /** Estimate of the condition of the matrix. */
  estimateCondition(): number;
}

/** The last solve over impulses, where it has no Hessian. */
export interface ConeSolve {
  readonly problem: ConvexProblem;
  /** How its rows depend on the state; undefined where that is not known, as with moving surfaces. */
  createRates(parts: RateParts): RowRates | undefined;
  /** Its reverse; `entries` of the metric. */
  createReverse(entries: number): ReverseSolve;
}
