/** Runs lines of a plan on several worker threads; each takes the next line when it is free. */
import type { SweepRun } from '../plan/expand-plan.ts';
import type { RunResult } from './run-result.ts';
import { RunThread } from './run-thread.ts';
import type { ThreadSetting } from './thread-messages.ts';

export interface PoolJob {
  setting: ThreadSetting;
  /** Lines in the order in which they are begun; taken one by one. */
  runs: Iterator<SweepRun>;
  /** Threads at work, at most. */
  workers: number;
  /** No run begins after it is aborted; those under way are finished. */
  signal: AbortSignal;
  take: (result: RunResult, run: SweepRun) => void;
}

/** Runs all lines; an error that `take` throws ends the job. */
export async function runOnThreads({ setting, runs, workers, signal, take }: PoolJob): Promise<void> {
  const threads = Array.from({ length: workers }, () => new RunThread(setting));
  let isOver = false;
  const next = (): SweepRun | undefined => {
    if (isOver || signal.aborted) return undefined;
    const { done, value } = runs.next();
    return done ? undefined : value;
  };
  const work = async (thread: RunThread): Promise<void> => {
    for (let run = next(); run; run = next()) take(await thread.run(run), run);
    thread.close();
  };
  try {
    await Promise.all(threads.map(work));
  } finally {
    isOver = true;
    for (const thread of threads) thread.close();
  }
}
