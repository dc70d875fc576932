import { expect, test } from 'vitest';
import { WatchCurves } from './watch-curves.ts';

test('a plot that begins late has the run so far, and keeps what came after it was asked for', () => {
  const curves = new WatchCurves();
  const add = (time: number, value: number): void => curves.add(1, time, [{ key: 'a', run: '', value }]);
  add(3, 30);
  add(4, 40);
  const past = { steps: [0, 1, 2, 3], times: [0, 1, 2, 3], values: [0, 0.5, 10, 1.5, Number.NaN, 2.5, 30, 3.5] };
  curves.load(1, ['a', 'b'], [{ run: '', past }]);
  expect(curves.times).toEqual([0, 1, 2, 3, 4]);
  expect(curves.column('a', '')).toEqual([0, 10, null, 30, 40]);
  expect(curves.column('b', '')).toEqual([0.5, 1.5, 2.5, 3.5, null]);
  add(5, 50);
  expect(curves.column('a', '').at(-1)).toBe(50);
});

test('what another run left is dropped', () => {
  const curves = new WatchCurves();
  curves.add(1, 9, [{ key: 'a', run: '', value: 90 }]);
  curves.load(2, ['a'], [{ run: '', past: { steps: [0, 1], times: [0, 1], values: [1, 2] } }]);
  expect(curves.times).toEqual([0, 1]);
  expect(curves.column('a', '')).toEqual([1, 2]);
});
