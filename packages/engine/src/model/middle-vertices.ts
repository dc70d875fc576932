/** Which vertices in the middle of edges belong to a list of vertices. */

/**
 * The list and, behind it, the middles of edges of which `least` ends are in it. `ends` are the two ends of every middle from vertex
 * `first` on.
 */
export function includeMiddles(
  vertices: readonly number[],
  ends: Int32Array,
  first: number,
  least: 1 | 2 = 2,
): number[] {
  if (ends.length === 0) return [...vertices];
  const isListed = new Set(vertices);
  const all = [...vertices];
  for (let m = 0; m < ends.length / 2; m++) {
    const middle = first + m;
    const found = (isListed.has(ends[2 * m]) ? 1 : 0) + (isListed.has(ends[2 * m + 1]) ? 1 : 0);
    if (found >= least && !isListed.has(middle)) all.push(middle);
  }
  return all;
}
