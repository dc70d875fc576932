import type { SweepProgress } from '@nexdyn/sweep';
import type { CommandIo } from '../command-io.ts';
import { createProgress } from '../progress.ts';

/** Characters of a full bar. */
const BAR_WIDTH = 20;
/** Speed is that of the last so many seconds, or of the last few marks where runs are long: threads warm up, queues are paused. */
const WINDOW = 30;
const LEAST_MARKS = 8;
/** Time between two marks, s. */
const MARK_INTERVAL = 1;

/** Shows runs done, failed and per second, and the time left; nothing where a machine looks on. */
export function createSweepProgress(
  io: CommandIo,
  isQuiet: boolean,
  now: () => number = () => performance.now() / 1000,
): { update(progress: SweepProgress): void; finish(): void } {
  const isWatched = io.isTerminal || !process.env['CI'];
  const line = createProgress(io, isQuiet || !isWatched, now);
  /** Runs of this process that were done at a time. */
  const marks: { time: number; fresh: number }[] = [];
  return {
    update({ total, done, skipped, failed }) {
      // what was finished before took no time
      const fresh = done - skipped;
      const time = now();
      const newest = marks.at(-1);
      if (!newest || (fresh > newest.fresh && time - newest.time >= MARK_INTERVAL)) marks.push({ time, fresh });
      while (marks.length > LEAST_MARKS && time - marks[1]!.time > WINDOW) marks.shift();
      const oldest = marks[0]!;
      const speed = time > oldest.time ? (fresh - oldest.fresh) / (time - oldest.time) : 0;
      const left = total === done ? 0 : speed > 0 ? (total - done) / speed : Number.POSITIVE_INFINITY;
      const detail = `${drawBar(done / total)} ${done} of ${total} runs, ${failed} failed, ${speed.toPrecision(3)} per second`;
      line.update(done / total, detail, left);
    },
    finish: () => line.finish(),
  };
}

/** `[######..............]`. */
export function drawBar(fraction: number): string {
  const full = Math.round(BAR_WIDTH * Math.min(1, Math.max(0, fraction)));
  return `[${'#'.repeat(full)}${'.'.repeat(BAR_WIDTH - full)}]`;
}
