/**
 * A worker thread that runs lines of a plan, one after the other. A run that ends the thread is a result with that error, and so is one
 * that does not end; the next line gets a new thread. Whoever owns it never computes: it sends lines, takes results and looks at the
 * clock.
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

interface RunUnderWay {
  run: SweepRun;
  finish(result: RunResult): void;
}

export class RunThread {
  readonly #setting: ThreadSetting;
  readonly #limit: number;
  #worker: Worker | undefined;
  #isReady = false;
  #underWay: RunUnderWay | undefined;
  #timer: NodeJS.Timeout | undefined;

  /** The thread starts with the first run. */
  constructor(setting: ThreadSetting) {
    this.#setting = setting;
    this.#limit = setting.plan.limits?.runSeconds ?? DEFAULT_LIMITS.runSeconds;
  }

  /** Runs a line; there must be none under way. What goes wrong is the result. */
  run(run: SweepRun): Promise<RunResult> {
    return new Promise((resolve) => {
      this.#underWay = { run, finish: resolve };
      this.#worker ??= this.#start();
      if (this.#isReady) this.#startClock();
      this.#worker.postMessage({ run } satisfies ThreadRequest);
    });
  }

  /** Ends the thread; a run under way never answers. */
  close(): void {
    this.#underWay = undefined;
    this.#end();
  }

  #start(): Worker {
    // flags that lead this thread to sources must not lead a compiled one there
    const worker = new Worker(THREAD, { workerData: this.#setting, ...(isSource && { execArgv: [] }) });
    let reason = 'the thread ended';
    this.#isReady = false;
    worker.on('message', (answer: ThreadAnswer) => {
      if (worker !== this.#worker) return;
      if (answer.kind === 'result') this.#answer(answer.result);
      else this.#startClock();
    });
    worker.on('error', (error) => {
      reason = `the thread ended: ${(error as Error).message}`;
    });
    worker.on('exit', () => {
      if (worker !== this.#worker) return;
      this.#worker = undefined;
      this.#answer(createFailure(this.#underWay?.run.key ?? '', { code: 'internal', message: reason }));
    });
    return worker;
  }

  /** The time that a thread takes to load does not count. */
  #startClock(): void {
    this.#isReady = true;
    if (!this.#underWay) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#giveUp(), Math.min(1000 * (this.#limit + GRACE), 2 ** 31 - 1));
  }

  #giveUp(): void {
    const key = this.#underWay?.run.key;
    this.#end();
    if (key !== undefined) this.#answer(createTimeout(key, this.#limit));
  }

  #answer(result: RunResult): void {
    clearTimeout(this.#timer);
    const underWay = this.#underWay;
    this.#underWay = undefined;
    underWay?.finish(result);
  }

  #end(): void {
    clearTimeout(this.#timer);
    const worker = this.#worker;
    this.#worker = undefined;
    void worker?.terminate();
  }
}
