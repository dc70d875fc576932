import { expect, test } from 'vitest';
import { formatCount } from './counted-noun.ts';

test('one is one, all else are several', () => {
  expect([0, 1, 2].map((count) => formatCount(count, 'step'))).toEqual(['0 steps', '1 step', '2 steps']);
});
