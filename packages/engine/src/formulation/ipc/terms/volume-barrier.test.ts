import { describe, expect, test } from 'vitest';
import { limitDeterminant } from './volume-barrier.ts';

const identity = Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1);
const rates = (...values: number[]): Float64Array => Float64Array.from(values);

/** det(D + t Ḋ) by its definition. */
function measure(d: Float64Array, rate: Float64Array, t: number): number {
  const m = d.map((value, k) => value + t * rate[k]!);
  return (
    m[0]! * (m[4]! * m[8]! - m[5]! * m[7]!) +
    m[1]! * (m[5]! * m[6]! - m[3]! * m[8]!) +
    m[2]! * (m[3]! * m[7]! - m[4]! * m[6]!)
  );
}

// the search stops within a thousandth, never beyond
const within = (found: number, exact: number): void => {
  expect(found).toBeLessThanOrEqual(exact * (1 + 1e-12));
  expect(found).toBeGreaterThan(0.998 * exact);
};

describe('the largest step that keeps a tenth of a volume', () => {
  test('closed forms: one, two and three edges shrink', () => {
    within(limitDeterminant(identity, rates(-2, 0, 0, 0, 0, 0, 0, 0, 0), 1), 0.45);
    within(limitDeterminant(identity, rates(-1, 0, 0, 0, -1, 0, 0, 0, 0), 1), 1 - Math.sqrt(0.1));
    within(limitDeterminant(identity, rates(-1, 0, 0, 0, -1, 0, 0, 0, -1), 1), 1 - Math.cbrt(0.1));
  });

  test('steps that lose less are free, also where all grows or turns', () => {
    expect(limitDeterminant(identity, rates(-0.8, 0, 0, 0, 0, 0, 0, 0, 0), 1)).toBe(1);
    expect(limitDeterminant(identity, rates(5, 0, 0, 0, 5, 0, 0, 0, 5), 1)).toBe(1);
    expect(limitDeterminant(identity, rates(0, 3, 0, -3, 0, 0, 0, 0, 0), 1)).toBe(1);
  });

  test('a volume that goes through zero and comes back is stopped at the first time', () => {
    // (1 − 2t)² in two directions: 1 again at the end
    within(limitDeterminant(identity, rates(-2, 0, 0, 0, -2, 0, 0, 0, 0), 1), 0.5 * (1 - Math.sqrt(0.1)));
  });

  test('random edges against a fine search', () => {
    let seed = 1;
    const random = (): number => {
      seed = (seed * 16807) % 2147483647;
      return (2 * seed) / 2147483647 - 1;
    };
    let cut = 0;
    for (let n = 0; n < 2000; n++) {
      let d = Float64Array.from({ length: 9 }, random);
      if (measure(d, d, 0) < 0) d = d.map((value) => -value);
      const rate = Float64Array.from({ length: 9 }, () => 2 * random());
      const found = limitDeterminant(d, rate, 1);
      const floor = 0.1 * measure(d, rate, 0);
      let least = Infinity;
      for (let k = 0; k <= 100; k++) least = Math.min(least, measure(d, rate, (found * k) / 100));
      expect(least).toBeGreaterThan(floor * (1 - 1e-9) - 1e-14);
      if (found === 1) continue;
      cut++;
      expect(measure(d, rate, found + 2e-3 * found + 1e-6)).toBeLessThan(floor + 1e-3);
    }
    expect(cut).toBeGreaterThan(500);
  });

  test('what has no volume does not move', () => {
    expect(limitDeterminant(new Float64Array(9), rates(1, 0, 0, 0, 1, 0, 0, 0, 1), 1)).toBe(0);
  });
});
