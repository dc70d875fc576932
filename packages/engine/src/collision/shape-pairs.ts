/** A growing list of pairs of shapes that sorts itself without allocating: counting sort by the second, then by the first. */
export class ShapePairs {
  count = 0;
  first: Int32Array = new Int32Array(256);
  second: Int32Array = new Int32Array(256);
  #sortedFirst: Int32Array = new Int32Array(256);
  #sortedSecond: Int32Array = new Int32Array(256);
  readonly #places: Int32Array;

  /** For shapes numbered below `shapes`. */
  constructor(shapes: number) {
    this.#places = new Int32Array(shapes + 1);
  }

  clear(): void {
    this.count = 0;
  }

  add(first: number, second: number): void {
    if (this.count === this.first.length) this.#grow();
    this.first[this.count] = first;
    this.second[this.count++] = second;
  }

  /** Ascending by first, then by second. */
  sort(): void {
    this.#scatter(this.second);
    this.#scatter(this.first);
  }

  /** Stable counting sort by one of the two arrays. */
  #scatter(key: Int32Array): void {
    const places = this.#places;
    places.fill(0);
    for (let i = 0; i < this.count; i++) places[key[i] + 1]++;
    for (let k = 1; k < places.length; k++) places[k] += places[k - 1];
    for (let i = 0; i < this.count; i++) {
      const to = places[key[i]]++;
      this.#sortedFirst[to] = this.first[i];
      this.#sortedSecond[to] = this.second[i];
    }
    const first = this.first;
    const second = this.second;
    this.first = this.#sortedFirst;
    this.second = this.#sortedSecond;
    this.#sortedFirst = first;
    this.#sortedSecond = second;
  }

  #grow(): void {
    const length = 2 * this.first.length;
    const grow = (from: Int32Array): Int32Array => {
      const to = new Int32Array(length);
      to.set(from);
      return to;
    };
    this.first = grow(this.first);
    this.second = grow(this.second);
    this.#sortedFirst = new Int32Array(length);
    this.#sortedSecond = new Int32Array(length);
  }
}
