import { expect, test } from 'vitest';
import { compareLists, differentiate } from '../../testing/central-differences.ts';
import { createRandom } from '../../testing/forest.ts';
import {
  measureMollifier,
  measureMollifierThreshold,
  writeMollifierGradient,
  writeMollifierHessian,
} from './edge-mollifier.ts';

/** Edges of lengths 1 and 2 at an angle, apart by 0.1. */
function crossed(angle: number): Float64Array {
  return Float64Array.from([
    -0.5,
    0,
    0,
    0.5,
    0,
    0,
    -Math.cos(angle),
    0.1,
    -Math.sin(angle),
    Math.cos(angle),
    0.1,
    Math.sin(angle),
  ]);
}

test('threshold is 1e-3 of the squared lengths at rest', () => {
  expect(measureMollifierThreshold(crossed(0.3), 0)).toBeCloseTo(4e-3, 15);
});

test('is 0 for parallel edges, 1 above the threshold, (2 − y) y between', () => {
  const epsilon = measureMollifierThreshold(crossed(0), 0);
  expect(measureMollifier(crossed(0), 0, epsilon)).toBe(0);
  for (const angle of [0.04, 0.5, Math.PI / 2]) expect(measureMollifier(crossed(angle), 0, epsilon)).toBe(1);
  for (const angle of [1e-3, 0.01, 0.02, 0.03]) {
    const y = Math.sin(angle) ** 2 / 1e-3;
    expect(measureMollifier(crossed(angle), 0, epsilon)).toBeCloseTo((2 - y) * y, 12);
  }
});

test('edges without rest length have mollifier 1', () => {
  const x = Float64Array.from([0, 0, 0, 0, 0, 0, 0, 1, 0, 1, 1, 0]);
  expect(measureMollifierThreshold(x, 0)).toBe(0);
  expect(measureMollifier(x, 0, 0)).toBe(1);
  const out = new Float64Array(144).fill(NaN);
  writeMollifierHessian(out, 0, x, 0, 0);
  expect(out.every((value) => value === 0)).toBe(true);
});

test('gradient and Hessian agree with central differences, parallel edges included', () => {
  const random = createRandom(3);
  const gradient = new Float64Array(15);
  const hessian = new Float64Array(147);
  const cases: [Float64Array, number][] = [];
  for (const angle of [0, 1e-6, 1e-3, 0.01, 0.02, 0.03, 0.5]) cases.push([crossed(angle), 4e-3]);
  for (let k = 0; k < 30; k++) cases.push([Float64Array.from({ length: 12 }, () => 2 * random() - 1), 40]);
  for (const [x, epsilon] of cases) {
    // m is a polynomial of degree 8 in x; steps of 1e-3 of the width of its valley
    const h = 1e-3 * Math.sqrt(epsilon);
    writeMollifierGradient(gradient, 3, x, 0, epsilon);
    writeMollifierHessian(hessian, 3, x, 0, epsilon);
    const scale = 1 / Math.sqrt(epsilon);
    const slopes = differentiate(x, h, (y) => measureMollifier(y, 0, epsilon)).flat();
    expect(compareLists(gradient.slice(3), slopes, 1e-3 * scale)).toBeLessThan(1e-6);
    const bends = differentiate(x, h, (y) => {
      const out = new Float64Array(12);
      writeMollifierGradient(out, 0, y, 0, epsilon);
      return out;
    }).flat();
    expect(compareLists(hessian.slice(3), bends, 1e-3 * scale * scale)).toBeLessThan(1e-6);
  }
});

test('value and gradient are continuous where the mollifier ends', () => {
  const epsilon = 4e-3;
  const angle = Math.asin(Math.sqrt(1e-3));
  const gradient = new Float64Array(12);
  expect(measureMollifier(crossed(angle * (1 - 1e-7)), 0, epsilon)).toBeCloseTo(1, 12);
  writeMollifierGradient(gradient, 0, crossed(angle * (1 - 1e-7)), 0, epsilon);
  // m' = 2(1 − s/ε)/ε with 1 − s/ε = 2e-7, times |∂s/∂u| = 2 |v| |n|: 4e-7 · 2 · 2 · 0.063 / 4e-3
  expect(Math.max(...gradient.map(Math.abs))).toBeLessThan(4e-5);
});
