/** Small problems of `sap` put together by hand: bounded quadratics, numbers of single contacts, a spring. */
import { afterEach, describe, expect, test, vi } from 'vitest';
import { ConvexObjective } from '../../packages/engine/src/objective/convex-objective.ts';
import { type Matrix, VelocityProblem } from '../reference/velocity-problem.ts';

const EPSILON = Number.EPSILON;

afterEach(() => {
  vi.restoreAllMocks();
});

describe('a quadratic with bounds that do not bind at its minimum', () => {
  const H = 0.01;
  const TARGET = [0.3, -0.2, 0.5, 0.1, -0.4, 0.25, 0.15, -0.35, 0.45];
  // one bounded dof in every block, bounds 0.2 around v*
  const BOUNDED = [1, 3, 7];

  /** B Bᵀ + n 1 with entries of B that are small integers. */
  function createMatrix(n: number): Matrix {
    const b = Array.from({ length: n }, (_, i) => Array.from({ length: n }, (_, j) => ((3 * i + 5 * j) % 7) - 3));
    return b.map((row, i) =>
      b.map((other, j) => row.reduce((sum, value, k) => sum + value * (other[k] ?? 0), i === j ? n : 0)),
    );
  }

  function solve(matrix: 'dense' | 'sparse', guess: readonly number[]): ReturnType<VelocityProblem['solve']> {
    const options = { solver: 'newton', matrix, relativeTolerance: 1e-15, absoluteTolerance: 0 } as const;
    const problem = new VelocityProblem([2, 3, 4].map(createMatrix), H, options, false);
    problem.begin(TARGET);
    for (const i of BOUNDED) {
      const row = TARGET.map((_, j) => (i === j ? 1 : 0));
      // v ≥ low: distance / (2h) = −low;  −v ≥ −high
      problem.addLimit(row, -2 * H * ((TARGET[i] ?? NaN) - 0.2));
      problem.addLimit(
        row.map((entry) => -entry),
        2 * H * ((TARGET[i] ?? NaN) + 0.2),
      );
    }
    return problem.solve(guess);
  }

  function expectTarget(velocity: Float64Array, tolerance: number): void {
    for (const [i, value] of TARGET.entries()) {
      expect(Math.abs((velocity[i] ?? NaN) - value)).toBeLessThanOrEqual(tolerance);
    }
  }

  test('from inside the bounds: one iteration, one evaluation on the line', () => {
    const slope = vi.spyOn(ConvexObjective.prototype, 'slope');
    const inside = TARGET.map((value, i) => value + (BOUNDED.includes(i) ? 0.1 : 1));
    const { velocity, iterations, hasConverged } = solve('dense', inside);
    expect(hasConverged).toBe(true);
    expect(iterations).toBe(1);
    expect(slope).toHaveBeenCalledTimes(1);
    expectTarget(velocity, 10 * EPSILON);
  });

  test('from outside: more than one, the same minimum, dense and sparse alike', () => {
    const outside = TARGET.map((value, i) => value + (i % 2 === 0 ? 0.5 : -0.5));
    const dense = solve('dense', outside);
    const sparse = solve('sparse', outside);
    expect(dense.hasConverged && sparse.hasConverged).toBe(true);
    expect(dense.iterations).toBeGreaterThan(1);
    expectTarget(dense.velocity, 3 * EPSILON);
    expectTarget(sparse.velocity, 3 * EPSILON);
    for (let i = 0; i < TARGET.length; i++) {
      const difference = Math.abs((dense.velocity[i] ?? NaN) - (sparse.velocity[i] ?? NaN));
      expect(difference).toBeLessThanOrEqual(5 * EPSILON);
    }
  });
});

/** A point whose inverse mass is w √3 in every direction, so that |W|_F / 3 = w. */
function createPoint(w: number, h: number, options: ConstructorParameters<typeof VelocityProblem>[2]): VelocityProblem {
  const mass = 1 / (w * Math.sqrt(3));
  const matrix = [0, 1, 2].map((i) => [0, 1, 2].map((j) => (i === j ? mass : 0)));
  return new VelocityProblem([matrix], h, options);
}

const NORMAL_FIRST: Matrix = [
  [0, 0, 1],
  [1, 0, 0],
  [0, 1, 0],
];

test('R and v̂ of a contact', () => {
  const problem = createPoint(3, 5e-3, { frictionRegularization: 1e-4, nearRigid: 0 });
  problem.begin([0, 0, 0]);
  const first = problem.addContact({
    jacobian: NORMAL_FIRST,
    gap: -2.5e-3,
    stiffness: 1e5,
    dissipation: 0.01,
    friction: 0.5,
  });
  const { regularization, reference } = problem.problem;
  expect(Math.abs((reference[first] ?? NaN) - 1 / 6)).toBeLessThanOrEqual(EPSILON);
  expect(Math.abs((regularization[first] ?? NaN) - 2 / 15)).toBeLessThanOrEqual(EPSILON);
  for (const k of [1, 2]) {
    expect(Math.abs((regularization[first + k] ?? NaN) - 3e-4)).toBeLessThanOrEqual(4 * EPSILON * 3e-4);
    expect(reference[first + k]).toBe(0);
  }
});

describe('regularisation of lagged friction', () => {
  const H = 0.01;
  const STICTION = 1e-4;
  const w = 1;
  const mu = 0.5;
  const gap = -1e-3;
  const stiffness = 1e5;
  const dissipation = 20;

  test.each([
    ['none', 0, -0.02, STICTION],
    ['less than the stiction velocity', 1e-4, -0.02, STICTION],
    ['more than it', 1e-2, -0.02, 1e-2 * mu * w * H * 100 * 1.4],
    ['at a speed of separation that ends the force', 1e-2, 0.06, STICTION],
  ])('%s', (_, sigma, approach, expected) => {
    const problem = createPoint(w, H, {
      contactModel: 'lagged',
      frictionRegularization: sigma,
      huntCrossley: dissipation,
      stictionVelocity: STICTION,
    });
    problem.begin([0, 0, 0]);
    problem.startVelocity = Float64Array.of(0.3, 0, approach);
    problem.addContact({ jacobian: NORMAL_FIRST, gap, stiffness, dissipation: 0, friction: mu });
    const [h, k, elastic, d, grip, e] = problem.problem.lagged;
    expect([h, k, d]).toEqual([H, stiffness, dissipation]);
    expect(elastic).toBeCloseTo(100, 10);
    const impulse = H * 100 * Math.max(0, 1 - dissipation * approach);
    expect(grip).toBeCloseTo(mu * impulse, 12);
    expect(Math.abs((e ?? NaN) / expected - 1)).toBeLessThan(1e-14);
  });
});

test('a weight on a spring hangs at m g / k, whatever the step', () => {
  const mass = 2;
  const stiffness = 500;
  const H = 0.05;
  const problem = new VelocityProblem([[[mass]]], H, { relativeTolerance: 1e-13 });
  let q = 0;
  let v = 0;
  for (let n = 0; n < 400; n++) {
    problem.begin([v - H * 9.81]);
    problem.addSpring([1], q, stiffness, 0.02);
    v = problem.solve([v]).velocity[0] ?? NaN;
    q += H * v;
  }
  expect(Math.abs(q + (mass * 9.81) / stiffness)).toBeLessThan(1e-12);
});
