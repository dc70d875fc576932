/**
 * A field known in a box, extended beyond it: with p the point of the box nearest to x,
 *
 *   φ(x) = √(φ(p)² + |x − p|²),
 *
 * which never exceeds the distance to a solid inside the box (the angle between x − p and the direction from p to the solid is not acute).
 * Its Lipschitz bound is the larger of one and that in the box.
 */

/** The value at x, from that at p; (dx, dy, dz) = x − p, zero inside, m. */
export function extendValue(value: number, dx: number, dy: number, dz: number): number {
  const away = dx * dx + dy * dy + dz * dz;
  if (away === 0) return value;
  return value > 0 ? Math.sqrt(value * value + away) : value + Math.sqrt(away);
}

/** As `extendValue`, and turns the gradient at p in `out` into that at x. */
export function extendGradient(out: Float64Array, value: number, dx: number, dy: number, dz: number): number {
  const away = dx * dx + dy * dy + dz * dz;
  if (away === 0) return value;
  // along the box by the chain rule, out of it by the distance
  const extended = extendValue(value, dx, dy, dz);
  const along = value > 0 ? value / extended : 1;
  const across = 1 / (value > 0 ? extended : Math.sqrt(away));
  out[0] = dx === 0 ? along * out[0] : across * dx;
  out[1] = dy === 0 ? along * out[1] : across * dy;
  out[2] = dz === 0 ? along * out[2] : across * dz;
  return extended;
}
