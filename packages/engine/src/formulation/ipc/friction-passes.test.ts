/** Passes of friction as a fixed point: shares of new forces settle maps that swing, and leave alone what settles by itself. */
import { describe, expect, test } from 'vitest';
import type { Frames } from '../../dynamics/frames.ts';
import { FrictionPasses } from './friction-passes.ts';

/** Passes until two forces F, which a pass would take to G + m (F − G) each, are within 1e-6 of G; 50 where they never are. */
function countPasses(factors: readonly number[]): number {
  const position = new Float64Array(3);
  const orientation = Float64Array.of(1, 0, 0, 0);
  const frames = { count: 1, moving: 1, current: { position, orientation } } as unknown as Frames;
  const passes = new FrictionPasses(frames, Float64Array.of(1));
  const force = factors.map(() => 0);
  for (let pass = 1; pass <= 50; pass++) {
    if (force.every((f) => Math.abs(f - 1) < 1e-6)) return pass;
    // places follow forces
    force.forEach((f, i) => {
      position[i] = 0.1 * f;
    });
    passes.notice();
    force.forEach((f, i) => {
      force[i] = f + passes.share * (1 + factors[i]! * (f - 1) - f);
    });
  }
  return 50;
}

describe('passes of friction', () => {
  test('what swings, even ever wider, settles', () => {
    expect(countPasses([-0.99])).toBeLessThan(8);
    expect(countPasses([-1.05])).toBeLessThan(8);
    expect(countPasses([-3])).toBeLessThan(12);
  });

  test('a swing beside what comes slowly settles, too', () => {
    expect(countPasses([-1.05, 0.5])).toBeLessThan(40);
  });

  test('what settles by itself is left to: every pass takes all of the new forces', () => {
    // 0.3ⁿ = 1e-6 at n = 11.5
    expect(countPasses([0.3])).toBe(13);
  });
});
