/**
 * Memory that work takes, for tests: what it keeps, and what passes through it.
 *
 * What the work itself takes shows in every round; compilation, which another thread may delay, adds to some. So the least of
 * several rounds counts, and a round below the bound of the test ends the measurement.
 */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const ROUNDS = 8;

/** Bytes that a round of work leaves on the heap: the least of several, or the first below `bound`. */
export function measureKeptMemory(work: () => void, bound: number): number {
  // collections cost more than the work: the end of a round is the beginning of the next
  let before = heapAfterCollection();
  return measureLeast(bound, () => {
    work();
    const after = heapAfterCollection();
    const kept = after - before;
    before = after;
    return kept;
  });
}

/** Bytes by which the heap grows during a round of work, garbage included: the least of several, or the first below `bound`. */
export function measurePassingMemory(work: () => void, bound: number): number {
  return measureLeast(bound, () => {
    const before = heapAfterCollection();
    work();
    return Math.abs(process.memoryUsage().heapUsed - before);
  });
}

function measureLeast(bound: number, measure: () => number): number {
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS && least >= bound; round++) least = Math.min(least, measure());
  return least;
}

function heapAfterCollection(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed;
}
