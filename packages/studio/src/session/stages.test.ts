import { expect, test } from 'vitest';
import { listStages } from './stages.ts';

test('half a second has thirty stages of the same length, and ends where it should', () => {
  const stages = listStages(0.25, 0.75);
  expect(stages).toHaveLength(30);
  expect(stages[0]).toBeCloseTo(0.25 + 1 / 60, 12);
  expect(stages.at(-1)).toBe(0.75);
});

test('a long way has two hundred at most; a short one, and one into the past, has one', () => {
  expect(listStages(0, 60)).toHaveLength(200);
  expect(listStages(1, 1.01)).toEqual([1.01]);
  expect(listStages(1, 0.5)).toEqual([0.5]);
});
