/** The force of one block: it must be what the law says at the residual it makes, for any G and any residual. */
import { describe, expect, test } from 'vitest';
import { createRandom } from '../testing/forest.ts';
import { SINGLE_BLOCKS } from '../testing/single-block.ts';
import { BlockSolve } from './block-solve.ts';
import { evaluateLaw } from './law-table.ts';

/** B Bᵀ with fewer columns than rows where `rank` says so. */
function randomGain(n: number, rank: number, scale: number, random: () => number): Float64Array {
  const b = Float64Array.from({ length: n * rank }, () => random() - 0.5);
  return Float64Array.from({ length: n * n }, (_, at) => {
    let sum = 0;
    for (let k = 0; k < rank; k++) sum += b[Math.floor(at / n) * rank + k] * b[(at % n) * rank + k];
    return scale * sum;
  });
}

describe.each(SINGLE_BLOCKS)('$name', ({ create, dimension: n }) => {
  test('solves f = −∇s(y₀ + G f), also where G is singular', () => {
    const random = createRandom(n);
    let acting = 0;
    for (let k = 0; k < 300; k++) {
      const problem = create();
      const gain = randomGain(n, k % 4 === 0 ? Math.max(1, n - 1) : n, 10 ** (4 * random() - 2), random);
      const free = Array.from({ length: n }, () => 4 * (random() - 0.7));
      const start = Array.from({ length: n }, () => random() - 0.5);
      const product = (f: ArrayLike<number>, i: number): number => {
        let sum = 0;
        for (let j = 0; j < n; j++) sum += gain[i * n + j] * f[j];
        return sum;
      };
      for (let i = 0; i < n; i++) {
        problem.data.force[i] = start[i];
        problem.data.residual[i] = free[i] + product(start, i);
      }
      new BlockSolve(problem).solve(0, gain);
      const force = problem.data.force.slice(0, n);
      const size = Math.max(1, ...force.map(Math.abs));
      if (force.some((f) => f !== 0)) acting++;
      for (let i = 0; i < n; i++) problem.data.residual[i] = free[i] + product(force, i);
      evaluateLaw(problem, 0);
      // rounding of G f through D and G: conditions up to 1e4
      for (let i = 0; i < n; i++) expect(Math.abs(problem.data.force[i] - force[i])).toBeLessThan(1e-9 * size);
    }
    expect(acting).toBeGreaterThan(100);
  });
});
