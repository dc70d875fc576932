/**
 * Solves cone programs by any of the methods, all with the same stopping criterion (natural-map.ts), and reports the result. Storage grows
 * with the largest program and is kept.
 */
import { NexdynError } from '../../error.ts';
import type { Memory } from '../../linear-algebra/memory.ts';
import { OUTCOME, type SolveTrace } from '../solve-trace.ts';
import { Admm } from './admm.ts';
import { Apgd } from './apgd.ts';
import { type ConeProgram, hasBlocks, isFactorable } from './cone-program.ts';
import { type ConeMethod, type ConeOptions, ConeRun } from './cone-run.ts';
import { CONE } from './cone-set.ts';
import { LargestEigenvalue } from './largest-eigenvalue.ts';
import { Pgs } from './pgs.ts';
import { projectCones } from './projection.ts';
import { ScaledProgram } from './scaled-program.ts';
import { Spg } from './spg.ts';

/** Accelerated projected gradients, Barzilai-Borwein, Gauss-Seidel, alternating directions. */
export type ConeMethodName = 'apgd' | 'spg' | 'pgs' | 'admm';

/** Relative accuracy of λmax. */
const CURVATURE_TOLERANCE = 1e-4;

/** How a solve went; one object per solver, overwritten by the next solve. */
export interface ConeReport {
  /** See OUTCOME. */
  outcome: number;
  /** Iterations of the method. */
  iterations: number;
  /** Products with N, those for λmax included. */
  products: number;
  /** ½ γᵀ N γ + pᵀ γ. */
  objective: number;
  /** See natural-map.ts. */
  residual: number;
  /** The same measure in velocities, relative to p; see natural-map.ts. */
  velocityResidual: number;
  /** λmax(N). */
  curvature: number;
}

/** Solves cone programs by one of the methods and reports how it went. */
export class ConeSolver {
  /** Of the last solve. */
  readonly report: ConeReport;
  readonly #name: ConeMethodName;
  readonly #method: ConeMethod;
  readonly #run: ConeRun;
  readonly #scaled: ScaledProgram;
  readonly #eigenvalue: LargestEigenvalue;

  constructor(name: ConeMethodName, memory: Memory) {
    this.#name = name;
    this.#method = createMethod(name, memory);
    this.#run = new ConeRun(memory);
    this.#scaled = new ScaledProgram(memory);
    this.#eigenvalue = new LargestEigenvalue(memory);
    this.report = {
      outcome: OUTCOME.converged,
      iterations: 0,
      products: 0,
      objective: 0,
      residual: 0,
      velocityResidual: 0,
      curvature: 0,
    };
  }

  /** Minimises from the impulse given, or the point of the cones nearest to it; leaves γ there and u in `velocity`. */
  solve(
    program: ConeProgram,
    impulse: Float64Array,
    velocity: Float64Array,
    options: ConeOptions,
    trace: SolveTrace,
  ): ConeReport {
    this.#refuseMissing(program);
    const run = this.#run;
    const { size: n, linear } = program;
    run.begin(program, options, trace);
    let curvature = options.curvature;
    if (!(curvature > 0)) {
      curvature = this.#eigenvalue.estimate(program, CURVATURE_TOLERANCE);
      run.products += this.#eigenvalue.products;
    }
    run.map.curvature = curvature > 0 && curvature < Number.POSITIVE_INFINITY ? curvature : 1;
    run.map.begin(linear, program.cones, n, options.reference);

    let canGoOn = false;
    if (curvature > 0 && curvature < Number.POSITIVE_INFINITY) {
      this.#prepare(program, impulse, curvature, options);
      canGoOn = this.#method.iterate(run);
    } else {
      // nothing moves, or nothing is known: only bounds can hold
      run.program = program;
      run.scale = undefined;
      fillBounds(run.start, program);
      run.rest();
      if (curvature === 0) run.check(run.best, run.bestProduct);
    }

    // back to the units of the caller
    const { scale } = run;
    for (let i = 0; i < n; i++) {
      const s = scale === undefined ? 1 : scale[i];
      impulse[i] = s * run.best[i];
      velocity[i] = run.bestProduct[i] / s + linear[i];
    }
    const outcome = run.isDone ? OUTCOME.converged : canGoOn ? OUTCOME.iterationLimit : OUTCOME.stalled;
    trace.close(outcome, n, run.bestObjective, run.bestResidual);
    const { report } = this;
    report.outcome = outcome;
    report.iterations = run.iterations;
    report.products = run.products;
    report.objective = run.bestObjective;
    report.residual = run.bestResidual;
    report.velocityResidual = run.bestVelocityResidual;
    report.curvature = curvature;
    return report;
  }

  #refuseMissing(program: ConeProgram): void {
    const lacks = this.#name === 'pgs' ? !hasBlocks(program) : this.#name === 'admm' && !isFactorable(program);
    if (!lacks) return;
    throw new NexdynError('invalid-argument', `this cone program cannot be solved by ${this.#name}`, {
      hint: this.#name === 'pgs' ? 'give it the blocks of N' : 'give it solutions with N plus a diagonal',
    });
  }

  /** The program to work on, scaled or not, its λmax and the start. */
  #prepare(program: ConeProgram, impulse: Float64Array, curvature: number, options: ConeOptions): void {
    const run = this.#run;
    const n = program.size;
    if (options.scaling && this.#name !== 'pgs') {
      const scaled = this.#scaled;
      scaled.take(program);
      run.program = scaled;
      run.scale = scaled.scale;
      run.curvature = this.#eigenvalue.estimate(scaled, CURVATURE_TOLERANCE);
      run.products += this.#eigenvalue.products;
      for (let i = 0; i < n; i++) run.start[i] = impulse[i] / scaled.scale[i];
    } else {
      run.program = program;
      run.scale = undefined;
      run.curvature = curvature;
      for (let i = 0; i < n; i++) run.start[i] = impulse[i];
    }
    projectCones(run.start, run.start, run.program.cones);
    run.rest();
  }
}

function createMethod(name: ConeMethodName, memory: Memory): ConeMethod {
  if (name === 'apgd') return new Apgd(memory);
  if (name === 'spg') return new Spg(memory);
  if (name === 'pgs') return new Pgs(memory);
  return new Admm(memory);
}

/** The minimum of pᵀ γ where it has one: the bounds of boxes, 0 elsewhere. */
function fillBounds(out: Float64Array, { cones, linear, size }: ConeProgram): void {
  out.fill(0, 0, size);
  projectCones(out, out, cones);
  for (let b = 0; b < cones.count; b++) {
    if (cones.kind[b] !== CONE.box) continue;
    for (let i = cones.rowStart[b]; i < cones.rowStart[b + 1]; i++) {
      const bound = linear[i] > 0 ? cones.lower[i] : cones.upper[i];
      if (linear[i] !== 0 && Number.isFinite(bound)) out[i] = bound;
    }
  }
}
