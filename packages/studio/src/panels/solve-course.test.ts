import { expect, test } from 'vitest';
import { ENTRY_WIDTH, ISLAND_WIDTH, type TraceFrame } from '../session/solve-frame.ts';
import { readIterations, relateCosts, relateResiduals } from './solve-course.ts';

test('residuals and costs are parts of the first; the lowest cost has none above it', () => {
  const iterations = [
    { cost: 10, residual: 4 },
    { cost: 6, residual: 1 },
    { cost: 5, residual: 0 },
  ];
  expect(relateResiduals(iterations)).toEqual([1, 0.25, 0]);
  expect(relateCosts(iterations)).toEqual([1, 0.2, 0]);
  expect(relateCosts([{ cost: 3 }])).toEqual([0]);
  expect(relateResiduals([])).toEqual([]);
});

test('iterations of an island follow those of the islands before it', () => {
  const islands = new Float64Array(2 * ISLAND_WIDTH);
  islands[6] = 1;
  islands[ISLAND_WIDTH + 6] = 2;
  const entries = Float64Array.from(
    { length: 3 * ENTRY_WIDTH },
    (_, i) => 10 * Math.floor(i / ENTRY_WIDTH) + (i % ENTRY_WIDTH),
  );
  const trace = { islands, entries, total: 2 } as unknown as TraceFrame;
  expect(readIterations(trace, 0)).toEqual([{ number: 0, cost: 1, residual: 2, step: 3 }]);
  expect(readIterations(trace, 1)).toEqual([
    { number: 10, cost: 11, residual: 12, step: 13 },
    { number: 20, cost: 21, residual: 22, step: 23 },
  ]);
});
