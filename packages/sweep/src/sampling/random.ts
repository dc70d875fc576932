/**
 * Random numbers that are the same on every machine: PCG32 (O'Neill, PCG: A Family of Simple Fast Space-Efficient Statistically Good
 * Algorithms for Random Number Generation, 2014), a 64-bit linear congruence with a permuted output of 32 bits.
 */

const MULTIPLIER = 6364136223846793005n;
const INCREMENT = 1442695040888963407n;
const MASK = (1n << 64n) - 1n;

/** A stream of numbers that its seed decides. */
export class RandomStream {
  #state: bigint;

  constructor(seed: number) {
    // as the reference seeds it: state 0, one step, the seed added, one step
    this.#state = ((INCREMENT + BigInt(seed)) * MULTIPLIER + INCREMENT) & MASK;
  }

  /** The next 32 bits. */
  nextWord(): number {
    const state = this.#state;
    this.#state = (state * MULTIPLIER + INCREMENT) & MASK;
    const shifted = Number((((state >> 18n) ^ state) >> 27n) & 0xffffffffn);
    const turn = Number(state >> 59n);
    return ((shifted >>> turn) | (shifted << (-turn & 31))) >>> 0;
  }

  /** A number of 53 bits from 0 to below 1. */
  nextUnit(): number {
    const high = this.nextWord() >>> 5;
    const low = this.nextWord() >>> 6;
    return (high * 2 ** 26 + low) / 2 ** 53;
  }

  /** A whole number from 0 to below `count`, each as likely: words that would favour some are thrown away. */
  nextBelow(count: number): number {
    const limit = Math.floor(2 ** 32 / count) * count;
    for (;;) {
      const word = this.nextWord();
      if (word < limit) return word % count;
    }
  }
}
