/** Room for the states of a run, bounded by count and by bytes: a state that several branches share counts once. */
import type { TimelineEntry } from './timeline.ts';

export interface RoomBounds {
  /** States. */
  count: number;
  bytes: number;
}

/** A minute at 60 states per second, and what a tablet can spare. */
export const ROOM_BOUNDS: Readonly<RoomBounds> = { count: 3600, bytes: 96e6 };

export class StateRoom {
  readonly bounds: RoomBounds;
  /** Frees some room when there is too little; undefined: a timeline that grows drops its own oldest state. */
  makeRoom: (() => void) | undefined;
  readonly #holders = new Map<TimelineEntry, number>();
  #bytes = 0;

  constructor(bounds: RoomBounds = ROOM_BOUNDS) {
    this.bounds = bounds;
  }

  /** States that somebody holds. */
  get count(): number {
    return this.#holders.size;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get isOver(): boolean {
    return this.count > this.bounds.count || this.#bytes > this.bounds.bytes;
  }

  hold(entry: TimelineEntry): void {
    const holders = this.#holders.get(entry) ?? 0;
    if (holders === 0) this.#bytes += entry.state.byteLength;
    this.#holders.set(entry, holders + 1);
  }

  release(entry: TimelineEntry): void {
    const holders = (this.#holders.get(entry) ?? 0) - 1;
    if (holders > 0) {
      this.#holders.set(entry, holders);
    } else if (this.#holders.delete(entry)) {
      this.#bytes -= entry.state.byteLength;
    }
  }
}
