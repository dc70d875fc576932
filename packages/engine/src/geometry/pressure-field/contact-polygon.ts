/**
 * The polygon on which two pressure fields meet, built in place: a triangle, or the section s = 0 of a tetrahedron, clipped by half-spaces.
 *
 *   section    on the edge from corner i to corner j, s_i and s_j of opposite sign: x = (s_j x_i − s_i x_j) / (s_j − s_i)
 *   clip       Sutherland-Hodgman: what satisfies n · x ≤ d is kept
 *   centroid   C = Σ A_k c_k / A over the fan of triangles from the first corner, A = Σ A_k
 *
 * A value of zero counts as positive: a section that runs along the face between two tetrahedra belongs to one of them.
 * Source: Elandt et al., A pressure field model for fast, robust approximation of net contact force and moment (2019).
 */

/** Most corners: four of a section and one for each of four half-spaces. */
export const MOST_CORNERS = 12;

/** Edges of a tetrahedron, two corners each. */
const EDGES: readonly number[] = [0, 1, 0, 2, 0, 3, 1, 2, 1, 3, 2, 3];
/** By the bits of the positive corners: the edges that are cut, in order around the section. */
const SECTIONS: readonly (readonly number[])[] = [
  [],
  [0, 1, 2],
  [0, 4, 3],
  [1, 2, 4, 3],
  [1, 3, 5],
  [0, 3, 5, 2],
  [0, 4, 5, 1],
  [2, 4, 5],
  [2, 5, 4],
  [0, 1, 5, 4],
  [0, 2, 5, 3],
  [1, 5, 3],
  [1, 3, 4, 2],
  [0, 3, 4],
  [0, 2, 1],
  [],
];

export class ContactPolygon {
  /** Corners in use. */
  count = 0;
  /** x y z of each corner, m. */
  points: Float64Array = new Float64Array(3 * MOST_CORNERS);
  /** Set by `measure`: m², and m. */
  area = 0;
  readonly centroid: Float64Array = new Float64Array(3);

  #spare: Float64Array = new Float64Array(3 * MOST_CORNERS);

  setTriangle(points: Float64Array, a: number, b: number, c: number): void {
    this.count = 3;
    copyPoint(this.points, 0, points, a);
    copyPoint(this.points, 3, points, b);
    copyPoint(this.points, 6, points, c);
  }

  /** The section s = 0 of the tetrahedron whose four corners are given, with s at each of them; empty where s has one sign. */
  setSection(corners: Float64Array, s: Float64Array): void {
    const positive = (s[0] >= 0 ? 1 : 0) | (s[1] >= 0 ? 2 : 0) | (s[2] >= 0 ? 4 : 0) | (s[3] >= 0 ? 8 : 0);
    const edges = SECTIONS[positive];
    this.count = edges.length;
    for (let k = 0; k < edges.length; k++) {
      const i = EDGES[2 * edges[k]];
      const j = EDGES[2 * edges[k] + 1];
      const share = s[i] / (s[i] - s[j]);
      for (let d = 0; d < 3; d++) {
        this.points[3 * k + d] = corners[3 * i + d] + share * (corners[3 * j + d] - corners[3 * i + d]);
      }
    }
  }

  /** Keeps what satisfies n · x ≤ d. */
  clip(nx: number, ny: number, nz: number, d: number): void {
    const { points, count } = this;
    if (count === 0) return;
    const out = this.#spare;
    let kept = 0;
    let from = 3 * (count - 1);
    let before = nx * points[from] + ny * points[from + 1] + nz * points[from + 2] - d;
    for (let o = 0; o < 3 * count; from = o, o += 3) {
      const here = nx * points[o] + ny * points[o + 1] + nz * points[o + 2] - d;
      // where the edge from the corner before passes the plane
      if (before < 0 !== here < 0 && before !== 0 && here !== 0) {
        const share = before / (before - here);
        for (let k = 0; k < 3; k++) out[3 * kept + k] = points[from + k] + share * (points[o + k] - points[from + k]);
        kept++;
      }
      if (here <= 0) copyPoint(out, 3 * kept++, points, o);
      before = here;
    }
    this.#spare = points;
    this.points = out;
    this.count = kept < 3 ? 0 : kept;
  }

  /** Keeps the part inside a tetrahedron of positive volume, given by its four corners. */
  clipByTetrahedron(t: Float64Array): void {
    this.#clipByFace(t, 3, 6, 9);
    this.#clipByFace(t, 0, 9, 6);
    this.#clipByFace(t, 0, 3, 9);
    this.#clipByFace(t, 0, 6, 3);
  }

  // by the plane through three corners that run counter-clockwise from outside
  #clipByFace(t: Float64Array, a: number, b: number, c: number): void {
    const ux = t[b] - t[a];
    const uy = t[b + 1] - t[a + 1];
    const uz = t[b + 2] - t[a + 2];
    const vx = t[c] - t[a];
    const vy = t[c + 1] - t[a + 1];
    const vz = t[c + 2] - t[a + 2];
    const nx = uy * vz - uz * vy;
    const ny = uz * vx - ux * vz;
    const nz = ux * vy - uy * vx;
    this.clip(nx, ny, nz, nx * t[a] + ny * t[a + 1] + nz * t[a + 2]);
  }

  /** Area and centroid. */
  measure(): void {
    const { points: p, count, centroid } = this;
    let [area, x, y, z] = [0, 0, 0, 0];
    for (let o = 3; o < 3 * (count - 1); o += 3) {
      const ux = p[o] - p[0];
      const uy = p[o + 1] - p[1];
      const uz = p[o + 2] - p[2];
      const vx = p[o + 3] - p[0];
      const vy = p[o + 4] - p[1];
      const vz = p[o + 5] - p[2];
      const wx = uy * vz - uz * vy;
      const wy = uz * vx - ux * vz;
      const wz = ux * vy - uy * vx;
      const part = 0.5 * Math.sqrt(wx * wx + wy * wy + wz * wz);
      area += part;
      x += part * (ux + vx);
      y += part * (uy + vy);
      z += part * (uz + vz);
    }
    this.area = area;
    const scale = area > 0 ? 1 / (3 * area) : 0;
    centroid[0] = p[0] + scale * x;
    centroid[1] = p[1] + scale * y;
    centroid[2] = p[2] + scale * z;
  }
}

function copyPoint(out: Float64Array, o: number, from: Float64Array, i: number): void {
  out[o] = from[i];
  out[o + 1] = from[i + 1];
  out[o + 2] = from[i + 2];
}
