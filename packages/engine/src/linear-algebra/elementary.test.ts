import { describe, expect, test } from 'vitest';
import { takeSamples } from '../../../../scripts/long-run.ts';
import { acos, asin, atan2, cos, cosSin, exp, log, sin } from './elementary.ts';

/** Distance in units of the last place of the expected value (2⁻⁵² relative), with a floor for results near zero. */
function ulps(actual: number, expected: number, floor = 0): number {
  const scale = Math.max(Math.abs(expected), floor) * 2 ** -52;
  return scale === 0 ? Math.abs(actual - expected) : Math.abs(actual - expected) / scale;
}

/** Deterministic numbers in [0, 1). */
function sequence(count: number): number[] {
  return Array.from({ length: count }, (_, i) => ((i + 1) * 0.6180339887498949) % 1);
}

// the host's own functions are within one unit in the last place, so two of ours are three from the truth at the most
const TOLERANCE = 3;

describe('elementary functions', () => {
  test('logarithm follows the host within 3 ulp, absolute near one', () => {
    for (const u of sequence(takeSamples(20_000, 0.05))) {
      for (const x of [u + 1e-9, 1 + 0.01 * (u - 0.5), u * 1e9 + 1, u * 1e-9 + 1e-300]) {
        expect(ulps(log(x), Math.log(x), 0.1)).toBeLessThan(TOLERANCE);
      }
    }
    expect([log(0), log(1), log(Infinity), log(-1)]).toEqual([-Infinity, 0, Infinity, Number.NaN]);
  });

  test('sine and cosine follow the host within 3 ulp, absolute near the zeros', () => {
    for (const u of sequence(takeSamples(20_000, 0.05))) {
      for (const x of [(u - 0.5) * 2, (u - 0.5) * 20, (u - 0.5) * 2e3, (u - 0.5) * 2e6]) {
        expect(ulps(sin(x), Math.sin(x), 0.1)).toBeLessThan(TOLERANCE);
        expect(ulps(cos(x), Math.cos(x), 0.1)).toBeLessThan(TOLERANCE);
      }
    }
  });

  test('sine keeps relative accuracy for small arguments', () => {
    for (const x of [1e-300, 1e-20, 1e-8, 1e-4, 0.01]) {
      expect(ulps(sin(x), Math.sin(x))).toBeLessThan(TOLERANCE);
      expect(sin(-x)).toBe(-sin(x));
    }
    expect(sin(0)).toBe(0);
    expect(cos(0)).toBe(1);
  });

  test('sine and cosine keep sin² + cos² = 1 for huge arguments', () => {
    for (const x of [1e7, 1e10, -1e15]) expect(sin(x) ** 2 + cos(x) ** 2).toBeCloseTo(1, 14);
  });

  test('both at once are the same bits as each alone', () => {
    const out = new Float64Array(2);
    for (const u of sequence(takeSamples(2000, 0.3))) {
      for (const x of [(u - 0.5) * 20, (u - 0.5) * 2e6, (u - 0.5) * 1e9]) {
        cosSin(out, 0, x);
        expect([...out]).toEqual([cos(x), sin(x)]);
      }
    }
  });

  test('exponential', () => {
    for (const u of sequence(takeSamples(20_000, 0.05))) {
      const x = (u - 0.5) * 1400;
      expect(ulps(exp(x), Math.exp(x))).toBeLessThan(TOLERANCE);
    }
    expect(exp(0)).toBe(1);
    expect(exp(800)).toBe(Infinity);
    expect(exp(-800)).toBe(0);
    expect(exp(Number.NaN)).toBeNaN();
  });

  test('arc functions', () => {
    for (const u of sequence(takeSamples(20_000, 0.05))) {
      const angle = (u - 0.5) * 2 * Math.PI;
      expect(ulps(atan2(Math.sin(angle), Math.cos(angle)), Math.atan2(Math.sin(angle), Math.cos(angle)))).toBeLessThan(
        4,
      );
      const c = (u - 0.5) * 2;
      expect(ulps(acos(c), Math.acos(c), 0.1)).toBeLessThan(4);
      expect(ulps(asin(c), Math.asin(c), 0.1)).toBeLessThan(4);
    }
    for (const [y, x] of [
      [0, 1],
      [0, -1],
      [-0, -1],
      [1, 0],
      [-1, 0],
      [-0, 1],
      [0, 0],
      [1e-300, 1e300],
    ] as const) {
      expect(Object.is(atan2(y, x), Math.atan2(y, x))).toBe(true);
    }
    expect(acos(2)).toBe(0);
    expect(acos(-2)).toBeCloseTo(Math.PI, 15);
  });
});
