import { describe, expect, test } from 'vitest';
import { barrier, barrierCurvature, measureBarrierSupport } from './barrier.ts';
import {
  convertStiffness,
  measureContactStiffness,
  measureFirstStiffness,
  measureLeastStiffness,
  STIFFNESS_RANGE,
  updateStiffness,
} from './barrier-stiffness.ts';

const scale = { mass: 1, diagonal: 1, dhat: 1e-3, xi: 0 };

describe('least stiffness', () => {
  test('published value: box 1 m, mass 1 kg, d̂ = 1 mm', () => {
    expect(Math.abs(measureLeastStiffness(scale) / 2.4999999995e6 - 1)).toBeLessThan(1e-12);
    expect(measureLeastStiffness({ ...scale, mass: 3 }) / measureLeastStiffness(scale)).toBeCloseTo(3, 12);
  });

  test('with a separation: the formula in D₀ = (1e-8 l + ξ)²', () => {
    const [dhat, xi] = [1e-3, 1e-3];
    const support = measureBarrierSupport(dhat, xi);
    const near = (1e-8 + xi) ** 2;
    const curvature = barrierCurvature(near - xi * xi, support) * support ** 2;
    // the difference near − ξ² = 2e-11 of numbers of 1e-6 is right to 1e-11 of itself, its square in the curvature to 2e-11
    expect(measureLeastStiffness({ ...scale, dhat, xi }) / (1e11 / (4 * near * curvature))).toBeCloseTo(1, 9);
  });

  test('takes the middle of the support where 1e-8 of the box is beyond it', () => {
    const tiny = { ...scale, dhat: 1e-9 };
    const support = 1e-18;
    const curvature = barrierCurvature(0.5 * support, support) * support ** 2;
    expect(measureLeastStiffness(tiny) / (1e11 / (2 * support * curvature))).toBeCloseTo(1, 12);
  });
});

describe('units', () => {
  test('κ in pascal gives the energy of κ̄: h² κ A d̂ β = κ̄ D̂² β', () => {
    const [h, area] = [0.01, 2e-4];
    for (const xi of [0, 0.02]) {
      const sizes = { ...scale, xi };
      const support = measureBarrierSupport(scale.dhat, xi);
      const least = measureLeastStiffness(sizes);
      const pascal = convertStiffness(least, sizes, h, area);
      const beta = barrier(0.3 * support, support);
      expect((h * h * pascal * area * scale.dhat * beta) / (least * support ** 2 * beta)).toBeCloseTo(1, 12);
    }
    // by hand: 2.5e6 · 1e-12/(1e-4 · 1 · 1e-3) = 25 Pa on a square metre
    expect(convertStiffness(2.5e6, scale, 0.01, 1)).toBeCloseTo(25, 10);
  });
});

describe('first stiffness', () => {
  const least = 2;
  const most = STIFFNESS_RANGE * least;

  test('balances the other forces along the barrier', () => {
    const other = Float64Array.of(3, -40, 7);
    const first = measureFirstStiffness(Float64Array.of(0, 2, 0), other, least, most);
    expect(first).toBe(20);
    // the sum has no part along the barrier
    expect(2 * (other[1] + first * 2)).toBe(0);
  });

  test('stays between the bounds, and is the nearest to one without a barrier', () => {
    const other = Float64Array.of(3, 40);
    expect(measureFirstStiffness(Float64Array.of(0, 1), other, least, most)).toBe(least);
    expect(measureFirstStiffness(Float64Array.of(0, -1e-9), other, least, most)).toBe(most);
    expect(measureFirstStiffness(new Float64Array(2), other, least, most)).toBe(least);
    expect(measureFirstStiffness(new Float64Array(2), other, 0.1, 10)).toBe(1);
  });
});

describe('update', () => {
  test('doubles 1 to 2 where the distance shrinks from 1e-10 to 1e-11', () => {
    expect(updateStiffness(1, 100, 1e-10 ** 2, 1e-11 ** 2, scale)).toBe(2);
    expect(updateStiffness(80, 100, 1e-10 ** 2, 1e-11 ** 2, scale)).toBe(100);
  });

  // a thousandth of d̂, or a billionth of the scene
  test('doubles where both distances are below the larger of 1e-3 d̂ and 1e-9 l', () => {
    expect(updateStiffness(1, 100, 9.9e-7 ** 2, 9e-7 ** 2, scale)).toBe(2);
    expect(updateStiffness(1, 100, 1.1e-6 ** 2, 9e-7 ** 2, scale)).toBe(1);
    const wide = { ...scale, diagonal: 1e5 };
    expect(updateStiffness(1, 100, 9e-5 ** 2, 8e-5 ** 2, wide)).toBe(2);
    expect(updateStiffness(1, 100, 1.1e-4 ** 2, 9e-5 ** 2, wide)).toBe(1);
  });

  test('keeps the stiffness where the distance grows or is not small', () => {
    expect(updateStiffness(1, 100, 1e-11 ** 2, 1e-10 ** 2, scale)).toBe(1);
    expect(updateStiffness(1, 100, 1e-5 ** 2, 1e-11 ** 2, scale)).toBe(1);
    expect(updateStiffness(1, 100, 1e-4 ** 2, 1e-5 ** 2, scale)).toBe(1);
    expect(updateStiffness(1, 100, Infinity, 1e-11 ** 2, scale)).toBe(1);
  });

  test('measures from the separation on', () => {
    const thick = { ...scale, xi: 1e-3 };
    expect(updateStiffness(1, 100, (1e-3 + 1e-10) ** 2, (1e-3 + 1e-11) ** 2, thick)).toBe(2);
    expect(updateStiffness(1, 100, (1e-3 + 1e-5) ** 2, (1e-3 + 1e-11) ** 2, thick)).toBe(1);
  });
});

test('stiffness of one contact: m/d² without other curvature', () => {
  expect(measureContactStiffness(2, 1e-3, 0)).toBeCloseTo(2e6, 6);
  expect(measureContactStiffness(2, 1e-3, 5e5)).toBeCloseTo(2.5e6, 6);
});
