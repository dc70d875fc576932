/**
 * The stiffness of the barrier from step to step. Loads far beyond the weights that κ is made for (barrier-pressure.ts), as in a chain that
 * whips or a net of rings, press surfaces to within a thousandth of d̂. A step of some centimetres then bends the paths of surfaces by many
 * times such a gap, so that CCD cuts it into dozens of pieces. So κ follows the gap that the last step has left:
 *   κ⁺ = κ min(8, max(½, s d̂/d))      κ₀ ≤ κ⁺ ≤ R κ₀
 * κ₀ the stiffness of the model, Pa; d the least gap, m; s d̂ the gap aimed at. Under a load F at a small gap κ ~ F d, so that one step of the
 * rule is enough if F stays. Within a quarter of that gap κ stays as it is, so that steps at rest repeat. Where d ≥ s d̂ under κ₀, κ is κ₀.
 * In steps below 1 ms κ does not rise: they resolve an impact, and what is pressed together at κ and comes apart at κ⁺ has gained κ⁺/κ of the
 * energy of the barrier. Longer steps lose far more than that.
 * The state has an entry (2, 1) with κ/κ₀ where it is not 1, behind the fingerprint of the poses. Friction at the start of a step is that of
 * the κ that acted before.
 */
import type { ConstraintImpulses } from '../../state/constraint-impulses.ts';

const FINGERPRINT = 2;
const STIFFNESS = 1;

/** s. */
const AIM = 0.05;
/** Bounds of s d̂/d within which κ stays. */
const LOOSER = 0.8;
const TIGHTER = 1.25;
/** Steps below it resolve impacts, s. */
const IMPACT_TIME = 1e-3;
/** Least and most factor of a step. */
const LEAST = 0.5;
const MOST = 8;
/** R. */
export const KEPT_RANGE: number = 1000;

const entry = /* @__PURE__ */ new Float64Array(1);

/** κ/κ₀ of the step before; 1 where there was none. */
export function readStiffness(state: ConstraintImpulses): number {
  state.rewind();
  const at = state.find(FINGERPRINT, STIFFNESS);
  return at < 0 ? 1 : state.value[at];
}

/** Keeps κ/κ₀ for the next step; written behind the fingerprint. */
export function writeStiffness(out: ConstraintImpulses, ratio: number): void {
  if (ratio === 1) return;
  entry[0] = ratio;
  out.add(FINGERPRINT, STIFFNESS, entry, 0, 1);
}

/** Whether κ may rise, for a step of h seconds. */
export function mayStiffen(h: number): boolean {
  return h >= IMPACT_TIME;
}

/** κ/κ₀ of a step of h seconds, from that of the step before and the least gap at its start (m). */
export function chooseStiffness(before: number, gap: number, range: number, h: number): number {
  const factor = (AIM * range) / gap;
  if (factor > LOOSER && factor < TIGHTER) return before;
  const most = mayStiffen(h) ? MOST : 1;
  return Math.min(KEPT_RANGE, Math.max(1, before * Math.min(most, Math.max(LEAST, factor))));
}
