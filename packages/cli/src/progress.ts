import type { CommandIo } from './command-io.ts';

/** Shows how far a run is and how long it will take: one redrawn line on a terminal, a line a second elsewhere. */
export interface Progress {
  /** Tells how much is done, 0 to 1, and what there is to say about it; 0 starts the clock again, so that preparing does not count. */
  update(fraction: number, detail: string): void;
  /** Ends the redrawn line. */
  finish(): void;
}

/** Time between two lines: short where the line is redrawn, s. */
const INTERVAL = { terminal: 0.1, plain: 1 };

export function createProgress(io: CommandIo, isQuiet: boolean, now: () => number = readSeconds): Progress {
  if (isQuiet) return { update: () => {}, finish: () => {} };
  let start = now();
  const interval = io.isTerminal ? INTERVAL.terminal : INTERVAL.plain;
  let last = start;
  let isDrawn = false;
  return {
    update(fraction, detail) {
      const time = now();
      if (fraction === 0) start = time;
      if (time - last < interval) return;
      last = time;
      const line = formatProgress(fraction, time - start, detail);
      isDrawn = io.isTerminal;
      if (io.isTerminal) io.redrawLine(line.slice(0, io.columns - 1));
      else io.writeMessage(`${line}\n`);
    },
    finish() {
      if (isDrawn) io.redrawLine('');
      isDrawn = false;
    },
  };
}

/** `42 %, 3 s left, detail`. */
export function formatProgress(fraction: number, elapsed: number, detail: string): string {
  const left = fraction > 0 ? (elapsed * (1 - fraction)) / fraction : Number.POSITIVE_INFINITY;
  const time = Number.isFinite(left) ? `${formatDuration(left)} left` : 'time left unknown';
  return `${(100 * fraction).toFixed(0).padStart(3)} %, ${time}, ${detail}`;
}

/** `1 h 2 min`, `3 min 4 s`, `5 s`. */
export function formatDuration(seconds: number): string {
  const whole = Math.ceil(seconds);
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  return `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`;
}

function readSeconds(): number {
  return performance.now() / 1000;
}
