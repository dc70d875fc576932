import { expect, test } from 'vitest';
import { type MeasuredLine, searchByBrackets } from './bracketing-line-search.ts';
import { searchLine } from './exact-line-search.ts';

/** φ(α) = ½ a (α − b)² + Σ ½ k max(0, s (α − c))², convex with kinks in its slope. */
function createLine(
  a: number,
  b: number,
  sides: readonly (readonly [k: number, s: number, c: number])[],
): MeasuredLine {
  const measure = (alpha: number): number =>
    sides.reduce((sum, [k, s, c]) => sum + 0.5 * k * Math.max(0, s * (alpha - c)) ** 2, 0.5 * a * (alpha - b) ** 2);
  return {
    curvature: 0,
    slope(alpha: number): number {
      const acting = sides.filter(([, s, c]) => s * (alpha - c) > 0);
      (this as { curvature: number }).curvature = acting.reduce((sum, [k]) => sum + k, a);
      return acting.reduce((sum, [k, , c]) => sum + k * (alpha - c), a * (alpha - b));
    },
    measureFall: (alpha) => measure(0) - measure(alpha),
  };
}

const LINES: readonly [string, MeasuredLine][] = [
  ['a parabola', createLine(2, 0.7, [])],
  ['a side that starts on the way', createLine(1, 1, [[50, 1, 0.2]])],
  ['a side that ends on the way', createLine(1, 3, [[20, -1, 0.5]])],
  [
    'sides of both kinds',
    createLine(0.5, 2, [
      [80, 1, 0.3],
      [40, -1, 0.1],
      [500, 1, 0.9],
      [3, -1, 1.5],
    ]),
  ],
];

test.each(LINES)('ends at the minimum of %s', (_, line) => {
  const slope = line.slope(0);
  const { curvature } = line;
  const alpha = searchByBrackets(line, slope, curvature, 1e-12, 50);
  expect(Math.abs(line.slope(alpha))).toBeLessThan(1e-12);
  const options = { maximum: Infinity, iterations: 100 };
  expect(alpha).toBeCloseTo(searchLine(line, slope, curvature, 1e-13, options), 11);
});

test.each(LINES)('goes no farther than its evaluations allow on %s', (_, line) => {
  const slope = line.slope(0);
  const { curvature } = line;
  for (let limit = 2; limit < 12; limit++) {
    let count = 1;
    const counted = {
      get curvature() {
        return line.curvature;
      },
      slope(alpha: number) {
        count++;
        return line.slope(alpha);
      },
      measureFall: line.measureFall,
    };
    const alpha = searchByBrackets(counted, slope, curvature, 1e-12, limit);
    // a turn of the bracket that has begun ends: the middle and two Newton points
    expect(count).toBeLessThanOrEqual(limit + 2);
    if (limit > 3) expect(line.measureFall(alpha)).toBeGreaterThan(0);
  }
});
