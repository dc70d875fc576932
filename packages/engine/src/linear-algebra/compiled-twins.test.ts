/** Compiled factors and solves give the bits of their twins in TypeScript, at sizes that meet every tile, piece and group. */
import { describe, expect, test } from 'vitest';
import { Arena } from '../kernels/arena.ts';
import { createRandom } from '../testing/forest.ts';
import { BlockCholesky } from './block-cholesky/block-cholesky.ts';
import { factorDense, solveDense } from './dense-cholesky.ts';
import type { Memory } from './memory.ts';

/** Factor, inverse diagonal and a solution of a diagonally dominant matrix. */
function solveRandomly(n: number, memory: Memory): number[] {
  const random = createRandom(n);
  const matrix = memory.f64(n * n);
  const inverse = memory.f64(n);
  const x = memory.f64(n);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < i; j++) matrix[i * n + j] = random() - 0.5;
    matrix[i * n + i] = n * (1 + random());
    x[i] = random() - 0.5;
  }
  expect(factorDense(matrix, inverse, n, memory.compiled)).toBe(-1);
  solveDense(x, matrix, inverse, n, memory.compiled);
  return [...matrix, ...inverse, ...x];
}

/** A grid of blocks of several sizes, each joined to its neighbours. */
function solveGrid(side: number, sizeOf: (b: number) => number, memory: Memory): number[] {
  const cholesky = new BlockCholesky(memory);
  const count = side * side;
  const size = Int32Array.from({ length: count }, (_, b) => sizeOf(b));
  const edges: [number, number][] = [];
  for (let b = 0; b < count; b++) {
    if (b % side > 0) edges.push([b, b - 1]);
    if (b >= side) edges.push([b - side, b]);
  }
  const first = Int32Array.from(edges, (edge) => edge[0]);
  const second = Int32Array.from(edges, (edge) => edge[1]);
  cholesky.analyze(size, count, first, second, edges.length);
  const random = createRandom(count);
  for (let k = 0; k < cholesky.valueCount; k++) cholesky.values[k] = random() - 0.5;
  size.forEach((n, b) => {
    for (let i = 0; i < n; i++) cholesky.values[cholesky.diagonalOffset[b] + i * (n + 1)] = 40 + random();
  });
  expect(cholesky.factor()).toBe(-1);
  const x = Float64Array.from({ length: cholesky.size }, () => random() - 0.5);
  cholesky.solve(x);
  return [...x];
}

describe('compiled twins', () => {
  test.each([1, 2, 3, 5, 6, 27, 54, 96, 97, 150, 211])('dense, %i rows', (n) => {
    expect(solveRandomly(n, new Arena())).toEqual(solveRandomly(n, new Arena({ portable: true })));
  });

  test.each([
    ['bodies', 9, () => 6],
    ['vertices', 12, () => 3],
    ['trees', 7, (b: number) => 1 + ((b * 5) % 9)],
    ['one large tree among bodies', 6, (b: number) => (b === 14 ? 120 : 6)],
  ] as const)('block-sparse: %s', (_, side, sizeOf) => {
    const compiled = solveGrid(side, sizeOf, new Arena());
    expect(compiled.every(Number.isFinite)).toBe(true);
    expect(compiled).toEqual(solveGrid(side, sizeOf, new Arena({ portable: true })));
  });

  test('both name the row whose pivot is not positive', () => {
    for (const memory of [new Arena(), new Arena({ portable: true })]) {
      for (const bad of [0, 1, 2, 5, 6, 7]) {
        const matrix = memory.f64(64);
        for (let i = 0; i < 8; i++) matrix[9 * i] = i === bad ? 0 : 1;
        expect(factorDense(matrix, memory.f64(8), 8, memory.compiled)).toBe(bad);
      }
    }
  });
});
