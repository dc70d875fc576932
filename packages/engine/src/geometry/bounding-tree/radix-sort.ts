/**
 * Sorts item numbers by non-negative keys of 30 bits, stably: three passes of ten bits, each a count and a scatter
 * (Knuth, The Art of Computer Programming 3, 5.2.5). Short lists are sorted by insertion: clearing the counts costs more.
 */
const DIGIT_BITS = 10;
const DIGITS = 1 << DIGIT_BITS;
const MASK = DIGITS - 1;
const SHORT = 64;

const counts = /* @__PURE__ */ new Int32Array(3 * DIGITS);

/** Reorders the first `count` entries of `order` so that keys[order[i]] rises; equal keys keep their order. `swap` is scratch. */
export function sortByKeys(order: Int32Array, swap: Int32Array, keys: Int32Array, count: number): void {
  if (count <= SHORT) {
    sortShort(order, keys, count);
    return;
  }

  // count all three digits in one pass over the keys
  counts.fill(0);
  for (let i = 0; i < count; i++) {
    const key = keys[order[i]];
    counts[key & MASK]++;
    counts[DIGITS + ((key >> DIGIT_BITS) & MASK)]++;
    counts[2 * DIGITS + (key >> (2 * DIGIT_BITS))]++;
  }

  // starts of the digits: running sums
  let low = 0;
  let middle = 0;
  let high = 0;
  for (let d = 0; d < DIGITS; d++) {
    const a = counts[d];
    counts[d] = low;
    low += a;
    const b = counts[DIGITS + d];
    counts[DIGITS + d] = middle;
    middle += b;
    const c = counts[2 * DIGITS + d];
    counts[2 * DIGITS + d] = high;
    high += c;
  }

  // scatter by the low, middle and high digit
  for (let i = 0; i < count; i++) {
    const item = order[i];
    swap[counts[keys[item] & MASK]++] = item;
  }
  for (let i = 0; i < count; i++) {
    const item = swap[i];
    order[counts[DIGITS + ((keys[item] >> DIGIT_BITS) & MASK)]++] = item;
  }
  for (let i = 0; i < count; i++) {
    const item = order[i];
    swap[counts[2 * DIGITS + (keys[item] >> (2 * DIGIT_BITS))]++] = item;
  }
  for (let i = 0; i < count; i++) order[i] = swap[i];
}

function sortShort(order: Int32Array, keys: Int32Array, count: number): void {
  for (let i = 1; i < count; i++) {
    const item = order[i];
    const key = keys[item];
    let j = i - 1;
    for (; j >= 0 && keys[order[j]] > key; j--) order[j + 1] = order[j];
    order[j + 1] = item;
  }
}
