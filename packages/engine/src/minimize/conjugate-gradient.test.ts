import { describe, expect, test } from 'vitest';
import { Arena } from '../kernels/arena.ts';
import { createRandom } from '../testing/forest.ts';
import { ConjugateGradient } from './conjugate-gradient.ts';
import type { LinearSolver, Objective, StoppingRule } from './objective.ts';
import { OUTCOME, SolveTrace } from './solve-trace.ts';

/** ½ xᵀ A x − bᵀ x + Σ ½ k min(x, 0)²: a quadratic with springs that push from below. */
class Springs implements Objective {
  readonly size: number;
  readonly x: Float64Array;
  readonly gradient: Float64Array;
  readonly a: number[][];
  readonly b: number[];
  readonly hasNewHessian = true;
  readonly stiffness: number;
  value = 0;
  curvature = 0;
  #direction: Float64Array;

  constructor(a: number[][], b: number[], stiffness: number) {
    this.size = b.length;
    this.a = a;
    this.b = b;
    this.stiffness = stiffness;
    this.x = new Float64Array(b.length);
    this.gradient = new Float64Array(b.length);
    this.#direction = this.x;
  }

  begin(): void {
    this.value = 0;
    for (let i = 0; i < this.size; i++) {
      let push = 0;
      for (let j = 0; j < this.size; j++) push += this.a[i][j] * this.x[j];
      const below = Math.min(this.x[i], 0);
      this.gradient[i] = push - this.b[i] + this.stiffness * below;
      this.value += this.x[i] * (0.5 * push - this.b[i]) + 0.5 * this.stiffness * below * below;
    }
  }

  aim(direction: Float64Array): void {
    this.#direction = direction;
  }

  slope(alpha: number): number {
    const d = this.#direction;
    let slope = 0;
    this.curvature = 0;
    for (let i = 0; i < this.size; i++) {
      const y = this.x[i] + alpha * d[i];
      for (let j = 0; j < this.size; j++) {
        slope += d[i] * this.a[i][j] * (this.x[j] + alpha * d[j]);
        this.curvature += d[i] * this.a[i][j] * d[j];
      }
      slope += d[i] * (this.stiffness * Math.min(y, 0) - this.b[i]);
      if (y < 0) this.curvature += this.stiffness * d[i] * d[i];
    }
    return slope;
  }

  move(alpha: number): number {
    const before = this.value;
    for (let i = 0; i < this.size; i++) this.x[i] += alpha * this.#direction[i];
    this.begin();
    return before - this.value;
  }
}

const TOLERANCE = 1e-10;
const LIMIT = 200;

/** |g| ≤ 1e-10. */
function stopAtSmallGradient({ gradient, size }: Objective): StoppingRule {
  return {
    measure: () => Math.hypot(...gradient.subarray(0, size)),
    isMinimum: (residual) => residual <= TOLERANCE,
    hasConverged: (residual) => residual <= TOLERANCE,
  };
}

const OPTIONS = {
  maximum: Infinity,
  iterations: 50,
  slopeTolerance: 0,
  relativeSlopeTolerance: 1e-14,
};

function randomProblem(n: number, stiffness: number): Springs {
  const random = createRandom(n);
  const rows = Array.from({ length: n }, () => Array.from({ length: n }, () => random() - 0.5));
  const a = rows.map((row, i) =>
    rows.map((other, j) => row.reduce((sum, value, k) => sum + value * other[k], 0) + (i === j ? 0.5 + i : 0)),
  );
  return new Springs(
    a,
    Array.from({ length: n }, () => 4 * (random() - 0.5)),
    stiffness,
  );
}

/** The inverse of the diagonal. */
function jacobi(objective: Springs): LinearSolver {
  return {
    prepare: () => true,
    solve: (d) => {
      for (let i = 0; i < objective.size; i++) d[i] /= objective.a[i][i];
    },
  };
}

describe.each(['hager-zhang', 'polak-ribiere'] as const)('%s', (rule) => {
  test('ends on a quadratic of n unknowns in n iterations', () => {
    const n = 12;
    const objective = randomProblem(n, 0);
    objective.begin();
    const trace = new SolveTrace();
    const outcome = new ConjugateGradient(rule, n, new Arena()).minimize(
      objective,
      jacobi(objective),
      stopAtSmallGradient(objective),
      OPTIONS,
      LIMIT,
      trace,
    );
    expect(outcome).toBe(OUTCOME.converged);
    // one more for rounding
    expect(trace.count).toBeLessThanOrEqual(n + 1);
  });

  test('finds the minimum of a piecewise quadratic, falling all the way', () => {
    const n = 20;
    const objective = randomProblem(n, 100);
    objective.begin();
    const trace = new SolveTrace();
    const stopping = stopAtSmallGradient(objective);
    new ConjugateGradient(rule, n, new Arena()).minimize(objective, jacobi(objective), stopping, OPTIONS, LIMIT, trace);
    expect(stopping.measure()).toBeLessThan(1e-10);
    expect(objective.x.some((x) => x < 0)).toBe(true);
    for (let k = 1; k < trace.count; k++) expect(trace.cost[k]).toBeLessThanOrEqual(trace.cost[k - 1] + 1e-12);
  });

  test('takes no step where the start is the minimum', () => {
    const objective = randomProblem(5, 0);
    objective.begin();
    const trace = new SolveTrace();
    const lenient = { ...stopAtSmallGradient(objective), isMinimum: () => true };
    new ConjugateGradient(rule, 5, new Arena()).minimize(objective, jacobi(objective), lenient, OPTIONS, LIMIT, trace);
    expect(trace.count).toBe(0);
    expect(trace.outcome[0]).toBe(OUTCOME.converged);
  });
});
