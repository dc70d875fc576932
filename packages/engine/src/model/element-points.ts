/** At how many points the elements of a solid are integrated, at most: one, five of 10-node elements, edges and vertices of smoothed ones. */
import type { ModelSoftBodies } from './model-soft-bodies.ts';

export function countElementPoints(soft: ModelSoftBodies, n: number): number {
  const { element, nodes, tetrahedron, tetrahedronStart, vertexStart } = soft;
  const first = tetrahedronStart[n];
  const end = tetrahedronStart[n + 1];
  if (element[n] === 'tet4') return end - first;
  if (element[n] === 'tet10') return (5 * (nodes[n]?.length ?? 0)) / 10;
  const vertices = vertexStart[n + 1] - vertexStart[n];
  const edges = new Set<number>();
  for (let t = 4 * first; t < 4 * end; t += 4) {
    for (let a = 1; a < 4; a++) {
      for (let b = 0; b < a; b++) {
        const low = Math.min(tetrahedron[t + a], tetrahedron[t + b]) - vertexStart[n];
        const high = Math.max(tetrahedron[t + a], tetrahedron[t + b]) - vertexStart[n];
        edges.add(low * vertices + high);
      }
    }
  }
  return edges.size + vertices;
}
