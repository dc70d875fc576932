import { describe, expect, test } from 'vitest';
import { createRandom } from '../testing/forest.ts';
import { factorDense, solveDense } from './dense-cholesky.ts';

const SIZES = [1, 2, 3, 4, 5, 6, 7, 8, 12, 13, 27, 40, 64, 101, 150];
const EPSILON = 2 ** -53;

/** Q diag(λ) Qᵀ with λ from 1 down to 1/condition and Q a product of reflections. */
function randomSpd(n: number, condition: number, seed: number): Float64Array {
  const random = createRandom(seed);
  const h = new Float64Array(n * n);
  for (let i = 0; i < n; i++) h[i * n + i] = condition ** -(n > 1 ? i / (n - 1) : 0);
  for (let reflection = 0; reflection < 3; reflection++) {
    const u = Float64Array.from({ length: n }, () => random() - 0.5);
    const scale = 2 / u.reduce((sum, value) => sum + value * value, 0);
    for (let side = 0; side < 2; side++) {
      for (let i = 0; i < n; i++) {
        const at = (j: number) => (side === 0 ? i * n + j : j * n + i);
        let dot = 0;
        for (let j = 0; j < n; j++) dot += h[at(j)] * u[j];
        for (let j = 0; j < n; j++) h[at(j)] -= scale * dot * u[j];
      }
    }
  }
  for (let i = 0; i < n; i++) for (let j = 0; j < i; j++) h[j * n + i] = h[i * n + j];
  return h;
}

function trace(h: Float64Array, n: number): number {
  let sum = 0;
  for (let i = 0; i < n; i++) sum += h[i * n + i];
  return sum;
}

/** The textbook factor, one sum at a time. */
function factorPlainly(h: Float64Array, n: number): Float64Array {
  const l = new Float64Array(n * n);
  for (let j = 0; j < n; j++) {
    for (let i = j; i < n; i++) {
      let sum = h[i * n + j];
      for (let k = 0; k < j; k++) sum -= l[i * n + k] * l[j * n + k];
      l[i * n + j] = i === j ? Math.sqrt(sum) : sum / l[j * n + j];
    }
  }
  return l;
}

/** Frobenius norm of L Lᵀ − H, from lower triangles. */
function factorError(l: Float64Array, h: Float64Array, n: number): number {
  let sum = 0;
  for (let i = 0; i < n; i++) {
    for (let j = 0; j <= i; j++) {
      let value = -h[i * n + j];
      for (let k = 0; k <= j; k++) value += l[i * n + k] * l[j * n + k];
      sum += (i === j ? 1 : 2) * value * value;
    }
  }
  return Math.sqrt(sum);
}

function norm(x: Float64Array): number {
  return Math.sqrt(x.reduce((sum, value) => sum + value * value, 0));
}

function residual(h: Float64Array, x: Float64Array, b: Float64Array, n: number): number {
  const r = b.slice();
  for (let i = 0; i < n; i++) for (let j = 0; j < n; j++) r[i] -= h[i * n + j] * x[j];
  return norm(r);
}

/** Factor of h with everything above the diagonal poisoned: it must not be read. */
function factored(h: Float64Array, n: number) {
  const factor = h.slice();
  for (let i = 0; i < n; i++) for (let j = i + 1; j < n; j++) factor[i * n + j] = Number.NaN;
  const inverse = new Float64Array(n);
  expect(factorDense(factor, inverse, n)).toBe(-1);
  return { factor, inverse };
}

describe('dense Cholesky', () => {
  test.each(SIZES)('gives the textbook factor, n = %i', (n) => {
    // condition 10 bounds how far two roundings of the same factor can lie apart: n ε κ
    const h = randomSpd(n, 10, n);
    const expected = factorPlainly(h, n);
    const { factor, inverse } = factored(h, n);
    for (let i = 0; i < n; i++) {
      for (let j = 0; j <= i; j++) {
        expect(Math.abs(factor[i * n + j] - expected[i * n + j])).toBeLessThan(10 * (n + 1) * EPSILON);
      }
      expect(Math.abs(inverse[i] * factor[i * n + i] - 1)).toBeLessThanOrEqual(2 * EPSILON);
    }
  });

  test.each(SIZES)('keeps the backward error bounds, n = %i', (n) => {
    for (const condition of [1, 1e3, 1e6, 1e12]) {
      const h = randomSpd(n, condition, 17 * n);
      const { factor, inverse } = factored(h, n);
      // ‖|L||Lᵀ|‖ ≤ trace H; the errors of computing the residual itself are n ε ‖H‖ ‖x‖ more
      expect(factorError(factor, h, n)).toBeLessThanOrEqual(2 * (n + 2) * EPSILON * trace(h, n));
      const random = createRandom(n);
      const b = Float64Array.from({ length: n }, () => random() - 0.5);
      const x = b.slice();
      solveDense(x, factor, inverse, n);
      const bound = (4 * n + 4) * EPSILON * (trace(h, n) * norm(x) + norm(b));
      expect(residual(h, x, b, n)).toBeLessThanOrEqual(bound);
    }
  });

  test.each([1, 2, 3, 5, 6, 7, 9, 40])('names the row whose pivot is not positive, n = %i', (n) => {
    for (let bad = 0; bad < n; bad++) {
      for (const wrong of [-1, 0, Number.NaN]) {
        const h = new Float64Array(n * n);
        for (let i = 0; i < n; i++) h[i * n + i] = i === bad ? wrong : 2;
        expect(factorDense(h, new Float64Array(n), n)).toBe(bad);
      }
    }
  });
});
