import type { Environment, EnvironmentResult } from './environment.ts';
import { createFailure } from './environment-result.ts';
import type { RunOptions } from './environment-runner.ts';
import type { Thread, ThreadStarter } from './thread.ts';
import type { ModelSource } from './variants.ts';

/** What a pool is to run. */
export interface PoolJob {
  environments: readonly Environment[];
  run: RunOptions;
  /** Threads at work, at most. */
  workers: number;
  signal: AbortSignal | undefined;
  take: (result: EnvironmentResult) => void;
}

/** A thread and its current job. */
interface Slot {
  thread: Thread | undefined;
  busy: number | undefined;
}

/** A job under way. */
interface Run extends PoolJob {
  /** The next environment, and the threads that still take some. */
  next: number;
  active: number;
  finish: () => void;
  fail: (error: unknown) => void;
}

/** Threads that stay alive from job to job; one that dies is replaced. */
export class ThreadPool {
  readonly #source: ModelSource;
  readonly #startThread: ThreadStarter;
  readonly #slots: Slot[] = [];
  #job: Run | undefined;

  constructor(source: ModelSource, startThread: ThreadStarter) {
    this.#source = source;
    this.#startThread = startThread;
  }

  /** Runs a job; only one at a time. An error that `take` throws ends it. */
  run(job: PoolJob): Promise<void> {
    return new Promise((finish, fail) => {
      this.#job = { ...job, next: 0, active: job.workers, finish, fail };
      while (this.#slots.length < job.workers) this.#slots.push(this.#open());
      for (const slot of this.#slots.slice(0, job.workers)) this.#proceed(slot);
    });
  }

  /** Ends all threads; a running job returns its results so far. */
  close(): void {
    this.#stop()?.finish();
  }

  // what threads are busy with is lost: a later job must not meet its results
  #stop(): Run | undefined {
    for (const { thread } of this.#slots.splice(0)) thread?.end();
    const job = this.#job;
    this.#job = undefined;
    return job;
  }

  #take(result: EnvironmentResult): void {
    try {
      this.#job?.take(result);
    } catch (error) {
      this.#stop()?.fail(error);
    }
  }

  #open(): Slot {
    const slot: Slot = { thread: undefined, busy: undefined };
    slot.thread = this.#startThread({
      onResult: (reply) => {
        // a thread that was ended may have sent a result before: it belongs to a job that is over
        if (!this.#slots.includes(slot)) return;
        slot.busy = undefined;
        this.#take(reply as EnvironmentResult);
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
        this.#take(createFailure(index, { code: 'internal', message: (error as Error).message }));
        if (this.#job !== job) return;
      }
    }
    this.#leave();
  }

  /** A thread died: the environment it was busy with is lost, the others are not. */
  #replace(slot: Slot, reason: string): void {
    const place = this.#slots.indexOf(slot);
    if (place < 0) return;
    this.#slots.splice(place, 1);
    const job = this.#job;
    if (!job || slot.busy === undefined) return;
    this.#take(createFailure(slot.busy, { code: 'internal', message: reason }));
    if (this.#job !== job) return;
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
