/**
 * Which collision of a list has two given features, each by its number: a hash table with open addressing. A reduced pair (two points, a
 * point and an edge) comes out of several pairs of parts; found again, it counts once with the sum of their weights.
 */

/** Odd numbers that spread neighbouring keys. */
const SPREAD_1 = 0x9e3779b1;
const SPREAD_2 = 0x85ebca6b;

export class FeatureTable {
  #first: Int32Array = new Int32Array(256);
  #second: Int32Array = new Int32Array(256);
  #item: Int32Array = new Int32Array(256);
  /** Per place: the round in which it was filled; those of earlier rounds are free. */
  #round: Int32Array = new Int32Array(256);
  #now = 0;
  #count = 0;

  /** Removes all. */
  clear(): void {
    this.#now++;
    this.#count = 0;
  }

  /** The item with both features, or `item`, which is added as theirs. */
  findOrAdd(first: number, second: number, item: number): number {
    if (2 * this.#count >= this.#first.length) this.#grow();
    const place = this.#locate(first, second);
    if (this.#round[place] === this.#now) return this.#item[place];
    this.#fill(place, first, second, item);
    return item;
  }

  #fill(place: number, first: number, second: number, item: number): void {
    this.#round[place] = this.#now;
    this.#first[place] = first;
    this.#second[place] = second;
    this.#item[place] = item;
    this.#count++;
  }

  // where both features are, or a free place for them
  #locate(first: number, second: number): number {
    const last = this.#first.length - 1;
    const mixed = Math.imul(first, SPREAD_1) ^ Math.imul(second, SPREAD_2);
    let place = (mixed ^ (mixed >>> 15)) & last;
    while (this.#round[place] === this.#now && (this.#first[place] !== first || this.#second[place] !== second))
      place = (place + 1) & last;
    return place;
  }

  #grow(): void {
    const first = this.#first;
    const second = this.#second;
    const item = this.#item;
    const round = this.#round;
    const now = this.#now;
    const length = 2 * first.length;
    this.#first = new Int32Array(length);
    this.#second = new Int32Array(length);
    this.#item = new Int32Array(length);
    this.#round = new Int32Array(length);
    this.#now = 1;
    this.#count = 0;
    for (let p = 0; p < first.length; p++)
      if (round[p] === now) this.#fill(this.#locate(first[p], second[p]), first[p], second[p], item[p]);
  }
}
