/**
 * States of a course that one can go back to: a ring, bounded by the room that all branches of a run share. Where there is no more
 * room the oldest go.
 *
 * Not every step has its entry; a step between two entries is computed again from the one before it, with the inputs it had.
 */
import type { Touching } from './protocol.ts';
import type { SolveFrame } from './solve-frame.ts';
import { StateRoom } from './state-room.ts';

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
  /** Steps up to here whose solver did not converge. */
  readonly unconverged: number;
}

export class Timeline {
  readonly room: StateRoom;
  // entries from `#start` on; those before are gone and their places are cleared now and then
  #entries: (TimelineEntry | undefined)[] = [];
  #start = 0;
  #bytes = 0;

  constructor(room: StateRoom = new StateRoom()) {
    this.room = room;
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
    while (this.length > 0) this.dropFirst();
    this.#entries = [];
    this.#start = 0;
  }

  /** Adds a state later than all others; a second one of the same step is not needed and not kept. */
  push(entry: TimelineEntry): void {
    if (this.last && entry.step <= this.last.step) return;
    this.#append(entry);
    while (this.length > 1 && this.room.isOver) {
      if (this.room.makeRoom) this.room.makeRoom();
      else this.dropFirst();
    }
  }

  /** Another timeline with the states up to a step; the states themselves are shared. */
  copyUntil(step: number): Timeline {
    const copy = new Timeline(this.room);
    for (let place = 0; place <= this.placeAtOrBefore(step); place++) copy.#append(this.at(place)!);
    return copy;
  }

  /** Forgets the oldest state. */
  dropFirst(): void {
    const { first } = this;
    if (!first) return;
    this.room.release(first);
    this.#bytes -= first.state.byteLength;
    this.#entries[this.#start] = undefined;
    this.#start += 1;
    if (this.#start < 1024) return;
    this.#entries = this.#entries.slice(this.#start);
    this.#start = 0;
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

  #append(entry: TimelineEntry): void {
    this.room.hold(entry);
    this.#entries.push(entry);
    this.#bytes += entry.state.byteLength;
  }
}
