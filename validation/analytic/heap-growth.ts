/** How much the heap grows, for tests that nothing is allocated and kept. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

function heapInUse(): number {
  collectGarbage();
  collectGarbage();
  return process.memoryUsage().heapUsed;
}

/** Least growth of three rounds, bytes: what is kept shows in every round, what the host compiles meanwhile in one or two. */
export function measureHeapGrowth(round: () => void): number {
  let least = Number.POSITIVE_INFINITY;
  for (let n = 0; n < 3; n++) {
    const before = heapInUse();
    round();
    least = Math.min(least, heapInUse() - before);
  }
  return least;
}
