import type { CommandIo } from './command-io.ts';

/** Shows how far a run is and how long it will take: one redrawn line on a terminal; elsewhere a line a second, later fewer. */
export interface Progress {
  /**
   * Tells how much is done, 0 to 1, and what there is to say about it; 0 starts the clock again, so that preparing does not count.
   * `left` is the time that is left where the caller knows better, s.
   */
  update(fraction: number, detail: string, left?: number): void;
  /** Ends the redrawn line. */
  finish(): void;
}

/** Time between two redrawn lines, s. */
const REDRAW = 0.1;
/** Time between two lines of a log, s; of all the time that has passed after the first minute, so that a night fits into a log. */
const INTERVAL = 1;
const SHARE = 1 / 60;

export function createProgress(io: CommandIo, isQuiet: boolean, now: () => number = readSeconds): Progress {
  if (isQuiet) return { update: () => {}, finish: () => {} };
  let start = now();
  let last = start;
  let isDrawn = false;
  return {
    update(fraction, detail, left) {
      const time = now();
      if (fraction === 0) start = time;
      const interval = io.isTerminal ? REDRAW : Math.max(INTERVAL, SHARE * (time - start));
      if (time - last < interval) return;
      last = time;
      const line = formatProgress(fraction, left ?? estimateLeft(fraction, time - start), detail);
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

/** As if the rest went as what is done, s. */
export function estimateLeft(fraction: number, elapsed: number): number {
  return fraction > 0 ? (elapsed * (1 - fraction)) / fraction : Number.POSITIVE_INFINITY;
}

/** `42 %, 3 s left, detail`. */
export function formatProgress(fraction: number, left: number, detail: string): string {
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
