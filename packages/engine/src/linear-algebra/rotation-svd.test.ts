import { describe, expect, test } from 'vitest';
import { createRandom } from '../testing/forest.ts';
import { decomposeByRotations } from './rotation-svd.ts';

const random = createRandom(5);
const u = new Float64Array(9);
const v = new Float64Array(9);
const sigma = new Float64Array(3);

function multiply(a: ArrayLike<number>, b: ArrayLike<number>): number[] {
  return Array.from({ length: 9 }, (_, k) => {
    const [i, j] = [Math.floor(k / 3), k % 3];
    return a[3 * i] * b[j] + a[3 * i + 1] * b[3 + j] + a[3 * i + 2] * b[6 + j];
  });
}
const transpose = (a: ArrayLike<number>): number[] => [a[0], a[3], a[6], a[1], a[4], a[7], a[2], a[5], a[8]];
function determinant(a: ArrayLike<number>): number {
  return a[0] * (a[4] * a[8] - a[5] * a[7]) + a[1] * (a[5] * a[6] - a[3] * a[8]) + a[2] * (a[3] * a[7] - a[4] * a[6]);
}

/** U Σ Vᵀ is the matrix and U, V are rotations, to a few units of round-off of its size. */
function checkParts(f: Float64Array): void {
  decomposeByRotations(u, sigma, v, f, 0);
  const size = Math.max(1e-300, ...f.map(Math.abs));
  const scaled = u.map((value, k) => value * sigma[k % 3]);
  multiply(scaled, transpose(v)).forEach((value, k) => {
    expect(Math.abs(value - f[k])).toBeLessThan(1e-14 * size);
  });
  for (const m of [u, v]) {
    const square = multiply(transpose(m), m);
    for (let k = 0; k < 9; k++) expect(Math.abs(square[k] - (k % 4 === 0 ? 1 : 0))).toBeLessThan(1e-14);
    expect(determinant(m)).toBeCloseTo(1, 13);
  }
  expect(sigma[0]).toBeGreaterThanOrEqual(sigma[1] - 1e-15 * size);
  expect(sigma[1]).toBeGreaterThanOrEqual(Math.abs(sigma[2]) - 1e-15 * size);
}

describe('singular values with rotations', () => {
  test('of random matrices, a half of them reflections', () => {
    let reflections = 0;
    for (let k = 0; k < 500; k++) {
      const f = Float64Array.from({ length: 9 }, () => 2 * random() - 1);
      checkParts(f);
      expect(Math.sign(sigma[2])).toBe(Math.sign(determinant(f)));
      if (sigma[2] < 0) reflections++;
    }
    expect(reflections).toBeGreaterThan(200);
  });

  test.each([
    ['zero', [0, 0, 0, 0, 0, 0, 0, 0, 0]],
    ['one column', [1, 0, 0, 2, 0, 0, -1, 0, 0]],
    ['equal columns', [1, 1, 1, 1, 1, 1, 1, 1, 1]],
    ['unit', [1, 0, 0, 0, 1, 0, 0, 0, 1]],
    ['mirror', [1, 0, 0, 0, 1, 0, 0, 0, -1]],
    ['point inversion', [-1, 0, 0, 0, -1, 0, 0, 0, -1]],
    ['rank two', [1, 2, 3, 4, 5, 6, 7, 8, 9]],
    ['far apart', [1e8, 1, 0, 0, 1e-8, 1e-9, 1, 0, 1e-8]],
    ['tiny', [1e-120, 2e-120, 0, 0, 1e-120, 0, 0, 0, 3e-120]],
  ])('of a special matrix: %s', (_, entries) => {
    checkParts(Float64Array.from(entries));
  });

  test('small singular values keep their digits', () => {
    // columns of very different length, nearly orthogonal: det F = 1e-10 (1 + 1e-10)
    decomposeByRotations(u, sigma, v, Float64Array.of(1, 1e-10, 0, 0, 1e-5, 0, 0, 0, 1e-5), 0);
    expect(Math.abs(sigma[0] * sigma[1] * sigma[2] * 1e10 - 1)).toBeLessThan(1e-14);
  });
});
