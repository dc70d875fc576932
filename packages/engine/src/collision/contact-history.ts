/**
 * Which contact of the previous detection is the same as a current one: the same pair of shapes and the same feature. Both lists are
 * sorted by pair, so one pass over both is enough.
 */
import type { ContactSet } from './contact-set.ts';

export class ContactHistory {
  #count = 0;
  #pair: Float64Array = new Float64Array(0);
  #feature: Int32Array = new Int32Array(0);

  /** Before a detection: keeps the keys of the current contacts and reuses the storage of the older ones. */
  exchange(contacts: ContactSet): void {
    const { count, pair, feature } = contacts;
    contacts.pair = this.#pair.length === pair.length ? this.#pair : new Float64Array(pair.length);
    contacts.feature = this.#feature.length === feature.length ? this.#feature : new Int32Array(feature.length);
    contacts.count = 0;
    this.#count = count;
    this.#pair = pair;
    this.#feature = feature;
  }

  /** After a detection: writes `previous` of every contact. */
  match(contacts: ContactSet): void {
    const { count, pair, feature, previous } = contacts;
    const oldCount = this.#count;
    const oldPair = this.#pair;
    const oldFeature = this.#feature;
    let start = 0;
    let end = 0;
    // the order of features rarely changes: start the search after the last match
    let next = 0;
    for (let i = 0; i < count; i++) {
      const key = pair[i];
      if (i === 0 || key !== pair[i - 1]) {
        while (start < oldCount && oldPair[start] < key) start++;
        for (end = start; end < oldCount && oldPair[end] === key; ) end++;
        next = start;
      }
      let found = findFeature(oldFeature, feature[i], next, end);
      if (found < 0) found = findFeature(oldFeature, feature[i], start, next);
      previous[i] = found;
      if (found >= 0) next = found + 1;
    }
  }
}

function findFeature(features: Int32Array, feature: number, from: number, to: number): number {
  for (let k = from; k < to; k++) if (features[k] === feature) return k;
  return -1;
}
