/**
 * Pairs of shapes that overlapped when they were placed and act as if they were not there for each other until they have come
 * apart. They are a part of the state: a step writes them behind its impulses and the next one reads them.
 */
import type { ConstraintImpulses } from '../../state/constraint-impulses.ts';

/** Two shapes that overlap; soft body s counts as shape `size.shape` + s. */
export interface OverlappingPair {
  readonly shape1: number;
  readonly shape2: number;
  /** How deep the surfaces are in each other, m; negative where only a margin is not kept, NaN where it is not known. */
  readonly depth: number;
}

/** First number of the entries of the state that name a pair; the second is the number of the entry. */
const LEFT_OUT = 3;

const entry = /* @__PURE__ */ new Float64Array(3);

export class LeftOutPairs {
  readonly #pairs = new Map<number, OverlappingPair>();

  get count(): number {
    return this.#pairs.size;
  }

  /** Ascending by shapes. */
  get pairs(): OverlappingPair[] {
    return [...this.#pairs.values()];
  }

  /** Whether two shapes are left out. */
  has(a: number, b: number): boolean {
    return this.#pairs.size > 0 && this.#pairs.has(keyOf(a, b));
  }

  /** Takes these pairs and no others; whether that changes anything. Depths of pairs that stay are kept. */
  assign(pairs: readonly OverlappingPair[]): boolean {
    const before = new Map(this.#pairs);
    const keys = pairs.map(({ shape1, shape2 }) => keyOf(shape1, shape2));
    const order = keys.map((_, n) => n).sort((a, b) => keys[a] - keys[b]);
    this.#pairs.clear();
    for (const n of order) this.#pairs.set(keys[n], before.get(keys[n]) ?? pairs[n]);
    return before.size !== this.#pairs.size || [...before.keys()].some((key) => !this.#pairs.has(key));
  }

  /** Takes the pairs of a state; whether that changes anything. */
  read(from: ConstraintImpulses): boolean {
    from.rewind();
    if (from.find(LEFT_OUT, 0) < 0) {
      const hadSome = this.#pairs.size > 0;
      this.#pairs.clear();
      return hadSome;
    }
    const pairs: OverlappingPair[] = [];
    from.rewind();
    for (let n = 0, at = from.find(LEFT_OUT, 0); at >= 0; at = from.find(LEFT_OUT, ++n))
      pairs.push({ shape1: from.value[at], shape2: from.value[at + 1], depth: from.value[at + 2] });
    return this.assign(pairs);
  }

  /** Keeps the pairs for the next step, behind the impulses. */
  write(out: ConstraintImpulses): void {
    if (this.#pairs.size === 0) return;
    let n = 0;
    for (const { shape1, shape2, depth } of this.#pairs.values()) {
      entry[0] = shape1;
      entry[1] = shape2;
      // a snapshot holds finite numbers alone
      entry[2] = Number.isNaN(depth) ? 0 : depth;
      out.add(LEFT_OUT, n++, entry, 0, 3);
    }
  }
}

/** One number for an unordered pair of shapes. */
export function keyOf(a: number, b: number): number {
  return Math.min(a, b) * 2 ** 26 + Math.max(a, b);
}
