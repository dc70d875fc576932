/**
 * Tangents of a contact: the first is the given direction, or (0, 1, 0) where |n_y| < ½ and (0, 0, 1) elsewhere, made
 * orthogonal to the normal; the second is n × t₁. MuJoCo's choice: friction pyramids depend on it.
 */
export function writeContactFrame(
  frame: Float64Array,
  o: number,
  nx: number,
  ny: number,
  nz: number,
  hintX: number,
  hintY: number,
  hintZ: number,
): void {
  let tx = hintX;
  let ty = hintY;
  let tz = hintZ;
  // a direction that is absent or along the normal gives no tangent
  const along = tx * nx + ty * ny + tz * nz;
  if ((tx - along * nx) ** 2 + (ty - along * ny) ** 2 + (tz - along * nz) ** 2 < 1e-20) {
    const isSteep = ny < 0.5 && ny > -0.5;
    tx = 0;
    ty = isSteep ? 1 : 0;
    tz = isSteep ? 0 : 1;
  }
  const dot = tx * nx + ty * ny + tz * nz;
  tx -= dot * nx;
  ty -= dot * ny;
  tz -= dot * nz;
  const scale = 1 / Math.sqrt(tx * tx + ty * ty + tz * tz);
  tx *= scale;
  ty *= scale;
  tz *= scale;
  frame[o] = nx;
  frame[o + 1] = ny;
  frame[o + 2] = nz;
  frame[o + 3] = tx;
  frame[o + 4] = ty;
  frame[o + 5] = tz;
  frame[o + 6] = ny * tz - nz * ty;
  frame[o + 7] = nz * tx - nx * tz;
  frame[o + 8] = nx * ty - ny * tx;
}
