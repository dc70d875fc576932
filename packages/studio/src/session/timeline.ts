/**
 * States of a run that one can go back to: a ring bounded by count and by bytes. When it is full the oldest go.
 *
 * Not every step has its entry; a step between two entries is computed again from the one before it, with the inputs it had.
 */
import type { Touching } from './protocol.ts';
import type { SolveFrame } from './solve-frame.ts';

/** One state that was shown. */
export interface TimelineEntry {
  /** Steps from the start of the run. */
  readonly step: number;
  /** s. */
  readonly time: number;
  /** A snapshot of the simulation. */
  readonly state: Float64Array;
  readonly solve: SolveFrame;
  readonly touching: Touching | undefined;
}

export interface TimelineBounds {
  /** Entries. */
  count: number;
  bytes: number;
}

/** A minute at 60 entries per second, and what a tablet can spare. */
export const TIMELINE_BOUNDS: Readonly<TimelineBounds> = { count: 3600, bytes: 96e6 };

export class Timeline {
  readonly #bounds: TimelineBounds;
  // entries from `#start` on; those before are gone and their places are cleared now and then
  #entries: (TimelineEntry | undefined)[] = [];
  #start = 0;
  #bytes = 0;

  constructor(bounds: TimelineBounds = TIMELINE_BOUNDS) {
    this.#bounds = bounds;
  }

  get length(): number {
    return this.#entries.length - this.#start;
  }

  /** Bytes of all snapshots. */
  get bytes(): number {
    return this.#bytes;
  }

  get first(): TimelineEntry | undefined {
    return this.#entries[this.#start];
  }

  get last(): TimelineEntry | undefined {
    return this.#entries.at(-1);
  }

  /** An entry by its place, from 0. */
  at(place: number): TimelineEntry | undefined {
    return this.#entries[this.#start + place];
  }

  clear(): void {
    this.#entries = [];
    this.#start = 0;
    this.#bytes = 0;
  }

  /** Adds a state later than all others; a second one of the same step is not needed and not kept. */
  push(entry: TimelineEntry): void {
    if (this.last && entry.step <= this.last.step) return;
    this.#entries.push(entry);
    this.#bytes += entry.state.byteLength;
    while (this.length > 1 && (this.length > this.#bounds.count || this.#bytes > this.#bounds.bytes)) this.#dropFirst();
  }

  /** Forgets everything after a step. */
  cutAfter(step: number): void {
    for (let last = this.last; this.length > 0 && last && last.step > step; last = this.last) {
      this.#bytes -= last.state.byteLength;
      this.#entries.pop();
    }
  }

  /** Place of the last entry at or before a step; -1 where there is none. */
  placeAtOrBefore(step: number): number {
    return this.#search((entry) => entry.step <= step);
  }

  /** Place of the last entry at or before a time, s; -1 where there is none. */
  placeAtTime(time: number): number {
    return this.#search((entry) => entry.time <= time);
  }

  /** The last entry for which a condition holds that holds for all before it. */
  #search(holds: (entry: TimelineEntry) => boolean): number {
    let [low, high] = [0, this.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (holds(this.at(middle)!)) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }

  #dropFirst(): void {
    this.#bytes -= this.first!.state.byteLength;
    this.#entries[this.#start] = undefined;
    this.#start += 1;
    if (this.#start < 1024) return;
    this.#entries = this.#entries.slice(this.#start);
    this.#start = 0;
  }
}
