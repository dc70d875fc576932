/**
 * Pairs of boxes that meet, by the compiled sweep of packages/kernels/assembly/box-sweep.ts. Up to a few hundred boxes it is faster than a tree,
 * which has to be built and walked in every detection.
 */
import type { Arena } from '../kernels/arena.ts';
import type { CompiledDynamics } from '../linear-algebra/compiled-functions.ts';

export class BoxSweep {
  /** The pairs of the last sweep: the numbers of two boxes, the lower first. */
  pairs: Int32Array;
  readonly #compiled: CompiledDynamics;
  readonly #arena: Arena;
  readonly #words: Int32Array;

  constructor(compiled: CompiledDynamics, boxes: Float64Array, arena: Arena) {
    const count = boxes.length / 6;
    this.#compiled = compiled;
    this.#arena = arena;
    this.pairs = arena.i32(8 * count);
    const scratch = [arena.i32(count), arena.i32(count + 1), arena.f64(6 * count)];
    this.#words = arena.i32(7);
    const addresses = [boxes, this.pairs, ...scratch].map((array) => array.byteOffset);
    this.#words.set([count, 4 * count, ...addresses]);
  }

  /** Finds all pairs and returns how many; −1 where a box is not finite. */
  find(): number {
    for (;;) {
      const found = this.#compiled.sweepBoxes(this.#words.byteOffset);
      if (found !== -1) return Math.max(found, -1);
      this.pairs = this.#arena.i32(2 * this.pairs.length);
      this.#words[1] = this.pairs.length / 2;
      this.#words[3] = this.pairs.byteOffset;
    }
  }
}
