/**
 * Runs lines of a plan on worker threads. A thread that dies costs the run it was at, which becomes a result with that error; so does a
 * run that does not end. The pool itself never computes: it hands out lines, takes results and looks at the clock.
 */
import { Worker } from 'node:worker_threads';
import type { SweepRun } from '../plan/expand-plan.ts';
import { createTimeout, DEFAULT_LIMITS } from './run-once.ts';
import { createFailure, type RunResult } from './run-result.ts';
import type { ThreadAnswer, ThreadRequest, ThreadSetting } from './thread-messages.ts';

const isSource = import.meta.url.endsWith('.ts');
/** Node runs compiled files: sources start the thread of the build beside them. */
const THREAD = new URL(isSource ? '../../dist/run/thread.js' : './thread.js', import.meta.url);

/** A run ends itself at its limit, unless a step hangs: then the thread is ended so much later, s. */
const GRACE = 2;

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
export function runOnThreads(job: PoolJob): Promise<void> {
  return new Promise((resolve, reject) => {
    const slots = new Set<Slot>();
    let isOver = false;
    const finish = (error?: unknown): void => {
      if (isOver) return;
      isOver = true;
      for (const slot of slots) slot.end();
      if (error === undefined) resolve();
      else reject(error);
    };
    const next = (): SweepRun | undefined => {
      if (isOver || job.signal.aborted) return undefined;
      const { done, value } = job.runs.next();
      return done ? undefined : value;
    };
    const take = (result: RunResult, run: SweepRun): void => {
      if (isOver) return;
      try {
        job.take(result, run);
      } catch (error) {
        finish(error);
      }
    };
    const leave = (slot: Slot): void => {
      slots.delete(slot);
      slot.end();
      if (slots.size === 0) finish();
    };
    const open = (first: SweepRun): void => {
      const slot: Slot = new Slot(job.setting, {
        take,
        next,
        leave: () => leave(slot),
        replace: () => {
          // a new thread goes on where the dead one was
          const following = next();
          if (following) open(following);
          leave(slot);
        },
      });
      slots.add(slot);
      slot.begin(first);
    };
    try {
      for (let n = 0; n < job.workers; n++) {
        const first = next();
        if (first) open(first);
      }
    } catch (error) {
      finish(error);
    }
    if (slots.size === 0) finish();
  });
}

interface SlotHooks {
  take(result: RunResult, run: SweepRun): void;
  next(): SweepRun | undefined;
  leave(): void;
  replace(): void;
}

/** A thread and the run it is at. */
class Slot {
  readonly #worker: Worker;
  readonly #hooks: SlotHooks;
  readonly #limit: number;
  #run: SweepRun | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isReady = false;
  #isEnded = false;

  constructor(setting: ThreadSetting, hooks: SlotHooks) {
    this.#hooks = hooks;
    this.#limit = setting.plan.limits?.runSeconds ?? DEFAULT_LIMITS.runSeconds;
    // flags that lead this thread to sources must not lead a compiled one there
    this.#worker = new Worker(THREAD, { workerData: setting, ...(isSource && { execArgv: [] }) });
    let reason = 'the thread ended';
    this.#worker.on('message', (answer: ThreadAnswer) => {
      if (answer.kind === 'result') this.#receive(answer.result);
      else this.#startClock();
    });
    this.#worker.on('error', (error) => {
      reason = `the thread ended: ${(error as Error).message}`;
    });
    this.#worker.on('exit', () => this.#die(reason));
  }

  begin(run: SweepRun): void {
    this.#run = run;
    if (this.#isReady) this.#startClock();
    this.#worker.postMessage({ run } satisfies ThreadRequest);
  }

  /** The time that a thread takes to load does not count. */
  #startClock(): void {
    this.#isReady = true;
    this.#timer = setTimeout(() => this.#giveUp(), Math.min(1000 * (this.#limit + GRACE), 2 ** 31 - 1));
  }

  end(): void {
    this.#isEnded = true;
    clearTimeout(this.#timer);
    void this.#worker.terminate();
  }

  #receive(result: RunResult): void {
    if (this.#isEnded || !this.#run) return;
    clearTimeout(this.#timer);
    const run = this.#run;
    this.#run = undefined;
    this.#hooks.take(result, run);
    const next = this.#hooks.next();
    if (next) this.begin(next);
    else this.#hooks.leave();
  }

  #giveUp(): void {
    const run = this.#run;
    if (this.#isEnded || !run) return;
    this.end();
    this.#hooks.take(createTimeout(run.key, this.#limit), run);
    this.#hooks.replace();
  }

  #die(reason: string): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    clearTimeout(this.#timer);
    if (this.#run) this.#hooks.take(createFailure(this.#run.key, { code: 'internal', message: reason }), this.#run);
    this.#hooks.replace();
  }
}
