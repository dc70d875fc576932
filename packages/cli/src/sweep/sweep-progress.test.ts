import { expect, test } from 'vitest';
import type { CommandIo } from '../command-io.ts';
import { createSweepProgress } from './sweep-progress.ts';

/** The lines of a sweep that does `rate(second)` runs in each second, after some that were finished before. */
function watch(total: number, skipped: number, seconds: number, rate: (second: number) => number): string[] {
  const lines: string[] = [];
  const io = { writeMessage: (text: string) => void lines.push(text), isTerminal: true, columns: 200 } as CommandIo;
  io.redrawLine = io.writeMessage;
  let time = 0;
  let done = skipped;
  const progress = createSweepProgress(io, false, () => time);
  progress.update({ total, done, skipped, failed: 0 });
  for (; time < seconds; ) {
    done += rate(time);
    time++;
    progress.update({ total, done, skipped, failed: 1 });
  }
  return lines;
}

test('speed and time left are those of the present, not of threads that warm up', () => {
  const lines = watch(1000, 100, 60, (second) => (second < 10 ? 1 : 10));
  expect(lines[0]).toBe(' 10 %, 14 min 59 s left, [##..................] 101 of 1000 runs, 1 failed, 1.00 per second');
  // 110 after 10 s, 610 after 60 s
  expect(lines.at(-1)).toBe(' 61 %, 39 s left, [############........] 610 of 1000 runs, 1 failed, 10.0 per second');
});

test('the time for which a queue was paused does not count for long', () => {
  const lines = watch(1000, 0, 130, (second) => (second < 30 || second >= 90 ? 10 : 0));
  expect(lines.at(-1)).toMatch(/ 30 s left.* 700 of 1000 runs.* 10\.0 per second/);
});

test('runs that take minutes have a speed', () => {
  const lines = watch(100, 0, 3600, (second) => (second % 120 === 119 ? 1 : 0));
  expect(lines.at(-1)).toMatch(/2 h 20 min left.* 30 of 100 runs.* 0\.00833 per second/);
});
