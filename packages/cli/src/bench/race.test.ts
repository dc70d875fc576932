import { describe, expect, test } from 'vitest';
import { findLargestDifference } from './agreement.ts';
import { addGrowth, type BenchRow } from './bench-row.ts';
import type { Contender } from './contender.ts';
import { runRace } from './race.ts';

/** A contender whose steps cost a given time of a fake clock. */
function createFake(clock: { time: number }, costs: (step: number) => number, log: string[], name: string): Contender {
  let step = 0;
  return {
    dofs: 1,
    rewind: () => void (step = 0),
    advance(count) {
      log.push(name);
      for (let i = 0; i < count; i++) clock.time += costs(step++);
    },
    readResult: () => new Float64Array(),
    dispose: () => {},
  };
}

describe('race', () => {
  const options = { warmUp: 50, budget: 1000, block: 5, mostSteps: 200 };

  test('finds the cost of a step, and the minimum ignores disturbances', () => {
    const clock = { time: 0 };
    const log: string[] = [];
    let calls = 0;
    // every seventh block of ours is disturbed
    const ours = createFake(clock, () => 0.25, log, 'ours');
    const disturbed: Contender = {
      ...ours,
      advance(count) {
        ours.advance(count);
        if (++calls % 7 === 0) clock.time += 100;
      },
    };
    const peer = createFake(clock, () => 0.5, log, 'peer');
    const result = runRace(disturbed, peer, options, () => clock.time);
    expect(result.ours.minimum).toBeCloseTo(0.25, 12);
    expect(result.peer.minimum).toBeCloseTo(0.5, 12);
    expect(result.peer.median).toBeCloseTo(0.5, 12);
    expect(result.blockSteps).toBe(20);
  });

  test('both run equally many blocks and take turns in going first', () => {
    const clock = { time: 0 };
    const log: string[] = [];
    const blocks = runRace(
      createFake(clock, () => 1, log, 'ours'),
      createFake(clock, () => 1, log, 'peer'),
      options,
      () => clock.time,
    ).blocks;
    const timed = log.slice(-2 * blocks);
    expect(timed.filter((name) => name === 'ours')).toHaveLength(blocks);
    expect(timed.slice(0, 8)).toEqual(['ours', 'peer', 'peer', 'ours', 'ours', 'peer', 'peer', 'ours']);
  });

  test('every block starts from the same state', () => {
    const clock = { time: 0 };
    // steps get dearer with their number: without a rewind the minimum would be that of the first block only
    const result = runRace(
      createFake(clock, (step) => 1 + step, [], 'ours'),
      createFake(clock, (step) => 1 + step, [], 'peer'),
      { ...options, mostSteps: 3 },
      () => clock.time,
    );
    expect(result.ours.minimum).toBe(2);
    expect(result.ours.median).toBe(2);
  });
});

describe('agreement and growth', () => {
  test('largest difference', () => {
    expect(findLargestDifference(new Float64Array([1, 2, 3]), new Float64Array([1, 2.5, 2.9]))).toBe(0.5);
    expect(findLargestDifference(new Float64Array([1]), new Float64Array([1, 2]))).toBe(Number.POSITIVE_INFINITY);
    expect(findLargestDifference(new Float64Array([Number.NaN]), new Float64Array([1]))).toBe(Number.POSITIVE_INFINITY);
  });

  test('growth is the exponent between two sizes of a family', () => {
    const row = (size: number, oursMs: number, peerMs: number) =>
      ({ family: 'chain', size, oursMs, peerMs }) as unknown as BenchRow;
    const grown = addGrowth(row(100, 9, 27), [row(50, 100, 100), { ...row(10, 5, 5), family: 'other' }]);
    expect(grown.oursGrowth).toBeCloseTo(Math.log(0.09) / Math.log(2), 12);
    const tripled = addGrowth(row(30, 9, 27), [row(10, 1, 1)]);
    expect(tripled.oursGrowth).toBeCloseTo(2, 12);
    expect(tripled.peerGrowth).toBeCloseTo(3, 12);
    expect(addGrowth(row(10, 1, 1), []).oursGrowth).toBeUndefined();
  });
});
