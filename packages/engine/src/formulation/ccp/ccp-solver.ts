/**
 * The solve of `ccp`, island by island: the cone program by the chosen method, or Coulomb's law by its outer loop. λmax is known
 * to a few percent: it scales the residual and bounds steps, which are searched for anyway.
 */
import type { Memory } from '../../linear-algebra/memory.ts';
import type { ConeOptions } from '../../minimize/cone/cone-run.ts';
import { ConeSolver } from '../../minimize/cone/cone-solver.ts';
import { CoulombLoop } from '../../minimize/cone/coulomb-loop.ts';
import { LargestEigenvalue } from '../../minimize/cone/largest-eigenvalue.ts';
import { OUTCOME, SolveTrace } from '../../minimize/solve-trace.ts';
import type { Islands } from '../../objective/islands.ts';
import type { CcpOptions } from '../../scene/options.ts';
import type { IslandProgram, ProgramOptions } from './island-program.ts';

/** Relative accuracy of λmax. */
const CURVATURE_TOLERANCE = 0.05;
/** Share of the tolerance to which the cone programs of Coulomb's law are solved. */
const INNER_SHARE = 0.1;

export class CcpSolver {
  readonly #program: IslandProgram;
  readonly #islands: Islands;
  readonly #options: Readonly<Required<CcpOptions>>;
  readonly #programOptions: ProgramOptions;
  readonly #coneOptions: { -readonly [K in keyof ConeOptions]: ConeOptions[K] };
  readonly #solver: ConeSolver;
  readonly #loop: CoulombLoop;
  readonly #eigenvalue: LargestEigenvalue;
  readonly #innerTrace: SolveTrace = new SolveTrace();
  readonly #memory: Memory;
  #impulse: Float64Array;
  #velocity: Float64Array;

  constructor(program: IslandProgram, islands: Islands, options: Readonly<Required<CcpOptions>>, memory: Memory) {
    this.#program = program;
    this.#islands = islands;
    this.#options = options;
    this.#memory = memory;
    // Gauss-Seidel and the method of multipliers work on all rows alike
    const holds = options.solver === 'apgd' || options.solver === 'spg';
    this.#programOptions = { holds, scaling: options.scaling };
    const tolerance = (options.coulomb ? INNER_SHARE : 1) * options.tolerance;
    this.#coneOptions = {
      iterations: options.iterations,
      tolerance,
      velocityTolerance: Number.POSITIVE_INFINITY,
      scaling: false,
      curvature: 0,
    };
    this.#solver = new ConeSolver(options.solver, memory);
    this.#loop = new CoulombLoop(this.#solver, memory);
    this.#eigenvalue = new LargestEigenvalue(memory);
    this.#impulse = memory.f64(0);
    this.#velocity = memory.f64(0);
  }

  /** Starts at the impulses in the problem and leaves the solution there; adds the motion of the constraints to v. */
  solve(v: Float64Array, trace: SolveTrace): void {
    for (let island = 0; island < this.#islands.count; island++) this.#solveIsland(island, v, trace);
  }

  #solveIsland(island: number, v: Float64Array, trace: SolveTrace): void {
    const program = this.#program;
    if (!program.fill(island, island + 1, this.#programOptions)) {
      // numbers that are not finite: left for the step to report
      trace.close(OUTCOME.stalled, program.size, Number.NaN, Number.NaN);
    }
    const n = program.size;
    if (this.#impulse.length < n) {
      this.#impulse = this.#memory.f64(2 * n);
      this.#velocity = this.#memory.f64(2 * n);
    }
    const impulse = this.#impulse;
    const velocity = this.#velocity;
    if (n === 0) trace.close(OUTCOME.converged, program.held.count, 0, 0);
    else {
      program.readStart(impulse);
      this.#solveCones(impulse, velocity, trace);
    }
    program.writeSolution(impulse, velocity, v);
  }

  #solveCones(impulse: Float64Array, velocity: Float64Array, trace: SolveTrace): void {
    const program = this.#program;
    const { coulomb, coulombIterations, tolerance } = this.#options;
    const options = this.#coneOptions;
    options.curvature = this.#eigenvalue.estimate(program, CURVATURE_TOLERANCE);
    if (!coulomb) {
      this.#solver.solve(program, impulse, velocity, options, trace);
      return;
    }
    const inner = this.#innerTrace;
    inner.clear();
    this.#loop.solve(program, impulse, velocity, { loops: coulombIterations, tolerance }, options, inner, trace);
  }
}
