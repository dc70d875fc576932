/**
 * Adds scale · ∂²W/∂xₐ∂x_b, nine numbers at from[o], rows of a, to a block-sparse matrix of which `place` is the place of the pair, and
 * takes it off the two diagonal blocks: for energies that do not change when a body is moved, diagonal blocks are minus the sums of
 * the others. A pair of a vertex with itself leaves the diagonal as it is.
 */
export function addPairBlock(
  values: Float64Array,
  place: number,
  a: number,
  b: number,
  from: Float64Array,
  o: number,
  scale: number,
): void {
  if (a === b || place < 0) return;
  const p = 9 * a;
  const q = 9 * b;
  const isStraight = a > b;
  for (let i = 0; i < 3; i++) {
    for (let j = 0; j < 3; j++) {
      const value = scale * from[o + 3 * i + j];
      values[place + (isStraight ? 3 * i + j : 3 * j + i)] += value;
      values[p + 3 * i + j] -= value;
      values[q + 3 * j + i] -= value;
    }
  }
}
