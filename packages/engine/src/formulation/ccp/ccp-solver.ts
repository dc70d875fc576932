/**
 * The solve of `ccp`, island by island: the cone program by the chosen method, or Coulomb's law by its outer loop. λmax is known
 * to a few percent: it scales the residual and bounds steps, which are searched for anyway. Under `auto` islands of contacts that the start and a
 * few gradients do not solve go through the interior point first; what comes out is measured and finished by gradients. Where accelerated
 * gradients have run for long, as where joints and contacts share a load in many ways, spectral ones go on. Coulomb's law is solved by sweeps over the
 * contacts under `auto`, after the interior point where there are many, and by its outer loop where these do not get there.
 */
import type { Memory } from '../../linear-algebra/memory.ts';
import { type ConeProgram, hasBlocks } from '../../minimize/cone/cone-program.ts';
import type { ConeOptions } from '../../minimize/cone/cone-run.ts';
import { ConeSolver } from '../../minimize/cone/cone-solver.ts';
import { ContactSweeps } from '../../minimize/cone/contact-sweeps.ts';
import { CoulombLoop, type CoulombOptions } from '../../minimize/cone/coulomb-loop.ts';
import { LargestEigenvalue } from '../../minimize/cone/largest-eigenvalue.ts';
import { projectCones } from '../../minimize/cone/projection.ts';
import { OUTCOME, SolveTrace } from '../../minimize/solve-trace.ts';
import type { TreeSparsity } from '../../model/model.ts';
import type { ConvexProblem } from '../../objective/convex-problem.ts';
import type { Islands } from '../../objective/islands.ts';
import type { CcpOptions } from '../../scene/options.ts';
import { dropCorrections, LEAST_CORRECTION, measureCorrections } from './corrections.ts';
import type { DrivenContacts } from './driven-contacts.ts';
import { InteriorSolve } from './interior-solve.ts';
import type { IslandProgram, ProgramOptions } from './island-program.ts';
import { ReducedProgram } from './reduced-program.ts';

/** Relative accuracy of λmax. */
const CURVATURE_TOLERANCE = 0.05;
/** Velocities are accurate to this many tolerances of |p|, even where impulses are large and nearly cancel. */
const VELOCITY_SHARE = 100;
/** Most rows of an island with joints whose matrix is written out for Gauss-Seidel and the method of multipliers. */
const LARGEST_MATRIX = 1000;
/** Iterations after which a solve looks whether there is a solution at all. */
const LONGEST_RUN = 1000;
/** Solves of an island until all bounded rows are in their places; and of one with contacts, whose solves are dearer. */
const MOST_ROUNDS = 30;
const MOST_CONE_ROUNDS = 8;
/** Iterations of gradients before the interior point, and number of cones from which on it is tried at once. */
const FIRST_ITERATIONS = 20;
const MANY_CONES = 8;
/** The same with soft bodies, whose factors are dear. */
const FIRST_SOFT_ITERATIONS = 100;
const MANY_SOFT_CONES = 50;
/** Most contacts of an island that driven surfaces move for whose Coulomb's law the outer loop is tried where sweeps fail: it takes as many cone programs. */
const MOST_LOOPED = 100;
/** Share of the tolerance to which the cone programs of Coulomb's law are solved. */
const INNER_SHARE = 0.1;

export class CcpSolver {
  readonly #problem: ConvexProblem;
  readonly #program: IslandProgram;
  readonly #islands: Islands;
  readonly #options: Readonly<Required<CcpOptions>>;
  /** Rows of joints solved for, or as free cones among the others. */
  readonly #held: ProgramOptions;
  readonly #free: ProgramOptions;
  readonly #needsMatrix: boolean;
  readonly #reduced: ReducedProgram;
  readonly #coulombOptions: CoulombOptions;
  readonly #coneOptions: { -readonly [K in keyof ConeOptions]: ConeOptions[K] };
  readonly #solver: ConeSolver;
  /** What goes on after a long run. */
  #later: ConeSolver | undefined;
  readonly #loop: CoulombLoop;
  readonly #eigenvalue: LargestEigenvalue;
  readonly #innerTrace: SolveTrace = new SolveTrace();
  readonly #againTrace: SolveTrace = new SolveTrace();
  readonly #memory: Memory;
  readonly #pattern: TreeSparsity;
  /** Whether islands may go through the interior point, and that, made when first needed. */
  #goesInside: boolean;
  #interior: InteriorSolve | undefined;
  /** Whether λmax of the program at hand is known. */
  #hasCurvature = false;
  readonly #driven: DrivenContacts;
  /** The one that is solved, and whether by Coulomb's law. */
  #island = 0;
  #isCoulomb = false;
  /** Whether by sweeps over its contacts. */
  #sweeps = false;
  #contactSweeps: ContactSweeps | undefined;
  #start: Float64Array;
  #impulse: Float64Array;
  #velocity: Float64Array;

  constructor(
    problem: ConvexProblem,
    program: IslandProgram,
    islands: Islands,
    options: Readonly<Required<CcpOptions>>,
    driven: DrivenContacts,
    pattern: TreeSparsity,
    memory: Memory,
  ) {
    this.#pattern = pattern;
    this.#driven = driven;
    this.#goesInside = options.solver === 'auto';
    this.#problem = problem;
    this.#program = program;
    this.#islands = islands;
    this.#options = options;
    this.#memory = memory;
    this.#needsMatrix = options.solver === 'pgs' || options.solver === 'admm';
    this.#coulombOptions = {
      loops: options.coulombIterations,
      tolerance: options.tolerance,
      isHopeless: () => this.#isContradiction(this.#island),
    };
    this.#reduced = new ReducedProgram(memory);
    this.#held = { eliminates: true, scaling: options.scaling };
    this.#free = { eliminates: false, scaling: options.scaling };
    this.#coneOptions = {
      iterations: options.iterations,
      tolerance: 0,
      velocityTolerance: 0,
      scaling: false,
      curvature: 0,
      reference: 'drive',
    };
    this.#solver = new ConeSolver(options.solver === 'auto' ? 'apgd' : options.solver, memory);
    this.#loop = new CoulombLoop(this.#solver, memory);
    this.#eigenvalue = new LargestEigenvalue(memory);
    this.#start = memory.f64(0);
    this.#impulse = memory.f64(0);
    this.#velocity = memory.f64(0);
  }

  /** Starts at the impulses in the problem and the velocity before the step; leaves the solution in the problem and adds the motion of the constraints to v. */
  solve(start: Float64Array, v: Float64Array, trace: SolveTrace): void {
    this.#start = start;
    for (let island = 0; island < this.#islands.count; island++) this.#solveIsland(island, v, trace);
  }

  #solveIsland(island: number, v: Float64Array, trace: SolveTrace): void {
    const whole = this.#program;
    this.#chooseLaw(island);
    if (!this.#solveProgram(island, trace, true)) {
      // numbers that are not finite have no factor: the step is not taken, and says so
      trace.close(OUTCOME.stalled, whole.size, Number.NaN, Number.NaN);
      const { dof, dofStart } = this.#islands;
      for (let i = dofStart[island]; i < dofStart[island + 1]; i++) v[dof[i]] = Number.NaN;
      return;
    }
    if (this.#isContradiction(island)) this.#solveWithoutCorrections(island, trace);
    whole.writeSolution(this.#impulse, this.#velocity, v);
  }

  /** Whether an island obeys Coulomb's law: as the options say, or since something given moves it. */
  isCoulomb(island: number): boolean {
    return this.#options.coulomb || this.#driven.moves(this.#islands, island);
  }

  #chooseLaw(island: number): void {
    const { solver, tolerance } = this.#options;
    this.#isCoulomb = this.isCoulomb(island);
    this.#sweeps = this.#isCoulomb && solver === 'auto';
    const cone = this.#coneOptions;
    cone.tolerance = (this.#isCoulomb && !this.#sweeps ? INNER_SHARE : 1) * tolerance;
    cone.velocityTolerance = VELOCITY_SHARE * cone.tolerance;
  }

  /** Solves the program of an island, from the impulses of before or from none, until all bounded rows are in their places; false where it has no factor. */
  #solveProgram(island: number, trace: SolveTrace, isWarm: boolean): boolean {
    const whole = this.#program;
    const solves = trace.solveCount;
    whole.beginModes(island, isWarm);
    for (let round = 1; this.#solveOnce(island, trace, isWarm || round > 1); round++) {
      if (round > MOST_ROUNDS || !whole.reviseModes(this.#impulse)) return true;
      // the solve goes on; where the active set does not settle, bounded rows are cones among the others
      trace.solveCount = solves;
      if (round === MOST_ROUNDS || (whole.size > 0 && round === MOST_CONE_ROUNDS)) {
        whole.dropModes(island);
        round = MOST_ROUNDS;
      }
    }
    return false;
  }

  // with bounded rows as their modes say
  #solveOnce(island: number, trace: SolveTrace, isWarm: boolean): boolean {
    const whole = this.#program;
    this.#island = island;
    let canSolve = whole.fill(island, island + 1, this.#held);
    const needsMatrix = this.#needsMatrix || this.#sweeps;
    const isReduced = needsMatrix && whole.held.count > 0 && whole.size <= LARGEST_MATRIX;
    if (needsMatrix && whole.held.count > 0 && !isReduced) {
      canSolve = whole.fill(island, island + 1, this.#free);
    }
    const n = whole.size;
    if (this.#impulse.length < n) {
      this.#impulse = this.#memory.f64(2 * n);
      this.#velocity = this.#memory.f64(2 * n);
    }
    if (!canSolve) return false;
    if (n === 0) {
      trace.close(OUTCOME.converged, whole.held.count, 0, 0);
      return true;
    }
    this.#hasCurvature = false;
    if (isReduced) this.#reduced.take(whole);
    if (isWarm) whole.readStart(this.#impulse);
    else this.#impulse.fill(0, 0, n);
    const solves = trace.solveCount;
    const program = isReduced ? this.#reduced : whole;
    const { iterations } = this.#options;
    const run = this.#isCoulomb ? iterations : LONGEST_RUN;
    let left = iterations;
    if (this.#goesInside && !this.#isCoulomb && this.#startInside(island, trace)) return true;
    if (this.#goesInside && this.#sweeps) this.#startCoulombInside(island, trace);
    do {
      this.#coneOptions.iterations = Math.min(left, run);
      trace.solveCount = solves;
      this.#solveCones(program, this.#impulse, this.#velocity, trace, left < iterations);
      left -= run;
    } while (left > 0 && trace.outcome[solves] === OUTCOME.iterationLimit && !this.#isContradiction(island));
    return true;
  }

  /** Whether the start, and a few gradients where there are few cones, solve an island; if not, leaves a better start. */
  #startInside(island: number, trace: SolveTrace): boolean {
    const whole = this.#program;
    if (whole.held.count > 0) return false;
    const solves = trace.solveCount;
    const { tree, treeStart, forest } = this.#islands;
    const hasSoft = tree[treeStart[island + 1] - 1] >= forest.rigidCount;
    const isSmall = whole.cones.count < (hasSoft ? MANY_SOFT_CONES : MANY_CONES);
    const first = !isSmall ? 0 : hasSoft ? FIRST_SOFT_ITERATIONS : FIRST_ITERATIONS;
    this.#coneOptions.iterations = Math.min(first, this.#options.iterations);
    this.#solveCones(whole, this.#impulse, this.#velocity, trace);
    if (trace.outcome[solves] === OUTCOME.converged) return true;
    trace.solveCount = solves;
    whole.writeImpulses(this.#impulse);
    if (this.#getInterior().solve(island, this.#start, this.#options.tolerance, trace, this.#isEnough)) {
      if (trace.solveCount > solves) return true;
      whole.readStart(this.#impulse);
      this.#takeGradientStep();
    }
    return false;
  }

  /** Whether the impulses that the interior point has written solve the program; if so, the solve is closed. */
  readonly #isEnough = (trace: SolveTrace): boolean => {
    const whole = this.#program;
    const solves = trace.solveCount;
    whole.readStart(this.#impulse);
    this.#takeGradientStep();
    this.#coneOptions.iterations = 0;
    this.#solveCones(whole, this.#impulse, this.#velocity, trace);
    if (trace.outcome[solves] === OUTCOME.converged) return true;
    trace.solveCount = solves;
    return false;
  };

  /** Leaves a better start of Coulomb's law for islands of many contacts, where sweeps alone would take hundreds. */
  #startCoulombInside(island: number, trace: SolveTrace): void {
    const whole = this.#program;
    if (whole.held.count > 0 || whole.cones.count < MANY_CONES) return;
    whole.writeImpulses(this.#impulse);
    if (this.#getInterior().solveCoulomb(island, this.#start, this.#options.tolerance, trace))
      whole.readStart(this.#impulse);
  }

  #getInterior(): InteriorSolve {
    this.#interior ??= new InteriorSolve(this.#problem, this.#islands, this.#pattern, this.#memory);
    return this.#interior;
  }

  /** γ ← P(γ − u/λ): from inside the cones to where open contacts have no impulse and sliding ones are on the boundary. */
  #takeGradientStep(): void {
    const { linear, cones, size } = this.#program;
    const impulse = this.#impulse;
    const velocity = this.#velocity;
    this.#program.multiply(velocity, impulse);
    for (let r = 0; r < size; r++) impulse[r] -= (velocity[r] + linear[r]) / this.#coneOptions.curvature;
    projectCones(impulse, impulse, cones);
  }

  /** Whether what corrections ask for cannot be had. */
  #isContradiction(island: number): boolean {
    const speed = measureCorrections(this.#problem, this.#islands, island);
    return speed > LEAST_CORRECTION && this.#program.contradicts(this.#impulse, speed);
  }

  /** Solves an island again with fewer corrections, from no impulses: those of before may be without bound. */
  #solveWithoutCorrections(island: number, trace: SolveTrace): void {
    const again = this.#againTrace;
    // what is left is held by more than it takes: gradients from no impulses find the small ones
    this.#goesInside = false;
    for (const which of ['contacts', 'all'] as const) {
      dropCorrections(this.#problem, this.#islands, island, which);
      again.clear();
      this.#solveProgram(island, again, false);
      if (!this.#isContradiction(island)) break;
    }
    this.#goesInside = this.#options.solver === 'auto';
    const last = trace.solveCount - 1;
    trace.outcome[last] = OUTCOME.infeasible;
    trace.finalResidual[last] = again.finalResidual[0];
    trace.finalCost[last] = again.finalCost[0];
  }

  #solveCones(
    program: ConeProgram,
    impulse: Float64Array,
    velocity: Float64Array,
    trace: SolveTrace,
    isLater = false,
  ): void {
    const options = this.#coneOptions;
    if (!this.#hasCurvature) options.curvature = this.#eigenvalue.estimate(program, CURVATURE_TOLERANCE);
    this.#hasCurvature = true;
    if (!this.#isCoulomb) {
      const isSpectral = isLater && this.#options.solver === 'auto';
      if (isSpectral) this.#later ??= new ConeSolver('spg', this.#memory);
      const solver = isSpectral ? this.#later! : this.#solver;
      solver.solve(program, impulse, velocity, options, trace);
      return;
    }
    if (this.#sweeps && hasBlocks(program)) {
      this.#contactSweeps ??= new ContactSweeps(this.#memory);
      projectCones(impulse, impulse, program.cones);
      const solves = trace.solveCount;
      if (this.#contactSweeps.solve(program, impulse, velocity, options, trace)) return;
      if (!this.#options.coulomb && program.cones.count > MOST_LOOPED) return;
      trace.solveCount = solves;
    }
    const inner = this.#innerTrace;
    inner.clear();
    this.#loop.solve(program, impulse, velocity, this.#coulombOptions, options, inner, trace);
  }
}
