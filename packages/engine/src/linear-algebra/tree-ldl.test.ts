import { describe, expect, test } from 'vitest';
import { Arena } from '../kernels/arena.ts';
import { createKernels, PORTABLE_KERNELS } from '../kernels/kernels.ts';
import { createRandom, randomParents, solveDense, sparsityOf } from '../testing/forest.ts';
import { factorTree, multiplyTree, solveTree } from './tree-ldl.ts';

/** A diagonally dominant symmetric matrix on the pattern of a random forest, sparse and dense. */
function randomProblem(n: number, seed: number) {
  const random = createRandom(seed);
  const pattern = sparsityOf(randomParents(n, random));
  const values = new Float64Array(pattern.column.length);
  const dense = Array.from({ length: n }, () => new Array<number>(n).fill(0));
  for (let i = 0; i < n; i++) {
    for (let k = pattern.rowStart[i]; k < pattern.rowStart[i + 1]; k++) {
      const j = pattern.column[k];
      values[k] = i === j ? n + random() : random() - 0.5;
      dense[i][j] = dense[j][i] = values[k];
    }
  }
  const right = Float64Array.from({ length: n }, () => random() - 0.5);
  return { pattern, values, dense, right };
}

describe('LᵀDL over a forest', () => {
  test.each([1, 2, 7, 40])('solves the same system as dense elimination, %i dofs', (n) => {
    for (let seed = 1; seed <= 20; seed++) {
      const { pattern, values, dense, right } = randomProblem(n, seed * 1000 + n);
      const expected = solveDense(dense, [...right]);
      const inverse = new Float64Array(n);
      expect(factorTree(values, inverse, pattern.rowStart, pattern.column)).toBe(-1);
      const x = right.slice();
      solveTree(x, values, inverse, pattern.rowStart, pattern.column);
      // backward stable on diagonally dominant matrices: a few ulp of the solution
      for (let i = 0; i < n; i++) expect(Math.abs(x[i] - expected[i])).toBeLessThan(1e-14);
    }
  });

  test('multiplies like the dense matrix', () => {
    const { pattern, values, dense, right } = randomProblem(25, 3);
    const out = new Float64Array(25).fill(Number.NaN);
    multiplyTree(out, values, right, pattern.rowStart, pattern.column);
    for (let i = 0; i < 25; i++) {
      const expected = dense[i].reduce((sum, a, j) => sum + a * right[j], 0);
      expect(out[i]).toBeCloseTo(expected, 12);
    }
  });

  test('names the row whose pivot is not positive', () => {
    const { rowStart, column } = sparsityOf([-1, 0]);
    const indefinite = Float64Array.from([1, 2, 1]);
    expect(factorTree(indefinite, new Float64Array(2), rowStart, column)).toBe(0);
  });

  test('compiled and portable kernels give the same bits', () => {
    const arena = new Arena();
    const compiled = createKernels(arena);
    expect(compiled.kind).toBe('compiled');
    for (const n of [1, 3, 6, 27, 101]) {
      const { pattern, values, right } = randomProblem(n, n);
      const rowStart = arena.i32(pattern.rowStart.length);
      const column = arena.i32(pattern.column.length);
      rowStart.set(pattern.rowStart);
      column.set(pattern.column);
      const run = (kernels: typeof compiled) => {
        const factor = arena.f64(values.length);
        const inverse = arena.f64(n);
        const x = arena.f64(n);
        factor.set(values);
        x.set(right);
        kernels.factorTree(factor, inverse, rowStart, column);
        kernels.solveTree(x, factor, inverse, rowStart, column);
        return [...factor, ...inverse, ...x];
      };
      expect(run(compiled)).toEqual(run(PORTABLE_KERNELS));
    }
  });
});
