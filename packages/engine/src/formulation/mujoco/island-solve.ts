import type { SolveTrace } from '../../minimize/solve-trace.ts';

/** A solver of one island: that which the objective has entered, from the acceleration at which it was evaluated. */
export interface IslandSolve {
  /** Accelerations in the island's numbering of dofs, after the solve. */
  readonly x: Float64Array;
  /** `scale`: see mujoco-stopping.ts. Forces of the rows are left in the problem. */
  solve(scale: number, trace: SolveTrace): void;
  /** One Newton step, for derivatives; undefined where the solver is not Newton's method. */
  solveNear?(): void;
  /** A (x − a₀) − Jᵀ f after the solve, in the island's numbering of dofs; undefined where the solver has none. */
  readonly gradient?: Float64Array;
  /** Jᵀ f in the island's numbering of dofs. */
  readConstraintForce(out: Float64Array): void;
}
