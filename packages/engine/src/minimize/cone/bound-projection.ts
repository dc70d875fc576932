/** The nearest points of half-lines γ ≥ 0 and of boxes lower ≤ γ ≤ upper, row by row. */

export function projectNonnegative(out: Float64Array, x: Float64Array, first: number, end: number): void {
  for (let i = first; i < end; i++) out[i] = Math.max(x[i], 0);
}

export function projectBox(
  out: Float64Array,
  x: Float64Array,
  first: number,
  end: number,
  lower: Float64Array,
  upper: Float64Array,
): void {
  for (let i = first; i < end; i++) out[i] = x[i] < lower[i] ? lower[i] : Math.min(x[i], upper[i]);
}
