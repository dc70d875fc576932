/**
 * One solve: the program (in scaled units if asked for), the starting point, and a
 * record that measures every iterate, keeps the best one and decides when to stop.
 */

import type { Memory } from '../../linear-algebra/memory.ts';
import { checkDeadlineSometimes } from '../../step-deadline.ts';
import type { SolveTrace } from '../solve-trace.ts';
import type { ConeProgram } from './cone-program.ts';
import { NaturalMap, type Reference } from './natural-map.ts';

/** When to stop, and how to get there. */
export interface ConeOptions {
  /** Largest number of iterations. */
  readonly iterations: number;
  /** Residual (see natural-map.ts) that ends the solve. */
  readonly tolerance: number;
  /** Velocity residual that must be met as well. Infinity asks for none. */
  readonly velocityTolerance: number;
  /** Whether blocks are brought to the same size first: for large ratios of mass. Gauss-Seidel is the same with or without. */
  readonly scaling: boolean;
  /** λmax(N) where it is known; 0 lets the solver find it. */
  readonly curvature: number;
  /** What the residual is measured against (see natural-map.ts). */
  readonly reference: Reference;
}

/** Options that `ConeSolver` is used with where nothing else is said. */
export const CONE_DEFAULTS: ConeOptions = {
  iterations: 1000,
  tolerance: 1e-6,
  velocityTolerance: Number.POSITIVE_INFINITY,
  scaling: false,
  curvature: 0,
  reference: 'all',
};

/** A way to solve. Starts at `run.start`, which lies in the cones, and passes every iterate to `run.record`. */
export interface ConeMethod {
  /** Returns false where it cannot go on. */
  iterate(run: ConeRun): boolean;
}

export class ConeRun {
  /** The program to work on; `scale` per row leads back to impulses, undefined where they are the same. */
  program!: ConeProgram;
  scale: Float64Array | undefined;
  /** λmax of its matrix. */
  curvature = 1;
  iterations = 0;
  mostIterations = 0;
  /** Products with N. */
  products = 0;
  /** Best iterate so far with its product, value and residuals; before the first record the start. */
  best: Float64Array;
  bestProduct: Float64Array;
  bestObjective = 0;
  bestResidual = 0;
  bestVelocityResidual = 0;
  readonly map: NaturalMap;
  start: Float64Array;
  #original!: ConeProgram;
  #trace!: SolveTrace;
  #objective = 0;
  #tolerance = 0;
  #velocityTolerance = 0;
  #impulse: Float64Array;
  #velocity: Float64Array;
  readonly #memory: Memory;

  constructor(memory: Memory) {
    this.#memory = memory;
    this.map = new NaturalMap(memory);
    this.best = memory.f64(0);
    this.bestProduct = memory.f64(0);
    this.start = memory.f64(0);
    this.#impulse = memory.f64(0);
    this.#velocity = memory.f64(0);
  }

  /** Makes room; the caller then fills `start`, in units of the program to work on. */
  begin(original: ConeProgram, options: ConeOptions, trace: SolveTrace): void {
    const n = original.size;
    this.#original = original;
    this.#trace = trace;
    this.#tolerance = options.tolerance;
    this.#velocityTolerance = options.velocityTolerance;
    this.mostIterations = options.iterations;
    this.iterations = 0;
    this.products = 0;
    this.bestResidual = Number.POSITIVE_INFINITY;
    this.bestVelocityResidual = Number.POSITIVE_INFINITY;
    this.bestObjective = 0;
    if (this.best.length < n) {
      this.best = this.#memory.f64(2 * n);
      this.bestProduct = this.#memory.f64(2 * n);
      this.start = this.#memory.f64(2 * n);
      this.#impulse = this.#memory.f64(2 * n);
      this.#velocity = this.#memory.f64(2 * n);
    }
  }

  /** Takes the start as the best point without evaluating it: the result where nothing can be evaluated. */
  rest(): void {
    for (let i = 0; i < this.program.size; i++) {
      this.best[i] = this.start[i];
      this.bestProduct[i] = 0;
    }
  }

  /** out ← N x. */
  multiply(out: Float64Array, x: Float64Array): void {
    this.products++;
    this.program.multiply(out, x);
  }

  /** Whether a point in the cones with product N γ is good enough. Keeps it where it is the best so far. */
  check(gamma: Float64Array, product: Float64Array): boolean {
    const { program, scale, map } = this;
    const { linear, size: n } = program;
    let objective = 0;
    const velocity = this.#velocity;
    for (let i = 0; i < n; i++) {
      objective += gamma[i] * (0.5 * product[i] + linear[i]);
      velocity[i] = product[i] + linear[i];
    }
    this.#objective = objective;
    if (scale === undefined) map.measure(gamma, velocity, program.cones, n);
    else {
      const impulse = this.#impulse;
      for (let i = 0; i < n; i++) {
        impulse[i] = scale[i] * gamma[i];
        velocity[i] /= scale[i];
      }
      map.measure(impulse, velocity, this.#original.cones, n);
    }
    if (map.residual < this.bestResidual) {
      this.bestResidual = map.residual;
      this.bestVelocityResidual = map.velocityResidual;
      this.bestObjective = objective;
      for (let i = 0; i < n; i++) {
        this.best[i] = gamma[i];
        this.bestProduct[i] = product[i];
      }
    }
    return this.isDone;
  }

  /** Ends an iteration: as `check`, with an entry in the trace. */
  record(gamma: Float64Array, product: Float64Array, step: number): boolean {
    this.iterations++;
    checkDeadlineSometimes('cone program');
    const isDone = this.check(gamma, product);
    this.#trace.add(this.#objective, this.map.residual, step);
    return isDone;
  }

  /** Whether the best point meets the tolerances. */
  get isDone(): boolean {
    return this.bestResidual <= this.#tolerance && this.bestVelocityResidual <= this.#velocityTolerance;
  }

  get canGoOn(): boolean {
    return this.iterations < this.mostIterations;
  }
}
