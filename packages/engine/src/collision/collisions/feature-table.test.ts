import { expect, test } from 'vitest';
import { FeatureTable } from './feature-table.ts';

// a Map does the same; numbers repeat often, and the table grows several times
test('items are found again by both features, and by none after they are removed', () => {
  const table = new FeatureTable();
  let seed = 1;
  const draw = (most: number): number => {
    seed = (Math.imul(seed, 1103515245) + 12345) >>> 0;
    return Math.floor((seed / 2 ** 32) * most);
  };
  for (let round = 0; round < 4; round++) {
    const known = new Map<string, number>();
    const found: number[] = [];
    const expected: number[] = [];
    table.clear();
    for (let item = 0; item < 800; item++) {
      const first = draw(40);
      const second = draw(40);
      const kept = known.get(`${first} ${second}`) ?? item;
      known.set(`${first} ${second}`, kept);
      expected.push(kept);
      found.push(table.findOrAdd(first, second, item));
    }
    expect(found).toEqual(expected);
    expect(known.size).toBeGreaterThan(400);
  }
});
