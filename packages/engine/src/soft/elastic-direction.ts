/**
 * Directions of Newton's method on an elastic step, H p = −g. H is the true Hessian, or where that is not positive definite
 * (1 − s) H + s H⁺ with H⁺ its projection element by element, s as small as possible: 0.2, 0.5, 1. A Hessian is reused as long
 * as the residual falls fast; the linear law needs only one. The accuracy of conjugate gradients follows the progress of
 * Newton's method and never exceeds what the final tolerance needs.
 * Sources: Nocedal and Wright, Numerical Optimization (2nd ed.), chapters 3 and 7; Eisenstat and Walker (1996).
 */
import type { NewtonDirection } from '../minimize/newton.ts';
import { ModifiedDirection, type ModifiedHessian } from '../minimize/newton-direction.ts';
import { multiplyVectors } from './elastic-line.ts';
import type { ElasticStep } from './elastic-newton.ts';
import type { ElasticStopping } from './elastic-stopping.ts';
import { findDirection, usesFactor } from './newton-direction.ts';
import { assembleFromStart, assembleStep } from './step-objective.ts';

/** Share of the residual that a step may leave for its Hessian to be used again. */
const FAST = 0.1;
/** s of levels 1 and 2. */
const SHARES = [0.2, 0.5];

export class ElasticDirection implements NewtonDirection, ModifiedHessian {
  readonly levels: number;
  readonly #step: ElasticStep;
  readonly #stopping: ElasticStopping;
  readonly #hessians: ModifiedDirection;
  readonly #isQuadratic: boolean;
  /** Length of the last step, and the residual before it. */
  #alpha = 0;
  #residualBefore = 0;
  #isFirst = true;
  /** Whether the current Hessian is not good enough. */
  #isStale = true;
  /** Relative residual to which conjugate gradients solve. */
  #forcing = 0;

  constructor(step: ElasticStep, stopping: ElasticStopping) {
    this.#step = step;
    this.#stopping = stopping;
    this.#isQuadratic = step.mesh.isQuadratic;
    this.levels = this.#isQuadratic ? 1 : 2 + SHARES.length;
    this.#hessians = new ModifiedDirection(this, false);
  }

  begin(): void {
    this.#isFirst = true;
    this.#residualBefore = 0;
  }

  find(): number {
    const { work, options } = this.#step;
    const { residual, tolerance } = this.#stopping;
    this.#isStale = this.#isFirst || this.#alpha < 1 || residual > FAST * this.#residualBefore;
    const ratio = this.#residualBefore > 0 ? residual / this.#residualBefore : 1;
    const progress = this.#isQuadratic ? 0 : 0.9 * ratio * ratio;
    this.#forcing = Math.min(options.gradientTolerance, Math.max(progress, (0.1 * tolerance) / residual));
    this.#residualBefore = residual;
    const slope = this.#hessians.find();
    this.#isFirst = false;
    work.hasMetric = !Number.isNaN(slope) && usesFactor(work, options.solver);
    return slope;
  }

  // where no step helped with a kept Hessian, the one of the iterate is left to try
  adapt(alpha: number): boolean {
    this.#alpha = alpha;
    return !this.#isStale;
  }

  solve(level: number): number {
    const { work, options } = this.#step;
    if (level === 0) {
      this.#assemble();
      const slope = this.#solveSystem(!this.#isQuadratic);
      return slope < 0 ? slope : Number.NaN;
    }
    const isMixed = usesFactor(work, options.solver);
    if (level <= SHARES.length) {
      if (!isMixed) return Number.NaN;
      if (level === 1) this.#assembleBoth();
      return this.#solveMean(SHARES[level - 1]);
    }
    if (isMixed) work.kept.isFactored = false;
    else this.#assembleProjected(true);
    return this.#solveSystem(false);
  }

  #assemble(): void {
    if (!this.#isStale) return;
    const { mesh, boundary, work, h } = this.#step;
    if (this.#isFirst && work.startStiffness && !this.#isQuadratic)
      assembleFromStart(mesh, boundary, work, h, work.startStiffness);
    else this.#assembleProjected(this.#isQuadratic);
  }

  #assembleProjected(isProjected: boolean): void {
    const { mesh, boundary, work, h } = this.#step;
    assembleStep(mesh, boundary, work, h, work.x, isProjected);
  }

  // the true Hessian to `mixed`, the projected one to `hessian`
  #assembleBoth(): void {
    const { work } = this.#step;
    work.mixed ??= work.memory.f64(work.hessian.values.length);
    this.#assembleProjected(false);
    work.mixed.set(work.hessian.values);
    this.#assembleProjected(true);
  }

  // H in `mixed` ← H + s (H⁺ − H); where that fails, H⁺ is back in `hessian`
  #solveMean(share: number): number {
    const { work } = this.#step;
    const { values } = work.hessian;
    const mixed = work.mixed as Float64Array;
    for (let p = 0; p < values.length; p++) {
      const change = values[p] - mixed[p];
      mixed[p] = values[p];
      values[p] -= (1 - share) * change;
    }
    work.kept.isFactored = false;
    const slope = this.#solveSystem(true);
    if (!Number.isNaN(slope)) return slope;
    for (let p = 0; p < values.length; p++) {
      const partly = values[p];
      values[p] = mixed[p];
      mixed[p] = partly;
    }
    return slope;
  }

  #solveSystem(isStrict: boolean): number {
    const { work, options } = this.#step;
    if (!findDirection(work, options, this.#forcing, isStrict)) return Number.NaN;
    return multiplyVectors(work.gradient, work.direction);
  }
}
