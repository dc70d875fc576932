import { expect, test } from 'vitest';
import { chooseForceScale } from './force-scale.ts';

test('a crate on its four corners has arrows of about one cell', () => {
  for (const weight of [0.03, 9.81, 470, 1e5]) {
    const cells = weight / 4 / chooseForceScale(weight, 1);
    // a round number is at most a factor 1.6 away
    expect(cells).toBeGreaterThan(1 / 1.6);
    expect(cells).toBeLessThan(1.6);
  }
});

test('a cell stands for 1, 2 or 5 times a power of ten, whatever the scene', () => {
  for (const [weight, trees] of [
    [123, 1],
    [4567, 55],
    [0.2, 3],
  ] as const) {
    for (const zoom of [-5, -1, 0, 1, 2, 7]) {
      const mantissa = chooseForceScale(weight, trees, zoom).toExponential(6);
      expect(mantissa).toMatch(/^[125]\.000000e/);
    }
  }
});

test('longer arrows mean fewer newtons per cell; many bodies share the weight; nothing weighs nothing', () => {
  expect([-4, -3, -2, -1, 0, 1, 2, 3, 4].map((zoom) => chooseForceScale(4, 1, zoom))).toEqual([
    20, 10, 5, 2, 1, 0.5, 0.2, 0.1, 0.05,
  ]);
  expect(chooseForceScale(1000, 100)).toBeLessThan(chooseForceScale(1000, 1));
  expect(chooseForceScale(0, 0)).toBe(1);
});
