/** Length of differences of controls and activations, on which inputs of actuators depend piecewise linearly. */
const DIFFERENCE = 1e-6;

/** Centred difference of what number k makes of another. */
export function vary(values: Float64Array, k: number, read: () => number): number {
  const at = values[k];
  values[k] = at + DIFFERENCE;
  const after = read();
  values[k] = at - DIFFERENCE;
  const before = read();
  values[k] = at;
  return (0.5 * (after - before)) / DIFFERENCE;
}
