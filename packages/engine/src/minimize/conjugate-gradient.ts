/**
 * Nonlinear conjugate gradients with a preconditioner P ≈ H⁻¹ and exact line search: x ← x + α d, d ← −P g + β d
 * (conjugate-step.ts).
 */

import type { Memory } from '../linear-algebra/memory.ts';
import { checkDeadlineSometimes } from '../step-deadline.ts';
import { type ConjugateRule, ConjugateStep } from './conjugate-step.ts';
import { type ExactLineSearchOptions, findStep } from './exact-line-search.ts';
import type { LinearSolver, Objective, StoppingRule } from './objective.ts';
import { OUTCOME, type SolveTrace } from './solve-trace.ts';

export class ConjugateGradient {
  readonly rule: ConjugateRule;
  readonly #step: ConjugateStep;

  /** Scratch for up to `size` unknowns. */
  constructor(rule: ConjugateRule, size: number, memory: Memory) {
    this.rule = rule;
    this.#step = new ConjugateStep(rule, size, memory);
  }

  /** Minimises from the objective's x, at which it has begun, with at most `limit` iterations. */
  minimize(
    objective: Objective,
    preconditioner: LinearSolver,
    rule: StoppingRule,
    options: ExactLineSearchOptions,
    limit: number,
    trace: SolveTrace,
  ): number {
    const { gradient, size: n } = objective;
    const { direction, gradient: copy, conditioned } = this.#step;
    let residual = rule.measure();
    const isMinimum = rule.isMinimum(residual);
    let outcome: number = isMinimum ? OUTCOME.converged : OUTCOME.iterationLimit;
    if (!isMinimum && !preconditioner.prepare()) outcome = OUTCOME.stalled;
    for (let k = 0; k < limit && outcome === OUTCOME.iterationLimit; k++) {
      checkDeadlineSometimes('conjugate gradients');
      for (let i = 0; i < n; i++) conditioned[i] = copy[i] = gradient[i];
      preconditioner.solve(conditioned);
      const slope = this.#step.turn(n, k === 0);
      if (!(slope < 0)) {
        outcome = OUTCOME.stalled;
        break;
      }
      if (objective.follow && preconditioner.isMetric) objective.follow(direction, this.#step.beta);
      else objective.aim(direction);
      objective.slope(0);
      const tolerance = Math.max(
        options.slopeTolerance * Math.sqrt(this.#step.square),
        -options.relativeSlopeTolerance * slope,
      );
      const step = findStep(objective, slope, objective.curvature, tolerance, options);
      const decrease = objective.move(step);
      residual = rule.measure();
      trace.add(objective.value, residual, step);
      if (rule.hasConverged(residual, step, decrease, Infinity)) outcome = OUTCOME.converged;
    }
    trace.close(outcome, n, objective.value, residual);
    return outcome;
  }
}
