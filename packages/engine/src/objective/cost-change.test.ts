import { describe, expect, test } from 'vitest';
import { createRandom } from '../testing/forest.ts';
import { SINGLE_BLOCKS } from '../testing/single-block.ts';
import { measureCostChange } from './cost-change.ts';
import { evaluateLaw } from './law-table.ts';

describe.each(SINGLE_BLOCKS)('$name', ({ create, dimension: n }) => {
  test('is the difference of costs, for steps large and small', () => {
    const random = createRandom(10 + n);
    const problem = create();
    for (let k = 0; k < 500; k++) {
      const direction = Float64Array.from({ length: n }, () => 2 * (random() - 0.5));
      const alpha = 10 ** (3 * random() - 2);
      for (let i = 0; i < n; i++) problem.data.residual[i] = 4 * (random() - 0.6);
      evaluateLaw(problem, 0);
      const before = problem.data.cost[0];
      for (let i = 0; i < n; i++) problem.data.residual[i] += alpha * direction[i];
      evaluateLaw(problem, 0);
      const change = measureCostChange(problem, 0, direction, alpha, before);
      const size = Math.abs(problem.data.cost[0]) + Math.abs(before) + 1;
      expect(Math.abs(change - (problem.data.cost[0] - before))).toBeLessThan(1e-14 * size * n);
    }
  });

  test('keeps its digits where the difference has none left', () => {
    const random = createRandom(20 + n);
    const problem = create();
    let seen = 0;
    for (let k = 0; k < 200; k++) {
      const direction = Float64Array.from({ length: n }, () => 2 * (random() - 0.5));
      const alpha = 1e-13;
      for (let i = 0; i < n; i++) problem.data.residual[i] = 1e3 * (random() - 0.7);
      evaluateLaw(problem, 0);
      // to first order the change is −fᵀ δ; the second order is 1e-16 of it
      let slope = 0;
      let size = 0;
      for (let i = 0; i < n; i++) {
        slope -= problem.data.force[i] * direction[i];
        size += Math.abs(problem.data.force[i] * direction[i]);
      }
      const before = problem.data.cost[0];
      // the end of the step is the same number in doubles or its neighbour; δ is what is asked about
      for (let i = 0; i < n; i++) problem.data.residual[i] += alpha * direction[i];
      evaluateLaw(problem, 0);
      const change = measureCostChange(problem, 0, direction, alpha, before);
      if (Math.abs(slope) < 0.01 * size) continue;
      seen++;
      expect(Math.abs(change / alpha - slope)).toBeLessThanOrEqual(1e-9 * size);
    }
    expect(seen).toBeGreaterThan(20);
  });
});
