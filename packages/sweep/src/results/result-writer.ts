/** Writes results while others are computed: those that come in within a moment are one pack, flushed together. */
import type { RunResult } from '../run/run-result.ts';
import type { SweepFolder } from './sweep-folder.ts';

/** How long results wait for others, ms: what a process that is killed loses, at most. */
const GATHER_TIME = 200;

export class ResultWriter {
  readonly #folder: SweepFolder;
  readonly #onWritten: (result: RunResult) => void;
  #waiting: RunResult[] = [];
  #work: Promise<void> | undefined;
  #failure: unknown;
  #isFinishing = false;
  #hurry: () => void = () => {};

  constructor(folder: SweepFolder, onWritten: (result: RunResult) => void) {
    this.#folder = folder;
    this.#onWritten = onWritten;
  }

  /** Takes a result; throws what went wrong with an earlier one. */
  write(result: RunResult): void {
    if (this.#failure !== undefined) throw this.#failure;
    this.#waiting.push(result);
    this.#work ??= this.#writeAll();
  }

  /** Waits until everything is written. */
  async finish(): Promise<void> {
    this.#isFinishing = true;
    this.#hurry();
    await this.#work;
    if (this.#failure !== undefined) throw this.#failure;
  }

  async #writeAll(): Promise<void> {
    try {
      while (this.#waiting.length > 0) {
        await this.#gather();
        const results = this.#waiting.splice(0);
        await this.#folder.writeResults(results);
        for (const result of results) this.#onWritten(result);
      }
    } catch (error) {
      this.#failure = error;
    }
    this.#work = undefined;
  }

  #gather(): Promise<void> {
    if (this.#isFinishing) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, GATHER_TIME);
      this.#hurry = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
