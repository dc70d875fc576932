import { expect, test } from 'vitest';
import { Arena } from '../../kernels/arena.ts';
import { createRandom } from '../../testing/forest.ts';
import { DegreeLists } from './degree-lists.ts';

test('takes what a sorted list would: the least degree, and of equal ones the last that came', () => {
  const lists = new DegreeLists(new Arena());
  for (const [count, largest, seed] of [
    [1, 0, 1],
    [40, 6, 2],
    [200, 50, 3],
    [30, 3, 4],
  ]) {
    const random = createRandom(seed);
    lists.clear(count, largest);
    // degree and arrival of those that are in
    const known = new Map<number, { degree: number; arrival: number }>();
    let arrival = 0;
    const add = (i: number): void => {
      const degree = Math.floor(random() * (largest + 1));
      known.set(i, { degree, arrival: arrival++ });
      lists.add(i, degree);
    };
    for (let i = 0; i < count; i++) add(i);
    for (let n = 0; n < 5 * count; n++) {
      const i = Math.floor(random() * count);
      const entry = known.get(i);
      if (entry && random() < 0.5) {
        lists.remove(i, entry.degree);
        known.delete(i);
      } else if (!entry) {
        add(i);
      } else {
        expect(lists.takeLeast()).toBe(takeFrom(known));
      }
    }
    while (known.size > 0) expect(lists.takeLeast()).toBe(takeFrom(known));
    expect(lists.takeLeast()).toBe(-1);
  }
});

function takeFrom(known: Map<number, { degree: number; arrival: number }>): number {
  const [[least]] = [...known].sort(([, a], [, b]) => a.degree - b.degree || b.arrival - a.arrival);
  known.delete(least);
  return least;
}
