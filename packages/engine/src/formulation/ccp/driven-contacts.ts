/**
 * Contacts of surfaces whose motion is given: those of mocap bodies and belts. The cone program asks surfaces that slide to part,
 * u_n ≥ μ |u_t|. Bodies that move freely pay for that with their own energy; a surface whose velocity is given pays any price. A ball that a wall
 * rolls along a floor would run ahead of it at v/(1 − μ), and a block between wall and floor has no velocity at all with μ₁ μ₂ ≥ 1. So islands that
 * such a surface moves obey Coulomb's law (minimize/cone/coulomb-shift.ts), whatever the options say.
 * Symbols: u relative velocity m/s, v speed of the wall m/s, μ friction.
 */
import type { Islands } from '../../objective/islands.ts';

export class DrivenContacts {
  /** Blocks of such contacts, in rising order. */
  readonly #block: number[] = [];
  #count = 0;

  clear(): void {
    this.#count = 0;
  }

  add(block: number): void {
    this.#block[this.#count++] = block;
  }

  /** Whether such a contact is in an island. */
  moves({ block, blockStart }: Islands, island: number): boolean {
    // blocks of an island are in rising order too
    for (let k = blockStart[island], n = 0; k < blockStart[island + 1] && n < this.#count; k++) {
      while (n < this.#count && this.#block[n] < block[k]) n++;
      if (n < this.#count && this.#block[n] === block[k]) return true;
    }
    return false;
  }
}
