import { expect, test } from 'vitest';
import { createRandom } from '../testing/box-sets.ts';
import { DenseLu } from './dense-lu.ts';

test('solves with random matrices and their transposes; singular ones have no factor', () => {
  const random = createRandom(7);
  for (const n of [1, 2, 5, 12]) {
    const a = Float64Array.from({ length: n * n }, () => random() - 0.5);
    const x = Float64Array.from({ length: n }, () => random() - 0.5);
    const b = new Float64Array(n);
    const c = new Float64Array(n);
    for (let i = 0; i < n; i++) {
      for (let j = 0; j < n; j++) {
        b[i]! += a[i * n + j]! * x[j]!;
        c[i]! += a[j * n + i]! * x[j]!;
      }
    }
    const lu = DenseLu.factor(a.slice(), n)!;
    lu.solve(b);
    lu.solveTransposed(c);
    for (let i = 0; i < n; i++) {
      expect(b[i]).toBeCloseTo(x[i]!, 10);
      expect(c[i]).toBeCloseTo(x[i]!, 10);
    }
  }
  expect(DenseLu.factor(Float64Array.of(1, 2, 2, 4), 2)).toBeUndefined();
});
