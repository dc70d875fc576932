import { METRIC_NAMES, type Measurement } from '@nexdyn/engine';
import { describe, expect, test } from 'vitest';
import { findEndTime, findMisfit, listLevels } from './refinement.ts';
import { chooseStride, createSeries, PeakHold } from './series.ts';
import { measureDifference, measureDistance } from './trajectory-difference.ts';

const zero = Object.fromEntries(METRIC_NAMES.map((name) => [name, 0])) as Measurement;

describe('refinement', () => {
  const ends = (order: number, steps: number[]): Float64Array[] =>
    steps.map((h) => Float64Array.of(1 + 3 * h ** order, 2, 0));

  test.each([1, 2, 4])('finds order %d', (order) => {
    const steps = [0.04, 0.02, 0.01, 0.005];
    const levels = listLevels(steps, ends(order, steps));
    expect(levels[0]!.order).toBeCloseTo(order, 6);
    expect(levels[1]!.order).toBeCloseTo(order, 6);
    expect(levels[0]!.error).toBeCloseTo(3 * (0.04 ** order - 0.005 ** order), 12);
    // nothing to compare with
    expect(levels[2]!.order).toBeNaN();
    expect(levels[3]!.error).toBeNaN();
  });

  test('ratios other than two count; uneven ones have no order', () => {
    const steps = [0.09, 0.03, 0.01];
    expect(listLevels(steps, ends(1, steps))[0]!.order).toBeCloseTo(1, 6);
    const uneven = [0.09, 0.03, 0.02];
    expect(listLevels(uneven, ends(1, uneven))[0]!.order).toBeNaN();
  });

  test('all levels end where the coarsest does', () => {
    // 0.3 s is 18.75 steps of 16 ms: the run takes 19, and so 38 and 76 of the halves
    expect(findEndTime(0.3, 0.016)).toBeCloseTo(0.304, 12);
    expect(findMisfit(0.3, [0.016, 0.008, 0.004])).toBeUndefined();
    expect(findMisfit(0.3, [0.03, 0.01, 0.004])).toBeUndefined();
    expect(findMisfit(0.3, [0.01, 0.007])).toBe(0.007);
  });

  test('what does not change or diverged has no order', () => {
    const still = [0.02, 0.01, 0.005].map(() => Float64Array.of(1, 2, 3));
    expect(listLevels([0.02, 0.01, 0.005], still)[0]).toMatchObject({ error: 0, order: Number.NaN });
    expect(listLevels([0.02, 0.01, 0.005], [still[0], undefined, still[2]])[1]!.error).toBeNaN();
  });
});

describe('difference of trajectories', () => {
  test('is the largest distance of a body', () => {
    expect(measureDistance(Float64Array.of(0, 0, 0, 1, 1, 1), Float64Array.of(0, 0, 0.1, 4, 5, 1))).toBe(5);
  });

  test('covers the samples that both have', () => {
    const [one, two] = [createSeries(), createSeries()];
    for (const [series, offset, count] of [
      [one, 0, 3],
      [two, 0.5, 2],
    ] as const) {
      for (let k = 0; k < count; k++) {
        series.time.push(k);
        series.positions.push(Float64Array.of(offset * k, 0, 0));
      }
    }
    expect(measureDifference(one, two)).toEqual({ distance: [0, 0.5], max: 0.5, final: 0.5 });
    expect(measureDifference(one, createSeries()).max).toBeNaN();
  });
});

describe('series', () => {
  test('a sample keeps the largest of its steps, and what was known', () => {
    const [series, peak] = [createSeries(), new PeakHold()];
    for (const penetration of [0.1, 0.5, 0.2]) {
      peak.add({ ...zero, penetration, energyCreated: penetration === 0.5 ? Number.NaN : -penetration });
    }
    peak.flush(series);
    expect(series.metrics.penetration).toEqual([0.5]);
    expect(series.metrics.energyCreated).toEqual([-0.1]);
    peak.flush(series);
    expect(series.metrics.penetration[1]).toBeNaN();
  });

  test('long runs are thinned', () => {
    expect(chooseStride(100)).toBe(1);
    expect(chooseStride(24_000)).toBe(100);
  });
});
