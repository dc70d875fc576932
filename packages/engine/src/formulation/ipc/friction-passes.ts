/**
 * Relaxation of friction passes. The friction forces F of the last minimisation may oscillate or not converge at
 * all, so a pass takes a fraction s of the new ones,
 *   F ← F + s (F_new − F)
 * If the displacement δ of a pass is c times that of the previous pass, the error shrinks by the same factor 1 − s (1 − m), and a fraction
 * of s/(1 − c) would converge at once: Aitken's rule. Never more than 1, so that forces do not change sign.
 * δ, m: positions of frames, and rotations times the radius of the frame.
 * Source: Küttler and Wall, Fixed-point fluid-structure interaction solvers with dynamic relaxation (2008), section 3.
 */
import type { Frames } from '../../dynamics/frames.ts';

/** Least share of new forces. */
const LEAST_SHARE = 1 / 16;
/** By how much the most that the share may be grows back in a pass without a swing. */
const RECOVERY = 1.1;

export class FrictionPasses {
  /** Share of the new forces in the next pass. */
  share = 1;
  readonly #frames: Frames;
  readonly #reach: Float64Array;
  /** Positions and quaternions after the last pass, and the displacement of that pass. */
  readonly #place: Float64Array;
  readonly #way: Float64Array;
  /** Passes so far, and the most that the share may be. */
  #count = 0;
  #most = 1;

  constructor(frames: Frames, reach: Float64Array) {
    this.#frames = frames;
    this.#reach = reach;
    this.#place = new Float64Array(3 * frames.count + 4 * frames.moving);
    this.#way = new Float64Array(this.#place.length);
  }

  /** A step begins. */
  begin(): void {
    this.share = this.#most = 1;
    this.#count = 0;
  }

  /** Takes the poses after a pass, and from the third on the share of the next. */
  notice(): void {
    const { position, orientation } = this.#frames.current;
    const places = this.#place;
    const ways = this.#way;
    let along = 0;
    let before = 0;
    for (let i = 0; i < places.length; i++) {
      const q = i - position.length;
      const now = q < 0 ? position[i] : 2 * this.#reach[q >> 2] * orientation[q];
      const way = now - places[i];
      along += way * ways[i];
      before += ways[i] * ways[i];
      places[i] = now;
      ways[i] = way;
    }
    this.#count++;
    if (this.#count < 3 || !(before > 0)) return;
    const c = along / before;
    const share = c >= 1 ? 1 : this.share / (1 - c);
    // forces that oscillated once would oscillate again
    if (c < 0) this.#most = Math.max(LEAST_SHARE, share);
    else this.#most = Math.min(1, RECOVERY * this.#most);
    this.share = Math.min(this.#most, share);
  }
}
