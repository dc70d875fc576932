import { describe, expect, test } from 'vitest';
import { takeSamples } from '../../../../../scripts/long-run.ts';
import { createRandom } from '../../testing/forest.ts';
import { findNearestInSimplex, nearest, weights } from './simplex.ts';

// squared distance from the origin by projected gradient on the weights of all corners, in exact line searches (Frank-Wolfe with away steps)
function searchSquared(w: readonly number[], count: number): number {
  const lambda = Array.from({ length: count }, () => 1 / count);
  const at = () => [0, 1, 2].map((k) => lambda.reduce((sum, l, i) => sum + l * w[3 * i + k], 0));
  for (let step = 0; step < 20000; step++) {
    const v = at();
    const heights = lambda.map((_, i) => v[0] * w[3 * i] + v[1] * w[3 * i + 1] + v[2] * w[3 * i + 2]);
    let low = 0;
    let high = -1;
    for (let i = 0; i < count; i++) {
      if (heights[i] < heights[low]) low = i;
      if (lambda[i] > 0 && (high < 0 || heights[i] > heights[high])) high = i;
    }
    if (heights[high] - heights[low] < 1e-16) break;
    // move weight from the highest corner to the lowest
    const d = [0, 1, 2].map((k) => w[3 * low + k] - w[3 * high + k]);
    const dd = d[0] ** 2 + d[1] ** 2 + d[2] ** 2;
    const t = Math.min(lambda[high], (heights[high] - heights[low]) / dd);
    lambda[low] += t;
    lambda[high] -= t;
  }
  const v = at();
  return v[0] ** 2 + v[1] ** 2 + v[2] ** 2;
}

function check(w: readonly number[], count: number, tolerance: number): void {
  const squared = findNearestInSimplex(Float64Array.from(w), count);
  expect(Math.sqrt(squared)).toBeLessThan(Math.sqrt(searchSquared(w, count)) + tolerance);
  let sum = 0;
  for (let i = 0; i < count; i++) {
    expect(weights[i]).toBeGreaterThanOrEqual(0);
    sum += weights[i];
  }
  expect(Math.abs(sum - 1)).toBeLessThan(1e-14);
  for (let k = 0; k < 3; k++) {
    let x = 0;
    for (let i = 0; i < count; i++) x += weights[i] * w[3 * i + k];
    expect(Math.abs(x - nearest[k])).toBeLessThan(tolerance);
  }
  expect(Math.abs(Math.hypot(...nearest) - Math.sqrt(squared))).toBeLessThan(tolerance);
}

describe('nearest point of a simplex', () => {
  test.each([1, 2, 3, 4])('of %i corners, as by a search over the weights', (count) => {
    const random = createRandom(count);
    for (let trial = 0; trial < takeSamples(400, 0.2); trial++) {
      const shift = [0, 0.3, 1][trial % 3];
      check(
        Array.from({ length: 3 * count }, () => random() - 0.5 + shift),
        count,
        1e-7,
      );
    }
  });

  test('of flat, straight and coincident corners', () => {
    const random = createRandom(9);
    for (let trial = 0; trial < takeSamples(300, 0.15); trial++) {
      const base = Array.from({ length: 12 }, () => 2 * random() - 1);
      const flat = base.map((x, i) => (i % 3 === 2 ? 0.1 * (trial % 3) : x));
      const straight = base.map((_, i) => base[i % 3] + base[Math.floor(i / 3)] * base[3 + (i % 3)]);
      const coincident = base.map((x, i) => (i < 6 ? x : base[i % 3]));
      check(flat, 4, 1e-6);
      check(straight, 4, 1e-6);
      check(straight, 3, 1e-6);
      check(coincident, 4, 1e-6);
    }
  });
});
