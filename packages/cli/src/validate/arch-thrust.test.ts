import { expect, test } from 'vitest';
import { findThrust } from './arch-thrust.ts';

// the thinnest half circle that stands: thickness 0.1075 of its mean radius (Milankovitch 1907), many blocks
test('arches stand down to the thickness of Milankovitch', () => {
  const range = (thickness: number): [number, number] =>
    findThrust({ blocks: 400, inner: 1 - thickness / 2, outer: 1 + thickness / 2, weight: 1 });
  const [least, most] = range(0.1085);
  expect(most).toBeGreaterThanOrEqual(least);
  // close to the limit little is left to choose
  expect(most - least).toBeLessThan(0.02 * most);
  expect(range(0.1065)[0]).toBe(Number.POSITIVE_INFINITY);
});

test('three blocks: corners by hand', () => {
  // joints at 0° and 60°: the thrust is least where it passes the top of its joints and the inside of its feet
  const [inner, outer, weight] = [0.8, 1.2, 3];
  const [least, most] = findThrust({ blocks: 3, inner, outer, weight });
  const center = ((2 / 3) * Math.cos(Math.PI / 6) * (outer ** 3 - inner ** 3)) / (outer ** 2 - inner ** 2);
  const crown = 0.5 * (center / 2) * Math.tan(Math.PI / 6);
  const foot = center * Math.cos(Math.PI / 6);
  // about the joint at 60°, then about the foot, for a line through given points of both
  const thrust = (top: number, bottom: number): number => {
    const [x, z] = [top * 0.5, top * Math.sin(Math.PI / 3)];
    return (1.5 * bottom - (crown + foot) - (0.5 * x - crown)) / z;
  };
  expect(least).toBeCloseTo(thrust(outer, inner), 12);
  expect(most).toBeCloseTo(thrust(inner, outer), 12);
});
