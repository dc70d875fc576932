/**
 * How exactly a Newton system is worth solving: η_k = γ (|g_k| / |g_k−1|)^α, not much below the last one while that was large.
 * Directions are rough while the iteration is far from the minimum and exact enough near it for convergence of order α.
 * Source: Eisenstat and Walker, Choosing the forcing terms in an inexact Newton method (1996), choice 2.
 */
const GAMMA = 0.9;
const LARGEST = 0.1;
const SMALLEST = 1e-10;

export class ForcingTerm {
  #before = 0;
  #term = LARGEST;

  /** Before the first system of a solve. */
  reset(): void {
    this.#before = 0;
  }

  /** η for a system whose right-hand side has this norm. */
  next(norm: number): number {
    let term = LARGEST;
    if (this.#before > 0) {
      const ratio = norm / this.#before;
      term = GAMMA * ratio * ratio;
      const kept = GAMMA * this.#term * this.#term;
      if (kept > LARGEST) term = Math.max(term, kept);
    }
    this.#before = norm;
    this.#term = Math.min(LARGEST, Math.max(SMALLEST, term));
    return this.#term;
  }
}
