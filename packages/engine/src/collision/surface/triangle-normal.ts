/** (t₁ − t₀) × (t₂ − t₀) of triangle t: normal to it and twice its area long. */
export function writeTriangleNormal(out: Float64Array, x: Float64Array, triangle: Int32Array, t: number): void {
  const p = 3 * triangle[3 * t];
  const q = 3 * triangle[3 * t + 1];
  const r = 3 * triangle[3 * t + 2];
  const ux = x[q] - x[p];
  const uy = x[q + 1] - x[p + 1];
  const uz = x[q + 2] - x[p + 2];
  const vx = x[r] - x[p];
  const vy = x[r + 1] - x[p + 1];
  const vz = x[r + 2] - x[p + 2];
  out[0] = uy * vz - uz * vy;
  out[1] = uz * vx - ux * vz;
  out[2] = ux * vy - uy * vx;
}
