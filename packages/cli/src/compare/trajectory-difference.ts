/**
 * How far two runs of the same scene are apart: the largest distance between the two places of a mark on a body (body-marks.ts),
 * over the samples that both runs have.   d(t) = max_i |x_i(t) − y_i(t)|, m
 */
import type { Series } from './series.ts';

export interface Difference {
  /** d at each common sample, m. */
  distance: number[];
  /** Largest and last, m; NaN where no sample is common. */
  max: number;
  final: number;
}

export function measureDifference(one: Series, two: Series): Difference {
  const count = Math.min(one.time.length, two.time.length);
  const distance: number[] = [];
  for (let k = 0; k < count; k++) distance.push(measureDistance(one.positions[k]!, two.positions[k]!));
  return {
    distance,
    max: distance.reduce((most, value) => Math.max(most, value), count > 0 ? 0 : Number.NaN),
    final: distance.at(-1) ?? Number.NaN,
  };
}

/** Largest distance of a point of one list to the same point of the other, m. */
export function measureDistance(one: Float64Array, two: Float64Array): number {
  let most = 0;
  for (let i = 0; i < Math.min(one.length, two.length); i += 3) {
    most = Math.max(most, Math.hypot(one[i]! - two[i]!, one[i + 1]! - two[i + 1]!, one[i + 2]! - two[i + 2]!));
  }
  return most;
}
