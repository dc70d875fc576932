/** How far two states of a scene are apart: the largest distance of a body from its twin, m. */
export function measureDifference(one: Float32Array, two: Float32Array): number {
  let most = 0;
  const count = Math.min(one.length, two.length) / 7;
  for (let body = 1; body < count; body++) {
    const o = 7 * body;
    most = Math.max(most, Math.hypot(one[o]! - two[o]!, one[o + 1]! - two[o + 1]!, one[o + 2]! - two[o + 2]!));
  }
  return most;
}
