import { describe, expect, test } from 'vitest';
import { createRandom } from '../testing/forest.ts';
import { findPolarRotation } from './polar-rotation.ts';
import { decomposeByRotations } from './rotation-svd.ts';

const r = new Float64Array(9);
const u = new Float64Array(9);
const v = new Float64Array(9);
const sigma = new Float64Array(3);

describe('the rotation of a polar decomposition', () => {
  test('is U Vᵀ of the singular values, for stretches up to a thousand', () => {
    const random = createRandom(5);
    let served = 0;
    for (let n = 0; n < 2000; n++) {
      const f = Float64Array.from({ length: 9 }, () => 2 * random() - 1);
      if (n % 2 === 0) for (let k = 0; k < 9; k += 4) f[k] += 2;
      if (!findPolarRotation(r, f)) continue;
      served++;
      decomposeByRotations(u, sigma, v, f, 0);
      // R depends on F by no more than 1/(σ₁ + σ₂)
      const tolerance = (64 * 2 ** -52 * sigma[0]) / (sigma[1] + sigma[2]);
      for (let i = 0; i < 3; i++) {
        for (let j = 0; j < 3; j++) {
          let sum = 0;
          for (let k = 0; k < 3; k++) sum += u[3 * i + k] * v[3 * j + k];
          expect(Math.abs(r[3 * i + j] - sum)).toBeLessThan(tolerance);
        }
      }
    }
    expect(served).toBeGreaterThan(1300);
  });

  test('a rotation is its own, to round-off', () => {
    const [c, s] = [Math.cos(0.7), Math.sin(0.7)];
    const f = Float64Array.of(c, -s, 0, s, c, 0, 0, 0, 1);
    expect(findPolarRotation(r, f)).toBe(true);
    for (let k = 0; k < 9; k++) expect(Math.abs(r[k] - f[k])).toBeLessThan(4e-16);
  });

  test('reflections and flat matrices are refused', () => {
    expect(findPolarRotation(r, Float64Array.of(-1, 0, 0, 0, 1, 0, 0, 0, 1))).toBe(false);
    expect(findPolarRotation(r, Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1e-6))).toBe(false);
    expect(findPolarRotation(r, new Float64Array(9))).toBe(false);
  });
});
