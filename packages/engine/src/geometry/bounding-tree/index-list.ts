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
    const values = new Int32Array(2 * this.values.length);
    values.set(this.values);
    this.values = values;
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
    const values = new Int32Array(2 * this.values.length);
    values.set(this.values);
    this.values = values;
  }
}
