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
  values: Int32Array;
  readonly #allocate: (length: number) => Int32Array;

  /** `allocate` gives the storage, for lists that compiled kernels write. */
  constructor(allocate: (length: number) => Int32Array = (length) => new Int32Array(length)) {
    this.#allocate = allocate;
    this.values = allocate(256);
  }

  clear(): void {
    this.count = 0;
  }

  add(first: number, second: number): void {
    if (2 * this.count === this.values.length) this.reserve(this.count + 1);
    this.values[2 * this.count] = first;
    this.values[2 * this.count + 1] = second;
    this.count++;
  }

  /** Makes room for so many pairs, and for as many again, so that growing is rare. */
  reserve(pairs: number): void {
    const values = this.#allocate(4 * pairs);
    values.set(this.values);
    this.values = values;
  }
}
