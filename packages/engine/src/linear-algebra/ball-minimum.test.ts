import { describe, expect, test } from 'vitest';
import { createRandom } from '../testing/forest.ts';
import { minimizeInBall } from './ball-minimum.ts';
import { solveSmallSystem } from './small-system.ts';

/** A random matrix B Bᵀ of a given rank. */
function randomMatrix(n: number, rank: number, random: () => number): Float64Array {
  const b = Float64Array.from({ length: n * rank }, () => random() - 0.5);
  return Float64Array.from({ length: n * n }, (_, k) => {
    let sum = 0;
    for (let r = 0; r < rank; r++) sum += b[Math.floor(k / n) * rank + r] * b[(k % n) * rank + r];
    return sum;
  });
}

describe('minimum of a quadratic in a ball', () => {
  test.each([2, 3, 5])('satisfies the conditions of its minimum in %i unknowns', (n) => {
    const random = createRandom(n);
    let inside = 0;
    let onBall = 0;
    for (let k = 0; k < 300; k++) {
      const A = randomMatrix(n, n, random);
      for (let i = 0; i < n; i++) A[i * n + i] += 0.05;
      const b = Float64Array.from({ length: n }, () => random() - 0.5);
      // at least a fiftieth of the minimum without a bound, |A⁻¹ b| ≤ |b| / 0.05: 20 steps reach that
      const radius = 10 ** (2 * random() - 0.5) * Math.hypot(...b);
      const v = new Float64Array(n);
      const isActive = minimizeInBall(v, A, b, n, radius);
      const length = Math.hypot(...v);
      const gradient = Array.from(b, (value, i) => v.reduce((sum, x, j) => sum + A[i * n + j] * x, value));
      const size = Math.hypot(...b);
      if (!isActive) {
        inside++;
        // it ends at an excess of 1e-10 in the square
        expect(length).toBeLessThanOrEqual(Math.sqrt(radius * radius + 1e-10));
        expect(Math.hypot(...gradient)).toBeLessThan(1e-12 * size);
        continue;
      }
      onBall++;
      // A v + b = −λ v with λ ≥ 0 on the ball
      expect(Math.abs(length / radius - 1)).toBeLessThan(1e-14);
      const lambda = -gradient.reduce((sum, g, i) => sum + g * v[i], 0) / (length * length);
      expect(lambda).toBeGreaterThan(-1e-9);
      const rest = gradient.map((g, i) => g + lambda * v[i]);
      expect(Math.hypot(...rest)).toBeLessThan(1e-7 * size);
    }
    expect(inside).toBeGreaterThan(10);
    expect(onBall).toBeGreaterThan(10);
  });

  test('far outside of the ball it ends on it after 20 steps, without being the minimum', () => {
    const v = new Float64Array(2);
    expect(minimizeInBall(v, Float64Array.of(1, 0, 0, 1e-4), Float64Array.of(3, 4), 2, 1e-6)).toBe(true);
    expect(Math.abs(Math.hypot(v[0], v[1]) / 1e-6 - 1)).toBeLessThan(1e-14);
  });

  test('a matrix that is as good as singular, nothing to gain: zero', () => {
    const v = Float64Array.of(1, 1);
    expect(minimizeInBall(v, Float64Array.of(1, 0, 0, 1), new Float64Array(2), 2, 1)).toBe(false);
    expect([...v].map(Math.abs)).toEqual([0, 0]);
    v.fill(1);
    expect(minimizeInBall(v, Float64Array.of(1e-5, 0, 0, 9e-6), Float64Array.of(3, 4), 2, 10)).toBe(false);
    expect([...v]).toEqual([0, 0]);
    const five = new Float64Array(5).fill(1);
    const A = Float64Array.from({ length: 25 }, (_, k) => (k % 6 === 0 ? (k === 24 ? 9e-11 : 1) : 0));
    expect(minimizeInBall(five, A, new Float64Array(5).fill(1), 5, 10)).toBe(false);
    expect([...five]).toEqual([0, 0, 0, 0, 0]);
  });
});

describe('small systems', () => {
  test('pivots where the diagonal is zero', () => {
    const b = Float64Array.of(1, 2, 3);
    expect(solveSmallSystem(Float64Array.of(0, 2, 1, 1, 0, 0, 0, 1, 3), b, 3)).toBe(true);
    expect(b[0]).toBeCloseTo(2, 14);
    expect(b[1]).toBeCloseTo(0, 14);
    expect(b[2]).toBeCloseTo(1, 14);
  });

  test('tells a singular matrix', () => {
    expect(solveSmallSystem(Float64Array.of(1, 2, 2, 4), Float64Array.of(1, 1), 2)).toBe(false);
  });
});
