import { describe, expect, test } from 'vitest';
import { RunCurves } from './run-curves.ts';
import type { BranchSummary, Frame } from './session/protocol.ts';
import { createSample, packSample } from './session/sample.ts';

const summary = (number: number, fromTime?: number): BranchSummary => ({
  number,
  fromTime,
  lastTime: 0,
  drives: 0,
  pulls: 0,
  changes: 0,
});

/** The part of a frame that curves read: samples at some times, with a kinetic energy that tells the branch. */
function frame(branch: number, times: readonly number[], branches: readonly BranchSummary[]): Frame {
  const samples = times.flatMap((time) => packSample({ ...createSample(), time, kinetic: branch, potential: 0 }));
  return { branch, branches, samples } as unknown as Frame;
}

describe('curves of branches', () => {
  test('a new branch has the curves of the old one up to its beginning; the old ones come back whole', () => {
    const curves = new RunCurves();
    const one = [summary(1)];
    curves.restart(frame(1, [0], one));
    curves.take(frame(1, [1, 2, 3, 4, 5], one));
    const two = [summary(1), summary(2, 3)];
    curves.take(frame(2, [3.5, 4.5], two));
    expect(curves.history.time).toEqual([0, 1, 2, 3, 3.5, 4.5]);
    expect(curves.history.columns.kinetic).toEqual([1, 1, 1, 1, 2, 2]);
    curves.take(frame(1, [], two));
    expect(curves.history.time).toEqual([0, 1, 2, 3, 4, 5]);
    curves.take(frame(1, [6], two));
    curves.take(frame(2, [], two));
    expect(curves.history.time).toEqual([0, 1, 2, 3, 3.5, 4.5]);
    curves.take(frame(1, [], two));
    expect(curves.history.time.at(-1)).toBe(6);
  });

  test('curves of branches that are gone are forgotten, and a restart forgets all', () => {
    const curves = new RunCurves();
    curves.restart(frame(1, [0, 1, 2], [summary(1)]));
    curves.take(frame(2, [1.5], [summary(1), summary(2, 1)]));
    curves.take(frame(3, [1.2], [summary(2, 1), summary(3, 1.1)]));
    // the first is gone: were it shown again, it would have to begin with what there is
    curves.take(frame(1, [], [summary(1, 1.15), summary(3, 1.1)]));
    expect(curves.history.time).toEqual([0, 1]);
    curves.restart(frame(1, [7], [summary(1)]));
    expect(curves.history.time).toEqual([7]);
  });
});
