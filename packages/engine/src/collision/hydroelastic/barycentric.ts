/**
 * Barycentric coordinates of a point in a tetrahedron: λ_k = V(x in place of corner k) / V, Σ λ_k = 1, Σ λ_k x_k = x.
 */

/** Writes λ of the point at `points[i]`; corners are vertices `corner[t]` to `corner[t + 3]` of x. Where there is no volume all are ¼. */
export function writeBarycentric(
  out: Float64Array,
  x: Float64Array,
  corner: Int32Array,
  t: number,
  points: Float64Array,
  i: number,
): void {
  const [a, b, c, d] = [3 * corner[t], 3 * corner[t + 1], 3 * corner[t + 2], 3 * corner[t + 3]];
  // edges from the last corner, and the point seen from there
  const ux = x[a] - x[d];
  const uy = x[a + 1] - x[d + 1];
  const uz = x[a + 2] - x[d + 2];
  const vx = x[b] - x[d];
  const vy = x[b + 1] - x[d + 1];
  const vz = x[b + 2] - x[d + 2];
  const wx = x[c] - x[d];
  const wy = x[c + 1] - x[d + 1];
  const wz = x[c + 2] - x[d + 2];
  const px = points[i] - x[d];
  const py = points[i + 1] - x[d + 1];
  const pz = points[i + 2] - x[d + 2];
  const volume = ux * (vy * wz - vz * wy) + uy * (vz * wx - vx * wz) + uz * (vx * wy - vy * wx);
  if (volume === 0) {
    out.fill(0.25, 0, 4);
    return;
  }
  out[0] = (px * (vy * wz - vz * wy) + py * (vz * wx - vx * wz) + pz * (vx * wy - vy * wx)) / volume;
  out[1] = (ux * (py * wz - pz * wy) + uy * (pz * wx - px * wz) + uz * (px * wy - py * wx)) / volume;
  out[2] = (ux * (vy * pz - vz * py) + uy * (vz * px - vx * pz) + uz * (vx * py - vy * px)) / volume;
  out[3] = 1 - out[0] - out[1] - out[2];
}
