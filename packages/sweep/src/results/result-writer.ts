/** Writes results while others are computed: those that come in meanwhile are flushed together. */
import type { RunResult } from '../run/run-result.ts';
import type { SweepFolder } from './sweep-folder.ts';

/** Files that are open at once, at most. */
const MOST_FILES = 64;

export class ResultWriter {
  readonly #folder: SweepFolder;
  readonly #onWritten: (result: RunResult) => void;
  #waiting: RunResult[] = [];
  #work: Promise<void> | undefined;
  #failure: unknown;

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
    await this.#work;
    if (this.#failure !== undefined) throw this.#failure;
  }

  async #writeAll(): Promise<void> {
    try {
      while (this.#waiting.length > 0) {
        const results = this.#waiting.splice(0, MOST_FILES);
        await this.#folder.writeResults(results);
        for (const result of results) this.#onWritten(result);
      }
    } catch (error) {
      this.#failure = error;
    }
    this.#work = undefined;
  }
}
