/** Identifies contacts from one friction pass to the next: kind, parts and index of each. */
import { copyInto } from '../../../linear-algebra/growth.ts';

export class LaggedKeys {
  #keys = new Int32Array(320);
  readonly #places = new Map<string, number>();

  /** Says which contact entry n is: five numbers. */
  set(n: number, key: Int32Array): void {
    if (5 * n + 5 > this.#keys.length) this.#keys = copyInto(this.#keys, new Int32Array(2 * this.#keys.length));
    for (let k = 0; k < 5; k++) this.#keys[5 * n + k] = key[k];
  }

  /** Makes the first `count` entries findable. */
  index(count: number): void {
    this.#places.clear();
    for (let n = 0; n < count; n++) this.#places.set(this.#keys.subarray(5 * n, 5 * n + 5).join(), n);
  }

  /** The entry of a contact, or −1. */
  find(key: Int32Array): number {
    return this.#places.get(key.join()) ?? -1;
  }

  /** Entry n takes the place of an earlier one. */
  move(n: number, to: number): void {
    this.#keys.copyWithin(5 * to, 5 * n, 5 * n + 5);
  }
}
