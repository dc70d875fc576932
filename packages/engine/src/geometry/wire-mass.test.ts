import { describe, expect, test } from 'vitest';
import { wireMass } from './wire-mass.ts';

describe('mass of edges and points', () => {
  test('a rod: m l²/12 across, none along', () => {
    const { mass, center, tensor } = wireMass([1, 2, 3, 1, 2, 7], [0, 1]);
    expect(mass).toBe(4);
    expect(Array.from(center)).toEqual([1, 2, 5]);
    expect(tensor[0]).toBeCloseTo((4 * 16) / 12, 12);
    expect(tensor[1]).toBeCloseTo((4 * 16) / 12, 12);
    expect(tensor[2]).toBeCloseTo(0, 12);
  });

  test('a square frame of side a: m a²/3 about its normal, half of it across', () => {
    const { mass, tensor } = wireMass([0, 0, 0, 2, 0, 0, 2, 2, 0, 0, 2, 0], [0, 1, 1, 2, 2, 3, 3, 0]);
    expect(mass).toBe(8);
    expect(tensor[2]).toBeCloseTo((8 * 4) / 3, 12);
    expect(tensor[0]).toBeCloseTo((8 * 4) / 6, 12);
    expect(Math.abs(tensor[3])).toBeLessThan(1e-12);
  });

  test('points, against the sum', () => {
    const { mass, center, tensor } = wireMass([1, 0, 0, -1, 0, 0, 0, 2, 0, 0, -2, 1], []);
    expect(mass).toBe(4);
    expect(center[2]).toBeCloseTo(0.25, 12);
    // Σ x² + y², products Σ −y z
    expect(tensor[2]).toBeCloseTo(10, 12);
    expect(tensor[5]).toBeCloseTo(2, 12);
  });
});
