/**
 * From the cone program to Coulomb's and Signorini's problem (coulomb-shift.ts) by a fixed point: the program is solved with
 * p + s, s taken from the velocities of the last solution, until nothing changes.
 *
 *   s⁺ = s + ω (s(u) − s),    u = N γ + p,     ω = 1, smaller while the residual does not fall
 *
 * The residual is that of natural-map.ts with u + s(u) in place of u. Solutions need not be unique, nor exist for every N; the
 * best point found is the result.
 */
import type { Memory } from '../../linear-algebra/memory.ts';
import { OUTCOME, type SolveTrace } from '../solve-trace.ts';
import type { ConeProgram } from './cone-program.ts';
import type { ConeOptions } from './cone-run.ts';
import type { ConeReport, ConeSolver } from './cone-solver.ts';
import { findCoulombShift } from './coulomb-shift.ts';
import { NaturalMap } from './natural-map.ts';

/** When the loop over cone programs ends. */
export interface CoulombOptions {
  /** Largest number of cone programs. */
  readonly loops: number;
  /** Residual that ends the loop. */
  readonly tolerance: number;
  /** Asked after a cone program that ended at its limit of iterations: whether it has no solution, so that the loop ends there. Default: never. */
  readonly isHopeless?: () => boolean;
}

/** Options that `CoulombLoop` is used with where nothing else is said. */
export const COULOMB_DEFAULTS: CoulombOptions = { loops: 50, tolerance: 1e-6 };

/** Share of the residual of the loop to which the next cone program is solved. */
const INNER_SHARE = 0.1;
/** Residual of the first cone program. */
const FIRST_TOLERANCE = 1e-4;
/** ω is multiplied by these where the residual falls or does not, and is at least the third. */
const RELAX = 1.3;
const DAMP = 0.6;
const LEAST_DAMPING = 0.1;

/** How the loop went; one object per loop, overwritten by the next solve. */
export interface CoulombReport {
  /** See OUTCOME. */
  outcome: number;
  /** Cone programs solved, and iterations and products of all of them. */
  loops: number;
  /** Iterations of all cone programs. */
  iterations: number;
  /** Products with N of all cone programs. */
  products: number;
  /** ½ γᵀ N γ + pᵀ γ; no minimum is meant. */
  objective: number;
  /** Of Coulomb's and Signorini's problem; see natural-map.ts. */
  residual: number;
  /** The same measure in velocities. */
  velocityResidual: number;
  /** λmax(N). */
  curvature: number;
}

/** Solves Coulomb's and Signorini's problem by cone programs with a shift that is taken from their own solutions. */
export class CoulombLoop {
  /** Of the last solve. */
  readonly report: CoulombReport;
  readonly #solver: ConeSolver;
  readonly #memory: Memory;
  readonly #map: NaturalMap;
  readonly #options: { -readonly [K in keyof ConeOptions]: ConeOptions[K] };
  #objective = 0;
  #linear: Float64Array;
  #shift: Float64Array;
  #found: Float64Array;
  #shifted: Float64Array;
  #best: Float64Array;
  #bestVelocity: Float64Array;

  constructor(solver: ConeSolver, memory: Memory) {
    this.#solver = solver;
    this.#memory = memory;
    this.#map = new NaturalMap(memory);
    this.#options = {
      iterations: 0,
      tolerance: 0,
      velocityTolerance: 0,
      scaling: false,
      curvature: 0,
      reference: 'all',
    };
    this.#linear = memory.f64(0);
    this.#shift = memory.f64(0);
    this.#found = memory.f64(0);
    this.#shifted = memory.f64(0);
    this.#best = memory.f64(0);
    this.#bestVelocity = memory.f64(0);
    this.report = {
      outcome: OUTCOME.converged,
      loops: 0,
      iterations: 0,
      products: 0,
      objective: 0,
      residual: 0,
      velocityResidual: 0,
      curvature: 0,
    };
  }

  /**
   * Starts at the impulse given and leaves γ there and u = N γ + p in `velocity`. `inner` holds for each cone program; its
   * tolerances are the tightest that are used. `trace` gets a solve per cone program, `loopTrace` an entry (value, residual, ω).
   */
  solve(
    program: ConeProgram,
    impulse: Float64Array,
    velocity: Float64Array,
    options: CoulombOptions,
    inner: ConeOptions,
    trace: SolveTrace,
    loopTrace: SolveTrace,
  ): CoulombReport {
    const { size: n, linear, cones } = program;
    if (this.#linear.length < n) this.#grow(n);
    const report = this.report;
    report.iterations = 0;
    report.products = 0;
    report.loops = 0;
    report.residual = Number.POSITIVE_INFINITY;
    report.velocityResidual = Number.POSITIVE_INFINITY;
    report.objective = 0;
    const own = this.#options;
    Object.assign(own, inner);
    own.tolerance = Math.max(inner.tolerance, FIRST_TOLERANCE);
    own.velocityTolerance = Number.POSITIVE_INFINITY;
    const base = this.#linear;
    const shift = this.#shift;
    let isZero = true;
    for (let i = 0; i < n; i++) {
      base[i] = linear[i];
      if (impulse[i] !== 0) isZero = false;
    }
    // a start that is known brings its velocities, and s with them; without one the cone program comes first
    shift.fill(0, 0, cones.count);
    if (!isZero) {
      program.multiply(velocity, impulse);
      report.products++;
      for (let i = 0; i < n; i++) velocity[i] += base[i];
      findCoulombShift(shift, velocity, cones);
    }

    let damping = 1;
    let last = Number.POSITIVE_INFINITY;
    let isDone = false;
    while (!isDone && report.loops < options.loops) {
      this.#addShift(linear, base, program);
      const solved = this.#solver.solve(program, impulse, velocity, own, trace);
      this.#count(solved);
      own.curvature = solved.curvature;
      for (let b = 0; b < cones.count; b++) velocity[cones.rowStart[b]] -= shift[b];

      const residual = this.#measure(program, impulse, velocity, base);
      loopTrace.add(this.#objective, residual, damping);
      isDone = report.residual <= options.tolerance && report.velocityResidual <= inner.velocityTolerance;
      if (solved.outcome === OUTCOME.stalled || !Number.isFinite(residual)) break;
      if (solved.outcome === OUTCOME.iterationLimit && options.isHopeless) {
        for (let i = 0; i < n; i++) linear[i] = base[i];
        if (options.isHopeless()) {
          this.#keep(impulse, velocity, n);
          break;
        }
      }
      damping = residual < last ? Math.min(1, RELAX * damping) : Math.max(LEAST_DAMPING, DAMP * damping);
      last = residual;
      own.tolerance = Math.max(inner.tolerance, INNER_SHARE * residual);
      own.velocityTolerance = Math.max(inner.velocityTolerance, this.#map.velocityResidual) * INNER_SHARE;
      for (let b = 0; b < cones.count; b++) shift[b] += damping * (this.#found[b] - shift[b]);
    }

    for (let i = 0; i < n; i++) {
      linear[i] = base[i];
      impulse[i] = this.#best[i];
      velocity[i] = this.#bestVelocity[i];
    }
    report.outcome = isDone ? OUTCOME.converged : OUTCOME.iterationLimit;
    loopTrace.close(report.outcome, n, report.objective, report.residual);
    return report;
  }

  /** Residual with u + s(u), s(u) into `found`; keeps the best point. */
  #measure(program: ConeProgram, impulse: Float64Array, velocity: Float64Array, base: Float64Array): number {
    const { size: n, cones } = program;
    const { report } = this;
    const map = this.#map;
    const shifted = this.#shifted;
    findCoulombShift(this.#found, velocity, cones);
    let objective = 0;
    for (let i = 0; i < n; i++) {
      shifted[i] = velocity[i];
      objective += 0.5 * impulse[i] * (velocity[i] + base[i]);
    }
    for (let b = 0; b < cones.count; b++) shifted[cones.rowStart[b]] += this.#found[b];
    this.#objective = objective;
    map.curvature = report.curvature > 0 ? report.curvature : 1;
    if (report.loops === 1) map.begin(base, cones, n, this.#options.reference);
    map.measure(impulse, shifted, cones, n);
    if (map.residual < report.residual || report.loops === 1) {
      report.residual = map.residual;
      report.velocityResidual = map.velocityResidual;
      report.objective = objective;
      this.#keep(impulse, velocity, n);
    }
    return map.residual;
  }

  #keep(impulse: Float64Array, velocity: Float64Array, n: number): void {
    for (let i = 0; i < n; i++) {
      this.#best[i] = impulse[i];
      this.#bestVelocity[i] = velocity[i];
    }
  }

  #addShift(linear: Float64Array, base: Float64Array, { cones, size }: ConeProgram): void {
    for (let i = 0; i < size; i++) linear[i] = base[i];
    for (let b = 0; b < cones.count; b++) linear[cones.rowStart[b]] += this.#shift[b];
  }

  #count(solved: ConeReport): void {
    this.report.loops++;
    this.report.iterations += solved.iterations;
    this.report.products += solved.products;
    this.report.curvature = solved.curvature;
  }

  #grow(n: number): void {
    const length = 2 * n;
    this.#linear = this.#memory.f64(length);
    this.#shift = this.#memory.f64(length);
    this.#found = this.#memory.f64(length);
    this.#shifted = this.#memory.f64(length);
    this.#best = this.#memory.f64(length);
    this.#bestVelocity = this.#memory.f64(length);
  }
}
