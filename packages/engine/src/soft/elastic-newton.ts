/**
 * Newton's method (minimize/newton.ts) on J(x) of step-objective.ts, the implicit step of one soft body. Its parts are
 * elastic-direction.ts, elastic-line.ts and elastic-stopping.ts.
 */
import { type IterationTrace, minimizeByNewton, type NewtonParts } from '../minimize/newton.ts';
import { ElasticDirection } from './elastic-direction.ts';
import { ElasticLine } from './elastic-line.ts';
import { ElasticStopping } from './elastic-stopping.ts';
import type { SoftStepOptions } from './implicit-step.ts';
import type { SoftBoundary } from './soft-boundary.ts';
import type { SoftMesh } from './soft-mesh.ts';
import type { SoftWorkspace } from './soft-workspace.ts';

/** A step in progress: the body, its workspace, its constraints, the step length (s). */
export interface ElasticStep {
  readonly mesh: SoftMesh;
  readonly work: SoftWorkspace;
  boundary: SoftBoundary;
  h: number;
  options: SoftStepOptions;
}

export class ElasticNewton implements IterationTrace {
  readonly #step: ElasticStep;
  readonly #line: ElasticLine;
  readonly #stopping: ElasticStopping;
  readonly #newton: NewtonParts;
  #trace: IterationTrace | undefined;

  constructor(step: ElasticStep) {
    this.#step = step;
    this.#line = new ElasticLine(step);
    this.#stopping = new ElasticStopping(step);
    this.#newton = {
      objective: this.#line,
      direction: new ElasticDirection(step, this.#stopping),
      lineSearch: this.#line,
      stopping: this.#stopping,
    };
  }

  /** Minimises J from `work.x`, where J is `value` and its gradient is in the workspace. */
  run(boundary: SoftBoundary, h: number, options: SoftStepOptions, value: number, trace?: IterationTrace): number {
    const step = this.#step;
    step.boundary = boundary;
    step.h = h;
    step.options = options;
    step.work.iterations = 0;
    step.work.hasMetric = false;
    this.#line.value = value;
    this.#trace = trace;
    return minimizeByNewton(this.#newton, options.iterations, this);
  }

  add(value: number, residual: number, step: number): void {
    if (step > 0) this.#step.work.iterations++;
    this.#trace?.add(value, residual, step);
  }

  close(outcome: number, size: number, value: number, residual: number): void {
    this.#step.work.residual = this.#stopping.measureExcess(residual);
    this.#trace?.close(outcome, size, value, residual);
  }
}
