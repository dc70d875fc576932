/**
 * Shape of tetrahedra, by two measures that depend on neither size nor place.
 *
 *   dihedral angle   between the two faces at an edge, rad; six per tetrahedron, all 70.53° in the regular one
 *   radius ratio     3 r / R, r and R the radii of the inscribed and the circumscribed sphere; 1 in the regular one, 0 if flat
 *
 *   r = 3 V / A,   R = √((p + q + s)(p + q − s)(p − q + s)(−p + q + s)) / (24 V)
 *
 * with V the volume, A the area of the four faces, and p, q, s the products of the lengths of opposite edges (Crelle).
 */
import { atan2 } from '../../linear-algebra/elementary.ts';
import { computeSixfoldVolume, FACE_CORNERS, type TetrahedralMesh } from './tetrahedral-mesh.ts';

/** Two corners of each edge, and the two others. */
const EDGE_CORNERS: readonly number[] = [0, 1, 2, 3, 0, 2, 3, 1, 0, 3, 1, 2, 1, 2, 0, 3, 1, 3, 2, 0, 2, 3, 0, 1];

/** The worst of all tetrahedra. */
export interface MeshQuality {
  /** rad. */
  readonly smallestAngle: number;
  /** rad. */
  readonly largestAngle: number;
  /** Three times the radius of the inscribed ball over that of the circumscribed one; 1 for a regular tetrahedron. */
  readonly smallestRadiusRatio: number;
  /** The tetrahedron of the smallest radius ratio. */
  readonly worst: number;
}

/** Angles and radius ratios of the worst tetrahedra. */
export function measureQuality({ vertices, tetrahedra }: TetrahedralMesh): MeshQuality {
  const angles = new Float64Array(6);
  let [smallestAngle, largestAngle, smallestRadiusRatio, worst] = [Infinity, 0, Infinity, 0];
  for (let o = 0; o < tetrahedra.length; o += 4) {
    computeDihedralAngles(angles, vertices, tetrahedra, o);
    for (let k = 0; k < 6; k++) {
      smallestAngle = Math.min(smallestAngle, angles[k]);
      largestAngle = Math.max(largestAngle, angles[k]);
    }
    const ratio = computeRadiusRatio(vertices, tetrahedra, o);
    if (ratio >= smallestRadiusRatio) continue;
    smallestRadiusRatio = ratio;
    worst = o / 4;
  }
  return { smallestAngle, largestAngle, smallestRadiusRatio, worst };
}

/** The dihedral angles at the edges 01, 02, 03, 12, 13, 23 of the tetrahedron whose corners begin at `o`, rad. */
export function computeDihedralAngles(
  out: Float64Array,
  v: Float64Array,
  tetrahedra: ArrayLike<number>,
  o: number,
): void {
  for (let e = 0; e < 6; e++) {
    const a = 3 * tetrahedra[o + EDGE_CORNERS[4 * e]];
    const b = 3 * tetrahedra[o + EDGE_CORNERS[4 * e + 1]];
    const c = 3 * tetrahedra[o + EDGE_CORNERS[4 * e + 2]];
    const d = 3 * tetrahedra[o + EDGE_CORNERS[4 * e + 3]];
    const [ex, ey, ez] = [v[b] - v[a], v[b + 1] - v[a + 1], v[b + 2] - v[a + 2]];
    const [cx, cy, cz] = [v[c] - v[a], v[c + 1] - v[a + 1], v[c + 2] - v[a + 2]];
    const [dx, dy, dz] = [v[d] - v[a], v[d + 1] - v[a + 1], v[d + 2] - v[a + 2]];
    // normals of the two faces; the sine from the volume: m × n = e (e · c × d)
    const [mx, my, mz] = [ey * cz - ez * cy, ez * cx - ex * cz, ex * cy - ey * cx];
    const [nx, ny, nz] = [ey * dz - ez * dy, ez * dx - ex * dz, ex * dy - ey * dx];
    const volume = mx * dx + my * dy + mz * dz;
    const sine = Math.sqrt(ex * ex + ey * ey + ez * ez) * Math.abs(volume);
    out[e] = atan2(sine, mx * nx + my * ny + mz * nz);
  }
}

/** 3 r / R of the tetrahedron whose corners begin at `o`. */
export function computeRadiusRatio(v: Float64Array, tetrahedra: ArrayLike<number>, o: number): number {
  const length = (e: number): number => {
    const a = 3 * tetrahedra[o + EDGE_CORNERS[4 * e]];
    const b = 3 * tetrahedra[o + EDGE_CORNERS[4 * e + 1]];
    const [x, y, z] = [v[b] - v[a], v[b + 1] - v[a + 1], v[b + 2] - v[a + 2]];
    return Math.sqrt(x * x + y * y + z * z);
  };
  const volume = Math.abs(computeSixfoldVolume(v, tetrahedra, o)) / 6;
  const [p, q, s] = [length(0) * length(5), length(1) * length(4), length(2) * length(3)];
  const product = (p + q + s) * (p + q - s) * (p - q + s) * (-p + q + s);
  if (!(volume > 0 && product > 0)) return 0;
  let area = 0;
  for (let f = 0; f < 4; f++) area += computeFaceArea(v, tetrahedra, o, f);
  return (216 * volume * volume) / (area * Math.sqrt(product));
}

function computeFaceArea(v: Float64Array, tetrahedra: ArrayLike<number>, o: number, face: number): number {
  const [a, b, c] = [0, 1, 2].map((k) => 3 * tetrahedra[o + FACE_CORNERS[3 * face + k]]);
  const [ux, uy, uz] = [v[b] - v[a], v[b + 1] - v[a + 1], v[b + 2] - v[a + 2]];
  const [wx, wy, wz] = [v[c] - v[a], v[c + 1] - v[a + 1], v[c + 2] - v[a + 2]];
  const [x, y, z] = [uy * wz - uz * wy, uz * wx - ux * wz, ux * wy - uy * wx];
  return Math.sqrt(x * x + y * y + z * z) / 2;
}
