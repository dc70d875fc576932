/**
 * Tetrahedra that fill a solid. A tetrahedron a, b, c, d has positive volume: V = det[b − a, c − a, d − a] / 6 > 0, so that
 * b, c, d run counter-clockwise seen from outside, as do the faces of `FACE_CORNERS`.
 */

export interface TetrahedralMesh {
  /** x y z of each vertex, m. */
  readonly vertices: Float64Array;
  /** Four vertex numbers per tetrahedron. */
  readonly tetrahedra: Int32Array;
}

/** Corners of the face opposite to each corner, three each, counter-clockwise from outside. */
export const FACE_CORNERS: readonly number[] = [1, 2, 3, 0, 3, 2, 0, 1, 3, 0, 2, 1];

/** Six times the signed volume of the tetrahedron whose corners begin at `o` of the list, m³. */
export function computeSixfoldVolume(v: ArrayLike<number>, tetrahedra: ArrayLike<number>, o: number): number {
  return spanSixfoldVolume(v, 3 * tetrahedra[o], 3 * tetrahedra[o + 1], 3 * tetrahedra[o + 2], 3 * tetrahedra[o + 3]);
}

/** The same of four points whose coordinates begin at v[a], v[b], v[c] and v[d]. */
export function spanSixfoldVolume(v: ArrayLike<number>, a: number, b: number, c: number, d: number): number {
  const bx = v[b] - v[a];
  const by = v[b + 1] - v[a + 1];
  const bz = v[b + 2] - v[a + 2];
  const cx = v[c] - v[a];
  const cy = v[c + 1] - v[a + 1];
  const cz = v[c + 2] - v[a + 2];
  const dx = v[d] - v[a];
  const dy = v[d + 1] - v[a + 1];
  const dz = v[d + 2] - v[a + 2];
  return bx * (cy * dz - cz * dy) + by * (cz * dx - cx * dz) + bz * (cx * dy - cy * dx);
}

/** Volume of each tetrahedron, m³. */
export function computeVolumes({ vertices, tetrahedra }: TetrahedralMesh): Float64Array {
  const volumes = new Float64Array(tetrahedra.length / 4);
  for (let t = 0; t < volumes.length; t++) volumes[t] = computeSixfoldVolume(vertices, tetrahedra, 4 * t) / 6;
  return volumes;
}

/** Volume of the whole, m³. */
export function computeVolume(mesh: TetrahedralMesh): number {
  return computeVolumes(mesh).reduce((sum, volume) => sum + volume, 0);
}
