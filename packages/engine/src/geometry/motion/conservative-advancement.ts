/**
 * Conservative advancement: time advances by intervals in which the distance provably stays above the bound.
 *
 *   t ← t + s(t),   s a span with δ(t + τ) > ξ + (1 − η)(δ(t) − ξ) for all τ ≤ s
 *
 * δ a lower bound of the distance, m; ξ the separation, m; η the fraction of the gap δ − ξ that a span may use up. In its
 * plainest form s = η (δ − ξ)/L, with L a bound of the speed of approach (m per unit of t).
 *
 * Ends: `free` when a span reaches the end; `hit` when the gap has shrunk to the fraction `rest` of its initial value; the
 * time returned is then one whose distance was measured and is above ξ, and never later than the first time at which the
 * distance is ξ. `capped` when the iterations are used up or time does not move: the time reached is safe and counts as a hit.
 * An undecided case is never called free.
 *
 * Sources: Mirtich 1996 (conservative advancement); Li et al. 2021, Codimensional IPC (the relative end).
 */

/** Two things in motion. */
export interface Approach {
  /** A lower bound of their distance at t, m. */
  measure(t: number): number;
  /** A span from the time measured last in which their distance stays at least `floor` (below the measured one), ≥ 0. */
  span(floor: number): number;
}

/** What the search for a time of impact found. */
export interface TimeOfImpact {
  /** `free`: no impact; `hit`: an impact at `time`; `capped`: the most iterations were used, free up to `time`. */
  status: 'free' | 'hit' | 'capped';
  /** Up to this time the distance is above the separation. */
  time: number;
  /** Lower bound of the distance measured last at or before `time`, m. */
  distance: number;
  /** Distances measured. */
  iterations: number;
}

/** State of the search. */
export interface AdvanceOptions {
  /** Part of the path that is checked. */
  start: number;
  /** End of the part that is checked. */
  end: number;
  /** η in (0, 1). */
  fraction: number;
  /** Share of the first gap at which it ends, in (0, 1). */
  rest: number;
  /** Most iterations. */
  limit: number;
}

/** The whole path, with steps of nine tenths of the gap. */
export const ADVANCE_DEFAULTS: Readonly<AdvanceOptions> = { start: 0, end: 1, fraction: 0.9, rest: 0.1, limit: 256 };

/** An empty result, to be written by searches. */
export function createTimeOfImpact(): TimeOfImpact {
  return { status: 'free', time: 0, distance: 0, iterations: 0 };
}

/** Advances from options.start until the things are about to be as near as `separation`; true where the path is not free. */
export function advance(
  out: TimeOfImpact,
  approach: Approach,
  separation: number,
  options: Readonly<AdvanceOptions>,
): boolean {
  const { start, end, fraction, rest, limit } = options;
  out.time = start;
  let t = start;
  let stop = 0;
  for (let k = 1; ; k++) {
    const distance = approach.measure(t);
    const gap = distance - separation;
    out.iterations = k;
    // not apart, by rounding alone when k > 1: the time before is the safe one
    if (!(gap > 0)) {
      if (k === 1) out.distance = distance;
      out.status = 'hit';
      return true;
    }
    out.time = t;
    out.distance = distance;
    if (k === 1) {
      stop = rest * gap;
    } else if (gap <= stop) {
      out.status = 'hit';
      return true;
    }
    const next = t + approach.span(separation + (1 - fraction) * gap);
    if (next >= end) {
      out.status = 'free';
      out.time = end;
      return false;
    }
    if (k >= limit || !(next > t)) {
      out.status = 'capped';
      return true;
    }
    t = next;
  }
}
