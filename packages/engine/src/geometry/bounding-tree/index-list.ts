import { NexdynError } from '../../error.ts';

/** Most entries of a list: 128 MiB of pairs. */
const MOST_NUMBERS = 2 ** 25;

/** A list of item numbers that grows and never shrinks: the answer of a query, owned by the caller. */
export class IndexList {
  /** How many items there are. */
  count = 0;
  /** The numbers, in the first `count` places. */
  values: Int32Array = new Int32Array(64);

  /** Removes all. */
  clear(): void {
    this.count = 0;
  }

  /** Adds one at the end. */
  add(item: number): void {
    if (this.count === this.values.length) this.#grow();
    this.values[this.count++] = item;
  }

  #grow(): void {
    this.values = enlarge(this.values, 'items');
  }
}

/** A list of pairs of item numbers: pair k is values[2 k], values[2 k + 1]. */
export class IndexPairs {
  /** How many pairs there are. */
  count = 0;
  /** The numbers, in the first 2 `count` places. */
  values: Int32Array = new Int32Array(256);

  /** Removes all. */
  clear(): void {
    this.count = 0;
  }

  /** Adds one at the end. */
  add(first: number, second: number): void {
    const o = 2 * this.count++;
    if (o === this.values.length) this.#grow();
    this.values[o] = first;
    this.values[o + 1] = second;
  }

  #grow(): void {
    this.values = enlarge(this.values, 'pairs');
  }
}

function enlarge(values: Int32Array, noun: string): Int32Array {
  if (values.length >= MOST_NUMBERS) {
    const most = noun === 'pairs' ? MOST_NUMBERS / 2 : MOST_NUMBERS;
    throw new NexdynError('too-large', `boxes of shapes overlap: there are more than ${most} ${noun} that may touch`, {
      hint: 'move shapes apart, or give them collision groups',
    });
  }
  const grown = new Int32Array(2 * values.length);
  grown.set(values);
  return grown;
}
