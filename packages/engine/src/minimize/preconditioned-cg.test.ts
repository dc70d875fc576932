import { describe, expect, test } from 'vitest';
import '../compiled.ts';
import '../sparse.ts';
import { Arena } from '../kernels/arena.ts';
import { createConvexParts, createMatrix, createSprings, DenseObjective } from '../testing/smooth-function.ts';
import { ForcingTerm } from './forcing-term.ts';
import { minimizeByNewton } from './newton.ts';
import { HessianDirection } from './newton-direction.ts';
import { ConjugateGradients } from './preconditioned-cg.ts';
import { OUTCOME, SolveTrace } from './solve-trace.ts';

const N = 12;

/** Numbers between −1 and 1 that are the same in every run. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 31 - 1;
  };
}

const random = createRandom(11);
const root = Array.from({ length: N }, () => Float64Array.from({ length: N }, () => random()));
const matrix = root.map((row, i) =>
  root.map((other, j) => row.reduce((sum, value, k) => sum + value * other[k], i === j ? 0.1 * (i + 1) : 0)),
);
const b = Float64Array.from({ length: N }, () => random());

const product = {
  multiply(out: Float64Array, x: Float64Array): void {
    for (let i = 0; i < N; i++) out[i] = matrix[i].reduce((sum, value, k) => sum + value * x[k], 0);
  },
};

const diagonal = {
  solve(d: Float64Array): void {
    for (let i = 0; i < N; i++) d[i] /= matrix[i][i];
  },
};

/** √(rᵀ P⁻¹ r) of r = b − H x. */
function measureResidual(x: Float64Array): number {
  const r = new Float64Array(N);
  product.multiply(r, x);
  let square = 0;
  for (let i = 0; i < N; i++) square += (b[i] - r[i]) ** 2 / matrix[i][i];
  return Math.sqrt(square);
}

describe('conjugate gradients', () => {
  test.each([0.5, 1e-2, 1e-6, 1e-12])('stop at %f of the residual they began with, in its norm', (tolerance) => {
    const gradients = new ConjugateGradients(N, new Arena());
    const x = new Float64Array(N);
    const scale = gradients.begin(b, N, diagonal);
    expect(scale).toBeCloseTo(measureResidual(new Float64Array(N)), 14);
    gradients.solve(x, N, product, diagonal, tolerance, 100);
    expect(measureResidual(x)).toBeLessThanOrEqual(1.001 * tolerance * scale);
    // every iterate satisfies xᵀ H x = bᵀ x, and falls
    const image = new Float64Array(N);
    product.multiply(image, x);
    const curvature = image.reduce((sum, value, i) => sum + value * x[i], 0);
    const fall = b.reduce((sum, value, i) => sum + value * x[i], 0);
    expect(fall).toBeGreaterThan(0);
    expect(curvature / fall).toBeCloseTo(1, 9);
  });

  test.each([1, 2, 5, 11, N])('compiled and in TypeScript the same bits, %i unknowns', (n) => {
    const [compiled, portable] = [new Arena(), new Arena({ portable: true })].map((memory) => {
      expect(memory.compiledDynamics !== undefined).toBe(memory.compiled !== undefined);
      const gradients = new ConjugateGradients(n, memory);
      const x = memory.f64(n);
      const part = {
        multiply(out: Float64Array, y: Float64Array): void {
          for (let i = 0; i < n; i++) {
            out[i] = 0;
            for (let k = 0; k < n; k++) out[i] += matrix[i][k] * y[k];
          }
        },
        solve(d: Float64Array): void {
          for (let i = 0; i < n; i++) d[i] /= matrix[i][i];
        },
      };
      gradients.begin(b, n, part);
      gradients.solve(x, n, part, part, 1e-6, 100);
      return [...x];
    });
    expect(compiled).toEqual(portable);
  });

  test('with the inverse as preconditioner, one iteration', () => {
    const gradients = new ConjugateGradients(2, new Arena());
    const pair = {
      multiply(out: Float64Array, x: Float64Array): void {
        out[0] = 4 * x[0] + x[1];
        out[1] = x[0] + 3 * x[1];
      },
      solve(d: Float64Array): void {
        const [p, q] = d;
        d[0] = (3 * p - q) / 11;
        d[1] = (4 * q - p) / 11;
      },
    };
    const x = new Float64Array(2);
    gradients.begin(Float64Array.of(1, 2), 2, pair);
    gradients.solve(x, 2, pair, pair, 1e-12, 10);
    expect(gradients.iterations).toBe(1);
    expect(x[0]).toBeCloseTo(1 / 11, 15);
    expect(x[1]).toBeCloseTo(7 / 11, 15);
  });

  test('a right-hand side of zero has the answer zero', () => {
    const gradients = new ConjugateGradients(N, new Arena());
    const x = new Float64Array(N).fill(7);
    gradients.begin(new Float64Array(N), N, diagonal);
    gradients.solve(x, N, product, diagonal, 1e-6, 10);
    expect([...x]).toEqual(new Array(N).fill(0));
  });
});

describe('conjugate gradients where they have a hard time', () => {
  const solveDiagonal = (
    diagonal: readonly number[],
    limit: number,
    tolerance: number,
    weights = diagonal.map(() => 1),
  ) => {
    const n = diagonal.length;
    const gradients = new ConjugateGradients(n, new Arena());
    const matrix = { multiply: (out: Float64Array, x: Float64Array) => out.set(x.map((v, i) => v * diagonal[i])) };
    const preconditioner = {
      solve(d: Float64Array): void {
        for (let i = 0; i < n; i++) d[i] /= weights[i];
      },
    };
    const x = new Float64Array(n);
    gradients.begin(new Float64Array(n).fill(1), n, preconditioner);
    gradients.solve(x, n, matrix, preconditioner, tolerance, limit);
    return { x: [...x], iterations: gradients.iterations };
  };

  test('condition 1e12: as many iterations as different eigenvalues, one with the right preconditioner', () => {
    const diagonal = [1, 1e4, 1e8, 1e12];
    const exact = diagonal.map((v) => 1 / v);
    const plain = solveDiagonal(diagonal, 100, 1e-10);
    plain.x.forEach((v, i) => {
      expect(v / exact[i]).toBeCloseTo(1, 4);
    });
    const { x, iterations } = solveDiagonal(diagonal, 100, 1e-10, diagonal);
    expect(iterations).toBe(1);
    x.forEach((v, i) => {
      expect(v / exact[i]).toBeCloseTo(1, 14);
    });
  });

  test('negative curvature: stops before it, with a direction of descent', () => {
    const { x, iterations } = solveDiagonal([2, 1, -0.5], 100, 1e-12);
    expect(iterations).toBeLessThan(3);
    // bᵀ x > 0
    expect(x.reduce((sum, v) => sum + v, 0)).toBeGreaterThan(0);
    expect(solveDiagonal([-1, -1], 100, 1e-12)).toEqual({ x: [0, 0], iterations: 0 });
  });

  test('a tolerance out of reach: ends at the limit or where round-off has taken the direction', () => {
    expect(solveDiagonal([1, 3, 7], 50, 0).iterations).toBeLessThanOrEqual(50);
    expect(solveDiagonal([1, 3, 7], 2, 0).iterations).toBe(2);
  });

  test('numbers that are not finite: no iteration', () => {
    expect(solveDiagonal([Number.NaN, 1], 10, 1e-6).iterations).toBe(0);
  });

  test('Newton with directions by conjugate gradients: a quadratic in a few steps, to the tolerance', () => {
    const minimum = Array.from({ length: 8 }, (_, i) => i - 3.5);
    const matrix = createMatrix([1, 2, 4, 8, 16, 32, 64, 128]);
    const objective = new DenseObjective(createSprings(matrix, minimum, 50), new Float64Array(8), 1e-9);
    const gradients = new ConjugateGradients(8, new Arena());
    const forcing = new ForcingTerm(0.1);
    const identity = { solve: () => {} };
    const hessian = {
      prepare: () => true,
      solve(d: Float64Array): void {
        const norm = gradients.begin(d, 8, identity);
        const product = { multiply: (out: Float64Array, v: Float64Array) => out.set(objective.multiplyHessian(v)) };
        gradients.solve(d, 8, product, identity, forcing.next(norm), 100);
      },
    };
    const parts = createConvexParts(objective);
    const direction = new HessianDirection(objective, hessian, objective.direction);
    const trace = new SolveTrace();
    expect(minimizeByNewton({ ...parts, direction }, 50, trace)).toBe(OUTCOME.converged);
    expect(Math.max(...minimum.map((v, i) => Math.abs(v - objective.x[i])))).toBeLessThan(1e-8);
    expect(trace.count).toBeGreaterThan(1);
    expect(trace.count).toBeLessThan(20);
  });
});

describe('the forcing term', () => {
  test('is rough at first and falls with the square of the progress', () => {
    const forcing = new ForcingTerm(0.1);
    expect(forcing.next(1)).toBe(0.1);
    expect(forcing.next(0.9)).toBe(0.1);
    expect(forcing.next(0.09)).toBeCloseTo(0.9 * 0.01, 15);
    expect(forcing.next(0.09 * 1e-4)).toBeCloseTo(0.9 * 1e-8, 20);
    expect(forcing.next(1e-30)).toBe(1e-10);
    forcing.reset();
    expect(forcing.next(1e-30)).toBe(0.1);
  });
});
