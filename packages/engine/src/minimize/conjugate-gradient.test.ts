import { describe, expect, test } from 'vitest';
import { Arena } from '../kernels/arena.ts';
import { createRandom } from '../testing/forest.ts';
import {
  createMatrix,
  createSprings,
  DenseObjective,
  ROSENBROCK,
  type SmoothFunction,
} from '../testing/smooth-function.ts';
import { ConjugateGradient } from './conjugate-gradient.ts';
import type { LinearSolver } from './objective.ts';
import { OUTCOME, SolveTrace } from './solve-trace.ts';

const LINE = { maximum: Infinity, iterations: 50, slopeTolerance: 0, relativeSlopeTolerance: 1e-14 };

/** P of the diagonal d: the inverse of each entry. */
const scaleBy = (diagonal: readonly number[]): LinearSolver => ({
  prepare: () => true,
  solve: (d) => {
    diagonal.forEach((entry, i) => {
      d[i] /= entry;
    });
  },
});

/** A well-conditioned full matrix, and a minimum with numbers of both signs. */
function createCase(n: number): { matrix: number[][]; minimum: number[] } {
  const random = createRandom(n);
  return {
    matrix: createMatrix(Array.from({ length: n }, (_, i) => 1 + i)),
    minimum: Array.from({ length: n }, () => 4 * (random() - 0.5)),
  };
}

describe.each(['hager-zhang', 'polak-ribiere'] as const)('%s', (rule) => {
  function run(
    smooth: SmoothFunction,
    start: ArrayLike<number>,
    { tolerance = 1e-9, limit = 200, diagonal = Array<number>(smooth.size).fill(1), line = LINE } = {},
  ) {
    const objective = new DenseObjective(smooth, start, tolerance);
    const trace = new SolveTrace();
    const method = new ConjugateGradient(rule, smooth.size, new Arena());
    const outcome = method.minimize(objective, scaleBy(diagonal), objective, line, limit, trace);
    return { outcome, objective, trace, x: objective.x, iterations: trace.count };
  }

  const distance = (x: Float64Array, minimum: readonly number[]): number =>
    Math.hypot(...minimum.map((v, i) => v - x[i]));

  test('a quadratic of n unknowns: n iterations', () => {
    const { matrix, minimum } = createCase(12);
    const { outcome, iterations, x } = run(createSprings(matrix, minimum), new Float64Array(12));
    expect(outcome).toBe(OUTCOME.converged);
    // one more for rounding
    expect(iterations).toBeLessThanOrEqual(13);
    expect(distance(x, minimum)).toBeLessThan(1e-9);
  });

  test('a slope with kinks: the minimum of a piecewise quadratic, falling all the way', () => {
    const { matrix, minimum } = createCase(20);
    const { outcome, trace, iterations, x } = run(createSprings(matrix, minimum, 100), new Float64Array(20), {
      limit: 2000,
    });
    expect(outcome).toBe(OUTCOME.converged);
    expect(distance(x, minimum)).toBeLessThan(1e-9);
    for (let k = 1; k < iterations; k++) expect(trace.cost[k]).toBeLessThanOrEqual(trace.cost[k - 1] + 1e-12);
  });

  test('condition 1e12 on the diagonal: the preconditioner takes it out', () => {
    const diagonal = [1, 1e3, 1e6, 1e9, 1e12];
    const minimum = [1, -1, 2, -2, 3];
    const matrix = diagonal.map((v, i) => diagonal.map((_, j) => (i === j ? v : 0)));
    const { outcome, iterations, x } = run(createSprings(matrix, minimum), [0, 0, 0, 0, 0], {
      tolerance: 1e-3,
      diagonal,
    });
    expect([outcome, iterations]).toEqual([OUTCOME.converged, 1]);
    expect(distance(x, minimum)).toBeLessThan(1e-3);
  });

  test('condition 1e12 without a preconditioner: says that it has not converged', () => {
    const smooth = createSprings(createMatrix([1, 1e3, 1e6, 1e9, 1e12]), [1, -1, 2, -2, 3]);
    const { outcome, objective, trace } = run(smooth, [0, 0, 0, 0, 0], { limit: 100 });
    expect(outcome).not.toBe(OUTCOME.converged);
    expect(trace.finalResidual[0]).toBe(objective.measure());
    expect(trace.finalResidual[0]).toBeGreaterThan(1e-9);
  });

  test('a function that is not convex: falls and ends, at a minimum if it says so', () => {
    const { outcome, trace, iterations, objective } = run(ROSENBROCK, [-1.2, 1], { limit: 500, tolerance: 1e-6 });
    for (let k = 1; k < iterations; k++)
      expect(trace.cost[k]).toBeLessThanOrEqual(trace.cost[k - 1] * (1 + 1e-9) + 1e-12);
    if (outcome === OUTCOME.converged) expect(objective.value).toBeLessThan(1e-9);
    expect(iterations).toBeLessThanOrEqual(500);
  });

  test('steps are no longer than the maximum', () => {
    const { matrix, minimum } = createCase(3);
    const line = { ...LINE, maximum: 0.05 };
    const { outcome, trace, iterations } = run(createSprings(matrix, minimum), [0, 0, 0], { line, limit: 5000 });
    expect(Math.max(...trace.step.subarray(0, iterations))).toBeLessThanOrEqual(0.05);
    expect(outcome).toBe(OUTCOME.converged);
  });

  test('a tolerance out of reach: ends, and does not claim to have converged', () => {
    const { matrix, minimum } = createCase(6);
    const { outcome, iterations } = run(createSprings(matrix, minimum), new Float64Array(6), { tolerance: -1 });
    expect(outcome).not.toBe(OUTCOME.converged);
    expect(iterations).toBeLessThanOrEqual(200);
  });

  test('a start that is not a number: stalled at once', () => {
    const { outcome, iterations } = run(createSprings([[1]], [0]), [Number.NaN]);
    expect([outcome, iterations]).toEqual([OUTCOME.stalled, 0]);
  });

  test('a start at the minimum: no step', () => {
    const { outcome, iterations } = run(createSprings([[1]], [0]), [0]);
    expect([outcome, iterations]).toEqual([OUTCOME.converged, 0]);
  });
});
