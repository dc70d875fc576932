import type { Contender } from './contender.ts';

/** Times of one engine, ms per step (or per compilation). */
export interface RaceTimes {
  /** The least of all blocks: what the code costs when nothing disturbs it. */
  minimum: number;
  median: number;
}

export interface RaceResult {
  ours: RaceTimes;
  peer: RaceTimes;
  /** Blocks each engine ran. */
  blocks: number;
  /** Steps in a block. */
  blockSteps: number;
}

export interface RaceOptions {
  /** Time to spend on warming both engines up, ms. */
  warmUp: number;
  /** Time to spend on timing, both engines together, ms. */
  budget: number;
  /** Least length of a block, ms: long against the clock, short against disturbances. */
  block: number;
  /** Most steps in a block: the motion stays near its start. */
  mostSteps: number;
  /** Whether processor time is taken, which other work on the machine does not lengthen by itself. */
  isProcessorTime?: boolean;
}

export const RACE: Readonly<Record<'full' | 'quick', RaceOptions>> = {
  full: { warmUp: 1500, budget: 6000, block: 5, mostSteps: 200 },
  quick: { warmUp: 200, budget: 500, block: 2, mostSteps: 200 },
};

/** Processor time of this process, ms: what else the machine does is not in it. Threads that collect garbage are. */
export function readProcessorTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** Lets two engines run alternate short blocks of the same steps from the same state, and times each block. */
export function runRace(
  ours: Contender,
  peer: Contender,
  options: RaceOptions,
  now: () => number = options.isProcessorTime ? readProcessorTime : () => performance.now(),
): RaceResult {
  // compilers of JavaScript and WebAssembly settle first
  const blockSteps = chooseBlockSteps(ours, peer, options, now);
  const times: Record<'ours' | 'peer', number[]> = { ours: [], peer: [] };
  const end = now() + options.budget;
  for (let round = 0; now() < end || round < 3; round++) {
    // who goes first changes, so that neither always finds the caches of the other
    const isOursFirst = round % 2 === 0;
    if (isOursFirst) times.ours.push(timeBlock(ours, blockSteps, now));
    times.peer.push(timeBlock(peer, blockSteps, now));
    if (!isOursFirst) times.ours.push(timeBlock(ours, blockSteps, now));
  }
  return { ours: summarize(times.ours), peer: summarize(times.peer), blocks: times.ours.length, blockSteps };
}

/** Warms both engines up and finds how many steps make a block. */
function chooseBlockSteps(ours: Contender, peer: Contender, options: RaceOptions, now: () => number): number {
  let steps = 1;
  const end = now() + options.warmUp;
  do {
    const quicker = Math.min(timeBlock(ours, steps, now), timeBlock(peer, steps, now));
    const wanted = Math.ceil(options.block / Math.max(quicker, 1e-6));
    // never less than before: a slow first block says nothing about the next
    steps = Math.min(options.mostSteps, Math.max(steps, wanted));
  } while (now() < end);
  return steps;
}

/** Time of one step in a block, ms. */
function timeBlock(contender: Contender, steps: number, now: () => number): number {
  contender.rewind();
  const start = now();
  contender.advance(steps);
  return (now() - start) / steps;
}

function summarize(times: readonly number[]): RaceTimes {
  const sorted = [...times].sort((a, b) => a - b);
  return { minimum: sorted[0]!, median: sorted[Math.floor(sorted.length / 2)]! };
}
