/**
 * Gives parts that meet in an edge or a vertex only their own copies of the vertices there. Two tetrahedra at a vertex belong
 * together if one can pass from one to the other through faces that hold the vertex. Vertices that are not used are left out.
 */
import { pairFaces } from './face-pairs.ts';
import type { TetrahedralMesh } from './tetrahedral-mesh.ts';

/** The mesh with vertices numbered as its tetrahedra meet them. */
export function separateParts(vertices: Float64Array, tetrahedra: Int32Array): TetrahedralMesh {
  const { across } = pairFaces(tetrahedra, vertices.length / 3);
  // corners of tetrahedra, joined across faces
  const parent = Int32Array.from(tetrahedra.keys());
  const find = (c: number): number => {
    while (parent[c] !== c) {
      parent[c] = parent[parent[c]];
      c = parent[c];
    }
    return c;
  };
  for (let face = 0; face < across.length; face++) {
    const other = across[face];
    if (other < face) continue;
    for (let k = 0; k < 4; k++) {
      if (k === (face & 3)) continue;
      const own = (face & ~3) + k;
      for (let j = other & ~3; j < (other & ~3) + 4; j++) {
        if (tetrahedra[j] !== tetrahedra[own]) continue;
        const [a, b] = [find(own), find(j)];
        parent[Math.max(a, b)] = Math.min(a, b);
      }
    }
  }
  // a vertex for each group of corners
  const number = new Int32Array(tetrahedra.length);
  const points: number[] = [];
  const corners = tetrahedra.map((v, c) => {
    if (parent[c] !== c) return (number[c] = number[find(c)]);
    points.push(vertices[3 * v], vertices[3 * v + 1], vertices[3 * v + 2]);
    return (number[c] = points.length / 3 - 1);
  });
  return { vertices: Float64Array.from(points), tetrahedra: corners };
}
