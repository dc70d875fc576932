/**
 * From one pair of deepest points to several, as MuJoCo does: where the features that touch are two sides that face each other, or an edge
 * along a side, the one is clipped by the prism over the other, and every corner below that side becomes a contact.
 *
 * Sides face each other if n₁ · n₂ < −0.996; an edge e lies along a side if |e · n| < 0.0888 (5.1°). A contact has the normal of the side
 * and its own depth. Of more than four corners those of the quadrilateral of largest area stay.
 */
import type { ConvexObject } from './convex-object.ts';
import type { Polytope } from './expanding-polytope.ts';
import { FACE_TOLERANCE, Feature } from './feature.ts';
import type { Descent } from './gjk.ts';

const EDGE_TOLERANCE = 0.0888;
const TINY = 1e-15;
/** Most contacts of a pair. */
const MOST = 50;

/** Pairs of points on A and on B, their gaps (negative in penetration, m) and unit normals from A to B. */
export class Witnesses {
  count = 0;
  readonly x1: Float64Array = new Float64Array(3 * MOST);
  readonly x2: Float64Array = new Float64Array(3 * MOST);
  readonly gap: Float64Array = new Float64Array(MOST);
  readonly normal: Float64Array = new Float64Array(3 * MOST);

  /** The pair of deepest points of shapes inflated by half of `reach` each. */
  setDeep({ x1, x2, distance }: Descent, reach: number): void {
    for (let k = 0; k < 3; k++) {
      this.x1[k] = x1[k];
      this.x2[k] = x2[k];
    }
    this.gap[0] = reach + distance;
    this.count = 1;
    this.#setNormal(1);
  }

  /** The pair of closest points of cores that the radii are missing of. */
  setApart({ x1, x2, distance }: Descent, radiusA: number, radiusB: number): void {
    for (let k = 0; k < 3; k++) {
      this.x1[k] = x1[k];
      this.x2[k] = x2[k];
    }
    this.#setNormal(-1);
    for (let k = 0; k < 3; k++) {
      this.x1[k] += radiusA * this.normal[k];
      this.x2[k] -= radiusB * this.normal[k];
    }
    this.gap[0] = distance - (radiusA + radiusB);
    this.count = 1;
  }

  /** Along ± (x1 − x2). */
  #setNormal(sign: number): void {
    const { x1, x2, normal } = this;
    const x = x1[0] - x2[0];
    const y = x1[1] - x2[1];
    const z = x1[2] - x2[2];
    const length = Math.sqrt(x * x + y * y + z * z);
    const scale = length < TINY ? 0 : sign / length;
    normal[0] = scale === 0 ? 1 : x * scale;
    normal[1] = y * scale;
    normal[2] = z * scale;
  }

  /** Exchanges A and B. */
  swap(): void {
    for (let i = 0; i < 3 * this.count; i++) {
      const x = this.x1[i];
      this.x1[i] = this.x2[i];
      this.x2[i] = x;
      this.normal[i] = -this.normal[i];
    }
  }
}

const one = /* @__PURE__ */ new Feature();
const two = /* @__PURE__ */ new Feature();
let corners = /* @__PURE__ */ new Float64Array(3 * 64);
let clipped = /* @__PURE__ */ new Float64Array(3 * 64);
const line = /* @__PURE__ */ new Float64Array(3);
const chosen = /* @__PURE__ */ new Int32Array(4);

/** Replaces the one pair of witnesses by several where features lie along each other; at most `most`. */
export function findMultiContact(
  out: Witnesses,
  descent: Descent,
  polytope: Polytope,
  face: number,
  a: ConvexObject,
  b: ConvexObject,
  reach: number,
  most: number,
): void {
  if (face >= 0) {
    one.readFace(polytope, face, 0);
    two.readFace(polytope, face, 1);
  } else {
    one.readSimplex(descent, 0);
    two.readSimplex(descent, 1);
  }
  one.deflate(a);
  two.deflate(b);
  // out of B
  const dx = -out.normal[0];
  const dy = -out.normal[1];
  const dz = -out.normal[2];
  one.findNormals(a, -dx, -dy, -dz);
  two.findNormals(b, dx, dy, dz);
  if (alignSides()) {
    one.takeSide(a, pick[0]);
    two.takeSide(b, pick[1]);
    clip(out, one, two, pick[0], two.normals, 3 * pick[1], reach, most);
    return;
  }
  // the smaller feature first
  const isOneFirst = one.dimension <= two.dimension;
  for (let k = 0; k < 2; k++) {
    if ((k === 0) === isOneFirst) {
      if (one.dimension > 2) continue;
      one.findEdges(a);
      if (!alignEdge(one, two, b, dx, dy, dz)) continue;
      if (clip(out, two, one, pick[1], two.normals, 3 * pick[1], reach, most)) out.swap();
      return;
    } else {
      if (two.dimension > 2) continue;
      two.findEdges(b);
      if (!alignEdge(two, one, a, -dx, -dy, -dz)) continue;
      clip(out, one, two, pick[1], one.normals, 3 * pick[1], reach, most);
      return;
    }
  }
}

/** The same for a capsule A, whose line toward B is the edge; from a face of the polytope or, without one, from the closest points. */
export function findCapsuleContact(
  out: Witnesses,
  descent: Descent,
  polytope: Polytope,
  face: number,
  a: ConvexObject,
  b: ConvexObject,
  reach: number,
): void {
  const dx = -out.normal[0];
  const dy = -out.normal[1];
  const dz = -out.normal[2];
  if (face >= 0) two.readFace(polytope, face, 1);
  else two.readSimplex(descent, 1);
  two.findNormals(b, dx, dy, dz);
  // the line of the inflated capsule, moved back along the normal of the side
  const half = 0.5 * reach;
  for (let k = 0; k < 3; k++) line[k] = out.x1[k] + (face < 0 ? half * out.normal[k] : 0);
  one.takeLine(a, line);
  if (!alignEdge(one, two, b, dx, dy, dz)) return;
  for (let i = 0; i < 6; i++) one.polygon[i] += half * two.normals[3 * pick[1] + (i % 3)];
  if (clip(out, two, one, pick[1], two.normals, 3 * pick[1], reach, 4)) out.swap();
}

/** The edge and the side that lie along each other. */
const pick = /* @__PURE__ */ new Int32Array(2);

/** Finds the two sides that face each other best. */
function alignSides(): boolean {
  let best = -FACE_TOLERANCE;
  for (let i = 0; i < one.normalCount; i++) {
    for (let j = 0; j < two.normalCount; j++) {
      const cosine = dot(one.normals, 3 * i, two.normals, 3 * j);
      if (!(cosine < best)) continue;
      best = cosine;
      pick[0] = i;
      pick[1] = j;
    }
  }
  return best < -FACE_TOLERANCE;
}

/** Finds the first side toward the other shape that an edge lies along. */
function alignEdge(edge: Feature, side: Feature, shape: ConvexObject, dx: number, dy: number, dz: number): boolean {
  for (let i = 0; i < side.normalCount; i++) {
    const { normals: n } = side;
    if (n[3 * i] * dx + n[3 * i + 1] * dy + n[3 * i + 2] * dz <= TINY) continue;
    for (let j = 0; j < edge.edgeCount; j++) {
      if (!(Math.abs(dot(edge.edges, 3 * j, n, 3 * i)) < EDGE_TOLERANCE)) continue;
      edge.takeEdge(j);
      side.takeSide(shape, i);
      pick[0] = j;
      pick[1] = i;
      return true;
    }
  }
  return false;
}

/**
 * Clips the polygon of `other` by the prism over that of `side` along its normal number n; the corners below the side become contacts,
 * with partners at their own depth along ± d.
 */
function clip(
  out: Witnesses,
  side: Feature,
  other: Feature,
  n: number,
  d: Float64Array,
  o: number,
  reach: number,
  most: number,
): boolean {
  const { polygon: p, polygonCount: edges, normals } = side;
  const nx = normals[3 * n];
  const ny = normals[3 * n + 1];
  const nz = normals[3 * n + 2];
  if (edges < 3) return false;
  let count = other.polygonCount;
  while (3 * (count + edges + 2) > corners.length) {
    corners = new Float64Array(2 * corners.length);
    clipped = new Float64Array(2 * clipped.length);
  }
  for (let i = 0; i < 3 * count; i++) corners[i] = other.polygon[i];
  for (let e = 0; e < edges; e++) {
    count = clipByEdge(count, p, 3 * e, 3 * ((e + 1) % edges), nx, ny, nz);
    const swap = corners;
    corners = clipped;
    clipped = swap;
  }
  // what is below the side, or within reach of it
  let left = 0;
  for (let i = 0; i < count; i++) {
    const x = corners[3 * i];
    const y = corners[3 * i + 1];
    const z = corners[3 * i + 2];
    if (!((x - p[0]) * nx + (y - p[1]) * ny + (z - p[2]) * nz <= reach)) continue;
    corners[3 * left] = x;
    corners[3 * left + 1] = y;
    corners[3 * left + 2] = z;
    left++;
  }
  if (left < 1) return false;
  const isPruned = most < 5 && left > 4;
  if (isPruned) findLargestQuadrilateral(left);
  else if (other.polygonCount === 2 && left > 2) findFarthestPair(left);
  out.count = isPruned ? 4 : other.polygonCount === 2 ? Math.min(left, 2) : Math.min(left, MOST);
  const isChosen = isPruned || (other.polygonCount === 2 && left > 2);
  for (let i = 0; i < out.count; i++) {
    const v = 3 * (isChosen ? chosen[i] : i);
    const below = (corners[v] - p[0]) * nx + (corners[v + 1] - p[1]) * ny + (corners[v + 2] - p[2]) * nz;
    const isEdge = other.polygonCount === 2;
    // two sides: from the foot on the one along the normal of the other
    const gap = isEdge ? below : -below * (nx * d[o] + ny * d[o + 1] + nz * d[o + 2]);
    for (let k = 0; k < 3; k++) {
      const foot = corners[v + k] - below * normals[3 * n + k];
      out.x1[3 * i + k] = foot;
      out.normal[3 * i + k] = isEdge ? normals[3 * n + k] : -d[o + k];
      out.x2[3 * i + k] = isEdge ? corners[v + k] : foot - gap * d[o + k];
    }
    out.gap[i] = gap;
  }
  return true;
}

/** Clips `corners` by the plane through the edge from i to j along (nx ny nz), into `clipped`; returns how many are left. */
function clipByEdge(count: number, p: Float64Array, i: number, j: number, nx: number, ny: number, nz: number): number {
  const ex = p[j] - p[i];
  const ey = p[j + 1] - p[i + 1];
  const ez = p[j + 2] - p[i + 2];
  let x = ey * nz - ez * ny;
  let y = ez * nx - ex * nz;
  let z = ex * ny - ey * nx;
  const length = Math.sqrt(x * x + y * y + z * z);
  const inverse = length < TINY ? 0 : 1 / length;
  x = length < TINY ? 1 : x * inverse;
  y *= inverse;
  z *= inverse;
  const height = x * p[i] + y * p[i + 1] + z * p[i + 2];
  let n = 0;
  for (let k = 0; k < count; k++) {
    const a = 3 * k;
    const b = 3 * (k + 1 < count ? k + 1 : 0);
    const c = corners;
    const from = (c[a] - p[i]) * x + (c[a + 1] - p[i + 1]) * y + (c[a + 2] - p[i + 2]) * z > -TINY;
    const to = (c[b] - p[i]) * x + (c[b + 1] - p[i + 1]) * y + (c[b + 2] - p[i + 2]) * z > -TINY;
    if (!from && !to) continue;
    if (from !== to) {
      const qx = c[b] - c[a];
      const qy = c[b + 1] - c[a + 1];
      const qz = c[b + 2] - c[a + 2];
      const rise = x * qx + y * qy + z * qz;
      const t = rise === 0 ? -1 : (height - (x * c[a] + y * c[a + 1] + z * c[a + 2])) / rise;
      if (t >= 0 && t <= 1) {
        clipped[3 * n] = c[a] + t * qx;
        clipped[3 * n + 1] = c[a + 1] + t * qy;
        clipped[3 * n + 2] = c[a + 2] + t * qz;
        n++;
      }
    }
    if (to) {
      for (let m = 0; m < 3; m++) clipped[3 * n + m] = c[b + m];
      n++;
    }
  }
  return n;
}

/** Twice the area of a quadrilateral by its diagonals. */
function measureQuadrilateral(a: number, b: number, c: number, d: number): number {
  const v = corners;
  const x = v[3 * a] - v[3 * c];
  const y = v[3 * a + 1] - v[3 * c + 1];
  const z = v[3 * a + 2] - v[3 * c + 2];
  const p = v[3 * b] - v[3 * d];
  const q = v[3 * b + 1] - v[3 * d + 1];
  const r = v[3 * b + 2] - v[3 * d + 2];
  const [nx, ny, nz] = [y * r - z * q, z * p - x * r, x * q - y * p];
  return 0.5 * Math.sqrt(nx * nx + ny * ny + nz * nz);
}

/** Rotating corners: while the next d, c or b is better, take it; then the next a. */
function findLargestQuadrilateral(n: number): void {
  let [b, c, d] = [1, 2, 3];
  let area = measureQuadrilateral(0, 1, 2, 3);
  const keep = (a: number, larger: number): void => {
    area = larger;
    chosen[0] = a;
    chosen[1] = b;
    chosen[2] = c;
    chosen[3] = d;
  };
  keep(0, area);
  for (let a = 0; a < n; a++) {
    for (;;) {
      const next = measureQuadrilateral(a, b, c, (d + 1) % n);
      if (next <= area) break;
      d = (d + 1) % n;
      keep(a, next);
      for (
        let more = measureQuadrilateral(a, b, (c + 1) % n, d);
        more > area;
        more = measureQuadrilateral(a, b, (c + 1) % n, d)
      ) {
        c = (c + 1) % n;
        keep(a, more);
      }
      for (
        let more = measureQuadrilateral(a, (b + 1) % n, c, d);
        more > area;
        more = measureQuadrilateral(a, (b + 1) % n, c, d)
      ) {
        b = (b + 1) % n;
        keep(a, more);
      }
    }
    if (b !== a) continue;
    b = (b + 1) % n;
    if (c !== b) continue;
    c = (c + 1) % n;
    if (d === c) d = (d + 1) % n;
  }
}

function findFarthestPair(n: number): void {
  let most = 0;
  chosen[0] = 0;
  chosen[1] = 1;
  for (let i = 0; i < n; i++) {
    for (let j = i + 1; j < n; j++) {
      let squared = 0;
      for (let k = 0; k < 3; k++) squared += (corners[3 * j + k] - corners[3 * i + k]) ** 2;
      if (squared <= most * (1 + 1e-9)) continue;
      most = squared;
      chosen[0] = i;
      chosen[1] = j;
    }
  }
}

function dot(v: Float64Array, o: number, w: Float64Array, p: number): number {
  return v[o] * w[p] + v[o + 1] * w[p + 1] + v[o + 2] * w[p + 2];
}
