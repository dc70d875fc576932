/**
 * Numbers that are kept with their times, a ring of n samples of d numbers each in a run of a larger array:
 *   a number of the owner's; the place of the latest sample; n times, s; n times d numbers
 * A reading at a time is the last sample before (hold), on the straight line between two, or on the cubic of Catmull and Rom through four.
 * Beyond the ends it is the first or the last. Behaviour of MuJoCo 4.0.
 */

/** Where a ring is in its array, and its size. */
export interface Ring {
  readonly start: number;
  readonly samples: number;
  readonly width: number;
}

/** How readings between samples are made. */
export type Interpolation = 'hold' | 'linear' | 'cubic';

/** Times that are sums of steps differ by so much from what they are meant to be, s. */
const ROUND_OFF = 1e-10;

/** Places of the numbers before the times. */
const LATEST = 1;
const TIMES = 2;

/** How many numbers a ring has. */
export function measureRing(samples: number, width: number): number {
  return samples === 0 ? 0 : TIMES + samples * (1 + width);
}

/** As many samples as a reading so late needs: those of the delay, one before, and two more around a cubic. */
export function countDelayed(delay: number, period: number, interpolation: Interpolation | undefined): number {
  return Math.ceil(delay / period) + (interpolation === 'cubic' ? 3 : 1);
}

/** Zeros before a time; `place` says where the k-th from the last lies from it, s, a negative number. */
export function resetRing(
  all: Float64Array,
  { start, samples, width }: Ring,
  time: number,
  place: (k: number) => number,
): void {
  all.fill(0, start, start + measureRing(samples, width));
  all[start + LATEST] = samples - 1;
  for (let k = 0; k < samples; k++) all[start + TIMES + k] = time + place(samples - k);
}

/** Keeps a sample, in place of the oldest. */
export function addSample(
  all: Float64Array,
  { start, samples, width }: Ring,
  time: number,
  values: Float64Array,
  at: number,
): void {
  const place = (all[start + LATEST] + 1) % samples;
  all[start + LATEST] = place;
  all[start + TIMES + place] = time;
  for (let k = 0; k < width; k++) all[start + TIMES + samples + width * place + k] = values[at + k];
}

/** Writes the reading of a time. */
export function readSample(
  all: Float64Array,
  { start, samples: n, width: d }: Ring,
  time: number,
  interpolation: Interpolation,
  out: Float64Array,
  at: number,
): void {
  const times = start + TIMES;
  const oldest = all[times - 1] + 1;
  const placeOf = (i: number): number => (oldest + Math.min(n - 1, Math.max(0, i))) % n;
  // the last that is not later
  let i = n - 1;
  while (i > 0 && all[times + placeOf(i)] > time + ROUND_OFF) i--;
  const values = times + n;
  const a = placeOf(i);
  const b = placeOf(i + 1);
  const from = all[times + a];
  const until = all[times + b];
  const share = until > from && time > from ? (time - from) / (until - from) : 0;
  for (let k = 0; k < d; k++) {
    const p1 = all[values + d * a + k];
    const p2 = all[values + d * b + k];
    if (interpolation === 'hold' || share === 0) out[at + k] = p1;
    else if (interpolation === 'linear') out[at + k] = p1 + share * (p2 - p1);
    else {
      const p0 = all[values + d * placeOf(i - 1) + k];
      const p3 = all[values + d * placeOf(i + 2) + k];
      const half = 0.5 * share;
      out[at + k] = p1 + half * (p2 - p0 + share * (2 * p0 - 5 * p1 + 4 * p2 - p3 + share * (3 * (p1 - p2) + p3 - p0)));
    }
  }
}
