/** Poses of all bodies, seven single-precision numbers each: position x y z, orientation w x y z. */
export function packPoses({
  bodyPosition,
  bodyOrientation,
}: {
  readonly bodyPosition: Float64Array;
  readonly bodyOrientation: Float64Array;
}): Float32Array {
  const count = bodyPosition.length / 3;
  const poses = new Float32Array(7 * count);
  for (let body = 0; body < count; body++) {
    for (let i = 0; i < 3; i++) poses[7 * body + i] = bodyPosition[3 * body + i]!;
    for (let i = 0; i < 4; i++) poses[7 * body + 3 + i] = bodyOrientation[4 * body + i]!;
  }
  return poses;
}
