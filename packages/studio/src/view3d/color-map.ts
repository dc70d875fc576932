/** From zero to the maximum: dark blue, teal, yellow. Brightness increases monotonically, so it is readable without colours too. */
const STOPS: readonly (readonly [number, number, number])[] = [
  [0.3, 0.3, 0.72],
  [0.22, 0.47, 0.7],
  [0.15, 0.62, 0.62],
  [0.48, 0.77, 0.36],
  [0.99, 0.9, 0.24],
];

/** Writes red, green and blue of a value from 0 to 1, as a screen shows them. */
export function writeMapColor(target: Float32Array, at: number, value: number): void {
  const place = Math.min(Math.max(value, 0), 1) * (STOPS.length - 1);
  const low = Math.min(Math.floor(place), STOPS.length - 2);
  for (let k = 0; k < 3; k++) {
    const mixed = STOPS[low]![k]! + (place - low) * (STOPS[low + 1]![k]! - STOPS[low]![k]!);
    // the view works in linear light
    target[at + k] = mixed ** 2.2;
  }
}

/** The map as a background of the style sheet, least on the left. */
export const MAP_GRADIENT: string = `linear-gradient(to right, ${STOPS.map(
  (stop) => `rgb(${stop.map((part) => Math.round(255 * part)).join(' ')})`,
).join(', ')})`;

/** The map as a function of GLSL. */
export const MAP_GLSL: string = `
vec3 mapColor(float value) {
  float place = clamp(value, 0.0, 1.0) * ${(STOPS.length - 1).toFixed(1)};
  ${STOPS.map((stop, i) => `vec3 s${i} = vec3(${stop.map((part) => part.toFixed(3)).join(', ')});`).join('\n  ')}
  vec3 color = s0;
  ${STOPS.slice(1)
    .map((_, i) => `color = mix(color, s${i + 1}, clamp(place - ${i.toFixed(1)}, 0.0, 1.0));`)
    .join('\n  ')}
  return color;
}
`;

/** The next of 1, 2, 5 times a power of ten that is not below a value. */
export function roundUp(value: number): number {
  if (!(value > 0)) return 0;
  const power = 10 ** Math.floor(Math.log10(value));
  const mantissa = value / power;
  return power * (mantissa <= 1 ? 1 : mantissa <= 2 ? 2 : mantissa <= 5 ? 5 : 10);
}
