/**
 * Nonlinear conjugate gradients with a preconditioner P ≈ H⁻¹ and exact line search:
 *   x ← x + α d,   d ← −P g + β d,   y = g⁺ − g
 *   Hager-Zhang       β = (yᵀ P g⁺ − 2 (yᵀ P y)(dᵀ g⁺)/(dᵀ y)) / (dᵀ y),   at least −1 / (|d| min(0.01, |g⁺|))
 *   Polak-Ribière+    β = max(0, yᵀ P g⁺ / gᵀ P g)
 * It restarts along −P g where dᵀ y vanishes or d does not descend.
 * Sources: Hager and Zhang, A new conjugate gradient method with guaranteed descent and an efficient line search, SIAM Journal
 * on Optimization 16 (2005); Polak and Ribière, Note sur la convergence de méthodes de directions conjuguées (1969).
 */
import type { Memory } from '../linear-algebra/memory.ts';
import { searchLine } from './exact-line-search.ts';
import type { NewtonOptions } from './newton.ts';
import type { LinearSolver, Objective, StoppingRule } from './objective.ts';
import { OUTCOME, type SolveTrace } from './solve-trace.ts';

export type ConjugateRule = 'hager-zhang' | 'polak-ribiere';

/** η of the lower bound on β. */
const TRUNCATION = 0.01;
const SMALL = 1e-15;

export class ConjugateGradient {
  readonly rule: ConjugateRule;
  readonly #direction: Float64Array;
  readonly #gradient: Float64Array;
  readonly #conditioned: Float64Array;
  readonly #conditionedBefore: Float64Array;

  /** Scratch for up to `size` unknowns. */
  constructor(rule: ConjugateRule, size: number, memory: Memory) {
    this.rule = rule;
    this.#direction = memory.f64(size);
    this.#gradient = memory.f64(size);
    this.#conditioned = memory.f64(size);
    this.#conditionedBefore = memory.f64(size);
  }

  /** Minimises from the objective's x, at which it has begun. */
  minimize(
    objective: Objective,
    preconditioner: LinearSolver,
    rule: StoppingRule,
    options: NewtonOptions,
    trace: SolveTrace,
  ): number {
    const { gradient, size: n } = objective;
    const direction = this.#direction;
    const conditioned = this.#conditioned;
    const before = this.#gradient;
    const conditionedBefore = this.#conditionedBefore;
    let residual = rule.measure(objective);
    let isDone = rule.isMinimum === undefined ? residual <= rule.tolerance : rule.isMinimum(objective, residual);
    let outcome: number = isDone ? OUTCOME.converged : OUTCOME.iterationLimit;
    if (!isDone && !preconditioner.prepare()) outcome = OUTCOME.stalled;
    for (let k = 0; k < options.iterations && outcome === OUTCOME.iterationLimit; k++) {
      for (let i = 0; i < n; i++) conditioned[i] = gradient[i];
      preconditioner.solve(conditioned);
      const beta = k === 0 ? 0 : this.#conjugate(gradient, n);
      let slope = this.#turn(beta, gradient, n);
      if (!(slope < 0) && beta !== 0) slope = this.#turn(0, gradient, n);
      if (!(slope < 0)) {
        outcome = OUTCOME.stalled;
        break;
      }
      // arrays are as long as the largest problem: copy what is used
      for (let i = 0; i < n; i++) {
        before[i] = gradient[i];
        conditionedBefore[i] = conditioned[i];
      }
      objective.aim(direction);
      objective.slope(0);
      const tolerance = Math.max(
        options.slopeTolerance * Math.sqrt(dot(direction, direction, n)),
        -options.relativeSlopeTolerance * slope,
      );
      const step = searchLine(objective, slope, objective.curvature, tolerance, options.lineSearch);
      const decrease = objective.move(step);
      residual = rule.measure(objective);
      trace.add(objective.value, residual, step);
      isDone = residual <= rule.tolerance || rule.hasSettled(objective, decrease, step);
      if (isDone) outcome = OUTCOME.converged;
    }
    trace.close(outcome, n, objective.value, residual);
    return outcome;
  }

  // d ← −P g + β d; returns dᵀ g
  #turn(beta: number, gradient: Float64Array, n: number): number {
    const direction = this.#direction;
    const conditioned = this.#conditioned;
    let slope = 0;
    for (let i = 0; i < n; i++) {
      direction[i] = beta * direction[i] - conditioned[i];
      slope += direction[i] * gradient[i];
    }
    return slope;
  }

  // β from the gradients before and after the last step, along the last direction
  #conjugate(gradient: Float64Array, n: number): number {
    const before = this.#gradient;
    const direction = this.#direction;
    const conditioned = this.#conditioned;
    const conditionedBefore = this.#conditionedBefore;
    let changeNew = 0;
    let changeChange = 0;
    let alongChange = 0;
    let alongNew = 0;
    let oldOld = 0;
    for (let i = 0; i < n; i++) {
      const y = gradient[i] - before[i];
      changeNew += y * conditioned[i];
      changeChange += y * (conditioned[i] - conditionedBefore[i]);
      alongChange += direction[i] * y;
      alongNew += direction[i] * gradient[i];
      oldOld += before[i] * conditionedBefore[i];
    }
    if (this.rule === 'polak-ribiere') return oldOld > 0 ? Math.max(0, changeNew / oldOld) : 0;
    if (!(Math.abs(alongChange) > SMALL * oldOld)) return 0;
    const beta = (changeNew - (2 * changeChange * alongNew) / alongChange) / alongChange;
    const length = Math.sqrt(dot(direction, direction, n));
    const least = -1 / (length * Math.min(TRUNCATION, Math.sqrt(dot(gradient, gradient, n))));
    return Math.max(beta, least);
  }
}

function dot(a: Float64Array, b: Float64Array, n: number): number {
  let sum = 0;
  for (let i = 0; i < n; i++) sum += a[i] * b[i];
  return sum;
}
