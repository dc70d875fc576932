/** Curves of numbers that are plotted: one column per number and run, all over the same times. */

import type { QuantityPast } from './session/inspect/quantity-past.ts';

/** Points before every second goes. */
const CAPACITY = 2400;

/** What was read of a run, and its name. */
export interface RecalledRun {
  run: string;
  past: QuantityPast;
}

export class WatchCurves {
  readonly times: number[] = [];
  readonly #columns = new Map<string, (number | null)[]>();
  #run: number | undefined;

  /** The curve of a number in a run. */
  column(key: string, run: string): (number | null)[] {
    const name = `${run} ${key}`;
    const known = this.#columns.get(name);
    if (known) {
      while (known.length < this.times.length) known.push(null);
      return known;
    }
    const column: (number | null)[] = this.times.map(() => null);
    this.#columns.set(name, column);
    return column;
  }

  clear(): void {
    this.times.length = 0;
    this.#columns.clear();
  }

  /** Put the run so far in the place of the curves; points after it stay. All runs have the same steps. */
  load(run: number, keys: readonly string[], runs: readonly RecalledRun[]): void {
    if (run !== this.#run) this.clear();
    this.#run = run;
    const times = runs[0]?.past.times ?? [];
    const last = times.at(-1);
    if (last === undefined) return;
    const tail = this.times.findIndex((time) => time > last);
    const from = tail < 0 ? this.times.length : tail;
    const later = this.times.slice(from);
    for (const { run: name, past } of runs) {
      keys.forEach((key, k) => {
        const kept = this.column(key, name).slice(from);
        const values = past.times.map((_, i) => past.values[i * keys.length + k] ?? Number.NaN);
        this.#columns.set(`${name} ${key}`, [
          ...values.map((value) => (Number.isFinite(value) ? value : null)),
          ...kept,
        ]);
      });
    }
    this.times.splice(0, this.times.length, ...times, ...later);
  }

  /** Add a point to the curves; another run begins anew, and an earlier time goes on from there. */
  add(run: number, time: number, values: readonly { key: string; run: string; value: number }[]): void {
    if (run !== this.#run) this.clear();
    this.#run = run;
    const last = this.times.at(-1);
    if (last !== undefined && time <= last) return;
    // columns that are new are as long as the others
    const columns = values.map(({ key, run: name }) => this.column(key, name));
    this.times.push(time);
    columns.forEach((column, i) => {
      const { value } = values[i]!;
      column.push(Number.isFinite(value) ? value : null);
    });
    if (this.times.length > CAPACITY) this.#thin();
  }

  #thin(): void {
    const length = this.times.length;
    for (const column of [this.times, ...this.#columns.values()]) {
      while (column.length < length) (column as (number | null)[]).push(null);
      for (let i = 0; 2 * i < length; i++) column[i] = column[2 * i]!;
      column.length = Math.ceil(length / 2);
    }
  }
}
