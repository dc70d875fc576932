/**
 * Measurements that sensors keep, for readings that are late or stay for an interval. Per sensor: when the last measurement was due, s; the
 * place of the latest; n times, s; n times d numbers. Before the start they are zero, one interval or step apart.
 *   a reading of age T at time t is that of t − T: the last measurement before (hold), on the straight line between two, or on the cubic
 *   of Catmull and Rom through four. Beyond the ends it is the first or the last.
 * A measurement is taken when an interval has gone by since the last was due. The one of the step itself counts only where T = 0.
 * Behaviour of MuJoCo 4.0.
 */
import type { Model } from '../model/model.ts';

/** Times that are sums of steps differ by so much from what they are meant to be, s. */
const ROUND_OFF = 1e-10;

/** Places of the first two numbers. */
const DUE = 0;
const LATEST = 1;
const TIMES = 2;

/** Zeros up to the time of the start. */
export function resetHistory({ sensor, options }: Model, history: Float64Array, time: number): void {
  for (let s = 0; s < sensor.samples.length; s++) {
    const n = sensor.samples[s];
    if (n === 0) continue;
    const start = sensor.historyStart[s];
    const period = sensor.interval[s] > 0 ? sensor.interval[s] : options.timestep;
    history[start + DUE] = time - period;
    history[start + LATEST] = n - 1;
    for (let k = 0; k < n; k++) history[start + TIMES + k] = time - (n - k) * period;
  }
}

/** Whether sensor s is to measure at a time. */
export function isDue({ sensor }: Model, history: Float64Array, s: number, time: number): boolean {
  return sensor.interval[s] === 0 || time >= history[sensor.historyStart[s] + DUE] + sensor.interval[s];
}

/** Keeps d numbers of sensor s that were measured at a time. */
export function keepMeasurement(
  { sensor }: Model,
  history: Float64Array,
  s: number,
  time: number,
  values: Float64Array,
  at: number,
): void {
  const n = sensor.samples[s];
  const d = sensor.dimension[s];
  const start = sensor.historyStart[s];
  const place = (history[start + LATEST] + 1) % n;
  if (sensor.interval[s] > 0) history[start + DUE] += sensor.interval[s];
  history[start + LATEST] = place;
  history[start + TIMES + place] = time;
  for (let k = 0; k < d; k++) history[start + TIMES + n + d * place + k] = values[at + k];
}

/** Writes the reading of sensor s at a time. */
export function readHistory(
  { sensor }: Model,
  history: Float64Array,
  s: number,
  time: number,
  out: Float64Array,
  at: number,
): void {
  const n = sensor.samples[s];
  const d = sensor.dimension[s];
  const times = sensor.historyStart[s] + TIMES;
  const oldest = history[times - 1] + 1;
  const placeOf = (i: number): number => (oldest + Math.min(n - 1, Math.max(0, i))) % n;
  const target = time - sensor.delay[s];
  // the last that is not later
  let i = n - 1;
  while (i > 0 && history[times + placeOf(i)] > target + ROUND_OFF) i--;
  const values = times + n;
  const a = placeOf(i);
  const b = placeOf(i + 1);
  const from = history[times + a];
  const until = history[times + b];
  const { interpolation = 'hold' } = sensor.source[s];
  const share = until > from && target > from ? (target - from) / (until - from) : 0;
  for (let k = 0; k < d; k++) {
    const p1 = history[values + d * a + k];
    const p2 = history[values + d * b + k];
    if (interpolation === 'hold' || share === 0) out[at + k] = p1;
    else if (interpolation === 'linear') out[at + k] = p1 + share * (p2 - p1);
    else {
      const p0 = history[values + d * placeOf(i - 1) + k];
      const p3 = history[values + d * placeOf(i + 2) + k];
      const half = 0.5 * share;
      out[at + k] = p1 + half * (p2 - p0 + share * (2 * p0 - 5 * p1 + 4 * p2 - p3 + share * (3 * (p1 - p2) + p3 - p0)));
    }
  }
}
