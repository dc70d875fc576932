import { describe, expect, test } from 'vitest';
import { createRandom } from '../../testing/forest.ts';
import { findClosestOnTriangle, isInTetrahedron } from './vertex-tests.ts';

const random = createRandom(2);
const sample = (): number => 2 * random() - 1;

describe('the closest point of a triangle', () => {
  test('is nearer than any of two hundred others, and the distance is that of its weights', () => {
    const out = new Float64Array(4);
    const corners = Int32Array.of(1, 2, 3);
    for (let n = 0; n < 100; n++) {
      const x = Float64Array.from({ length: 12 }, sample);
      findClosestOnTriangle(out, x, 0, corners, 0);
      const measure = (weights: ArrayLike<number>): number =>
        [0, 1, 2].reduce((sum, k) => {
          const at = weights[0] * x[3 + k] + weights[1] * x[6 + k] + weights[2] * x[9 + k];
          return sum + (x[k] - at) ** 2;
        }, 0);
      for (let k = 0; k < 3; k++) expect(out[k]).toBeGreaterThanOrEqual(-1e-15);
      expect(Math.abs(out[0] + out[1] + out[2] - 1)).toBeLessThan(1e-14);
      expect(Math.abs(measure(out) - out[3])).toBeLessThan(1e-13);
      for (let trial = 0; trial < 200; trial++) {
        const [a, b] = [random(), random()];
        const weights = a + b > 1 ? [a + b - 1, 1 - a, 1 - b] : [1 - a - b, a, b];
        expect(out[3]).toBeLessThanOrEqual(measure(weights) + 1e-14);
      }
    }
  });

  test('of a triangle without area is that of its longest edge', () => {
    const out = new Float64Array(4);
    const x = Float64Array.of(0.5, 1, 0, 0, 0, 0, 1, 0, 0, 2, 0, 0);
    findClosestOnTriangle(out, x, 0, Int32Array.of(1, 2, 3), 0);
    expect(Math.abs(out[3] - 1)).toBeLessThan(1e-15);
  });
});

test('a point is in a tetrahedron where its barycentric coordinates are positive, in either orientation', () => {
  for (let n = 0; n < 200; n++) {
    const corners = Float64Array.from({ length: 12 }, sample);
    const raw = Float64Array.from({ length: 4 }, () => random() + (n % 2 === 0 ? 0.01 : -0.3));
    const total = raw.reduce((sum, value) => sum + value, 0);
    const weights = raw.map((value) => value / total);
    const point = [0, 1, 2].map((k) => weights.reduce((sum, w, v) => sum + w * corners[3 * v + k], 0));
    const x = Float64Array.of(...point, ...corners);
    const isInside = weights.every((w) => w > 0);
    expect(isInTetrahedron(x, 0, Int32Array.of(1, 2, 3, 4), 0)).toBe(isInside);
    expect(isInTetrahedron(x, 0, Int32Array.of(2, 1, 3, 4), 0)).toBe(isInside);
  }
});
