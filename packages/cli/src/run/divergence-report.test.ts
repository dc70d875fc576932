import { expect, test } from 'vitest';
import { describeDivergence } from './divergence-report.ts';

test('what diverged is named in quotes, with a time that people can read', () => {
  const time = Array.from({ length: 90 }).reduce<number>((sum) => sum + 0.05, 0);
  expect(time).not.toBe(4.5);
  const knee = { quantity: 'acceleration', index: 3, name: 'knee' } as const;
  expect(describeDivergence(knee, time)).toBe("the acceleration of 'knee' is not finite at 4.5 s");
  expect(describeDivergence({ ...knee, name: '' }, 0)).toBe('the acceleration of number 3 is not finite at 0 s');
  expect(describeDivergence(undefined, 1)).toBe('numbers are not finite at 1 s');
});
