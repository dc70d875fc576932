/** Axes of plots: a range, round ticks, and where a value lies between 0 and 1. */
import { formatShort } from '../compare-table.ts';

export interface Axis {
  place(value: number): number;
  ticks: { value: number; label: string }[];
}

/** Ratio of largest to smallest from which values are on powers of ten. */
const LOG_RATIO = 300;
/** Decades shown at most. */
const MOST_DECADES = 12;

/** Even steps of 1, 2 or 5 times a power of ten. */
export function createLinearAxis(low: number, high: number, count = 5): Axis {
  const [from, to] = low === high ? [low - (Math.abs(low) || 1) / 2, high + (Math.abs(high) || 1) / 2] : [low, high];
  const raw = (to - from) / count;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((candidate) => candidate >= raw)!;
  const first = Math.floor(from / step) * step;
  const last = Math.ceil(to / step - 1e-9) * step;
  const ticks = Array.from({ length: Math.round((last - first) / step) + 1 }, (_, k) => {
    const value = Number((first + k * step).toPrecision(12));
    return { value, label: formatShort(value) };
  });
  return { place: (value) => (value - first) / (last - first), ticks };
}

/** Powers of ten; 1, 2 and 5 times them where less than two are spanned. Smaller values are drawn at the bottom. */
export function createLogAxis(low: number, high: number, hasLess = false): Axis {
  if (high / low < 30) return createNarrowLogAxis(low / 1.15, high * 1.15);
  const top = Math.ceil(Math.log10(high) - 1e-9);
  const bottom = Math.max(Math.floor(Math.log10(low) + 1e-9), top - MOST_DECADES);
  const span = Math.max(1, top - bottom);
  const every = Math.ceil(span / 5);
  const ticks: Axis['ticks'] = [];
  for (let power = bottom; power <= bottom + span; power += every)
    ticks.push({ value: 10 ** power, label: `1e${power}` });
  if (hasLess || low < 0.999 * 10 ** bottom) ticks[0]!.label = `≤ ${ticks[0]!.label}`;
  return { place: (value) => (value > 0 ? Math.max(0, (Math.log10(value) - bottom) / span) : 0), ticks };
}

/** Names in equal distances, by their numbers from 0; at most so many of them are ticks. */
export function createNamedAxis(names: readonly string[], most: number): Axis {
  const every = Math.ceil(names.length / most);
  const ticks = names.map((label, value) => ({ value, label })).filter(({ value }) => value % every === 0);
  return { place: (value) => (value + 0.5) / names.length, ticks };
}

/** Powers of ten where values are never below zero and far apart, else even steps from zero. */
export function chooseAxis(values: readonly number[]): Axis {
  const finite = values.filter((value) => Number.isFinite(value));
  if (finite.length === 0) return createLinearAxis(0, 1);
  const low = finite.reduce((least, value) => Math.min(least, value), Infinity);
  const high = finite.reduce((most, value) => Math.max(most, value), -Infinity);
  const positive = finite.filter((value) => value > 0).reduce((least, value) => Math.min(least, value), Infinity);
  if (low >= 0 && high / positive > LOG_RATIO) return createLogAxis(positive, high, low === 0);
  return createLinearAxis(Math.min(0, low), Math.max(0, high));
}

function createNarrowLogAxis(low: number, high: number): Axis {
  const ticks: Axis['ticks'] = [];
  for (let power = Math.floor(Math.log10(low)); power <= Math.ceil(Math.log10(high)); power++) {
    for (const factor of [1, 2, 5]) {
      const value = Number(`${factor}e${power}`);
      if (value >= low && value <= high) ticks.push({ value, label: formatShort(value) });
    }
  }
  const span = Math.log(high / low);
  return { place: (value) => (value > 0 ? Math.max(0, Math.log(value / low) / span) : 0), ticks };
}
