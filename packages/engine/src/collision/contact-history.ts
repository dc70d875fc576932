/**
 * Which contact of the detection before is the same as one now: the same pair of shapes and the same feature. Both lists are
 * sorted by pair, so one pass over both is enough.
 */
import type { ContactSet } from './contact-set.ts';

export class ContactHistory {
  #count = 0;
  #pair: Float64Array = new Float64Array(64);
  #feature: Int32Array = new Int32Array(64);

  /** Writes `previous` of every contact. */
  match(contacts: ContactSet): void {
    const { count, pair, feature, previous } = contacts;
    let start = 0;
    for (let i = 0; i < count; i++) {
      while (start < this.#count && this.#pair[start] < pair[i]) start++;
      previous[i] = -1;
      for (let k = start; k < this.#count && this.#pair[k] === pair[i]; k++) {
        if (this.#feature[k] !== feature[i]) continue;
        previous[i] = k;
        break;
      }
    }
  }

  /** Keeps the names of these contacts for the next detection. */
  remember(contacts: ContactSet): void {
    const { count } = contacts;
    if (count > this.#pair.length) {
      this.#pair = new Float64Array(2 * count);
      this.#feature = new Int32Array(2 * count);
    }
    for (let i = 0; i < count; i++) {
      this.#pair[i] = contacts.pair[i];
      this.#feature[i] = contacts.feature[i];
    }
    this.#count = count;
  }

  /** Forgets: the next detection finds nothing from before. */
  clear(): void {
    this.#count = 0;
  }
}
