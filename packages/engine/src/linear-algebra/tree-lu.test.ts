import { expect, test } from 'vitest';
import { createRandom, randomParents, solveDense, sparsityOf } from '../testing/forest.ts';
import { factorTreeUnsymmetric, solveTreeUnsymmetric } from './tree-lu.ts';

test.each([1, 2, 6, 30])('the unsymmetric factor solves the same system as dense elimination, %i dofs', (n) => {
  for (let seed = 1; seed <= 20; seed++) {
    const random = createRandom(seed * 77 + n);
    const { rowStart, column } = sparsityOf(randomParents(n, random));
    const lower = new Float64Array(column.length);
    const upper = new Float64Array(column.length);
    const dense = Array.from({ length: n }, () => new Array<number>(n).fill(0));
    for (let i = 0; i < n; i++) {
      for (let k = rowStart[i]; k < rowStart[i + 1]; k++) {
        const j = column[k];
        lower[k] = i === j ? n + random() : random() - 0.5;
        upper[k] = i === j ? lower[k] : random() - 0.5;
        dense[i][j] = lower[k];
        dense[j][i] = upper[k];
      }
    }
    const right = Float64Array.from({ length: n }, () => random() - 0.5);
    const expected = solveDense(dense, [...right]);
    const inverse = new Float64Array(n);
    expect(factorTreeUnsymmetric(lower, upper, inverse, rowStart, column)).toBe(-1);
    solveTreeUnsymmetric(right, lower, upper, inverse, rowStart, column);
    for (let i = 0; i < n; i++) expect(Math.abs(right[i] - expected[i])).toBeLessThan(1e-14);
  }
});

test('a zero pivot is named', () => {
  const { rowStart, column } = sparsityOf([-1]);
  expect(factorTreeUnsymmetric(new Float64Array(1), new Float64Array(1), new Float64Array(1), rowStart, column)).toBe(
    0,
  );
});
