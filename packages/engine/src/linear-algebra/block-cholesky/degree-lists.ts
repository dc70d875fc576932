/**
 * Numbers 0 … count − 1 by degree 0 … largest, for taking one of least degree: a doubly linked list per degree. Among equal degrees
 * the number added last comes first. All but the search for the next degree takes constant time.
 */

import { fitInts } from '../growth.ts';
import type { Memory } from '../memory.ts';

export class DegreeLists {
  readonly #memory: Memory;
  // per degree: the first of its list, −1 where there is none
  #head: Int32Array;
  // per number: those beside it
  #next: Int32Array;
  #previous: Int32Array;
  // no list below this one has members
  #least = 0;
  #largest = 0;

  constructor(memory: Memory) {
    this.#memory = memory;
    this.#head = this.#next = this.#previous = memory.i32(0);
  }

  /** Empties all lists and reserves space. */
  clear(count: number, largest: number): void {
    const memory = this.#memory;
    this.#head = fitInts(memory, this.#head, largest + 1);
    this.#next = fitInts(memory, this.#next, count);
    this.#previous = fitInts(memory, this.#previous, count);
    this.#head.fill(-1, 0, largest + 1);
    this.#least = 0;
    this.#largest = largest;
  }

  add(i: number, degree: number): void {
    const head = this.#head;
    const old = head[degree];
    this.#next[i] = old;
    this.#previous[i] = -1;
    if (old >= 0) this.#previous[old] = i;
    head[degree] = i;
    if (degree < this.#least) this.#least = degree;
  }

  /** Takes out a number that was added with this degree. */
  remove(i: number, degree: number): void {
    const next = this.#next[i];
    const previous = this.#previous[i];
    if (next >= 0) this.#previous[next] = previous;
    if (previous >= 0) this.#next[previous] = next;
    else this.#head[degree] = next;
  }

  /** Takes out a number of least degree; −1 where there is none. */
  takeLeast(): number {
    const head = this.#head;
    while (this.#least <= this.#largest && head[this.#least] < 0) this.#least++;
    if (this.#least > this.#largest) return -1;
    const i = head[this.#least];
    this.remove(i, this.#least);
    return i;
  }
}
