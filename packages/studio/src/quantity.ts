/** Numbers with their units, in a width that does not jump. */

/** Four significant digits, with a prefix of the unit where it helps: 0.00123 J is 1.23 mJ. */
export function formatQuantity(value: number, unit: string): string {
  if (!Number.isFinite(value)) return `– ${unit}`;
  const size = Math.abs(value);
  if (size < 5e-13) return `0 ${unit}`;
  if (size >= BEYOND) return formatBeyond(value, unit);
  const prefix = PREFIXES.find(({ factor }) => size >= factor * 0.9995) ?? PREFIXES.at(-1)!;
  const scaled = value / prefix.factor;
  const digits = Math.max(0, 3 - Math.floor(Math.log10(Math.max(Math.abs(scaled), 1e-3))));
  return `${scaled.toFixed(Math.min(digits, 3)).replace('-', '−')} ${prefix.name}${unit}`;
}

/** Three digits, for narrow columns: 1.23 mJ. */
export function formatShort(value: number, unit: string): string {
  if (!Number.isFinite(value)) return '–';
  return Math.abs(value) < 5e-13 ? `0 ${unit}` : formatRound(Number(value.toPrecision(3)), unit);
}

/** A round number as short as it can be: 50 N, 2 kN; without a unit 0.05. */
export function formatRound(value: number, unit: string): string {
  if (Math.abs(value) >= BEYOND) return formatBeyond(value, unit);
  // a prefix alone would read as a unit: m is not 1/1000
  if (unit === '') return String(Number(value.toPrecision(4))).replaceAll('-', '−');
  const prefix = PREFIXES.find(({ factor }) => Math.abs(value) >= factor * 0.9995) ?? PREFIXES.at(-1)!;
  return `${Number((value / prefix.factor).toPrecision(4))} ${prefix.name}${unit}`.replace('-', '−');
}

/** Seconds of simulated time, to the millisecond. */
export function formatTime(time: number): string {
  return `${time.toFixed(3)} s`;
}

/** A ratio to real time, as in `0.25×`; a slow scene has two digits as well, as in `0.0031×`. */
export function formatFactor(factor: number): string {
  if (factor > 0 && factor < 0.0995) return `${Number(factor.toPrecision(2))}×`;
  return `${factor >= 9.995 ? factor.toFixed(1) : factor.toFixed(2)}×`;
}

export function formatMass(mass: number): string {
  if (mass >= 1000) return `${(mass / 1000).toPrecision(4)} t`;
  if (mass > 0 && mass < 1) return `${Number((1000 * mass).toPrecision(4))} g`;
  return `${Number(mass.toPrecision(4))} kg`;
}

/** A length of a ruler, as in `5 cm`. */
export function formatLength(length: number): string {
  if (length >= 1000) return `${Number((length / 1000).toPrecision(4))} km`;
  if (length >= 1) return `${Number(length.toPrecision(4))} m`;
  if (length >= 0.01) return `${Number((100 * length).toPrecision(4))} cm`;
  return `${Number((1000 * length).toPrecision(4))} mm`;
}

/** Metres as millimetres without the unit, for a column that names it. */
export function formatMillimetres(length: number): string {
  const text = (1000 * length).toFixed(3);
  return Number(text) === 0 ? '0.000' : text.replace('-', '−');
}

/** Newtons without the unit, for a column that names it: four digits, of which no more than three behind the point. */
export function formatForce(force: number): string {
  const size = Math.abs(force);
  if (size < 5e-4) return '0';
  const digits = Math.min(3, Math.max(0, 3 - Math.floor(Math.log10(size))));
  return force.toFixed(digits).replace('-', '−');
}

/** A number beyond all prefixes, as runs that diverge have them: 3.2e45 J. */
function formatBeyond(value: number, unit: string): string {
  return `${value.toExponential(1).replace('e+', 'e').replace('-', '−')} ${unit}`.trimEnd();
}

/** From here on there are no prefixes. */
const BEYOND = 9.995e11;
const PREFIXES = [
  { factor: 1e9, name: 'G' },
  { factor: 1e6, name: 'M' },
  { factor: 1e3, name: 'k' },
  { factor: 1, name: '' },
  { factor: 1e-3, name: 'm' },
  { factor: 1e-6, name: 'µ' },
  { factor: 1e-9, name: 'n' },
  { factor: 1e-12, name: 'p' },
] as const;
