import { expect, test } from 'vitest';
import { createRandom } from '../../testing/forest.ts';
import { subtractProduct, writeNegativeSquare } from './panel-product.ts';

const EPSILON = 2 ** -53;

function randomNumbers(length: number, seed: number): Float64Array {
  const random = createRandom(seed);
  return Float64Array.from({ length }, () => random() - 0.5);
}

/** Product of row i at xStart and row j at yStart. */
function productOf(a: Float64Array, x: number, y: number, length: number): number {
  let sum = 0;
  for (let k = 0; k < length; k++) sum += a[x + k] * a[y + k];
  return sum;
}

test.each([
  [1, 1, 1],
  [2, 5, 3],
  [6, 6, 6],
  [7, 4, 27],
  [50, 49, 65],
  [100, 97, 130],
])('C − X Yᵀ on %i × %i numbers, rows of %i', (rows, columns, length) => {
  const stride = length + 2;
  const cStride = columns + 3;
  const a = randomNumbers((rows + columns) * stride, 1);
  const before = randomNumbers(rows * cStride + 5, 2);
  const c = before.slice();
  const y = rows * stride;
  subtractProduct(c, 5, cStride, rows, columns, a, 0, y, stride, length, false);
  for (let i = 0; i < rows; i++) {
    for (let j = 0; j < cStride; j++) {
      const k = 5 + i * cStride + j;
      // numbers beside C stay as they are
      const product = j < columns ? productOf(a, i * stride, y + j * stride, length) : 0;
      expect(Math.abs(c[k] - (before[k] - product))).toBeLessThanOrEqual(2 * (length + 1) * EPSILON * (length + 1));
    }
  }
  expect(c.slice(0, 5)).toEqual(before.slice(0, 5));
});

test.each([
  [1, 1],
  [6, 6],
  [7, 12],
  [49, 70],
  [101, 200],
])('−X Xᵀ on the lower triangle of %i rows of %i, whatever stood there', (n, length) => {
  const a = randomNumbers(n * length, 3);
  const c = new Float64Array(n * n).fill(Number.NaN);
  writeNegativeSquare(c, 0, n, a, 0, length);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j <= i; j++) {
      const expected = -productOf(a, i * length, j * length, length);
      expect(Math.abs(c[i * n + j] - expected)).toBeLessThanOrEqual(2 * length * EPSILON * length);
    }
  }
});
