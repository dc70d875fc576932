/**
 * Impulses of constraints by key: the solution of the last step, from which an impulse-level solver starts the next. They are part of
 * the state, because the starting point of an iteration affects its result. Its length changes with the contacts; formulations that
 * do not start from impulses leave it empty.
 *
 * An entry is two numbers that name a constraint and stay with it from step to step, ascending over the entries, and six
 * impulses, N s or N m s. Entries of contacts without spin and roll have their place, m, in the last three.
 */

import type { ModelOptions } from '../model/model.ts';
import { findFormulation } from '../scene/formulation-table.ts';

/** Numbers per entry of `value`. */
export const IMPULSE_WIDTH = 6;
const WIDTH: number = IMPULSE_WIDTH;
/** First number of entries that are pairs of shapes which overlapped at the start: behind all names of constraints. */
export const STARTING_PAIR: number = 2 ** 52;
/** Of entries that are poses of mocap bodies, before those. */
export const MOCAP_POSE: number = STARTING_PAIR - 1;
/** Numbers per entry of a snapshot. */
const ENTRY = 2 + WIDTH;

/**
 * The entries of a model's states: impulses from which `ccp` (all of them) and `ipc` (those of joints) start, where mocap bodies came to or
 * were, and pairs that overlapped at the start.
 */
export function createImpulses({ formulation, appliesStart }: ModelOptions): ConstraintImpulses {
  const { startsFromImpulses } = findFormulation(formulation).resolves;
  return new ConstraintImpulses(appliesStart || startsFromImpulses, startsFromImpulses);
}

export class ConstraintImpulses {
  count = 0;
  /** Two numbers per entry. */
  key: Float64Array = new Float64Array(0);
  /** Six numbers per entry; rows that a constraint does not have are 0. */
  value: Float64Array = new Float64Array(0);
  /** Whether snapshots may hold entries, and whether of constraints too or of pairs of the start alone. */
  readonly isUsed: boolean;
  readonly #hasConstraints: boolean;
  #at = 0;

  constructor(isUsed: boolean, hasConstraints = true) {
    this.isUsed = isUsed;
    this.#hasConstraints = hasConstraints;
  }

  /** Numbers that a snapshot needs. */
  get length(): number {
    return ENTRY * this.count;
  }

  clear(): void {
    this.count = 0;
    this.#at = 0;
  }

  /** Adds an entry with the impulses of `rows` rows, from a row on. */
  add(first: number, second: number, impulse: Float64Array, row: number, rows: number): void {
    const n = this.count++;
    if (this.count > this.key.length / 2) this.#grow(2 * this.count);
    this.key[2 * n] = first;
    this.key[2 * n + 1] = second;
    for (let k = 0; k < WIDTH; k++) this.value[WIDTH * n + k] = k < rows ? impulse[row + k] : 0;
  }

  /** Gives the last entry a place. */
  place(position: Float64Array): void {
    const at = WIDTH * (this.count - 1) + 3;
    for (let k = 0; k < 3; k++) this.value[at + k] = position[k];
  }

  /** Before the first `find`. */
  rewind(): void {
    this.#at = 0;
  }

  /** Place of an entry in `value`, or −1; asked for in ascending order of names. */
  find(first: number, second: number): number {
    const { key, count } = this;
    let n = this.#at;
    while (n < count && (key[2 * n] < first || (key[2 * n] === first && key[2 * n + 1] < second))) n++;
    const isHere = n < count && key[2 * n] === first && key[2 * n + 1] === second;
    this.#at = isHere ? n + 1 : n;
    return isHere ? WIDTH * n : -1;
  }

  /** Number of the first entry with this or a later first name; asked for as `find` is, which goes on from here. */
  findFirst(first: number): number {
    while (this.#at < this.count && this.key[2 * this.#at] < first) this.#at++;
    return this.#at;
  }

  /** Number of the entry after those with this first name, from an entry on. */
  findEnd(start: number, first: number): number {
    let n = start;
    while (n < this.count && this.key[2 * n] === first) n++;
    return n;
  }

  copyFrom(other: ConstraintImpulses): void {
    this.count = other.count;
    if (this.count > this.key.length / 2) this.#grow(2 * this.count);
    copyNumbers(this.key, other.key, 2 * this.count);
    copyNumbers(this.value, other.value, WIDTH * this.count);
  }

  /** Writes all entries to an array from a place on. */
  write(out: Float64Array, start: number): void {
    for (let n = 0; n < this.count; n++) {
      const at = start + ENTRY * n;
      out[at] = this.key[2 * n];
      out[at + 1] = this.key[2 * n + 1];
      for (let k = 0; k < WIDTH; k++) out[at + 2 + k] = this.value[WIDTH * n + k];
    }
  }

  /** Takes all entries from an array; false where its length does not fit. */
  read(from: Float64Array, start: number): boolean {
    const length = from.length - start;
    if (length < 0 || length % ENTRY !== 0 || (length > 0 && !this.isUsed)) return false;
    if (!this.#hasConstraints)
      for (let at = start; at < from.length; at += ENTRY) if (from[at] < MOCAP_POSE) return false;
    this.clear();
    for (let at = start; at < from.length; at += ENTRY) this.add(from[at], from[at + 1], from, at + 2, WIDTH);
    return true;
  }

  #grow(n: number): void {
    const key = new Float64Array(2 * n);
    const value = new Float64Array(WIDTH * n);
    key.set(this.key);
    value.set(this.value);
    this.key = key;
    this.value = value;
  }
}

function copyNumbers(to: Float64Array, from: Float64Array, count: number): void {
  for (let i = 0; i < count; i++) to[i] = from[i];
}
