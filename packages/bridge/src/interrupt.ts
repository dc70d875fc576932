/** Long requests are cut into pieces; between them they look for a file by which the client asks them to end. */
import { existsSync } from 'node:fs';

/** Time between two looks, ms. */
const PERIOD_MS = 20;

/** Whether a request is to end early. */
export class Interrupt {
  readonly #file: string | undefined;
  #next: number;

  constructor(file: string | undefined) {
    this.#file = file;
    this.#next = performance.now() + PERIOD_MS;
  }

  /** Whether the client has asked for it, looked at every 20 ms. */
  isDue(): boolean {
    if (this.#file === undefined || performance.now() < this.#next) return false;
    this.#next = performance.now() + PERIOD_MS;
    return existsSync(this.#file);
  }
}
