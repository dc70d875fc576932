import { describe, expect, test } from 'vitest';
import { planRun } from './run-plan.ts';

describe('run plan', () => {
  test('a whole number of steps in spite of rounding', () => {
    // 0.3 / 0.1 is 2.9999999999999996 and 0.7 / 0.1 is 6.999999999999999
    expect(planRun(0.3, 0.1, 10).steps).toBe(3);
    expect(planRun(0.7, 0.1, 10).steps).toBe(7);
    expect(planRun(60, 0.002, 10).steps).toBe(30_000);
    expect(planRun(0, 0.002, 10)).toEqual({ steps: 0, every: 1, frames: 1 });
  });

  test('a time between two steps takes the step that passes it', () => {
    expect(planRun(0.25, 0.1, 10).steps).toBe(3);
  });

  test('every step is kept until there are many', () => {
    expect(planRun(20, 0.002, 100)).toEqual({ steps: 10_000, every: 1, frames: 10_001 });
    expect(planRun(40, 0.002, 100)).toEqual({ steps: 20_000, every: 2, frames: 10_001 });
    // wide frames: 2^24 numbers are 419 frames of 40,000
    expect(planRun(20, 0.002, 40_000).frames).toBeLessThanOrEqual(420);
  });

  test('the last step is a frame even when it is no multiple', () => {
    expect(planRun(1, 0.1, 10, 3)).toEqual({ steps: 10, every: 3, frames: 5 });
  });

  test('what cannot be kept or counted is refused with advice', () => {
    expect(() => planRun(1000, 0.002, 10_000, 1)).toThrow(/--every 299 or more/);
    expect(() => planRun(1e12, 1e-9, 0)).toThrow(/too many steps/);
  });
});
