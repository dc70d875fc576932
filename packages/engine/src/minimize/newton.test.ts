import { describe, expect, test } from 'vitest';
import {
  createConvexParts,
  createDescentParts,
  createMatrix,
  createSprings,
  createWall,
  DenseObjective,
  DOUBLE_WELL,
  ROSENBROCK,
  type SmoothFunction,
} from '../testing/smooth-function.ts';
import { minimizeByNewton, type NewtonParts } from './newton.ts';
import { ModifiedDirection } from './newton-direction.ts';
import { OUTCOME, SolveTrace } from './solve-trace.ts';

const EXACT = ['exact line search', createConvexParts] as const;
const ARMIJO = ['Armijo backtracking', createDescentParts] as const;

function run(
  createParts: (objective: DenseObjective) => NewtonParts,
  smooth: SmoothFunction,
  start: ArrayLike<number>,
  { tolerance = 1e-9, limit = 100 } = {},
) {
  const objective = new DenseObjective(smooth, start, tolerance);
  const trace = new SolveTrace();
  const outcome = minimizeByNewton(createParts(objective), limit, trace);
  return { outcome, objective, trace, x: [...objective.x], iterations: trace.count };
}

const distance = (a: readonly number[], b: readonly number[]): number => Math.hypot(...a.map((v, i) => v - b[i]));

describe.each([EXACT, ARMIJO])('Newton with %s', (_, createParts) => {
  test('a quadratic: one step of length 1 to its minimum', () => {
    const minimum = [1, -2, 3, 0.5];
    const { outcome, x, iterations, trace } = run(
      createParts,
      createSprings(createMatrix([1, 2, 5, 9]), minimum),
      [9, 9, 9, 9],
    );
    expect(outcome).toBe(OUTCOME.converged);
    expect(iterations).toBe(1);
    expect(trace.step[0]).toBeCloseTo(1, 12);
    expect(distance(x, minimum)).toBeLessThan(1e-13);
  });

  test('a start at the minimum: no step', () => {
    const { outcome, iterations } = run(createParts, createSprings(createMatrix([1, 4]), [0, 0]), [0, 0]);
    expect([outcome, iterations]).toEqual([OUTCOME.converged, 0]);
  });

  test('condition 1e12: the minimum to what round-off leaves, eps times the condition', () => {
    const minimum = [1, 1, 1, 1];
    const smooth = createSprings(createMatrix([1, 1e4, 1e8, 1e12]), minimum);
    const { outcome, x } = run(createParts, smooth, [0, 2, -3, 4], { tolerance: 1e-3 });
    expect(outcome).toBe(OUTCOME.converged);
    // 16 eps 1e12 |x*|
    expect(distance(x, minimum)).toBeLessThan(16 * 2 ** -52 * 1e12 * 2);
  });

  test('a slope with kinks: the minimum of a piecewise quadratic, E falling all the way', () => {
    const minimum = [1, -2, -0.5, 3, -1, 0.25];
    const smooth = createSprings(createMatrix([1, 2, 3, 4, 5, 6]), minimum, 1000);
    const { outcome, x, trace, iterations } = run(createParts, smooth, [-5, 5, 5, -5, 5, -5]);
    expect(outcome).toBe(OUTCOME.converged);
    expect(distance(x, minimum)).toBeLessThan(1e-10);
    // finitely many pieces
    expect(iterations).toBeLessThan(20);
    for (let k = 1; k < iterations; k++) expect(trace.cost[k]).toBeLessThanOrEqual(trace.cost[k - 1] + 1e-12);
  });

  test('a tolerance out of reach: ends, and does not claim to have converged', () => {
    const smooth = createSprings(createMatrix([1, 1e4, 1e8, 1e12]), [1, 1, 1, 1]);
    const { outcome, objective, iterations, trace } = run(createParts, smooth, [0, 2, -3, 4], { tolerance: -1 });
    expect(outcome).not.toBe(OUTCOME.converged);
    expect(iterations).toBeLessThanOrEqual(100);
    expect(trace.finalResidual[0]).toBe(objective.measure());
  });

  test('a start that is not a number: stalled at once', () => {
    const { outcome, iterations } = run(createParts, createSprings([[1]], [0]), [Number.NaN]);
    expect([outcome, iterations]).toEqual([OUTCOME.stalled, 0]);
  });

  test('no iterations allowed: the limit', () => {
    const { outcome, x } = run(createParts, createSprings([[1]], [0]), [1], { limit: 0 });
    expect([outcome, x[0]]).toEqual([OUTCOME.iterationLimit, 1]);
  });
});

describe('Newton with exact line search', () => {
  test('steps are no longer than the maximum', () => {
    const smooth = createSprings(createMatrix([1, 3]), [4, -2]);
    const { outcome, trace, iterations } = run((objective) => createConvexParts(objective, 0.5), smooth, [0, 0]);
    expect(outcome).toBe(OUTCOME.converged);
    expect(Math.max(...trace.step.subarray(0, iterations))).toBe(0.5);
    // each step halves the error: 2^-n |g| ≤ 1e-9
    const steps = Math.ceil(Math.log2(new DenseObjective(smooth, [0, 0], 0).measure() / 1e-9));
    expect(iterations).toBe(steps);
  });

  test('an indefinite Hessian is not for it: stalled', () => {
    expect(run(createConvexParts, DOUBLE_WELL, [0.1, 1]).outcome).toBe(OUTCOME.stalled);
  });
});

describe('Newton with Armijo backtracking', () => {
  test.each([
    [-1.2, 1],
    [0, 1],
    [3, -4],
  ])('the valley of Rosenbrock from (%f, %f)', (...start) => {
    const { outcome, x, objective, iterations } = run(createDescentParts, ROSENBROCK, start);
    expect(outcome).toBe(OUTCOME.converged);
    expect(distance(x, [1, 1])).toBeLessThan(1e-8);
    expect(iterations).toBeLessThan(40);
    // at (0, 1) the curvature is negative: a modified Hessian was needed
    if (start[0] === 0) expect(Math.max(...objective.tried)).toBeGreaterThan(0);
  });

  test('a double well from where it curves down: into the well of that side', () => {
    for (const side of [-1, 1]) {
      const { outcome, x, objective } = run(createDescentParts, DOUBLE_WELL, [0.1 * side, 1]);
      expect(outcome).toBe(OUTCOME.converged);
      expect(distance(x, [side, 0])).toBeLessThan(1e-9);
      expect(objective.value).toBeLessThan(1e-18);
    }
  });

  test.each([1, 1e-2, 1e-6])('a wall with barrier %f: the minimum before it, and no trial beyond', (mu) => {
    const { outcome, x } = run(createDescentParts, createWall(mu), [-4], { tolerance: 1e-7 });
    expect(outcome).toBe(OUTCOME.converged);
    // |g| ≤ 1e-7 with the curvature 1 + μ/(1 − x)²
    const minimum = 2 - Math.sqrt(1 + mu);
    expect(Math.abs(x[0] - minimum)).toBeLessThan(1e-7 / (1 + mu / (1 - minimum) ** 2) + 1e-15);
  });

  test('a wall without a barrier: ever nearer, never through, not converged', () => {
    const { outcome, x, trace } = run(createDescentParts, createWall(0), [0], { limit: 12 });
    expect(outcome).toBe(OUTCOME.iterationLimit);
    expect(x[0]).toBeLessThan(1);
    // a tenth of the way is left after each step
    expect(1 - x[0]).toBeCloseTo(1e-12, 15);
    expect(trace.step[0]).toBeCloseTo(0.3, 12);
  });

  test('an infeasible start: back where E is finite, if the direction leads there', () => {
    // beyond the wall a force of 2 pushes back
    const wall = createWall(1);
    const smooth: SmoothFunction = {
      ...wall,
      gradient: (v) => (v[0] < 1 ? wall.gradient(v) : [2]),
      hessian: (v) => (v[0] < 1 ? wall.hessian(v) : [[1]]),
    };
    const { outcome, x } = run(createDescentParts, smooth, [1.5]);
    expect(outcome).toBe(OUTCOME.converged);
    expect(x[0]).toBeCloseTo(2 - Math.SQRT2, 9);
  });

  test('an infeasible start with no way back: stalled where it is', () => {
    const { outcome, x } = run(createDescentParts, { ...createWall(1), value: () => Infinity }, [1.5]);
    expect([outcome, x[0]]).toEqual([OUTCOME.stalled, 1.5]);
  });

  test('a kink of the value itself, |x| + ½ (x − ½)²: not converged, near the kink', () => {
    const smooth: SmoothFunction = {
      size: 1,
      value: ([x]) => Math.abs(x) + 0.5 * (x - 0.5) ** 2,
      gradient: ([x]) => [Math.sign(x) + x - 0.5],
      hessian: () => [[1]],
    };
    const { outcome, x } = run(createDescentParts, smooth, [3]);
    expect(outcome).not.toBe(OUTCOME.converged);
    expect(Math.abs(x[0])).toBeLessThan(1e-4);
  });
});

describe('the parts of the loop', () => {
  /** ½ x² from 1. */
  const createParabola = (): DenseObjective => new DenseObjective(createSprings([[1]], [0]), [1], 1e-9);

  test('a predictor is a first step and counts as an iteration', () => {
    const objective = createParabola();
    const parts = createDescentParts(objective);
    const trace = new SolveTrace();
    const predict = (): boolean => {
      objective.direction[0] = -0.5;
      return true;
    };
    const outcome = minimizeByNewton({ ...parts, direction: { ...parts.direction, predict } }, 1, trace);
    expect([outcome, trace.count, objective.x[0]]).toEqual([OUTCOME.iterationLimit, 1, 0.5]);
  });

  test('a predictor that leads up goes nowhere beyond round-off', () => {
    const objective = createParabola();
    const parts = createDescentParts(objective);
    const trace = new SolveTrace();
    const predict = (): boolean => {
      objective.direction[0] = 7;
      return true;
    };
    const outcome = minimizeByNewton({ ...parts, direction: { ...parts.direction, predict } }, 5, trace);
    expect([outcome, objective.x[0]]).toEqual([OUTCOME.converged, 0]);
    expect(trace.step[0]).toBeLessThan(1e-14);
  });

  test('an objective that has changed goes on, whatever the residual', () => {
    const objective = createParabola();
    const parts = createDescentParts(objective);
    let revisions = 0;
    const revising = {
      size: 1,
      get value() {
        return objective.value;
      },
      move: (alpha: number) => objective.move(alpha),
      revise: () => revisions++ < 1,
    };
    const trace = new SolveTrace();
    // after the first step the gradient is 0: the next direction has no slope
    expect(minimizeByNewton({ ...parts, objective: revising }, 5, trace)).toBe(OUTCOME.stalled);
    expect([trace.count, revisions]).toEqual([1, 1]);
  });

  test('without a lower point it asks for another direction as long as there is one', () => {
    const parts = createDescentParts(createParabola());
    const stuck = { search: (): number => 0 };
    let others = 2;
    const direction = { ...parts.direction, adapt: () => others-- > 0 };
    const trace = new SolveTrace();
    expect(minimizeByNewton({ ...parts, direction, lineSearch: stuck }, 9, trace)).toBe(OUTCOME.stalled);
    expect([...trace.step.subarray(0, trace.count)]).toEqual([0, 0, 0]);
    const flat = { ...parts, lineSearch: stuck, stopping: asRule(parts, { isMinimumToRoundOff: () => true }) };
    expect(minimizeByNewton(flat, 9, new SolveTrace())).toBe(OUTCOME.converged);
  });

  test('a direction that is too short ends it without a step', () => {
    const parts = createDescentParts(createParabola());
    const trace = new SolveTrace();
    const stopping = asRule(parts, { isTooShort: () => true });
    expect(minimizeByNewton({ ...parts, stopping }, 9, trace)).toBe(OUTCOME.converged);
    expect([trace.count, trace.step[0], trace.finalResidual[0]]).toEqual([1, 0, 1]);
  });

  function asRule({ stopping }: NewtonParts, more: Partial<NewtonParts['stopping']>): NewtonParts['stopping'] {
    return {
      measure: () => stopping.measure(),
      isMinimum: (residual) => stopping.isMinimum(residual),
      hasConverged: (...numbers) => stopping.hasConverged(...numbers),
      ...more,
    };
  }

  test('a true Hessian that fails is left out for 2, 4, 8 iterations', () => {
    const tried: number[] = [];
    const solve = (level: number): number => {
      tried.push(level);
      return level === 0 ? Number.NaN : -1;
    };
    const direction = new ModifiedDirection({ levels: 2, solve }, true);
    direction.begin();
    for (let k = 0; k < 12; k++) direction.find();
    expect(tried.join('')).toBe('011101111101111');
    direction.begin();
    tried.length = 0;
    direction.find();
    expect(tried).toEqual([0, 1]);
  });
});
