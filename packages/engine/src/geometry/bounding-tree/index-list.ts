/** A list of item numbers that grows and never shrinks: the answer of a query, owned by the caller. */
export class IndexList {
  count = 0;
  values: Int32Array = new Int32Array(64);

  clear(): void {
    this.count = 0;
  }

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
  count = 0;
  values: Int32Array = new Int32Array(256);

  clear(): void {
    this.count = 0;
  }

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
