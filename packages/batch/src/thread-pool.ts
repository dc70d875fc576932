import type { Environment, EnvironmentResult } from './environment.ts';
import { createFailure, type ModelSource, type RunOptions } from './environment-runner.ts';
import type { Thread, ThreadStarter } from './thread.ts';

/** What a pool is to run. */
export interface PoolJob {
  environments: readonly Environment[];
  run: RunOptions;
  /** Threads at work, at most. */
  workers: number;
  signal: AbortSignal | undefined;
  take: (result: EnvironmentResult) => void;
}

/** A thread and what it is busy with. */
interface Slot {
  thread: Thread | undefined;
  busy: number | undefined;
}

/** Threads that stay alive from job to job; one that dies is replaced. */
export class ThreadPool {
  readonly #source: ModelSource;
  readonly #startThread: ThreadStarter;
  readonly #slots: Slot[] = [];
  #job: (PoolJob & { next: number; active: number; finish: () => void }) | undefined;

  constructor(source: ModelSource, startThread: ThreadStarter) {
    this.#source = source;
    this.#startThread = startThread;
  }

  /** Runs a job; only one at a time. */
  run(job: PoolJob): Promise<void> {
    return new Promise((finish) => {
      this.#job = { ...job, next: 0, active: job.workers, finish };
      while (this.#slots.length < job.workers) this.#slots.push(this.#open());
      for (const slot of this.#slots.slice(0, job.workers)) this.#proceed(slot);
    });
  }

  /** Ends all threads; a job that is under way ends with what it has. */
  close(): void {
    for (const { thread } of this.#slots.splice(0)) thread?.end();
    const job = this.#job;
    this.#job = undefined;
    job?.finish();
  }

  #open(): Slot {
    const slot: Slot = { thread: undefined, busy: undefined };
    slot.thread = this.#startThread({
      onResult: (result) => {
        slot.busy = undefined;
        this.#job?.take(result);
        this.#proceed(slot);
      },
      onEnd: (reason) => this.#replace(slot, reason),
    });
    slot.thread.post({ kind: 'open', source: this.#source });
    return slot;
  }

  /** Gives a thread its next environment, or lets it rest. */
  #proceed(slot: Slot): void {
    const job = this.#job;
    if (!job) return;
    while (job.next < job.environments.length && !job.signal?.aborted) {
      const index = job.next++;
      try {
        slot.thread!.post({ kind: 'run', index, environment: job.environments[index]!, options: job.run });
        slot.busy = index;
        return;
      } catch (error) {
        // what cannot be sent is a failure of this environment alone
        job.take(createFailure(index, { code: 'internal', message: (error as Error).message }));
      }
    }
    this.#leave();
  }

  /** A thread died: the environment it was busy with is lost, the others are not. */
  #replace(slot: Slot, reason: string): void {
    const place = this.#slots.indexOf(slot);
    if (place >= 0) this.#slots.splice(place, 1);
    const job = this.#job;
    if (!job || slot.busy === undefined) return;
    job.take(createFailure(slot.busy, { code: 'internal', message: reason }));
    if (job.next >= job.environments.length || job.signal?.aborted) {
      this.#leave();
      return;
    }
    const next = this.#open();
    this.#slots.push(next);
    this.#proceed(next);
  }

  /** One thread less at work; the last ends the job. */
  #leave(): void {
    const job = this.#job!;
    job.active--;
    if (job.active > 0) return;
    this.#job = undefined;
    job.finish();
  }
}
