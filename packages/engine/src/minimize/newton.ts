/**
 * Newton's method with exact line search: x ← x + α d, H d = −g, φ'(α) = 0. The objectives it meets are piecewise quadratic or
 * nearly so: steps of one are the rule, and it ends in finitely many steps where the Hessian stops changing.
 */
import { type LineSearchOptions, searchLine } from './exact-line-search.ts';
import type { LinearSolver, Objective, StoppingRule } from './objective.ts';
import { OUTCOME, type SolveTrace } from './solve-trace.ts';

export interface NewtonOptions {
  /** Largest number of iterations. */
  readonly iterations: number;
  readonly lineSearch: LineSearchOptions;
  /** Slope that counts as zero on the line, over the length of the direction. */
  readonly slopeTolerance: number;
  /** Slope that counts as zero, over the slope at the start of the line. */
  readonly relativeSlopeTolerance: number;
}

/** Minimises from the objective's x, at which it has begun. Scratch `direction` has the size of x. */
export function minimizeByNewton(
  objective: Objective,
  hessian: LinearSolver,
  rule: StoppingRule,
  options: NewtonOptions,
  direction: Float64Array,
  trace: SolveTrace,
): number {
  const { gradient } = objective;
  const n = objective.size;
  let residual = rule.measure(objective);
  const isMinimum = rule.isMinimum === undefined ? residual <= rule.tolerance : rule.isMinimum(objective, residual);
  let outcome: number = isMinimum ? OUTCOME.converged : OUTCOME.iterationLimit;
  for (let k = 0; k < options.iterations && outcome === OUTCOME.iterationLimit; k++) {
    if ((k === 0 || objective.hasNewHessian) && !hessian.prepare()) {
      outcome = OUTCOME.stalled;
      break;
    }
    for (let i = 0; i < n; i++) direction[i] = -gradient[i];
    hessian.solve(direction);
    let slope = 0;
    let square = 0;
    for (let i = 0; i < n; i++) {
      slope += direction[i] * gradient[i];
      square += direction[i] * direction[i];
    }
    if (!(slope < 0)) {
      outcome = OUTCOME.stalled;
      break;
    }
    objective.aim(direction);
    const tolerance = Math.max(options.slopeTolerance * Math.sqrt(square), -options.relativeSlopeTolerance * slope);
    const step = searchLine(objective, slope, -slope, tolerance, options.lineSearch);
    const decrease = objective.move(step);
    residual = rule.measure(objective);
    trace.add(objective.value, residual, step);
    // a step that promised little is taken, it is paid for, and is the last
    const isDone = residual <= rule.tolerance || rule.isNegligible(-0.5 * slope);
    if (isDone || rule.hasSettled(objective, decrease, step)) outcome = OUTCOME.converged;
  }
  trace.close(outcome, n, objective.value, residual);
  return outcome;
}
