import { describe, expect, test } from 'vitest';
import { formatPower, formatScientific, logRange, logTicks, roomyRange } from './log-ticks.ts';

describe('logarithmic axes', () => {
  test('the range holds the values between whole powers of ten, two decades at least', () => {
    expect(logRange(3e-9, 2e-3)).toEqual([1e-9, 1e-2]);
    expect(logRange(5e-5, 5e-5)).toEqual([1e-6, 1e-4]);
    expect(logRange(1e-8, 1e-4)).toEqual([1e-8, 1e-4]);
  });

  test('without values there is a range all the same', () => {
    for (const nothing of [null, undefined as unknown as null, 0, Number.NaN]) {
      const [low, high] = logRange(nothing, nothing);
      expect(low).toBeGreaterThan(0);
      expect(high).toBeGreaterThan(low);
    }
  });

  test('ticks are powers of ten, evenly spaced, not more than asked for, the upper end among them', () => {
    expect(logTicks(1e-3, 1)).toEqual([1e-3, 1e-2, 1e-1, 1]);
    for (const low of [-20, -13, -7, -2]) {
      const ticks = logTicks(10 ** low, 1);
      expect(ticks.length).toBeLessThanOrEqual(4);
      expect(ticks.length).toBeGreaterThan(1);
      expect(ticks.at(-1)).toBe(1);
    }
  });

  test('numbers in few characters', () => {
    expect([1e-8, 1, 10, 1e12].map(formatPower)).toEqual(['10⁻⁸', '1', '10', '10¹²']);
    expect([0, 3.14e-9, -0.25, 12345, 1e-20].map(formatScientific)).toEqual([
      '0',
      '3.1e−9',
      '−0.25',
      '1.2e4',
      '1.0e−20',
    ]);
  });
});

test('an axis has room, and more of it where values differ by rounding alone', () => {
  expect(roomyRange(0, 1)).toEqual([-0.06, 1.06]);
  expect(roomyRange(2, 2)).toEqual([1.8, 2.2]);
  const [low, high] = roomyRange(0.07, 0.07 + 1e-17);
  expect(low).toBeCloseTo(0.063, 12);
  expect(high).toBeCloseTo(0.077, 12);
  expect(roomyRange(0, 0)).toEqual([-0.5, 0.5]);
});
