/** Contacts of a set by the two shapes that they are between, in their order: chains in a table with open addressing. */
import type { ContactSet } from '../../collision/contact-set.ts';

const NOTHING = -1;

export class PairContacts {
  /** First contacts of chains by the hash of their shapes, a power of two of places, at most half of them taken. */
  #places: Int32Array = new Int32Array(128);
  /** The next contact of the same shapes. */
  #next: Int32Array = new Int32Array(64);

  /** Takes the first `count` contacts of a set. */
  index({ shape1, shape2 }: ContactSet, count: number): void {
    if (2 * count > this.#places.length) {
      let length = this.#places.length;
      while (length < 2 * count) length *= 2;
      this.#places = new Int32Array(length);
      this.#next = new Int32Array(length / 2);
    }
    const places = this.#places.fill(NOTHING);
    // from the last, so that chains go up
    for (let i = count - 1; i >= 0; i--) {
      const at = this.#seek(shape1, shape2, shape1[i], shape2[i]);
      this.#next[i] = places[at];
      places[at] = i;
    }
  }

  /** The first contact of two shapes, whichever is which, or −1. */
  first({ shape1, shape2 }: ContactSet, one: number, two: number): number {
    return this.#places[this.#seek(shape1, shape2, one, two)];
  }

  /** The contact of the same shapes after contact i, or −1. */
  after(i: number): number {
    return this.#next[i];
  }

  // the place of two shapes: where they are, or the free one where they belong
  #seek(shape1: Int32Array, shape2: Int32Array, one: number, two: number): number {
    const places = this.#places;
    const mask = places.length - 1;
    const low = Math.min(one, two);
    const high = Math.max(one, two);
    const hash = Math.imul(Math.imul(low, 0x9e3779b1) ^ high, 0x85ebca6b);
    for (let at = (hash ^ (hash >>> 15)) & mask; ; at = (at + 1) & mask) {
      const i = places[at];
      if (i < 0 || (Math.min(shape1[i], shape2[i]) === low && Math.max(shape1[i], shape2[i]) === high)) return at;
    }
  }
}
