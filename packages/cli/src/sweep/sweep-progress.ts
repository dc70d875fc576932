import type { SweepProgress } from '@nexdyn/sweep';
import type { CommandIo } from '../command-io.ts';
import { createProgress } from '../progress.ts';

/** Characters of a full bar. */
const BAR_WIDTH = 20;

/** Shows runs done, failed and per second, and the time left; nothing where a machine looks on. */
export function createSweepProgress(
  io: CommandIo,
  isQuiet: boolean,
  now: () => number = () => performance.now() / 1000,
): { update(progress: SweepProgress): void; finish(): void } {
  const isWatched = io.isTerminal || !process.env['CI'];
  const line = createProgress(io, isQuiet || !isWatched, now);
  let start: number | undefined;
  let before = 0;
  return {
    update({ total, done, skipped, failed }) {
      if (start === undefined) {
        start = now();
        line.update(0, '');
      }
      // what was finished before took no time
      before = skipped;
      const fresh = done - before;
      const open = total - before;
      const seconds = now() - start;
      const speed = seconds > 0 ? fresh / seconds : 0;
      const detail = `${done} of ${total} runs, ${failed} failed, ${speed.toPrecision(3)} per second`;
      line.update(Math.max(open > 0 ? fresh / open : 1, Number.MIN_VALUE), `${drawBar(done / total)} ${detail}`);
    },
    finish: () => line.finish(),
  };
}

/** `[######..............]`. */
export function drawBar(fraction: number): string {
  const full = Math.round(BAR_WIDTH * Math.min(1, Math.max(0, fraction)));
  return `[${'#'.repeat(full)}${'.'.repeat(BAR_WIDTH - full)}]`;
}
