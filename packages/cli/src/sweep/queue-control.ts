/** Looks at a queue and changes what it does. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { NexdynError } from '@nexdyn/engine';
import type { QueuedSweep, QueueStatus } from '@nexdyn/queue';
import type { CommandIo } from '../command-io.ts';
import { formatCount } from '../counted-noun.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { listenForInterrupt } from '../interrupt.ts';
import { formatDuration } from '../progress.ts';
import { loadQueue } from './queue-run.ts';
import { drawBar } from './sweep-progress.ts';

/** Prints the sweeps and workers of a queue, once or until ctrl-C. */
export async function showQueueStatus(
  options: { queue: string; watch?: boolean; json?: boolean },
  io: CommandIo,
): Promise<ExitCode> {
  const { QueueControl } = await loadQueue();
  const control = await QueueControl.open(options.queue);
  const interrupt = listenForInterrupt();
  try {
    for (;;) {
      const status = await control.readStatus();
      io.writeData(options.json ? `${JSON.stringify(status)}\n` : formatQueueStatus(status));
      if (!options.watch) return EXIT.ok;
      await new Promise((resolve) => setTimeout(resolve, 1000));
      if (interrupt.signal.aborted) return EXIT.ok;
    }
  } finally {
    interrupt.stop();
    control.close();
  }
}

export async function controlSweep(
  action: 'pause' | 'resume' | 'cancel',
  sweep: string,
  options: { queue: string },
  io: CommandIo,
): Promise<ExitCode> {
  const id = findId(sweep);
  const { QueueControl } = await loadQueue();
  const control = await QueueControl.open(options.queue);
  try {
    await control[action](id);
  } finally {
    control.close();
  }
  const done = { pause: 'paused', resume: 'resumed', cancel: 'cancelled' }[action];
  io.writeMessage(`${done} ${id}\n`);
  return EXIT.ok;
}

/** The number of a sweep, or the one that its folder names. */
function findId(sweep: string): string {
  const file = join(sweep, 'queue.json');
  if (/^[0-9a-f]{12}$/.test(sweep)) return sweep;
  try {
    if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8')).id;
  } catch {
    // told below
  }
  throw new NexdynError('invalid-argument', `'${sweep}' is no folder of a sweep in a queue`, {
    hint: 'give the folder of --out, or the number that `nexdyn sweep status --queue` shows',
  });
}

/** A line for each sweep and each worker. */
export function formatQueueStatus({ sweeps, workers }: QueueStatus): string {
  const lines = sweeps.map(formatSweep);
  if (sweeps.length === 0) lines.push('no sweep');
  for (const { name, version, slots, sweep, refusals } of workers) {
    const task = sweep === null ? 'idle' : `serves ${sweep}`;
    lines.push(`worker ${name}  NexDyn ${version}, ${formatCount(slots, 'slot')}, ${task}`);
    for (const [id, reason] of Object.entries(refusals)) lines.push(`  refused for ${id}: ${reason}`);
  }
  if (workers.length === 0) lines.push('no worker');
  return lines.map((line) => `${line}\n`).join('');
}

function formatSweep({ id, name, state, runs, done, failed, pace, secondsLeft, slots }: QueuedSweep): string {
  const left = secondsLeft === null ? 'time left unknown' : `${formatDuration(secondsLeft)} left`;
  const counts = `${done} of ${runs} runs, ${failed} failed, ${pace.toPrecision(3)} per second, ${left}`;
  return `${id}  ${drawBar(done / runs)} ${state}: ${counts}, ${formatCount(slots, 'slot')}  ${name}`;
}
