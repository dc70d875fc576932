/**
 * Solves with the Hessian of a convex step at its solution, H = A + Jᵀ S J, island by island; dofs that no constraint touches have A
 * alone. Also an estimate of how near H is to a singular matrix.
 */
import type { Workspace } from '../../dynamics/workspace.ts';
import type { ConvexSolve } from '../../formulation/formulation.ts';
import { IslandHessian } from '../../objective/island-hessian.ts';

export class HessianSolve {
  readonly #solve: ConvexSolve;
  readonly #hessian: IslandHessian;
  readonly #factor: Float64Array;
  readonly #inverseDiagonal: Float64Array;
  readonly #local: Float64Array;
  #work: Workspace | undefined;
  #solution: Float64Array = new Float64Array(0);

  constructor(solve: ConvexSolve, entries: number) {
    const { objective, memory } = solve;
    this.#solve = solve;
    this.#hessian = new IslandHessian(objective, 'auto', memory);
    this.#factor = memory.f64(entries);
    this.#inverseDiagonal = memory.f64(objective.x.length);
    this.#local = memory.f64(objective.x.length);
  }

  /** Takes the metric A and evaluates all laws at a solution. */
  begin(work: Workspace, metric: Float64Array, solution: Float64Array): void {
    const { kernels, rowStart, column } = work.plan;
    const { objective } = this.#solve;
    this.#work = work;
    this.#solution = solution;
    this.#factor.set(metric);
    kernels.factorTree(this.#factor, this.#inverseDiagonal, rowStart, column);
    if (objective.problem.rowCount === 0) return;
    for (let island = 0; island < objective.islands.count; island++) {
      objective.enter(island, solution);
      objective.begin();
    }
  }

  /** x ← A⁻¹ x. */
  solveMetric(x: Float64Array): void {
    const { kernels, rowStart, column } = this.#work!.plan;
    const own = this.#local;
    own.set(x);
    kernels.solveTree(own, this.#factor, this.#inverseDiagonal, rowStart, column);
    for (let i = 0; i < x.length; i++) x[i] = own[i];
  }

  /** Each x ← H⁻¹ x; false where H has no factor. */
  solve(vectors: readonly Float64Array[]): boolean {
    const { objective } = this.#solve;
    const { islands, problem } = objective;
    const copies = problem.rowCount > 0 ? vectors.map((vector) => vector.slice()) : [];
    for (const vector of vectors) this.solveMetric(vector);
    if (problem.rowCount === 0) return true;
    const { dof, dofStart } = islands;
    const local = this.#local;
    for (let island = 0; island < islands.count; island++) {
      objective.enter(island, this.#solution);
      objective.begin();
      this.#hessian.enter();
      if (!this.#hessian.prepare()) return false;
      const first = dofStart[island];
      for (const [n, copy] of copies.entries()) {
        let isZero = true;
        for (let i = 0; i < objective.size; i++) {
          local[i] = copy[dof[first + i]];
          if (local[i] !== 0) isZero = false;
        }
        if (!isZero) this.#hessian.solve(local);
        for (let i = 0; i < objective.size; i++) vectors[n][dof[first + i]] = local[i];
      }
    }
    return true;
  }
}
