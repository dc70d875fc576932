/**
 * Every law against its own potential: force = −∇s and Hessian = −∂f/∂y by central differences, Hessian symmetric and without
 * negative eigenvalues, and along lines the slope and curvature that a line search sees.
 */
import { describe, expect, test } from 'vitest';
import { takeSamples } from '../../../../../scripts/long-run.ts';
import { Arena } from '../../kernels/arena.ts';
import { factorDense } from '../../linear-algebra/dense-cholesky.ts';
import { CONSTRAINT_LAW, ConvexProblem, SOURCE, ZONE } from '../convex-problem.ts';
import { differentiateLawAlongLine, evaluateLaw } from '../law-table.ts';

/** One block of some law; `scale` is the size of residuals at which its zones meet. */
interface Case {
  readonly name: string;
  readonly dimension: number;
  readonly scale: number;
  fill(problem: ConvexProblem): void;
}

const SPRINGS: Case = {
  name: 'spring: free, one-sided, bounded, hard',
  dimension: 4,
  scale: 1,
  fill(problem) {
    problem.describe(CONSTRAINT_LAW.spring, SOURCE.equality, 0);
    problem.setRow(0, 0, 0.3, -Infinity, Infinity);
    problem.setRow(1, 0, 0.7, 0, Infinity);
    problem.setRow(2, 0, 0.5, -0.4, 0.9);
    problem.setRow(3, 0, 0.01, -20, 20);
  },
};

function pyramid(dimension: number): Case {
  return {
    name: `pyramid of ${dimension} rows`,
    dimension,
    scale: 1,
    fill(problem) {
      const first = problem.describe(CONSTRAINT_LAW.pyramid, SOURCE.contact, 0);
      for (let k = 0; k < dimension; k++) {
        problem.setRow(first + k, 0, 0.6, 0, 0);
        problem.friction[first + k] = 0.4 + 0.2 * k;
      }
    },
  };
}

function cone(dimension: number, ratio: number): Case {
  return {
    name: `cone of ${dimension} rows, R_t/R_n = ${ratio}`,
    dimension,
    scale: 1,
    fill(problem) {
      const first = problem.describe(CONSTRAINT_LAW.cone, SOURCE.contact, 0);
      const normal = 0.6;
      const slide = 0.5;
      problem.setRow(first, 0, normal, 0, 0);
      problem.friction[first] = slide * Math.sqrt(ratio);
      for (let k = 1; k < dimension; k++) {
        const mu = k < 3 ? slide : 0.5 - 0.08 * k;
        problem.friction[first + k] = mu;
        problem.setRow(first + k, 0, (normal * ratio * slide * slide) / (mu * mu), 0, 0);
      }
    },
  };
}

function lagged(name: string, numbers: readonly number[], scale: number): Case {
  return {
    name: `lagged, ${name}`,
    dimension: 3,
    scale,
    fill(problem) {
      problem.describe(CONSTRAINT_LAW.lagged, SOURCE.contact, 0);
      const start = problem.reserveLagged(0);
      problem.lagged.set(numbers, start);
    },
  };
}

const CASES: readonly Case[] = [
  SPRINGS,
  pyramid(3),
  pyramid(6),
  cone(3, 1),
  cone(3, 0.02),
  cone(4, 0.5),
  cone(6, 2),
  // h, k, f₀, d, μ n₀, e
  lagged('in touch', [0.01, 1e4, 40, 0.6, 0.2, 0.3], 1),
  lagged('damping ends first', [0.01, 10, 40, 2, 0.2, 0.3], 1),
  lagged('elastic force ends first', [0.01, 1e4, 40, 0.1, 0.2, 0.05], 1),
  lagged('at a distance', [0.01, 1e4, -30, 0.5, 0, 0.3], 1),
  lagged('no stiffness', [0.01, 0, 40, 0.5, 0.2, 0.3], 1),
];

/** Numbers between −1 and 1 that are the same in every run. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 31 - 1;
  };
}

function createProblem({ dimension, fill }: Case): ConvexProblem {
  const problem = new ConvexProblem(new Arena());
  problem.rows.add(dimension, 1);
  fill(problem);
  return problem;
}

/** Zones of all rows as text; differences across a border between zones say nothing. */
function evaluateAt(problem: ConvexProblem, y: ArrayLike<number>): string {
  problem.data.residual.set(y);
  evaluateLaw(problem, 0);
  return problem.data.zone.subarray(0, y.length).join();
}

const STEP = 1e-5;

describe.each(CASES)('$name', (law) => {
  const { dimension: n, scale } = law;
  const problem = createProblem(law);
  const random = createRandom(7);
  const points = Array.from({ length: takeSamples(300, 0.2) }, () =>
    Float64Array.from({ length: n }, () => 2 * scale * random()),
  );

  test('force is minus the gradient of the cost', () => {
    const zones = new Set<string>();
    for (const y of points) {
      const here = evaluateAt(problem, y);
      zones.add(here);
      const force = problem.data.force.slice(0, n);
      for (let k = 0; k < n; k++) {
        const moved = y.slice();
        moved[k] = y[k] + STEP;
        const isSmooth = evaluateAt(problem, moved) === here;
        const above = problem.data.cost[0];
        moved[k] = y[k] - STEP;
        // the gradient is continuous: a kink in it within the step costs a step times the change of curvature, at most 100
        const tolerance = evaluateAt(problem, moved) === here && isSmooth ? 1e-6 : 100 * STEP;
        expect(Math.abs((above - problem.data.cost[0]) / (2 * STEP) + force[k])).toBeLessThan(tolerance);
      }
    }
    expect(zones.size).toBeGreaterThan(1);
  });

  test('the Hessian is the derivative of the force, symmetric, and bends upward', () => {
    const low = new Float64Array(n);
    const inverse = new Float64Array(n);
    for (const y of points) {
      const zones = evaluateAt(problem, y);
      const start = problem.hessianStart[0];
      const hessian = problem.data.hessian.slice(start, start + n * n);
      const size = Math.max(1, ...hessian.map(Math.abs));
      for (let j = 0; j < n; j++) {
        const moved = y.slice();
        moved[j] = y[j] - STEP;
        const below = evaluateAt(problem, moved);
        low.set(problem.data.force.subarray(0, n));
        moved[j] = y[j] + STEP;
        if (evaluateAt(problem, moved) !== zones || below !== zones) continue;
        for (let i = 0; i < n; i++) {
          const difference = -(problem.data.force[i] - low[i]) / (2 * STEP);
          expect(Math.abs(difference - hessian[i * n + j])).toBeLessThan(1e-6 * size);
        }
      }
      for (let i = 0; i < n; i++) for (let j = 0; j < i; j++) expect(hessian[i * n + j]).toBe(hessian[j * n + i]);
      // no eigenvalue below −1e-13 of the largest entry: a shift by that much has a Cholesky factor
      for (let i = 0; i < n; i++) hessian[i * n + i] += 1e-13 * size;
      expect(factorDense(hessian, inverse, n)).toBe(-1);
    }
  });

  test('slope and curvature along lines are those of the gradient and the Hessian', () => {
    const line = { curvature: 0 };
    for (const y of points) {
      const direction = Float64Array.from({ length: n }, () => random());
      for (const alpha of [0, 0.3, 1.7]) {
        line.curvature = 0;
        problem.data.residual.set(y);
        const slope = differentiateLawAlongLine(problem, 0, direction, alpha, line);
        evaluateAt(
          problem,
          y.map((value, k) => value + alpha * direction[k]),
        );
        let expected = 0;
        let curvature = 0;
        for (let i = 0; i < n; i++) {
          expected -= problem.data.force[i] * direction[i];
          for (let j = 0; j < n; j++) {
            curvature += problem.data.hessian[problem.hessianStart[0] + i * n + j] * direction[i] * direction[j];
          }
        }
        expect(Math.abs(slope - expected)).toBeLessThan(1e-12 * (100 + Math.abs(expected)));
        expect(Math.abs(line.curvature - curvature)).toBeLessThan(1e-12 * (100 + Math.abs(curvature)));
      }
    }
  });

  test('a block that is evaluated again at the same place has no new Hessian, unless it bends', () => {
    for (const y of points.slice(0, 50)) {
      evaluateAt(problem, y);
      const before = problem.data.hessian.slice(0, n * n);
      evaluateLaw(problem, 0);
      expect(problem.data.hessian.slice(0, n * n)).toEqual(before);
      if (problem.data.zone[0] === ZONE.open && problem.law[0] === CONSTRAINT_LAW.cone)
        expect(evaluateLaw(problem, 0)).toBe(false);
    }
  });
});
