import { expect, test } from 'vitest';
import { findFreePlace, type LookDown } from './free-place.ts';

const FLOOR = { height: 0, isMoving: false };
/** A floor with boxes, each half as wide as its third number. */
const withBoxes =
  (...boxes: [x: number, y: number, half: number, top: number][]): LookDown =>
  (x, y) => {
    const under = boxes.find(([a, b, half]) => Math.abs(x - a) <= half && Math.abs(y - b) <= half);
    return under ? { height: under[3], isMoving: true } : FLOOR;
  };

test('a free floor: where it was wanted', () => {
  expect(findFreePlace(() => FLOOR, [0, 0], 0.1)).toEqual([0, 0, 0]);
});

test('a box in the way: beside it, without touching', () => {
  const [x, y, z] = findFreePlace(withBoxes([0, 0, 0.1, 0.2]), [0, 0], 0.1);
  expect(z).toBe(0);
  expect(Math.max(Math.abs(x), Math.abs(y))).toBeGreaterThan(0.2);
  expect(Math.hypot(x, y)).toBeLessThan(0.35);
});

test('every next one finds a place of its own', () => {
  const boxes: [number, number, number, number][] = [];
  for (let n = 0; n < 12; n++) {
    const [x, y] = findFreePlace(withBoxes(...boxes), [0, 0], 0.1);
    for (const [a, b] of boxes) expect(Math.max(Math.abs(x - a), Math.abs(y - b))).toBeGreaterThan(0.2);
    boxes.push([x, y, 0.1, 0.2]);
  }
});

test('a fixed table: on it; no ground at all, or no room: above everything at the place', () => {
  expect(findFreePlace(() => ({ height: 0.7, isMoving: false }), [0, 0], 0.1)).toEqual([0, 0, 0.7]);
  expect(findFreePlace(() => undefined, [0, 0], 0.1)).toEqual([0, 0, 0]);
  expect(findFreePlace(withBoxes([0, 0, 100, 0.4]), [0, 0], 0.1)).toEqual([0, 0, 0.4]);
});
