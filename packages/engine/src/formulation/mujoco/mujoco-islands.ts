/** The solve of `mujoco`, island by island: of the thread that steps, or of one beside it. */
import type { Memory } from '../../linear-algebra/memory.ts';
import type { SolveTrace } from '../../minimize/solve-trace.ts';
import type { ModelOptions, TreeSparsity } from '../../model/model.ts';
import { ConvexObjective } from '../../objective/convex-objective.ts';
import type { ConvexProblem } from '../../objective/convex-problem.ts';
import type { Forest } from '../../objective/forest.ts';
import type { IslandSolver } from '../../objective/island-solver.ts';
import { listArrays, type Place } from '../../objective/island-table.ts';
import { Islands } from '../../objective/islands.ts';
import { MetricFactor } from '../../objective/metric-factor.ts';
import type { IslandSolve } from './island-solve.ts';
import { createPrimalSolve } from './primal-solve.ts';

/** What another thread makes a solver of islands from. */
export interface MujocoSetup {
  readonly solver: 'mujoco';
  readonly forest: Forest;
  readonly pattern: TreeSparsity;
  readonly options: ModelOptions['mujoco'];
  readonly keepsTrajectories: boolean;
}

export class MujocoIslands implements IslandSolver {
  readonly islands: Islands;
  readonly objective: ConvexObjective;
  readonly limit: number;
  /** What a step tells beside its problem: per island the scale of its costs (mujoco-stopping.ts), and 1 where islands have begun at the start and kept it; what their costs are at a₀, and at the start. Per dof: the gradient that is left. */
  readonly step: { scale: Float64Array; hasBegun: Int32Array; costs: Float64Array; gradient: Float64Array };
  readonly places: readonly Place[];
  readonly #solver: IslandSolve;
  readonly #slip: IslandSolve | undefined;
  readonly #push: Float64Array;

  /** `slip`: a second solve after the first. */
  constructor(
    objective: ConvexObjective,
    metric: MetricFactor,
    solver: IslandSolve,
    iterations: number,
    memory: Memory,
    slip?: IslandSolve,
  ) {
    const { islands } = objective;
    const dofs = objective.x.length;
    this.islands = islands;
    this.objective = objective;
    this.limit = iterations + 1;
    this.#solver = solver;
    this.#slip = slip;
    this.#push = memory.f64(dofs);
    const { count } = islands.forest;
    this.step = {
      scale: memory.f64(count),
      hasBegun: memory.i32(1),
      costs: memory.f64(2 * count),
      gradient: memory.f64(dofs),
    };
    this.places = [
      ...listArrays(this.step, 'scale', 'hasBegun', 'costs', 'gradient'),
      ...listArrays(objective.kept, 'gradient', 'momentum', 'value'),
      ...listArrays(metric, 'factor', 'inverseDiagonal'),
    ];
  }

  /** Costs of an island at a₀ and at a start, where it begins and which it keeps. */
  weighIsland(island: number, start: Float64Array): void {
    const { objective, islands } = this;
    const { costs } = this.step;
    objective.enter(island, objective.problem.target);
    costs[2 * island] = objective.measureTarget();
    objective.enter(island, start);
    objective.begin();
    if (islands.count > 1) objective.keep();
    costs[2 * island + 1] = objective.value;
  }

  solveIsland(island: number, start: Float64Array, x: Float64Array, push: Float64Array, trace: SolveTrace): void {
    const { objective, islands, step } = this;
    const hasBegun = step.hasBegun[0] === 1;
    // a single island that has begun is at hand
    if (!hasBegun || islands.count > 1) objective.enter(island, start);
    if (!hasBegun) objective.begin();
    else if (islands.count > 1) objective.resume();
    const scale = step.scale[island];
    this.#solver.solve(scale, trace);
    this.#slip?.solve(scale, trace);
    this.#write(island, this.#slip ?? this.#solver, x, push);
  }

  /** One Newton step from other unknowns, for derivatives. */
  solveNear(island: number, near: Float64Array, x: Float64Array, push: Float64Array): void {
    this.objective.enter(island, near);
    this.objective.begin();
    this.#solver.solveNear?.();
    this.#write(island, this.#solver, x, push);
  }

  #write(island: number, solved: IslandSolve, x: Float64Array, push: Float64Array): void {
    const { dof, dofStart } = this.islands;
    const { size } = this.objective;
    const first = dofStart[island];
    const own = this.#push;
    solved.readConstraintForce(own);
    for (let i = 0; i < size; i++) {
      x[dof[first + i]] = solved.x[i];
      push[dof[first + i]] = own[i];
    }
    const { gradient } = this.#solver;
    if (gradient) for (let i = 0; i < size; i++) this.step.gradient[dof[first + i]] = gradient[i];
  }
}

/** A solver of another thread. */
export function createMujocoIslands(setup: MujocoSetup, problem: ConvexProblem, memory: Memory): MujocoIslands {
  const { forest, pattern, options, keepsTrajectories } = setup;
  const objective = new ConvexObjective(problem, new Islands(forest, memory), pattern, memory);
  const metric = new MetricFactor(objective);
  // islands with soft bodies are not shared
  const soft = { usesFactor: () => true };
  const solver = createPrimalSolve(options, objective, metric, memory, soft, keepsTrajectories);
  return new MujocoIslands(objective, metric, solver, options.iterations, memory);
}
