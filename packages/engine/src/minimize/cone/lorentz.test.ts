import { describe, expect, test } from 'vitest';
import { createRandom } from '../../testing/forest.ts';
import {
  applyInverseScaling,
  applyScaling,
  divide,
  findReach,
  findScaling,
  measureDeterminant,
  measureNatural,
} from './lorentz.ts';

const OFFSET = 2;

/** A point inside the cone, at some place of a longer array; `depth` of its distance to the boundary. */
function createPoint(random: () => number, d: number, depth: number): Float64Array {
  const x = new Float64Array(d + 2 * OFFSET);
  let square = 0;
  for (let k = 1; k < d; k++) {
    x[OFFSET + k] = 2 * random() - 1;
    square += x[OFFSET + k] ** 2;
  }
  x[OFFSET] = Math.sqrt(square) + depth * (0.1 + random());
  return x;
}

describe.each([1, 2, 3, 6])('a cone of %i rows', (d) => {
  const random = createRandom(3 * d);
  const w = new Float64Array(d + 2 * OFFSET);
  const lambda = w.slice();
  const other = w.slice();

  test.each([1, 1e-3, 1e3])('γ and s are scaled to the same point (depth %f)', (depth) => {
    for (let n = 0; n < 50; n++) {
      const gamma = createPoint(random, d, depth);
      const s = createPoint(random, d, 1);
      const eta = findScaling(w, gamma, s, OFFSET, d);
      applyScaling(lambda, OFFSET, eta, w, OFFSET, gamma, OFFSET, d);
      applyInverseScaling(other, OFFSET, eta, w, OFFSET, s, OFFSET, d);
      // cancellation on the boundary: determinants have the relative error eps/depth
      const size = Math.hypot(...lambda);
      for (let k = 0; k < d; k++) expect(Math.abs(lambda[OFFSET + k] - other[OFFSET + k])).toBeLessThan(1e-11 * size);
      // W² = η² (2 w wᵀ − J) takes γ to s
      let along = 0;
      for (let k = 0; k < d; k++) along += w[OFFSET + k] * gamma[OFFSET + k];
      for (let k = 0; k < d; k++) {
        const reflected = k === 0 ? gamma[OFFSET] : -gamma[OFFSET + k];
        const square = eta * eta * (2 * w[OFFSET + k] * along - reflected);
        expect(Math.abs(square - s[OFFSET + k])).toBeLessThan(1e-9 * Math.hypot(...s));
      }
    }
  });

  test('the inverse scaling undoes the scaling', () => {
    const x = Float64Array.from({ length: d + 2 * OFFSET }, () => random() - 0.5);
    const eta = findScaling(w, createPoint(random, d, 1), createPoint(random, d, 1), OFFSET, d);
    applyScaling(lambda, OFFSET, eta, w, OFFSET, x, OFFSET, d);
    applyInverseScaling(other, OFFSET, eta, w, OFFSET, lambda, OFFSET, d);
    for (let k = 0; k < d; k++) expect(Math.abs(other[OFFSET + k] - x[OFFSET + k])).toBeLessThan(1e-12);
  });

  test('division undoes the product λ ∘ x', () => {
    const point = createPoint(random, d, 1);
    const x = Float64Array.from({ length: d }, () => random() - 0.5);
    const product = new Float64Array(d);
    for (let k = 0; k < d; k++) product[0] += point[OFFSET + k] * x[k];
    for (let k = 1; k < d; k++) product[k] = point[OFFSET] * x[k] + x[0] * point[OFFSET + k];
    divide(product, 0, point, OFFSET, d);
    for (let k = 0; k < d; k++) expect(Math.abs(product[k] - x[k])).toBeLessThan(1e-12);
  });

  test('the reach ends on the boundary, and nowhere before', () => {
    for (let n = 0; n < 100; n++) {
      const x = createPoint(random, d, 1);
      const dx = Float64Array.from({ length: d + 2 * OFFSET }, () => 4 * (random() - 0.5));
      const reach = findReach(x, dx, OFFSET, d);
      const at = (t: number): Float64Array => x.map((value, i) => value + t * dx[i]);
      const depth = (y: Float64Array): number => {
        let square = 0;
        for (let k = 1; k < d; k++) square += y[OFFSET + k] ** 2;
        return y[OFFSET] - Math.sqrt(square);
      };
      const end = Math.min(reach, 100);
      for (let k = 0; k < 20; k++) expect(depth(at((k / 20) * end))).toBeGreaterThan(0);
      if (reach < 100) expect(Math.abs(depth(at(reach)))).toBeLessThan(1e-10 * (1 + reach));
    }
  });

  test('the natural map is zero where γ and s are complementary', () => {
    const zero = new Float64Array(d + 2 * OFFSET);
    const inside = createPoint(random, d, 1);
    expect(measureNatural(inside, zero, OFFSET, d, 0.3)).toBe(0);
    expect(measureNatural(zero, inside, OFFSET, d, 0.3)).toBe(0);
    expect(measureNatural(inside, inside, OFFSET, d, 0.3)).toBeGreaterThan(0.01);
    if (d === 1) return;
    // on the boundary, opposite to each other
    const gamma = inside.slice();
    gamma[OFFSET] = Math.sqrt(gamma[OFFSET] ** 2 - measureDeterminant(gamma, OFFSET, d));
    const s = gamma.map((value, i) => (i === OFFSET ? 2 * value : -2 * value));
    expect(measureNatural(gamma, s, OFFSET, d, 0.3)).toBeLessThan(1e-12);
  });
});
