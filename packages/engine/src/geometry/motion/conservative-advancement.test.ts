import { describe, expect, test } from 'vitest';
import { ADVANCE_DEFAULTS, type Approach, advance, createTimeOfImpact } from './conservative-advancement.ts';

/** A distance as a function of time, with a bound of how fast it falls. */
function approachOf(distance: (t: number) => number, bound: number): Approach {
  let last = 0;
  return {
    measure(t) {
      last = distance(t);
      return last;
    },
    span: (floor) => (last - floor) / bound,
  };
}

const out = createTimeOfImpact();

test('a straight fall ends with the tenth of its gap', () => {
  expect(
    advance(
      out,
      approachOf((t) => 1 - 2 * t, 2),
      0,
      ADVANCE_DEFAULTS,
    ),
  ).toBe(true);
  expect(out.status).toBe('hit');
  expect(out.time).toBeCloseTo(0.45, 12);
  expect(out.distance).toBeCloseTo(0.1, 12);
  expect(out.iterations).toBe(2);
});

test('with a separation, from a later start, to an earlier end', () => {
  const fall = approachOf((t) => 1 - 2 * t, 2);
  const fine = { ...ADVANCE_DEFAULTS, fraction: 0.999, rest: 1e-3 };
  advance(out, fall, 0.5, fine);
  expect(out.time).toBeCloseTo(0.25 * 0.999, 12);
  advance(out, fall, 0, { ...fine, start: 0.4 });
  expect(out.time).toBeCloseTo(0.4 + 0.1 * 0.999, 12);
  expect(advance(out, fall, 0, { ...ADVANCE_DEFAULTS, end: 0.45 })).toBe(false);
  expect(out).toMatchObject({ status: 'free', time: 0.45, iterations: 1 });
});

test('not apart at the start: a hit at the start', () => {
  expect(
    advance(
      out,
      approachOf(() => 0.5, 1),
      0.5,
      { ...ADVANCE_DEFAULTS, start: 0.3 },
    ),
  ).toBe(true);
  expect(out).toMatchObject({ status: 'hit', time: 0.3, distance: 0.5 });
  expect(
    advance(
      out,
      approachOf(() => -1, 1),
      0,
      ADVANCE_DEFAULTS,
    ),
  ).toBe(true);
  expect(out).toMatchObject({ status: 'hit', time: 0 });
});

test('a distance that is measured too small by rounding gives the time before', () => {
  let calls = 0;
  const rough = approachOf(() => [1, 0.5, -1e-18][calls++], 2);
  expect(advance(out, rough, 0, ADVANCE_DEFAULTS)).toBe(true);
  expect(out).toMatchObject({ status: 'hit', time: 0.45, distance: 0.5, iterations: 3 });
});

test('what is not decided is never free', () => {
  for (const [distance, bound] of [
    [Number.NaN, 1],
    [1, Number.NaN],
    [1, Infinity],
  ]) {
    expect(
      advance(
        out,
        approachOf(() => distance, bound),
        0,
        ADVANCE_DEFAULTS,
      ),
    ).toBe(true);
    expect(out.time).toBe(0);
  }
  // a bound far above the truth: the cap is reached at a time that is safe
  expect(
    advance(
      out,
      approachOf((t) => 1e-3 + t, 1e4),
      0,
      ADVANCE_DEFAULTS,
    ),
  ).toBe(true);
  expect(out.status).toBe('capped');
  expect(out.iterations).toBe(ADVANCE_DEFAULTS.limit);
});

describe('edges that close 2 d₀ while they stretch by 1e-3: the plain bound', () => {
  // iterations of additive advancement until a tenth of the gap is left, computed apart
  test.each([
    [1e-2, 2],
    [1e-4, 36],
    [1e-6, 3618],
    [1e-8, 361816],
  ])('d₀ = %d: about %d iterations, or the cap', (d, count) => {
    const bound = 2 * Math.sqrt(d * d + 2e-6);
    const edges = approachOf((t) => Math.abs(d - 2 * d * t), bound);
    advance(out, edges, 0, { ...ADVANCE_DEFAULTS, limit: 1e6 });
    expect(out.status).toBe('hit');
    expect(out.time).toBeLessThan(0.5);
    expect(out.time).toBeGreaterThan(0.45 - 1e-9);
    expect(Math.abs(out.iterations - count)).toBeLessThanOrEqual(1 + 1e-2 * count);
    if (count <= ADVANCE_DEFAULTS.limit) return;
    expect(advance(out, edges, 0, ADVANCE_DEFAULTS)).toBe(true);
    expect(out.status).toBe('capped');
    expect(out.time).toBeGreaterThan(0);
    expect(out.time).toBeLessThan(0.5);
    expect(out.distance).toBeGreaterThan(0);
  });
});
