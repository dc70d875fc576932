import { describe, expect, test } from 'vitest';
import { Arena } from '../../kernels/arena.ts';
import { BlockCholesky } from '../../linear-algebra/block-cholesky/block-cholesky.ts';
import { BlockGradients, type BlockMatrix } from './block-gradients.ts';

let seed = 7;
const random = (): number => {
  seed = (seed * 16807) % 2147483647;
  return (2 * seed) / 2147483647 - 1;
};

/** Blocks of six and three rows in a ring with chords; `shift` on the diagonal makes it positive definite where it is large. */
function build(shift: number): { matrix: BlockMatrix; factor: BlockCholesky; rows: number } {
  const memory = new Arena({ portable: true });
  const size = Int32Array.from({ length: 40 }, (_, b) => (b < 5 ? 6 : 3));
  const pairs = Array.from({ length: 40 }, (_, b) => [Math.min(b, (b + 1) % 40), Math.max(b, (b + 1) % 40)] as const);
  for (let b = 0; b + 17 < 40; b += 3) pairs.push([b, b + 17]);
  const first = Int32Array.from(pairs, ([a]) => a);
  const second = Int32Array.from(pairs, ([, b]) => b);
  const factor = new BlockCholesky(memory);
  factor.analyze(size, size.length, first, second, first.length);
  factor.clear();
  const row = new Int32Array(size.length);
  for (let b = 1; b < size.length; b++) row[b] = row[b - 1]! + size[b - 1]!;
  const { values, diagonalOffset, edgeOffset } = factor;
  for (let b = 0; b < size.length; b++) {
    const n = size[b]!;
    const o = diagonalOffset[b]!;
    for (let i = 0; i < n; i++)
      for (let j = 0; j <= i; j++) values[o + n * i + j] = (i === j ? shift * (1 + b) : 0) + 0.2 * random();
  }
  first.forEach((a, e) => {
    for (let k = 0; k < size[a]! * size[second[e]!]!; k++) values[edgeOffset[e]! + k] = 0.3 * random();
  });
  const matrix = { size, row, values, diagonalOffset, edgeOffset, first, second, edgeCount: first.length };
  return { matrix, factor, rows: row.at(-1)! + 3 };
}

describe('conjugate gradients on blocks of three and six rows', () => {
  test('give what the Cholesky factor gives', () => {
    const { matrix, factor, rows } = build(4);
    const right = Float64Array.from({ length: rows }, random);
    const exact = right.slice();
    expect(factor.factor()).toBe(-1);
    factor.solve(exact);
    const gradients = new BlockGradients(rows, 40 * 36, new Arena({ portable: true }));
    const found = right.slice();
    expect(gradients.solve(found, matrix, 1e-12, 500)).toBe(true);
    expect(gradients.iterations).toBeGreaterThan(3);
    found.forEach((x, i) => {
      expect(Math.abs(x - exact[i]!)).toBeLessThan(1e-10);
    });
  });

  test('say where the matrix is not positive definite, and where the iterations do not do', () => {
    const { rows, ...weak } = build(0.02);
    const gradients = new BlockGradients(rows, 40 * 36, new Arena({ portable: true }));
    expect(weak.factor.factor()).toBeGreaterThanOrEqual(0);
    expect(gradients.solve(Float64Array.from({ length: rows }, random), weak.matrix, 1e-12, 500)).toBe(false);
    const { matrix } = build(4);
    expect(gradients.solve(Float64Array.from({ length: rows }, random), matrix, 1e-12, 2)).toBe(false);
    expect(gradients.iterations).toBe(3);
  });
});
