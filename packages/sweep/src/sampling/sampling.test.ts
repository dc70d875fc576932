import { expect, test } from 'vitest';
import { readNormalQuantile, readQuantile } from './distribution.ts';
import { listLatinPoints } from './latin-hypercube.ts';
import { RandomStream } from './random.ts';
import { listSobolPoints, SOBOL_DIMENSIONS } from './sobol.ts';

/** How many of the numbers lie in each of so many equal intervals. */
function countIntervals(numbers: readonly number[], intervals: number): number[] {
  const counts = new Array<number>(intervals).fill(0);
  for (const number of numbers) counts[Math.floor(number * intervals)]!++;
  return counts;
}

test('the first points of the Sobol sequence are those that Joe and Kuo publish', () => {
  expect(listSobolPoints(10, 3)).toEqual([
    [0, 0, 0],
    [0.5, 0.5, 0.5],
    [0.75, 0.25, 0.25],
    [0.25, 0.75, 0.75],
    [0.375, 0.375, 0.625],
    [0.875, 0.875, 0.125],
    [0.625, 0.125, 0.875],
    [0.125, 0.625, 0.375],
    [0.1875, 0.3125, 0.9375],
    [0.6875, 0.8125, 0.4375],
  ]);
  expect(listSobolPoints(2, 3, 8)).toEqual(listSobolPoints(10, 3).slice(8));
});

test('2^k points of the Sobol sequence lie one in each interval, in every dimension; so do the blocks that follow', () => {
  for (const skip of [0, 64, 128]) {
    const points = listSobolPoints(64, SOBOL_DIMENSIONS, skip);
    for (let d = 0; d < SOBOL_DIMENSIONS; d++) {
      expect(
        countIntervals(
          points.map((point) => point[d]!),
          64,
        ),
      ).toEqual(new Array(64).fill(1));
    }
  }
  // property A: the first 2^d points lie one in each of the 2^d halves of the cube
  const corners = listSobolPoints(2 ** 8, 8).map((point) => point.map((x) => (x < 0.5 ? 0 : 1)).join(''));
  expect(new Set(corners).size).toBe(2 ** 8);
});

test('a Latin hypercube has one point in each interval of every dimension, elsewhere for another seed', () => {
  for (const count of [1, 7, 100]) {
    const points = listLatinPoints(count, 3, new RandomStream(5));
    for (let d = 0; d < 3; d++) {
      expect(
        countIntervals(
          points.map((point) => point[d]!),
          count,
        ),
      ).toEqual(new Array(count).fill(1));
    }
  }
  expect(listLatinPoints(9, 2, new RandomStream(1))).toEqual(listLatinPoints(9, 2, new RandomStream(1)));
  expect(listLatinPoints(9, 2, new RandomStream(1))).not.toEqual(listLatinPoints(9, 2, new RandomStream(2)));
});

test('random numbers fill the interval evenly', () => {
  const random = new RandomStream(3);
  const numbers = Array.from({ length: 20_000 }, () => random.nextUnit());
  const mean = numbers.reduce((sum, x) => sum + x, 0) / numbers.length;
  // five standard deviations of the mean of uniform numbers
  expect(Math.abs(mean - 0.5)).toBeLessThan(5 / Math.sqrt(12 * numbers.length));
  // chi squared with 19 degrees of freedom: above 50 once in ten thousand
  const chi = countIntervals(numbers, 20).reduce((sum, count) => sum + (count - 1000) ** 2 / 1000, 0);
  expect(chi).toBeLessThan(50);
});

test('quantiles of distributions are their closed forms', () => {
  // tables of the normal distribution; the approximation has an error below 3e-9
  const table = [
    [0.5, 0],
    [0.841344746068543, 1],
    [0.975, 1.959963984540054],
    [0.001, -3.090232306167814],
  ] as const;
  for (const [u, x] of table) expect(Math.abs(readNormalQuantile(u) - x)).toBeLessThan(3e-9);
  expect(readQuantile({ distribution: 'uniform', from: -1, to: 3 }, 0.25)).toBe(0);
  expect(readQuantile({ distribution: 'logUniform', from: 1, to: 1e4 }, 0.5)).toBeCloseTo(100, 10);
  expect(readQuantile({ distribution: 'triangular', from: 0, mode: 1, to: 2 }, 0.5)).toBe(1);
  expect(readQuantile({ distribution: 'triangular', from: 0, mode: 1, to: 2 }, 0.125)).toBe(0.5);
  expect(readQuantile({ distribution: 'choice', values: ['a', 'b'] }, 0.5)).toBe('b');
  expect(readQuantile({ distribution: 'logNormal', median: 2, deviation: 1 }, 0.5)).toBeCloseTo(2, 8);
});
