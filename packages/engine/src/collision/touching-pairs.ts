/**
 * A growing list of pairs of shapes that touch, each with the run of its points in a list of contact points. It sorts itself
 * without allocating: counting sort by the second shape, then by the first. A pair is one record of four numbers, so that a
 * pair moves with one write to memory.
 */
export const PAIR_STRIDE = 4;

export class TouchingPairs {
  count = 0;
  /** Per pair: first shape, second shape, number of its first point, number of its points. */
  records: Int32Array = new Int32Array(256 * PAIR_STRIDE);
  #sorted: Int32Array = new Int32Array(256 * PAIR_STRIDE);
  /** Per shape: where its next pair goes. */
  readonly #places: Int32Array;

  /** For shapes numbered below `shapes`. */
  constructor(shapes: number) {
    this.#places = new Int32Array(shapes + 1);
  }

  clear(): void {
    this.count = 0;
  }

  add(first: number, second: number, start: number, points: number): void {
    const o = PAIR_STRIDE * this.count++;
    if (o === this.records.length) this.#grow();
    this.records[o] = first;
    this.records[o + 1] = second;
    this.records[o + 2] = start;
    this.records[o + 3] = points;
  }

  /** Ascending by first, then by second. */
  sort(): void {
    this.#scatter(1);
    this.#scatter(0);
  }

  /** Stable counting sort by one of the two shapes. */
  #scatter(side: number): void {
    const places = this.#places;
    const from = this.records;
    const to = this.#sorted;
    const end = PAIR_STRIDE * this.count;
    places.fill(0);
    for (let o = side; o < end; o += PAIR_STRIDE) places[from[o] + 1]++;
    for (let k = 1; k < places.length; k++) places[k] += places[k - 1];
    for (let o = 0; o < end; o += PAIR_STRIDE) {
      const q = PAIR_STRIDE * places[from[o + side]]++;
      to[q] = from[o];
      to[q + 1] = from[o + 1];
      to[q + 2] = from[o + 2];
      to[q + 3] = from[o + 3];
    }
    this.records = to;
    this.#sorted = from;
  }

  #grow(): void {
    const records = new Int32Array(2 * this.records.length);
    records.set(this.records);
    this.records = records;
    this.#sorted = new Int32Array(records.length);
  }
}
