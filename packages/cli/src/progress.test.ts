import { describe, expect, test } from 'vitest';
import type { CommandIo } from './command-io.ts';
import { createProgress, estimateLeft, formatDuration, formatProgress } from './progress.ts';

function createIo(isTerminal: boolean): { io: CommandIo; written: string[] } {
  const written: string[] = [];
  const io = {
    writeData: () => {},
    writeMessage: (text: string) => void written.push(text),
    redrawLine: (text: string) => void written.push(`\r\u001b[K${text}`),
    isTerminal,
    isDataTerminal: false,
    columns: 40,
  };
  return { io, written };
}

describe('progress', () => {
  test('time left is proportional to what is left', () => {
    // a quarter took 3 s, so three quarters take 9 s
    expect(formatProgress(0.25, estimateLeft(0.25, 3), '1.00 s simulated')).toBe(' 25 %, 9 s left, 1.00 s simulated');
    expect(formatProgress(0, estimateLeft(0, 3), 'x')).toBe('  0 %, time left unknown, x');
  });

  test('durations', () => {
    expect([0, 59, 60, 3599, 3600, 7384].map(formatDuration)).toEqual([
      '0 s',
      '59 s',
      '1 min 0 s',
      '59 min 59 s',
      '1 h 0 min',
      '2 h 3 min',
    ]);
  });

  test('plain lines at most once a second, with no control characters', () => {
    const { io, written } = createIo(false);
    let time = 0;
    const progress = createProgress(io, false, () => time);
    // times are exact in binary
    for (; time <= 3.125; time += 0.125) progress.update(time / 10, 'x');
    progress.finish();
    expect(written).toEqual([' 10 %, 9 s left, x\n', ' 20 %, 8 s left, x\n', ' 30 %, 7 s left, x\n']);
  });

  test('a night fits into a log', () => {
    const { io, written } = createIo(false);
    let time = 0;
    const progress = createProgress(io, false, () => time);
    for (; time <= 8 * 3600; time++) progress.update(time / (8 * 3600), 'x');
    // one a second for a minute, then 60 for each factor e
    expect(written.length).toBeLessThan(60 + 60 * Math.log(480) + 1);
    expect(written.length).toBeGreaterThan(300);
  });

  test('one redrawn line on a terminal, cut to its width and removed at the end', () => {
    const { io, written } = createIo(true);
    let time = 0;
    const progress = createProgress(io, false, () => time);
    for (; time < 1; time += 0.05) progress.update(time / 10, 'long '.repeat(30));
    progress.finish();
    expect(written.length).toBeGreaterThan(5);
    expect(written.every((text) => text.startsWith('\r\u001b[K') && !text.includes('\n') && text.length <= 43)).toBe(
      true,
    );
    expect(written.at(-1)).toBe('\r\u001b[K');
  });

  test('the time before anything is done does not count', () => {
    const { io, written } = createIo(false);
    let time = 0;
    const progress = createProgress(io, false, () => time);
    time = 60;
    progress.update(0, 'x');
    time = 62;
    progress.update(0.5, 'x');
    expect(written).toEqual(['  0 %, time left unknown, x\n', ' 50 %, 2 s left, x\n']);
  });

  test('quiet says nothing', () => {
    const { io, written } = createIo(true);
    let time = 0;
    const progress = createProgress(io, true, () => time);
    for (; time < 5; time++) progress.update(time / 5, 'x');
    progress.finish();
    expect(written).toEqual([]);
  });
});
