/**
 * Latin hypercube samples (McKay, Beckman and Conover 1979): of `count` points each of the `count` equal intervals of every dimension
 * holds exactly one, at a random place in it.
 */
import type { RandomStream } from './random.ts';

export function listLatinPoints(count: number, dimensions: number, random: RandomStream): number[][] {
  const points = Array.from({ length: count }, () => new Array<number>(dimensions).fill(0));
  for (let d = 0; d < dimensions; d++) {
    const order = shuffle(count, random);
    for (let n = 0; n < count; n++) {
      // rounding must not push a point into the next interval
      const place = (order[n]! + random.nextUnit()) / count;
      points[n]![d] = Math.min(place, (order[n]! + 1) / count - 2 ** -53);
    }
  }
  return points;
}

/** The numbers 0 to `count − 1` in random order (Fisher and Yates). */
function shuffle(count: number, random: RandomStream): number[] {
  const order = Array.from({ length: count }, (_, n) => n);
  for (let n = count - 1; n > 0; n--) {
    const other = random.nextBelow(n + 1);
    [order[n], order[other]] = [order[other]!, order[n]!];
  }
  return order;
}
