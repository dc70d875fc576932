import { expect, test } from 'vitest';
import { ENTRY_WIDTH, ISLAND_WIDTH, type TraceFrame } from '../session/solve-frame.ts';
import { readIterations, relateCosts, relateResiduals } from './solve-course.ts';

test('residuals and costs are parts of the first; the lowest cost has none above it', () => {
  const iterations = [
    [10, 4, 1],
    [6, 1, 1],
    [5, 0, 0.5],
  ];
  expect(relateResiduals(iterations)).toEqual([1, 0.25, 0]);
  expect(relateCosts(iterations)).toEqual([1, 0.2, 0]);
  expect(relateCosts([[3, 1, 1]])).toEqual([0]);
  expect(relateResiduals([])).toEqual([]);
});

test('iterations of an island follow those of the islands before it', () => {
  const islands = new Float64Array(2 * ISLAND_WIDTH);
  islands[1] = 1;
  islands[ISLAND_WIDTH + 1] = 2;
  const entries = Float64Array.from(
    { length: 3 * ENTRY_WIDTH },
    (_, i) => 10 * Math.floor(i / ENTRY_WIDTH) + (i % ENTRY_WIDTH),
  );
  const trace = { islands, entries, total: 2 } as unknown as TraceFrame;
  expect(readIterations(trace, 0)).toEqual([[0, 1, 2]]);
  expect(readIterations(trace, 1)).toEqual([
    [10, 11, 12],
    [20, 21, 22],
  ]);
});
