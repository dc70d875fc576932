import { describe, expect, test } from 'vitest';
import { compareLists } from '../testing/central-differences.ts';
import { createRandom } from '../testing/forest.ts';
import { projectPsd } from './project-psd.ts';

/** Q diag(λ) Qᵀ, Q a product of random mirrors: a matrix whose projection is known. */
function compose(values: number[], mirrors: number[][]): Float64Array {
  const n = values.length;
  const columns = values.map((_, k) => {
    let v: number[] = Array.from({ length: n }, (_, i) => (i === k ? 1 : 0));
    for (const w of mirrors) {
      const along = (2 * dot(w, v)) / dot(w, w);
      v = v.map((value, i) => value - along * w[i]);
    }
    return v;
  });
  const a = new Float64Array(n * n);
  columns.forEach((v, k) => {
    for (let i = 0; i < n; i++) for (let j = 0; j < n; j++) a[i * n + j] += values[k] * v[i] * v[j];
  });
  return a;
}

const dot = (a: number[], b: number[]): number => a.reduce((sum, value, i) => sum + value * b[i], 0);

describe('projection on the positive semidefinite matrices', () => {
  test('keeps the positive part of a known spectrum, for every size up to 12', () => {
    const random = createRandom(1);
    for (let n = 1; n <= 12; n++) {
      for (let k = 0; k < 40; k++) {
        const mirrors = Array.from({ length: 4 }, () => Array.from({ length: n }, () => 2 * random() - 1));
        const values = Array.from({ length: n }, () => 2 * random() - 1);
        const a = compose(values, mirrors);
        const mirrored = a.slice();
        const negative = values.filter((value) => value < 0).length;
        expect(projectPsd(a, 0, n)).toBe(negative);
        const clamped = values.map((value) => Math.max(value, 0));
        expect(compareLists(a, compose(clamped, mirrors), 1)).toBeLessThan(1e-13);
        projectPsd(mirrored, 0, n, 2);
        expect(compareLists(mirrored, compose(values.map(Math.abs), mirrors), 1)).toBeLessThan(1e-13);
      }
    }
  });

  test('equal, zero and widely spread eigenvalues', () => {
    const random = createRandom(2);
    for (const values of [
      [1, 1, 1, -1, -1, -1, 0, 0, 0, 0, 0, 0],
      [1e12, -1e-3, 1, -1e6, 0, 3, 3, 3, 1e-9, -1e-9, 1e3, -5],
      [-2, -2, -2, -2, -2, -2, -2, -2, -2, -2, -2, -2],
      [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -1],
    ]) {
      const largest = Math.max(...values.map(Math.abs));
      for (let k = 0; k < 20; k++) {
        const mirrors = Array.from({ length: 5 }, () => Array.from({ length: 12 }, () => 2 * random() - 1));
        const a = compose(values, mirrors);
        projectPsd(a, 0, 12);
        const expected = compose(
          values.map((value) => Math.max(value, 0)),
          mirrors,
        );
        expect(compareLists(a, expected, largest)).toBeLessThan(1e-13);
        // no direction of negative curvature is left beyond round-off
        for (let trial = 0; trial < 20; trial++) {
          const v = Array.from({ length: 12 }, () => 2 * random() - 1);
          const curvature = dot(
            v,
            v.map((_, i) => dot(v, Array.from(a.subarray(12 * i, 12 * i + 12)))),
          );
          expect(curvature).toBeGreaterThan(-1e-13 * largest * dot(v, v));
        }
      }
    }
  });

  // the square of such an entry is no normal number, and 2 over it is infinite
  test.each([1e-140, 1e-154, 1e-158, 1e-161, 1e-170, 5e-324])('an entry of %d beside ones', (tiny) => {
    for (const n of [3, 6, 12]) {
      const a = new Float64Array(n * n);
      for (let i = 0; i < n; i++) a[i * n + i] = i % 2 === 0 ? 1 : -1;
      const expected = a.map((value) => Math.max(value, 0));
      a[(n - 1) * n] = a[n - 1] = tiny;
      expect(projectPsd(a, 0, n)).toBe(Math.floor(n / 2));
      expect(compareLists(a, expected, 1)).toBeLessThan(1e-15);
    }
  });

  test('is exactly symmetric, leaves its surroundings, and is its own square', () => {
    const random = createRandom(3);
    const store = new Float64Array(150).fill(7);
    const a = store.subarray(3, 147);
    for (let i = 0; i < 12; i++) for (let j = 0; j <= i; j++) a[12 * i + j] = a[12 * j + i] = 2 * random() - 1;
    projectPsd(store, 3, 12);
    for (let i = 0; i < 12; i++) for (let j = 0; j < i; j++) expect(a[12 * i + j]).toBe(a[12 * j + i]);
    expect([store[2], store[147]]).toEqual([7, 7]);
    const once = a.slice();
    projectPsd(store, 3, 12);
    expect(compareLists(a, once)).toBeLessThan(1e-13);
  });

  test('diagonal, zero, huge, tiny and non-finite matrices', () => {
    const diagonal = Float64Array.from([1, 0, 0, 0, -2, 0, 0, 0, 0]);
    expect(projectPsd(diagonal, 0, 3)).toBe(1);
    expect(Array.from(diagonal)).toEqual([1, 0, 0, 0, 0, 0, 0, 0, 0]);
    expect(projectPsd(new Float64Array(144), 0, 12)).toBe(0);
    for (const size of [1e200, 1e-200]) {
      const a = Float64Array.from([0, size, size, 0]);
      expect(projectPsd(a, 0, 2)).toBe(1);
      for (const value of a) expect(value / size).toBeCloseTo(0.5, 14);
    }
    for (const bad of [NaN, Infinity]) {
      const a = Float64Array.from([1, 2, bad, -1]);
      expect(projectPsd(a, 0, 2)).toBe(-1);
      expect(a).toEqual(Float64Array.from([1, 2, bad, -1]));
    }
  });
});
