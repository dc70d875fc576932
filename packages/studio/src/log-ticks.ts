/** Axes over powers of ten. */

/** Whole powers of ten around some values; a wide one where there are none. */
export function logRange(min: number | null, max: number | null): [number, number] {
  if (!(min! > 0) || !(max! > 0)) return [1e-12, 1];
  const low = Math.floor(Math.log10(min!) + 1e-9);
  const high = Math.ceil(Math.log10(max!) - 1e-9);
  // at least two decades, so that one value does not fill the plot
  return [powerOfTen(Math.min(low, high - 2)), powerOfTen(high)];
}

/** Powers of ten between two of them, not more than some. */
export function logTicks(low: number, high: number, most = 4): number[] {
  const [first, last] = [Math.round(Math.log10(low)), Math.round(Math.log10(high))];
  const every = Math.max(1, Math.ceil((last - first) / (most - 1)));
  const ticks: number[] = [];
  for (let power = last; power >= first; power -= every) ticks.unshift(powerOfTen(power));
  return ticks;
}

/** The number itself, as `1e-4` is read; `10 ** -4` may be its neighbour. */
function powerOfTen(power: number): number {
  return Number(`1e${power}`);
}

const RAISED = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];

/** A power of ten as people write it: 10⁻⁸. */
export function formatPower(value: number): string {
  const power = Math.round(Math.log10(value));
  const digits = [...String(Math.abs(power))].map((digit) => RAISED[Number(digit)]).join('');
  return power === 0 ? '1' : power === 1 ? '10' : `10${power < 0 ? '⁻' : ''}${digits}`;
}

/** A small or large number in few characters: 3.1e−9; zero is 0. */
export function formatScientific(value: number): string {
  if (value === 0) return '0';
  if (!Number.isFinite(value)) return '–';
  const size = Math.abs(value);
  const text = size >= 0.01 && size < 1e4 ? String(Number(value.toPrecision(3))) : value.toExponential(1);
  return text.replace('e+', 'e').replaceAll('-', '−');
}

/** Ends of an axis with a little room. Values that differ by rounding alone stand in the middle of an axis that has round ticks. */
export function roomyRange(min: number, max: number): [number, number] {
  const [low, high] = [min ?? 0, max ?? 0];
  const size = Math.max(Math.abs(low), Math.abs(high));
  if (!(high - low > 1e-6 * size)) return [low - (0.1 * size || 0.5), high + (0.1 * size || 0.5)];
  const pad = 0.06 * (high - low);
  return [low - pad, high + pad];
}
