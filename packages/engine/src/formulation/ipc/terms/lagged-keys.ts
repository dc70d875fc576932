/** Identifies contacts from one friction pass to the next, and those that friction was taken from: kind, parts and index of each. */
import { copyInto } from '../../../linear-algebra/growth.ts';

/** Numbers of a key. */
const WIDTH = 5;
const NOTHING = -1;

export class LaggedKeys {
  #keys = new Int32Array(64 * WIDTH);
  /** Open addressing: entries by the hash of their key, a power of two of places, at most half of them taken. */
  #places = new Int32Array(128);
  #count = 0;

  /** Says which contact entry n is: five numbers. */
  set(n: number, key: Int32Array): void {
    while (WIDTH * n + WIDTH > this.#keys.length)
      this.#keys = copyInto(this.#keys, new Int32Array(2 * this.#keys.length));
    for (let k = 0; k < WIDTH; k++) this.#keys[WIDTH * n + k] = key[k];
  }

  /** Makes the first `count` entries findable; of equal keys the last. */
  index(count: number): void {
    this.#count = count;
    if (2 * count > this.#places.length) {
      let length = this.#places.length;
      while (length < 2 * count) length *= 2;
      this.#places = new Int32Array(length);
    }
    this.#places.fill(NOTHING);
    for (let n = 0; n < count; n++) this.#places[this.#seek(this.#keys, WIDTH * n)] = n;
  }

  /** The entry of a contact, or −1. */
  find(key: Int32Array): number {
    return this.#count === 0 ? NOTHING : this.#places[this.#seek(key, 0)];
  }

  /** Writes the key of entry n. */
  read(out: Int32Array, n: number): void {
    for (let k = 0; k < WIDTH; k++) out[k] = this.#keys[WIDTH * n + k];
  }

  /** Entry n takes the place of an earlier one. */
  move(n: number, to: number): void {
    this.#keys.copyWithin(WIDTH * to, WIDTH * n, WIDTH * n + WIDTH);
  }

  // the place of the key at o: where it is, or the free one where it belongs
  #seek(key: Int32Array, o: number): number {
    const places = this.#places;
    const keys = this.#keys;
    let hash = 0;
    for (let k = 0; k < WIDTH; k++) hash = Math.imul(hash ^ key[o + k], 0x9e3779b1) ^ (hash >>> 15);
    const mask = places.length - 1;
    for (let at = (hash ^ (hash >>> 13)) & mask; ; at = (at + 1) & mask) {
      const n = places[at];
      if (n < 0) return at;
      let isSame = true;
      for (let k = 0; k < WIDTH && isSame; k++) isSame = keys[WIDTH * n + k] === key[o + k];
      if (isSame) return at;
    }
  }
}
