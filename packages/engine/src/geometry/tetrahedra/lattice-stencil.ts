/**
 * Fills the inner part of one tetrahedron of a body-centred cubic lattice that the surface of a solid cuts.
 *
 * Corners 0 1 and 2 3 are the ends of its two long edges (length h); the four others are short (½√3 h). Each corner is inside
 * (+1), outside (−1) or on the surface (0); an edge from inside to outside has one cut point, on the surface. Corners on the
 * surface may have been moved; others are on the lattice. The inner part is a tetrahedron, a pyramid or a prism, and is split
 * by one diagonal of each of its quadrilaterals. Two lattice tetrahedra that share a face must make the same choice, so it
 * depends only on the face:
 *
 *   - the two inside corners at the ends of a short edge: the diagonal that ends in the cut of the long edge
 *   - of a long edge: from its lower or upper corner, alternating between the four such faces around the edge
 *
 * and on quality where the quadrilateral is part of the surface.
 * Source: Labelle, Shewchuk, Isosurface stuffing (2007); the choice of diagonals is our own, its angles are found by
 * enumeration (lattice-stencil.test.ts).
 */
import { computeDihedralAngles } from './mesh-quality.ts';
import { computeSixfoldVolume } from './tetrahedral-mesh.ts';

/** Part of a long edge, and of a short one, within which a cut is too near to a corner: the corner is moved there. */
export const SNAP_LONG = 0.284;
export const SNAP_SHORT = 0.399;
/** All dihedral angles of the result are between these, rad: 10.7° and 164.4°. */
export const SMALLEST_ANGLE: number = (10.7 * Math.PI) / 180;
export const LARGEST_ANGLE: number = (164.4 * Math.PI) / 180;

/** Number of the cut of the edge between corners i and j in `cuts`: EDGE_OF[4 i + j]. */
export const EDGE_OF: readonly number[] = [-1, 0, 1, 2, 0, -1, 3, 4, 1, 3, -1, 5, 2, 4, 5, -1];

/** One lattice tetrahedron, its numbers those of `points`. */
export interface LatticeTetrahedron {
  readonly corners: Int32Array;
  readonly signs: Int8Array;
  /** Cut point of each edge 01, 02, 03, 12, 13, 23 that has one. */
  readonly cuts: Int32Array;
}

/** Appends the tetrahedra, four numbers each and of positive volume, to `out`. */
export function fillLatticeTetrahedron(out: number[], tet: LatticeTetrahedron, points: Float64Array): void {
  const { corners, signs, cuts } = tet;
  inner.length = 0;
  outer.length = 0;
  surface.length = 0;
  for (let k = 0; k < 4; k++) (signs[k] > 0 ? inner : signs[k] < 0 ? outer : surface).push(k);
  if (inner.length === 0) return;
  const cut = (inside: number, outside: number): number => cuts[EDGE_OF[4 * inside + outside]];

  if (outer.length === 0) {
    out.push(corners[0], corners[1], corners[2], corners[3]);
    return;
  }
  if (inner.length === 1) {
    // a tetrahedron: the inside corner, surface corners, cuts
    const others = [...surface.map((k) => corners[k]), ...outer.map((k) => cut(inner[0], k))];
    addTetrahedron(out, points, corners[inner[0]], others[0], others[1], others[2]);
    return;
  }
  if (inner.length === 2 && outer.length === 1) {
    // a pyramid with its top on the surface
    const from = chooseStart(tet, points, outer[0], inner[0], inner[1]);
    const to = inner[0] + inner[1] - from;
    const top = corners[surface[0]];
    addTetrahedron(out, points, corners[from], corners[to], cut(to, outer[0]), top);
    addTetrahedron(out, points, corners[from], cut(to, outer[0]), cut(from, outer[0]), top);
    return;
  }
  if (inner.length === 3) {
    // a prism between the inside corners and their cuts
    const low = inner.map((k) => corners[k]);
    const high = inner.map((k) => cut(k, outer[0]));
    const isUp = inner.map((k, i) => chooseStart(tet, points, outer[0], k, inner[(i + 1) % 3]) === k);
    addPrism(out, points, low, high, isUp);
    return;
  }
  // a prism between two inside corners, each with its two cuts; its middle quadrilateral is on the surface
  const [a, b] = inner;
  const [m, n] = outer;
  const low = [corners[a], cut(a, m), cut(a, n)];
  const high = [corners[b], cut(b, m), cut(b, n)];
  const first = chooseStart(tet, points, m, a, b) === a;
  const last = chooseStart(tet, points, n, a, b) === b;
  const ways = [true, false].map((middle) => {
    const tetrahedra: number[] = [];
    const isSplit = addPrism(tetrahedra, points, low, high, [first, middle, last]);
    return { tetrahedra, score: isSplit ? measureWorst(points, tetrahedra) : -1 };
  });
  out.push(...(ways[0].score >= ways[1].score ? ways[0] : ways[1]).tetrahedra);
}

const inner: number[] = [];
const outer: number[] = [];
const surface: number[] = [];

// the inside corner, of i and j, at which the diagonal of their quadrilateral with the cuts towards `outside` begins
function chooseStart(tet: LatticeTetrahedron, points: Float64Array, outside: number, i: number, j: number): number {
  const isLong = i >> 1 === j >> 1;
  // to the cut of the long edge, from the corner that is not on it
  if (!isLong) return outside >> 1 === i >> 1 ? j : i;
  // the product of the offsets across the long edge changes its sign from face to face around it
  const { corners } = tet;
  const [p, q, r] = [3 * corners[i], 3 * corners[j], 3 * corners[outside]];
  let isEven = true;
  let isLower = true;
  for (let k = 0; k < 3; k++) {
    const along = points[q + k] - points[p + k];
    const across = points[r + k] - points[p + k];
    // along the edge the outside corner is in the middle: only the direction of the edge counts
    if (Math.abs(along) > Math.abs(across)) isLower = along > 0;
    else if (across < 0) isEven = !isEven;
  }
  return isEven === isLower ? i : j;
}

/**
 * Splits the prism from triangle `low` to triangle `high`. The diagonal of side k runs from low k to high k + 1, or, if `isUp` is
 * false, from low k + 1 to high k. Returns false for three diagonals in a cycle, which no three tetrahedra have.
 */
function addPrism(out: number[], points: Float64Array, low: number[], high: number[], isUp: boolean[]): boolean {
  // the corner at each end that two diagonals share
  const i = [0, 1, 2].findIndex((k) => isUp[k] && !isUp[(k + 2) % 3]);
  const j = [0, 1, 2].findIndex((k) => !isUp[k] && isUp[(k + 2) % 3]);
  if (i < 0 || j < 0) return false;
  const k = 3 - i - j;
  addTetrahedron(out, points, low[0], low[1], low[2], high[j]);
  addTetrahedron(out, points, high[0], high[1], high[2], low[i]);
  addTetrahedron(out, points, low[i], low[k], high[j], high[k]);
  return true;
}

function addTetrahedron(out: number[], points: Float64Array, a: number, b: number, c: number, d: number): void {
  corner[0] = a;
  corner[1] = b;
  corner[2] = c;
  corner[3] = d;
  if (computeSixfoldVolume(points, corner, 0) > 0) out.push(a, b, c, d);
  else out.push(a, b, d, c);
}

// the smallest angle, or what the largest lacks to π
function measureWorst(points: Float64Array, tetrahedra: number[]): number {
  let worst = Infinity;
  for (let o = 0; o < tetrahedra.length; o += 4) {
    computeDihedralAngles(angles, points, tetrahedra, o);
    for (let k = 0; k < 6; k++) worst = Math.min(worst, angles[k], Math.PI - angles[k]);
  }
  return worst;
}

const corner = /* @__PURE__ */ new Int32Array(4);
const angles = /* @__PURE__ */ new Float64Array(6);
