/** Memory that work keeps, for tests: garbage is collected first, and compilation, which adds to some rounds, is told apart from what every round keeps. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const ROUNDS = 6;

/** Bytes by which the heap grows in a round of work that has run before: the least of several. */
export function measureKeptMemory(work: () => void): number {
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as () => void;
  const heapInUse = (): number => {
    collectGarbage();
    collectGarbage();
    return process.memoryUsage().heapUsed;
  };
  let least = Number.POSITIVE_INFINITY;
  let before = heapInUse();
  for (let round = 0; round < ROUNDS; round++) {
    work();
    const after = heapInUse();
    least = Math.min(least, after - before);
    before = after;
  }
  return least;
}
