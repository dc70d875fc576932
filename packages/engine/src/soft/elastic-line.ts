/**
 * J of an elastic step along x + α p. The line search backtracks until Armijo's condition holds. Near the minimum J is lost in
 * round-off: energy densities are differences of numbers of the size of the moduli. There the slope decides instead,
 *   φ'(α) ≤ (2 c − 1) φ'(0),   c Armijo's constant
 * Source: Hager and Zhang, A new conjugate gradient method with guaranteed descent (2005), the approximate Wolfe condition.
 */
import { ARMIJO, type BacktrackingLine, backtrack } from '../minimize/armijo-line-search.ts';
import type { LineSearch, NewtonObjective } from '../minimize/newton.ts';
import { measureStiffness } from './elastic-energy.ts';
import type { ElasticStep } from './elastic-newton.ts';
import { evaluateStep } from './step-objective.ts';

const HALVINGS = 40;
const ROUND_OFF = 2 ** -52;

export class ElasticLine implements NewtonObjective, LineSearch, BacktrackingLine {
  /** J at the iterate, kg m². */
  value = 0;
  readonly size: number;
  readonly #step: ElasticStep;
  #trialValue = 0;

  constructor(step: ElasticStep) {
    this.#step = step;
    this.size = step.work.x.length;
  }

  search(slope: number): number {
    return backtrack(this, slope, HALVINGS);
  }

  maxStep(): number {
    return 1;
  }

  evaluate(alpha: number): number {
    const { mesh, boundary, work, h } = this.#step;
    const { x, trial, trialGradient, direction } = work;
    for (let i = 0; i < x.length; i++) trial[i] = x[i] + alpha * direction[i];
    this.#trialValue = evaluateStep(trialGradient, mesh, boundary, work, h, trial);
    return this.#trialValue;
  }

  acceptsRounding(next: number, _goal: number, slope: number): boolean {
    const { mesh, work, h } = this.#step;
    const rounding = 64 * ROUND_OFF * h * h * measureStiffness(mesh) + 1e-12 * Math.abs(this.value);
    if (!(next <= this.value + rounding)) return false;
    return multiplyVectors(work.trialGradient, work.direction) <= (2 * ARMIJO - 1) * slope;
  }

  move(): number {
    const { x, trial, gradient, trialGradient } = this.#step.work;
    const decrease = this.value - this.#trialValue;
    x.set(trial);
    gradient.set(trialGradient);
    this.value = this.#trialValue;
    return decrease;
  }
}

export function multiplyVectors(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i];
  return sum;
}
