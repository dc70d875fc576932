/**
 * The solve of `sap` and `penalty`: Newton with exact line search on every island, from a factor of the Hessian (`newton`) or by conjugate
 * gradients without it (`pcg`). Steps are at most 1.5. Under `auto` the smoothing Newton method goes first where the start is far.
 */
import type { Memory } from '../../linear-algebra/memory.ts';
import { ExactLineSearch } from '../../minimize/exact-line-search.ts';
import { minimizeByNewton, type NewtonParts } from '../../minimize/newton.ts';
import { HessianDirection, takeNewtonSteps } from '../../minimize/newton-direction.ts';
import type { LinearSolver } from '../../minimize/objective.ts';
import type { SolveTrace } from '../../minimize/solve-trace.ts';
import type { TreeSparsity } from '../../model/model.ts';
import { ConvexObjective } from '../../objective/convex-objective.ts';
import type { ConvexProblem } from '../../objective/convex-problem.ts';
import type { Forest } from '../../objective/forest.ts';
import { IslandHessian } from '../../objective/island-hessian.ts';
import { type IslandSolver, shareIslands } from '../../objective/island-solver.ts';
import { Islands } from '../../objective/islands.ts';
import { MatrixFreeHessian } from '../../objective/matrix-free-hessian.ts';
import type { SharedIslands } from '../../objective/shared-islands.ts';
import { SmoothingNewton } from '../../objective/smoothing-newton.ts';
import type { SapOptions } from '../../scene/options.ts';
import { checkDeadline } from '../../step-deadline.ts';
import { areFactored, type FactorChoice } from '../soft-rows/soft-islands.ts';
import { VelocityStopping } from './velocity-stopping.ts';

/** Options of the solver, as those of `sap` with the same names. */
export type VelocitySolverOptions = Readonly<
  Required<
    Pick<
      SapOptions,
      | 'solver'
      | 'iterations'
      | 'absoluteTolerance'
      | 'relativeTolerance'
      | 'matrix'
      | 'lineSearchIterations'
      | 'lineSearchTolerance'
      | 'pcgIterations'
      | 'pcgTolerance'
    >
  >
>;

/** What a solver works on. */
export interface VelocitySolverParts {
  readonly problem: ConvexProblem;
  readonly forest: Forest;
  readonly pattern: TreeSparsity;
  readonly options: VelocitySolverOptions;
  /** Whether every island is its own solve; else all of them are one. */
  readonly isSeparate: boolean;
  readonly memory: Memory;
  readonly soft?: FactorChoice;
}

/** What another thread makes a solver of islands from. */
export interface VelocitySetup extends Pick<VelocitySolverParts, 'forest' | 'pattern' | 'options'> {
  readonly solver: 'velocity';
}

/** Residual from which on a start is far. */
const NEAR = 0.5;
/** Most iterations of the smoothing Newton method, and the least residual it is asked for. */
const MOST_SMOOTHED = 25;
/** Error of its conditions from which on the residual is measured. */
const NEARLY = 1e-2;
const LEAST_RESIDUAL = 1e-8;
/** Residual that Newton steps of derivatives may leave. */
const HELD_RESIDUAL = 3e-14;

export class VelocitySolver implements IslandSolver {
  readonly islands: Islands;
  readonly limit: number;
  readonly places: readonly never[] = [];
  readonly #problem: ConvexProblem;
  readonly objective: ConvexObjective;
  readonly #hessian: IslandHessian | MatrixFreeHessian;
  readonly #rule: VelocityStopping;
  readonly #direction: HessianDirection;
  readonly #newton: NewtonParts;
  readonly #options: VelocitySolverOptions;
  readonly #isSeparate: boolean;
  /** Made when first needed, with room for the iterate of least cost. */
  #smoothing: SmoothingNewton | undefined;
  #lowest: Float64Array | undefined;
  /** For islands with a soft body too large for a factor, made when first needed. */
  #large: MatrixFreeHessian | undefined;
  readonly #soft: FactorChoice | undefined;
  readonly #memory: Memory;
  /** Where threads share the islands. */
  readonly #shared: SharedIslands | undefined;
  /** For derivatives: unknowns from which every solve is one Newton step. */
  held: Float64Array | undefined;

  constructor({ problem, forest, pattern, options, isSeparate, memory, soft }: VelocitySolverParts) {
    this.#problem = problem;
    this.#soft = soft;
    this.#memory = memory;
    this.#isSeparate = isSeparate;
    this.islands = new Islands(forest, memory);
    this.objective = new ConvexObjective(problem, this.islands, pattern, memory);
    this.#hessian =
      options.solver === 'pcg'
        ? new MatrixFreeHessian(this.objective, options, memory)
        : new IslandHessian(this.objective, options.matrix, memory);
    this.#rule = new VelocityStopping(this.objective, options.relativeTolerance, options.absoluteTolerance, memory);
    this.#direction = new HessianDirection(this.objective, this.#hessian, memory.f64(this.objective.x.length));
    this.#newton = {
      objective: this.objective,
      direction: this.#direction,
      lineSearch: new ExactLineSearch(this.objective, this.#direction.vector, {
        maximum: 1.5,
        iterations: options.lineSearchIterations,
        slopeTolerance: 0,
        relativeSlopeTolerance: options.lineSearchTolerance,
      }),
      stopping: this.#rule,
    };
    this.#options = options;
    this.limit = options.iterations + 1;
    const setup: VelocitySetup = { solver: 'velocity', forest, pattern, options };
    this.#shared = shareIslands(this, problem, setup, memory);
  }

  /** Minimises from `start`; writes v and Jᵀ γ of the dofs that constraints touch, the others are left as they are. */
  solve(start: Float64Array, velocity: Float64Array, impulse: Float64Array, trace: SolveTrace): void {
    this.islands.split(this.#problem, this.#isSeparate);
    this.repeat(start, velocity, impulse, trace);
  }

  /** The same once more, of a problem whose laws alone have changed. */
  repeat(start: Float64Array, velocity: Float64Array, impulse: Float64Array, trace: SolveTrace): void {
    if (!this.held && this.#shared?.solve(start, velocity, impulse, trace)) return;
    for (let island = 0; island < this.islands.count; island++) {
      this.solveIsland(island, start, velocity, impulse, trace);
    }
  }

  solveIsland(
    island: number,
    start: Float64Array,
    velocity: Float64Array,
    impulse: Float64Array,
    trace: SolveTrace,
  ): void {
    const { islands, objective } = this;
    objective.enter(island, this.held ?? start);
    objective.begin();
    if (objective.hasSoft && !this.held) this.#chooseStart(island, start);
    const hessian = this.#chooseHessian(island);
    hessian.enter();
    this.#rule.enter();
    this.#direction.hessian = hessian;
    if (this.held) takeNewtonSteps(objective, this.#direction, () => !(this.#rule.measure() > HELD_RESIDUAL));
    else {
      const { solver, iterations } = this.#options;
      const used = solver === 'auto' ? this.#comeNear(hessian, trace) : 0;
      minimizeByNewton(this.#newton, iterations - used, trace);
    }
    objective.leave(velocity);
    // Jᵀ γ = p − g
    const first = islands.dofStart[island];
    for (let i = 0; i < objective.size; i++) {
      impulse[islands.dof[first + i]] = objective.momentum[i] - objective.gradient[i];
    }
  }

  // a soft body that springs back leaves the velocity before far behind: v* is then the better start
  #chooseStart(island: number, start: Float64Array): void {
    const objective = this.objective;
    const { target } = this.#problem;
    const { value } = objective;
    objective.enter(island, target);
    objective.begin();
    if (objective.value <= value) return;
    objective.enter(island, start);
    objective.begin();
  }

  /** Goes to the minimum by the smoothing Newton method, unless the start is near. Where that does not get there, leaves the iterate of least cost. Returns the iterations. */
  #comeNear(hessian: LinearSolver, trace: SolveTrace): number {
    const objective = this.objective;
    const { x, size } = objective;
    let residual = this.#rule.measure();
    if (!(residual > NEAR)) return 0;
    this.#smoothing ??= new SmoothingNewton(objective, this.#memory);
    this.#lowest ??= this.#memory.f64(x.length);
    const smoothing = this.#smoothing;
    const lowest = this.#lowest;
    if (!smoothing.fits()) return 0;
    const enough = Math.max(this.#options.relativeTolerance, LEAST_RESIDUAL);
    let { value } = objective;
    for (let i = 0; i < size; i++) lowest[i] = x[i];
    smoothing.begin();
    let k = 0;
    while (k < Math.min(MOST_SMOOTHED, this.#options.iterations)) {
      checkDeadline('smoothing Newton iteration');
      const alpha = smoothing.iterate(hessian);
      if (alpha === 0) break;
      k++;
      // the residual at the velocities says nothing before impulses are nearly those of the law there
      if (smoothing.error > NEARLY) {
        trace.add(value, smoothing.error, alpha);
        continue;
      }
      for (let i = 0; i < size; i++) x[i] = smoothing.velocity[i];
      objective.begin();
      residual = this.#rule.measure();
      trace.add(objective.value, residual, alpha);
      if (residual <= enough) return k;
      if (!(residual < Infinity)) break;
      if (!(objective.value < value)) continue;
      value = objective.value;
      for (let i = 0; i < size; i++) lowest[i] = x[i];
    }
    for (let i = 0; i < size; i++) x[i] = lowest[i];
    objective.begin();
    return k;
  }

  #chooseHessian(island: number): IslandHessian | MatrixFreeHessian {
    if (!this.#soft || areFactored(this.islands, island, this.#soft)) return this.#hessian;
    this.#large ??= new MatrixFreeHessian(this.objective, this.#options, this.#memory);
    return this.#large;
  }
}
