/**
 * Watches a run of the tests. When no test ends for a while, it says which files are under way; when none ends for much longer, the
 * run is ended with those files as failures. The time limit of a test cannot do this: it does not fire while a test keeps its thread
 * busy or waits for another thread.
 */
import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import type { Reporter, TestModule } from 'vitest/node';

/** Quiet time after which the files under way are named, ms. */
const NAMED_AFTER = 120_000;
/** Quiet time after which the run is ended, ms: twice the longest time that a test may take. */
const ENDED_AFTER = process.env.NEXDYN_LONG === undefined ? 600_000 : 3_600_000;
const LOOK_EVERY = 10_000;

export class HangWatch implements Reporter {
  readonly #running = new Map<string, number>();
  #lastEnd = Date.now();
  #lastWord = 0;
  #counts = { passed: 0, failed: 0, skipped: 0 };
  #timer: NodeJS.Timeout | undefined;

  onTestRunStart(): void {
    this.#lastEnd = Date.now();
    this.#timer = setInterval(() => this.#look(), LOOK_EVERY);
    this.#timer.unref();
  }

  onTestModuleStart(module: TestModule): void {
    this.#running.set(nameFile(module), Date.now());
  }

  onTestCaseResult(test: { result(): { state: string } }): void {
    this.#lastEnd = Date.now();
    const { state } = test.result();
    if (state === 'passed' || state === 'failed' || state === 'skipped') this.#counts[state]++;
  }

  onTestModuleEnd(module: TestModule): void {
    this.#lastEnd = Date.now();
    this.#running.delete(nameFile(module));
  }

  onTestRunEnd(): void {
    clearInterval(this.#timer);
  }

  #look(): void {
    const now = Date.now();
    const quiet = now - this.#lastEnd;
    if (quiet < NAMED_AFTER) return;
    const files = [...this.#running].map(([file, start]) => `${file} (${Math.round((now - start) / 1000)} s)`);
    if (now - this.#lastWord > NAMED_AFTER) {
      this.#lastWord = now;
      console.error(
        `nexdyn: no test has ended for ${Math.round(quiet / 1000)} s; under way: ${files.join(', ') || 'none'}`,
      );
    }
    if (quiet > ENDED_AFTER) this.#end(files);
  }

  #end(files: string[]): void {
    console.error(`nexdyn: the run hangs and is ended; under way: ${files.join(', ') || 'none'}`);
    const report = process.env.NEXDYN_HANG_REPORT;
    if (!report) process.exit(1);
    writeFileSync(report, JSON.stringify({ ...this.#counts, hanging: files }));
    // `npm test` gives the tests a group of processes of their own
    process.kill(0, 'SIGKILL');
  }
}

function nameFile(module: TestModule): string {
  return relative(process.cwd(), module.moduleId);
}
