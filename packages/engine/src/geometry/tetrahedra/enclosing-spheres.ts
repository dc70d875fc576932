/**
 * The smallest sphere around each tetrahedron. Two, three or four of its corners are on it: of the spheres through an edge (as
 * diameter), a face (centred in its plane) or all corners, the smallest that holds the others.
 */
import type { TetrahedralMesh } from './tetrahedral-mesh.ts';

/** Centre x y z and radius of the sphere of each tetrahedron, m. */
export function encloseTetrahedra({ vertices, tetrahedra }: TetrahedralMesh): Float64Array {
  const spheres = new Float64Array(tetrahedra.length);
  const corners = new Float64Array(12);
  for (let o = 0; o < tetrahedra.length; o += 4) {
    for (let k = 0; k < 12; k++) corners[k] = vertices[3 * tetrahedra[o + Math.floor(k / 3)] + (k % 3)];
    encloseCorners(spheres, o, corners);
  }
  return spheres;
}

const SUBSETS: readonly (readonly number[])[] = [
  ...[
    [0, 1],
    [0, 2],
    [0, 3],
    [1, 2],
    [1, 3],
    [2, 3],
  ],
  ...[
    [0, 1, 2],
    [0, 1, 3],
    [0, 2, 3],
    [1, 2, 3],
  ],
  [0, 1, 2, 3],
];

function encloseCorners(out: Float64Array, o: number, p: Float64Array): void {
  let least = Infinity;
  for (const subset of SUBSETS) {
    if (!findCenter(center, p, subset)) continue;
    // the farthest corner decides, whether it is one of the subset or not
    let squared = 0;
    for (let k = 0; k < 4; k++) {
      const [x, y, z] = [p[3 * k] - center[0], p[3 * k + 1] - center[1], p[3 * k + 2] - center[2]];
      squared = Math.max(squared, x * x + y * y + z * z);
    }
    if (squared >= least) continue;
    least = squared;
    for (let k = 0; k < 3; k++) out[o + k] = center[k];
    out[o + 3] = Math.sqrt(squared);
  }
}

const center = /* @__PURE__ */ new Float64Array(3);

// c = a + Σ s_i e_i with e_i the edges from a and 2 e_i · (c − a) = |e_i|²: a Gram system, by Cramer's rule
function findCenter(out: Float64Array, p: Float64Array, subset: readonly number[]): boolean {
  const a = 3 * subset[0];
  const edges = subset.slice(1).map((k) => [p[3 * k] - p[a], p[3 * k + 1] - p[a + 1], p[3 * k + 2] - p[a + 2]]);
  const dot = (i: number, j: number): number =>
    edges[i][0] * edges[j][0] + edges[i][1] * edges[j][1] + edges[i][2] * edges[j][2];
  let weights = [0.5];
  if (edges.length === 2) {
    const [uu, uv, vv] = [dot(0, 0), dot(0, 1), dot(1, 1)];
    const det = 2 * (uu * vv - uv * uv);
    weights = [(vv * (uu - uv)) / det, (uu * (vv - uv)) / det];
  } else if (edges.length === 3) {
    const [a00, a01, a02, a11, a12, a22] = [dot(0, 0), dot(0, 1), dot(0, 2), dot(1, 1), dot(1, 2), dot(2, 2)];
    const [c00, c01, c02] = [a11 * a22 - a12 * a12, a02 * a12 - a01 * a22, a01 * a12 - a02 * a11];
    const [c11, c12, c22] = [a00 * a22 - a02 * a02, a01 * a02 - a00 * a12, a00 * a11 - a01 * a01];
    const det = 2 * (a00 * c00 + a01 * c01 + a02 * c02);
    weights = [
      (c00 * a00 + c01 * a11 + c02 * a22) / det,
      (c01 * a00 + c11 * a11 + c12 * a22) / det,
      (c02 * a00 + c12 * a11 + c22 * a22) / det,
    ];
  }
  for (let k = 0; k < 3; k++) {
    out[k] = p[a + k];
    for (let i = 0; i < edges.length; i++) out[k] += weights[i] * edges[i][k];
  }
  return Number.isFinite(out[0] + out[1] + out[2]);
}
