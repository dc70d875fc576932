import { expect, test } from 'vitest';
import { createRandom } from '../testing/forest.ts';
import { PAIR_STRIDE, TouchingPairs } from './touching-pairs.ts';

test.each([0, 1, 5, 1000, 20_000])('sorts %i pairs by first, then second, each with its points', (count) => {
  const random = createRandom(count + 1);
  const shapes = 60;
  const pairs = new TouchingPairs(shapes);
  const expected: number[][] = [];
  for (let round = 0; round < 2; round++) {
    pairs.clear();
    expected.length = 0;
    for (let i = 0; i < count; i++) {
      const pair = [Math.floor(shapes * random()), Math.floor(shapes * random()), 3 * i, i % 7] as const;
      expected.push([...pair]);
      pairs.add(...pair);
    }
    pairs.sort();
    // equal pairs keep their order
    expected.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
    const found = Array.from({ length: pairs.count }, (_, i) =>
      Array.from(pairs.records.subarray(PAIR_STRIDE * i, PAIR_STRIDE * (i + 1))),
    );
    expect(found).toEqual(expected);
  }
});
