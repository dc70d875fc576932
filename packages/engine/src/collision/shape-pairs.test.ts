import { expect, test } from 'vitest';
import { createRandom } from '../testing/forest.ts';
import { ShapePairs } from './shape-pairs.ts';

test.each([0, 1, 5, 1000, 20_000])('sorts %i pairs by first, then second, keeping equal ones', (count) => {
  const random = createRandom(count + 1);
  const shapes = 60;
  const pairs = new ShapePairs(shapes);
  const expected: [number, number][] = [];
  for (let round = 0; round < 2; round++) {
    pairs.clear();
    expected.length = 0;
    for (let i = 0; i < count; i++) {
      const pair: [number, number] = [Math.floor(shapes * random()), Math.floor(shapes * random())];
      expected.push(pair);
      pairs.add(...pair);
    }
    pairs.sort();
    expected.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
    expect(Array.from({ length: pairs.count }, (_, i) => [pairs.first[i], pairs.second[i]])).toEqual(expected);
  }
});
