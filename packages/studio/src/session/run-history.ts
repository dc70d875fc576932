/**
 * Curves of a whole run in bounded memory: when full, every second sample is dropped and the interval doubles.
 *
 * Energies and times are those of the sample that stays. Of iterations, residual, depth and the like the worst of all samples in
 * between stays, so that a single hard step is never lost. Later samples are dropped.
 */
import { mergeValues, SAMPLE_FIELDS, SAMPLE_ORDER, type SampleField } from './sample.ts';

type Column = (number | null)[];

export class RunHistory {
  readonly #capacity: number;
  #every = 1;
  #arrivals = 0;
  /** A column per quantity; null where there is nothing to draw. */
  readonly columns: Record<SampleField, Column> = Object.fromEntries(
    SAMPLE_ORDER.map((field) => [field, [] as Column]),
  ) as Record<SampleField, Column>;
  /** Kinetic and potential energy together, J; elasticity is a part of the potential. */
  readonly total: Column = [];
  /** Iterations of samples in which a step did not converge, else null. */
  readonly unconverged: Column = [];

  constructor(capacity = 1200) {
    this.#capacity = capacity;
  }

  get length(): number {
    return this.columns.time.length;
  }

  /** s. */
  get time(): number[] {
    return this.columns.time as number[];
  }

  clear(): void {
    this.#every = 1;
    this.#arrivals = 0;
    for (const column of this.#list()) column.length = 0;
  }

  /** A copy of the curves. */
  copy(): RunHistory {
    const copy = new RunHistory(this.#capacity);
    copy.load(this);
    return copy;
  }

  /** Takes over the points of other curves. */
  load(other: RunHistory): void {
    this.#every = other.#every;
    this.#arrivals = other.#arrivals;
    const theirs = other.#list();
    this.#list().forEach((column, i) => {
      column.length = 0;
      for (const value of theirs[i]!) column.push(value);
    });
  }

  /** Drops samples later than a time, s. */
  cutAfter(time: number): void {
    // a hair of slack: times are sums of steps
    while (this.length > 0 && this.time.at(-1)! > time + 1e-9) for (const column of this.#list()) column.pop();
  }

  /** Adds the sample that begins at a place of an array. */
  add(samples: readonly number[], at = 0): void {
    const read = (field: SampleField): number => samples[at + SAMPLE_ORDER.indexOf(field)]!;
    const time = read('time');
    // a state that did not move on, or numbers that are not finite, add nothing to a curve
    if (!Number.isFinite(read('kinetic') + read('potential')) || time === this.time.at(-1)) return;
    while (this.length > 0 && this.time.at(-1)! >= time) for (const column of this.#list()) column.pop();
    const isNew = this.#arrivals++ % this.#every === 0 || this.length === 0;
    if (isNew) for (const column of this.#list()) column.push(null);
    const i = this.length - 1;
    for (const field of SAMPLE_ORDER) {
      const isKept = !isNew && SAMPLE_FIELDS[field] === 'last';
      if (!isKept)
        this.columns[field][i] = drawable(field, mergeValues(field, valueAt(this.columns[field], i), read(field)));
    }
    this.#derive(i);
    if (this.length >= this.#capacity) this.#thin();
  }

  /** Place of the sample nearest to a time, s; -1 where there is none. */
  placeAt(time: number): number {
    const times = this.time;
    let [low, high] = [0, times.length - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (times[middle]! < time) low = middle + 1;
      else high = middle;
    }
    return low > 0 && time - times[low - 1]! < times[low]! - time ? low - 1 : Math.min(low, times.length - 1);
  }

  #derive(i: number): void {
    const { kinetic, potential, status, iterations } = this.columns;
    this.total[i] = kinetic[i]! + potential[i]!;
    this.unconverged[i] = (status[i] ?? 0) > 0 ? iterations[i]! : null;
  }

  #thin(): void {
    this.#every *= 2;
    for (let i = 0; i + 1 < this.length; i += 2) {
      for (const field of SAMPLE_ORDER) {
        if (SAMPLE_FIELDS[field] === 'last') continue;
        const column = this.columns[field];
        column[i] = drawable(field, mergeValues(field, valueAt(column, i), valueAt(column, i + 1)));
      }
      this.#derive(i);
    }
    for (const column of this.#list()) {
      for (let i = 0; 2 * i < column.length; i++) column[i] = column[2 * i]!;
      column.length = Math.ceil(column.length / 2);
    }
  }

  #list(): Column[] {
    return [...Object.values(this.columns), this.total, this.unconverged];
  }
}

function valueAt(column: Column, i: number): number {
  return column[i] ?? Number.NaN;
}

/** A logarithm has no place for zero, and no axis one for infinity. */
function drawable(field: SampleField, value: number): number | null {
  if (!Number.isFinite(value)) return null;
  return field === 'residual' && value <= 0 ? null : value;
}
