import { OUTCOME } from '@nexdyn/engine/solvers';
import { describe, expect, test } from 'vitest';
import { ENTRY_WIDTH, ISLAND_WIDTH, packSolve, packTrace, type SolveCourse, STATUSES } from './solve-frame.ts';

/** A trace with one island per entry: outcome, unknowns and the residuals of its iterations; costs are ten times those. */
function makeTrace(islands: readonly [outcome: number, size: number, residuals: number[]][]): SolveCourse {
  const all = islands.flatMap(([, , residuals]) => residuals);
  const last = islands.map(([, , residuals]) => residuals.at(-1) ?? 0);
  const start = [0];
  for (const [, , residuals] of islands) start.push(start.at(-1)! + residuals.length);
  // storage of the engine is longer than what is in use
  const spare = [99, 99, 99];
  return {
    solveCount: islands.length,
    start: Int32Array.from([...start, ...spare]),
    outcome: Int32Array.from([...islands.map(([outcome]) => outcome), ...spare]),
    size: Int32Array.from([...islands.map(([, size]) => size), ...spare]),
    finalResidual: Float64Array.from([...last, ...spare]),
    finalCost: Float64Array.from([...last.map((residual) => 10 * residual), ...spare]),
    cost: Float64Array.from([...all.map((residual) => 10 * residual), ...spare]),
    residual: Float64Array.from([...all, ...spare]),
    step: Float64Array.from([...all.map(() => 0.5), ...spare]),
  };
}

describe('solves for the page', () => {
  test('outcomes of the engine are places in the statuses', () => {
    const place = (name: (typeof STATUSES)[number]): number => STATUSES.indexOf(name);
    expect(OUTCOME).toEqual({
      converged: place('converged'),
      iterationLimit: place('iteration-limit'),
      stalled: place('stalled'),
      infeasible: place('infeasible'),
    });
  });

  test('the hardest island comes first, with its own iterations', () => {
    const trace = makeTrace([
      [OUTCOME.converged, 6, [1, 0.1]],
      [OUTCOME.converged, 12, [8, 4, 2]],
      [OUTCOME.converged, 6, []],
      [OUTCOME.iterationLimit, 18, [7]],
    ]);
    const { total, islands, entries } = packTrace(trace);
    expect(total).toBe(4);
    const row = (rank: number): number[] => [...islands.subarray(ISLAND_WIDTH * rank, ISLAND_WIDTH * (rank + 1))];
    expect(row(0)).toEqual([18, 1, 1, 7, 70, 3, 1]);
    expect(row(1)).toEqual([12, 3, 0, 2, 20, 1, 3]);
    expect(row(2)).toEqual([6, 2, 0, 0.1, 1, 0, 2]);
    expect(row(3)).toEqual([6, 0, 0, 0, 0, 2, 0]);
    expect(Array.from({ length: 6 }, (_, i) => [...entries.subarray(ENTRY_WIDTH * i, ENTRY_WIDTH * (i + 1))])).toEqual([
      [1, 70, 7, 0.5],
      [1, 80, 8, 0.5],
      [2, 40, 4, 0.5],
      [3, 20, 2, 0.5],
      [1, 10, 1, 0.5],
      [2, 1, 0.1, 0.5],
    ]);
    expect(entries).toHaveLength(6 * ENTRY_WIDTH);
  });

  test('of many islands the hardest are sent, of a long course iterations from the first to the last, with their numbers', () => {
    const long = Array.from({ length: 1000 }, (_, k) => 1000 - k);
    const { total, islands, entries } = packTrace(
      makeTrace(Array.from({ length: 50 }, () => [OUTCOME.converged, 6, long])),
    );
    expect(total).toBe(50);
    expect(islands.length).toBe(12 * ISLAND_WIDTH);
    expect(entries.length).toBe(12 * 200 * ENTRY_WIDTH);
    // 1000 iterations
    expect(islands[1]).toBe(1000);
    const numbers = Array.from({ length: 200 }, (_, i) => entries[ENTRY_WIDTH * i]!);
    expect([numbers[0], numbers[199]]).toEqual([1, 1000]);
    // residual 1000 − k at iteration k + 1
    for (const [i, number] of numbers.entries()) expect(entries[ENTRY_WIDTH * i + 2]).toBe(1001 - number);
    for (let i = 1; i < 200; i++) expect(numbers[i]! - numbers[i - 1]!).toBeGreaterThanOrEqual(5);
  });

  test('a step in short', () => {
    const trace = makeTrace([[OUTCOME.stalled, 3, [1]]]);
    expect(packSolve({ status: 'stalled', iterations: 1, residual: 1, trace })).toEqual({
      status: 'stalled',
      iterations: 1,
      residual: 1,
      islands: 1,
    });
  });
});
