/**
 * Splits every tetrahedron whose four vertices lie on the surface into four at its centroid, so that a field that is zero on
 * the surface is not zero all through one of them.
 */
import { extractSurface } from './mesh-surface.ts';
import type { TetrahedralMesh } from './tetrahedral-mesh.ts';

/** The mesh after the split, its new vertices and tetrahedra at the end; the mesh itself if there is nothing to split. */
export function splitSurfaceTetrahedra(mesh: TetrahedralMesh): TetrahedralMesh {
  const { vertices, tetrahedra } = mesh;
  const { isSurface } = extractSurface(mesh);
  const split: number[] = [];
  for (let o = 0; o < tetrahedra.length; o += 4) {
    let onSurface = 0;
    for (let k = 0; k < 4; k++) onSurface += isSurface[tetrahedra[o + k]];
    if (onSurface === 4) split.push(o);
  }
  if (split.length === 0) return mesh;
  const points = new Float64Array(vertices.length + 3 * split.length);
  const corners = new Int32Array(tetrahedra.length + 12 * split.length);
  points.set(vertices);
  corners.set(tetrahedra);
  split.forEach((o, n) => {
    const center = vertices.length / 3 + n;
    for (let k = 0; k < 4; k++) {
      for (let i = 0; i < 3; i++) points[3 * center + i] += vertices[3 * tetrahedra[o + k] + i] / 4;
      // the part of face k: the centroid in place of corner k, the first part in place of the whole
      const to = k === 0 ? o : tetrahedra.length + 12 * n + 4 * (k - 1);
      corners.set(tetrahedra.subarray(o, o + 4), to);
      corners[to + k] = center;
    }
  });
  return { vertices: points, tetrahedra: corners };
}
