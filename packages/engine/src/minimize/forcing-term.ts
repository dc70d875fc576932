/**
 * The accuracy to which a Newton system is solved (forcing term): η_k = γ (|g_k| / |g_k−1|)². Directions are rough while the iteration is far from
 * the minimum, and near it exact enough for quadratic convergence.
 * Source: Eisenstat and Walker, Choosing the forcing terms in an inexact Newton method (1996), choice 2.
 */
const GAMMA = 0.9;
const SMALLEST = 1e-10;

export class ForcingTerm {
  /** Largest η. */
  readonly #largest: number;
  #before = 0;

  constructor(largest: number) {
    this.#largest = largest;
  }

  /** Before the first system of a solve. */
  reset(): void {
    this.#before = 0;
  }

  /** η for a system whose right-hand side has this norm. */
  next(norm: number): number {
    const ratio = this.#before > 0 ? norm / this.#before : 1;
    this.#before = norm;
    return Math.min(this.#largest, Math.max(SMALLEST, GAMMA * ratio * ratio));
  }
}
