/**
 * How far two surfaces are apart between the vertices of one of them: what is lost of edges and details that are finer than a lattice.
 *
 *   the larger of   max |φ₀(x)| over the middles x of the triangles of the new surface
 *                   max φ₁(y)   over the points y of the given triangles, at most the spacing apart
 *
 * φ₀ and φ₁ are the signed distances of the given and of the new surface (m), positive outside. Given triangles inside the new solid,
 * where parts overlap, do not count.
 */
import { ExactMeshField } from '../signed-distance/exact-mesh-field.ts';

interface Triangles {
  vertices: Float64Array;
  triangles: Int32Array;
}

/** Most points along an edge of a given triangle. */
const MAX_POINTS = 64;

/** @param spacing distance of the points at which given triangles are looked at, m */
export function measureLostDetail(
  given: Triangles,
  givenField: ExactMeshField,
  made: Triangles,
  spacing: number,
): number {
  let largest = 0;
  const { vertices: p, triangles } = made;
  for (let t = 0; t < triangles.length; t += 3) {
    const [a, b, c] = [3 * triangles[t], 3 * triangles[t + 1], 3 * triangles[t + 2]];
    const middle = (k: number): number => (p[a + k] + p[b + k] + p[c + k]) / 3;
    largest = Math.max(largest, Math.abs(givenField.distance(middle(0), middle(1), middle(2))));
  }
  const field = new ExactMeshField(made);
  visitPoints(given, spacing, (x, y, z) => {
    largest = Math.max(largest, field.distance(x, y, z));
  });
  return largest;
}

function visitPoints(
  { vertices: p, triangles }: Triangles,
  spacing: number,
  visit: (x: number, y: number, z: number) => void,
): void {
  for (let t = 0; t < triangles.length; t += 3) {
    const [a, b, c] = [3 * triangles[t], 3 * triangles[t + 1], 3 * triangles[t + 2]];
    const longest = Math.max(lengthOf(p, a, b), lengthOf(p, b, c), lengthOf(p, c, a));
    const n = Math.min(Math.max(Math.ceil(longest / spacing), 1), MAX_POINTS);
    for (let i = 0; i <= n; i++)
      for (let j = 0; i + j <= n; j++) {
        const [u, v] = [i / n, j / n];
        const at = (k: number): number => (1 - u - v) * p[a + k] + u * p[b + k] + v * p[c + k];
        visit(at(0), at(1), at(2));
      }
  }
}

function lengthOf(p: Float64Array, a: number, b: number): number {
  return Math.hypot(p[a] - p[b], p[a + 1] - p[b + 1], p[a + 2] - p[b + 2]);
}
