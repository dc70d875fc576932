import { describe, expect, test } from 'vitest';
import { wrapInside, wrapOutside } from './tendon-wrap.ts';

const touch = new Float64Array(4);

/** Length of the whole path. */
function pathLength(x0: number, y0: number, x1: number, y1: number, arc: number): number {
  return Math.hypot(touch[0] - x0, touch[1] - y0) + arc + Math.hypot(touch[2] - x1, touch[3] - y1);
}

describe('wrapping around a circle', () => {
  test('a string over half a circle: two tangents and a half turn', () => {
    const arc = wrapOutside(touch, -3, -1, -3, 1, 1, true, 1, 0);
    expect(arc).toBeCloseTo(Math.PI, 14);
    expect([...touch]).toEqual([0, -1, 0, 1].map((value) => expect.closeTo(value, 14)));
  });

  test('the shorter way without a side, the given way with one', () => {
    const short = pathLength(-2, 0.1, 2, 0.1, wrapOutside(touch, -2, 0.1, 2, 0.1, 1, false, 0, 0));
    expect(touch[1]).toBeGreaterThan(0);
    const long = pathLength(-2, 0.1, 2, 0.1, wrapOutside(touch, -2, 0.1, 2, 0.1, 1, true, 0, -1));
    expect(touch[1]).toBeLessThan(0);
    expect(long).toBeGreaterThan(short);
  });

  test('straight parts are tangents and the arc runs between them on the wanted side', () => {
    const arc = wrapOutside(touch, -2, -0.2, 1.5, -0.4, 1, true, 0, 1);
    expect(Math.hypot(touch[0], touch[1])).toBeCloseTo(1, 14);
    expect(Math.hypot(touch[2], touch[3])).toBeCloseTo(1, 14);
    // a radius stands at right angles on its tangent
    expect(touch[0] * (touch[0] + 2) + touch[1] * (touch[1] + 0.2)).toBeCloseTo(0, 14);
    expect(touch[2] * (touch[2] - 1.5) + touch[3] * (touch[3] + 0.4)).toBeCloseTo(0, 14);
    expect(arc).toBeCloseTo(Math.atan2(touch[1], touch[0]) - Math.atan2(touch[3], touch[2]), 14);
  });

  test('round the far side only where the side point lies beyond the centre', () => {
    // ends at 10 and 50 degrees, so the far side is between 190 and 230 degrees
    const at = (degrees: number, distance: number): [number, number] => {
      const angle = (degrees * Math.PI) / 180;
      return [distance * Math.cos(angle), distance * Math.sin(angle)];
    };
    const wrapAt = (side: number): number => wrapOutside(touch, ...at(10, 3), ...at(50, 2), 1, true, ...at(side, 1));
    const far = 2 * Math.PI - (40 * Math.PI) / 180 - Math.acos(1 / 3) - Math.acos(1 / 2);
    for (const side of [191, 210, 229]) expect(wrapAt(side)).toBeCloseTo(far, 12);
    for (const side of [30, 100, 189, 231, 300]) expect(wrapAt(side)).toBe(-1);
    // a string through the circle goes the shorter way, whichever side is a little nearer
    const short = wrapOutside(touch, ...at(133, 5), ...at(-75, 2), 1, false, 0, 0);
    expect(wrapOutside(touch, ...at(133, 5), ...at(-75, 2), 1, true, ...at(-56, 1))).toBe(short);
    expect(wrapOutside(touch, ...at(133, 5), ...at(-75, 2), 1, true, ...at(20, 1))).toBeGreaterThan(short);
  });

  test('no wrap where the straight string is free or an end is inside', () => {
    expect(wrapOutside(touch, -2, 2, 2, 2, 1, false, 0, 0)).toBe(-1);
    expect(wrapOutside(touch, 0.5, 0, 2, 2, 1, false, 0, 0)).toBe(-1);
    expect(wrapOutside(touch, -2, 2, 2, 2, 1, true, 0, 1)).toBe(-1);
  });

  test('inside: the string touches where the angles of its two parts are equal', () => {
    expect(wrapInside(touch, 2, 3, -1.5, 2.5, 1)).toBe(0);
    const angle = (x: number, y: number) => {
      const dx = x - touch[0];
      const dy = y - touch[1];
      return Math.abs(dx * touch[1] - dy * touch[0]) / Math.hypot(dx, dy);
    };
    expect(Math.hypot(touch[0], touch[1])).toBeCloseTo(1, 14);
    expect(angle(2, 3)).toBeCloseTo(angle(-1.5, 2.5), 12);
    expect(wrapInside(touch, 2, 0, -2, 0.1, 1)).toBe(-1);
  });
});
