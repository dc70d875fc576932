/**
 * Whether two bodies go through each other on their way through a step:
 *   φ(s) < min(0, φ(0)) − π t    for an s in [0, h]
 * φ(s) gap of the shapes where the velocities of the solve carry them in s seconds, t thickness of the thinner one, π = PASS_SHARE; whether or not the softness
 * of their contact allows it, which shorter steps resolve. Poses are looked at as far apart as points of the two come a quarter of t, or as their gap
 * allows. Pairs whose points come less than half of t in the step cannot have passed: they are found in each other, and their rows push them back.
 */
import { ContactPoints } from '../../geometry/contact-points.ts';
import { FAST_SHARE } from './body-travel.ts';
import type { Touch } from './touch-search.ts';

/** Depth at which a body is passing through, share of the thinner one: where contacts still push back to the side it came from. */
const PASS_SHARE = 0.25;
/** Least way between two looks, share of the thinner one. */
const LOOK_SHARE = 0.25;
/** Most looks: a pair that comes farther counts as passing through. */
const MOST_LOOKS = 400;

export class WayCheck {
  readonly #patch = new ContactPoints();

  passes(touch: Touch): boolean {
    const { thin, time } = touch;
    if (!(time * measureOutlinePace(touch) > FAST_SHARE * thin)) return false;
    return this.comesDeeper(touch, Math.min(0, this.#measure(touch, 0)) - PASS_SHARE * thin);
  }

  /** Whether the gap falls below a number on the way. */
  comesDeeper(touch: Touch, allowed: number): boolean {
    const { thin, time: end } = touch;
    const pace = measureOutlinePace(touch);
    for (let s = 0, n = 0; n < MOST_LOOKS; n++) {
      const gap = this.#measure(touch, s);
      if (gap < allowed) return true;
      if (s === end) return false;
      s = pace > 0 ? Math.min(end, s + Math.max(gap - allowed, LOOK_SHARE * thin) / pace) : end;
    }
    return true;
  }

  // φ(s) where it is less than t, m
  #measure({ one, two, test, thin }: Touch, s: number): number {
    const patch = this.#patch;
    one.moveTo(s);
    two.moveTo(s);
    patch.clear();
    test(patch, one.placed, two.placed, thin);
    let gap = thin;
    for (let n = 0; n < patch.count; n++) gap = Math.min(gap, patch.gap[n]);
    return gap;
  }
}

// how fast the outlines of two shapes come towards each other at most, m/s
function measureOutlinePace({ one, two }: Touch): number {
  let square = 0;
  for (let k = 0; k < 3; k++) square += (one.velocity[k] - two.velocity[k]) ** 2;
  return Math.sqrt(square) + one.outlineSpeed + two.outlineSpeed;
}
