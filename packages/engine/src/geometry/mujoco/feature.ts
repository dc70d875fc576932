/**
 * The part of a shape that a face of the polytope stands for: a corner, an edge or a side, from the corners of its three support points;
 * with the normals of the sides around it, the edges that leave it, and the corners of a side.
 *
 * Boxes, hulls and cylinders have sides; the end of a cylinder is a polygon of 16 corners, its mantle is the edge along the axis through the
 * support point. Sides run clockwise seen from outside, as in MuJoCo.
 */
import { CORE } from '../convex/core-kind.ts';
import type { ConvexPolyhedron } from '../convex/polyhedron.ts';
import type { ConvexObject } from './convex-object.ts';
import type { DifferencePoints } from './difference-points.ts';
import type { Polytope } from './expanding-polytope.ts';
import type { Descent } from './gjk.ts';
import { findSides } from './hull-sides.ts';

/** Cosine of the angle up to which two sides, or a side and the normal of contact, are parallel: 5.1°. */
export const FACE_TOLERANCE = 0.996;

/** Corners of a box's sides, by the signs of their coordinates: +x −x +y −y +z −z. */
const BOX_SIDES = [7, 3, 1, 5, 2, 6, 4, 0, 2, 3, 7, 6, 4, 5, 1, 0, 6, 7, 5, 4, 3, 2, 0, 1];

/** Cosine and sine of the first eight of the 16 corners of an end, to fifteen digits as in MuJoCo: the last decides between equal areas. */
const COSINE = /* @__PURE__ */ toUnits(
  1e15,
  923879532511287,
  707106781186548,
  382683432365090,
  0,
  -382683432365090,
  -707106781186547,
  -923879532511287,
);
const SINE = /* @__PURE__ */ toUnits(
  0,
  382683432365090,
  707106781186547,
  923879532511287,
  1e15,
  923879532511287,
  707106781186548,
  382683432365090,
);

const TINY = 1e-15;
const point = /* @__PURE__ */ new Float64Array(3);

export class Feature {
  /** 1: a corner, 2: an edge, 3: a side. */
  dimension = 0;
  /** Corners, and where they are, in the world. */
  readonly corner: Int32Array = new Int32Array(3);
  readonly at: Float64Array = new Float64Array(9);
  /** Unit normals of the sides around, and their numbers. */
  normalCount = 0;
  normals: Float64Array = new Float64Array(3 * 16);
  sides: Int32Array = new Int32Array(16);
  /** Unit vectors along the edges that leave the feature, and their far ends. */
  edgeCount = 0;
  edges: Float64Array = new Float64Array(3 * 16);
  ends: Float64Array = new Float64Array(3 * 16);
  /** Corners of the chosen side or edge. */
  polygonCount = 0;
  polygon: Float64Array = new Float64Array(3 * 16);

  /** Reads the feature of A (0) or B (1) from a face of the polytope. */
  readFace(polytope: Polytope, face: number, side: 0 | 1): void {
    for (let k = 0; k < 3; k++) this.#take(k, polytope.points, polytope.corner(face, k), side);
    this.#measure();
  }

  /** Reads the feature of A (0) or B (1) from the simplex of the closest points. */
  readSimplex({ simplex, count }: Descent, side: 0 | 1): void {
    for (let k = 0; k < 3; k++) this.#take(k, simplex, Math.min(k, count - 1), side);
    this.#measure();
  }

  #take(k: number, { values, corners }: DifferencePoints, p: number, side: 0 | 1): void {
    this.corner[k] = corners[2 * p + side];
    for (let j = 0; j < 3; j++) this.at[3 * k + j] = values[9 * p + 3 + 3 * side + j];
  }

  /** Moves support points of an inflated shape back to its surface. */
  deflate(shape: ConvexObject): void {
    if (shape.inflation === 0) return;
    const { core, position: p, rotation: r, size, hull } = shape;
    for (let i = 0; i < 3; i++) {
      const o = 3 * i;
      if (core === CORE.box) this.#placeBoxCorner(this.at, o, shape, this.corner[i]);
      else if (core === CORE.cylinder) {
        for (let k = 0; k < 3; k++) {
          point[k] = 0;
          for (let j = 0; j < 3; j++) point[k] += r[3 * j + k] * (this.at[o + j] - p[j]);
        }
        const radius = Math.sqrt(point[0] * point[0] + point[1] * point[1]);
        const scale = radius < TINY ? 0 : size[0] / radius;
        const z = this.corner[i] === 0 ? size[1] : -size[1];
        for (let k = 0; k < 3; k++) {
          this.at[o + k] = r[3 * k] * scale * point[0] + r[3 * k + 1] * scale * point[1] + r[3 * k + 2] * z + p[k];
        }
      } else if (hull !== undefined) {
        const v = 3 * this.corner[i];
        const [x, y, z] = [hull.vertices[v], hull.vertices[v + 1], hull.vertices[v + 2]];
        for (let k = 0; k < 3; k++) this.at[o + k] = r[3 * k] * x + r[3 * k + 1] * y + r[3 * k + 2] * z + p[k];
      }
    }
  }

  #measure(): void {
    const c = this.corner;
    this.dimension = c[0] !== c[1] ? (c[2] === c[0] || c[2] === c[1] ? 2 : 3) : c[0] === c[2] ? 1 : 2;
    if (c[0] === c[1] && c[0] !== c[2]) {
      c[1] = c[2];
      for (let j = 0; j < 3; j++) this.at[3 + j] = this.at[6 + j];
    }
  }

  /** Makes the line through a point of a capsule's surface along its axis the feature. */
  takeLine({ position: p, rotation: r, size }: ConvexObject, x: Float64Array): void {
    let along = 0;
    for (let k = 0; k < 3; k++) along += r[3 * k + 2] * (x[k] - p[k]);
    this.dimension = 2;
    for (let k = 0; k < 3; k++) {
      const middle = x[k] - along * r[3 * k + 2];
      this.at[k] = middle - size[1] * r[3 * k + 2];
      point[k] = middle + size[1] * r[3 * k + 2];
    }
    this.edgeCount = 0;
    this.#addEdge();
  }

  /** Finds the sides around the feature; (dx dy dz) points out of the shape along the normal of contact. */
  findNormals(shape: ConvexObject, dx: number, dy: number, dz: number): void {
    this.normalCount = 0;
    if (shape.core === CORE.box) this.#findBoxNormals(shape, dx, dy, dz);
    else if (shape.core === CORE.polyhedron) this.#findHullNormals(shape);
    else if (shape.core === CORE.cylinder && this.dimension === 1) {
      this.#addNormal(shape, 0, 0, this.corner[0] === 1 ? -1 : 1, this.corner[0]);
    }
  }

  #addNormal({ rotation: r }: ConvexObject, x: number, y: number, z: number, side: number): void {
    const n = this.normalCount++;
    if (n >= this.sides.length) this.#grow();
    this.normals[3 * n] = r[0] * x + r[1] * y + r[2] * z;
    this.normals[3 * n + 1] = r[3] * x + r[4] * y + r[5] * z;
    this.normals[3 * n + 2] = r[6] * x + r[7] * y + r[8] * z;
    this.sides[n] = side;
  }

  #findBoxNormals(shape: ConvexObject, dx: number, dy: number, dz: number): void {
    const { corner: c, dimension } = this;
    const wanted = dimension === 3 ? 1 : dimension === 2 ? 2 : 3;
    for (let k = 0; k < 3; k++) {
      const bit = 1 << k;
      let sign = (c[0] & bit) !== 0 ? 1 : -1;
      for (let i = 1; i < dimension; i++) if ((c[i] & bit) !== (c[0] & bit)) sign = 0;
      if (sign === 0) continue;
      this.#addNormal(shape, k === 0 ? sign : 0, k === 1 ? sign : 0, k === 2 ? sign : 0, 2 * k + (sign > 0 ? 0 : 1));
    }
    if (this.normalCount === wanted) return;
    // corners of no one side or edge: a side along the normal of contact, if there is one
    this.normalCount = 0;
    const { rotation: r } = shape;
    const scale = 1 / Math.sqrt(dx * dx + dy * dy + dz * dz);
    for (let k = 0; k < 3; k++) {
      const along = (r[k] * dx + r[3 + k] * dy + r[6 + k] * dz) * scale;
      if (!(Math.abs(along) > FACE_TOLERANCE)) continue;
      const sign = along > 0 ? 1 : -1;
      this.#addNormal(shape, k === 0 ? sign : 0, k === 1 ? sign : 0, k === 2 ? sign : 0, 2 * k + (sign > 0 ? 0 : 1));
      return;
    }
  }

  #findHullNormals(shape: ConvexObject): void {
    const hull = shape.hull as ConvexPolyhedron;
    const { start, face } = listFacesAround(hull);
    const [p, q, r] = this.corner;
    for (let i = start[p]; i < start[p + 1]; i++) {
      const f = face[i];
      if (this.dimension > 1 && !isAround(start, face, q, f)) continue;
      if (this.dimension > 2 && !isAround(start, face, r, f)) continue;
      const { faceNormal: n } = findSides(hull);
      this.#addNormal(shape, n[3 * f], n[3 * f + 1], n[3 * f + 2], f);
      // two sides meet at an edge
      if (this.dimension === 2 && this.normalCount === 2) return;
      if (this.dimension === 3) return;
    }
  }

  /** Finds the edges that leave a corner, or the edge that the feature is. */
  findEdges(shape: ConvexObject): void {
    this.edgeCount = 0;
    if (this.dimension > 2) return;
    const { rotation: r, position: p, size, core } = shape;
    if (core === CORE.cylinder) {
      const sign = this.corner[0] === 1 ? 1 : -1;
      for (let k = 0; k < 3; k++) point[k] = this.at[k] + sign * r[3 * k + 2] * 2 * size[1];
      this.#addEdge();
      for (let k = 0; k < 3; k++) this.edges[k] = sign * r[3 * k + 2];
    } else if (this.dimension === 2) {
      for (let k = 0; k < 3; k++) point[k] = this.at[3 + k];
      this.#addEdge();
    } else if (core === CORE.box) {
      for (let k = 0; k < 3; k++) {
        const c = this.corner[0] ^ (1 << k);
        this.#placeBoxCorner(point, 0, shape, c);
        this.#addEdge();
      }
    } else if (core === CORE.polyhedron) {
      const hull = shape.hull as ConvexPolyhedron;
      const { start, face } = listFacesAround(hull);
      const { faceStart, faceVertex } = findSides(hull);
      const { vertices: v } = hull;
      const c = this.corner[0];
      for (let i = start[c]; i < start[c + 1]; i++) {
        const first = faceStart[face[i]];
        const end = faceStart[face[i] + 1];
        for (let k = first; k < end; k++) {
          if (faceVertex[k] !== c) continue;
          const o = 3 * faceVertex[k === first ? end - 1 : k - 1];
          for (let j = 0; j < 3; j++) {
            point[j] = r[3 * j] * v[o] + r[3 * j + 1] * v[o + 1] + r[3 * j + 2] * v[o + 2] + p[j];
          }
          this.#addEdge();
        }
      }
    }
  }

  /** Appends the edge from the first corner to `point`. */
  #addEdge(): void {
    const n = this.edgeCount++;
    if (3 * n >= this.edges.length) {
      this.edges = extend(this.edges);
      this.ends = extend(this.ends);
    }
    let squared = 0;
    for (let k = 0; k < 3; k++) {
      this.ends[3 * n + k] = point[k];
      this.edges[3 * n + k] = point[k] - this.at[k];
      squared += this.edges[3 * n + k] ** 2;
    }
    const scale = 1 / Math.sqrt(squared);
    for (let k = 0; k < 3; k++) this.edges[3 * n + k] *= scale;
  }

  /** Makes edge n the polygon. */
  takeEdge(n: number): void {
    for (let k = 0; k < 3; k++) {
      this.polygon[k] = this.at[k];
      this.polygon[3 + k] = this.ends[3 * n + k];
    }
    this.polygonCount = 2;
  }

  /** Makes the side with normal n the polygon. */
  takeSide(shape: ConvexObject, n: number): void {
    const side = this.sides[n];
    const { rotation: r, position: p, size, core } = shape;
    if (core === CORE.box) {
      for (let i = 0; i < 4; i++) this.#placeBoxCorner(this.polygon, 3 * i, shape, BOX_SIDES[4 * side + i]);
      this.polygonCount = 4;
      return;
    }
    const hull = shape.hull;
    const sides = hull && findSides(hull);
    const first = sides === undefined ? 0 : sides.faceStart[side];
    const count = core === CORE.cylinder || sides === undefined ? 16 : sides.faceStart[side + 1] - first;
    while (3 * count > this.polygon.length) this.polygon = extend(this.polygon);
    const sign = side === 1 ? -1 : 1;
    for (let i = 0; i < count; i++) {
      let x: number;
      let y: number;
      let z: number;
      if (core === CORE.cylinder || hull === undefined || sides === undefined) {
        const half = i < 8 ? 1 : -1;
        x = half * COSINE[i & 7] * size[0];
        y = -half * SINE[i & 7] * size[0] * sign;
        z = sign * size[1];
      } else {
        const o = 3 * sides.faceVertex[first + count - 1 - i];
        x = hull.vertices[o];
        y = hull.vertices[o + 1];
        z = hull.vertices[o + 2];
      }
      for (let k = 0; k < 3; k++) this.polygon[3 * i + k] = r[3 * k] * x + r[3 * k + 1] * y + r[3 * k + 2] * z + p[k];
    }
    this.polygonCount = count;
  }

  #placeBoxCorner(
    out: Float64Array,
    o: number,
    { rotation: r, position: p, size }: ConvexObject,
    corner: number,
  ): void {
    const x = (corner & 1) !== 0 ? size[0] : -size[0];
    const y = (corner & 2) !== 0 ? size[1] : -size[1];
    const z = (corner & 4) !== 0 ? size[2] : -size[2];
    for (let k = 0; k < 3; k++) out[o + k] = r[3 * k] * x + r[3 * k + 1] * y + r[3 * k + 2] * z + p[k];
  }

  #grow(): void {
    this.normals = extend(this.normals);
    const sides = new Int32Array(2 * this.sides.length);
    sides.set(this.sides);
    this.sides = sides;
  }
}

function toUnits(...digits: number[]): number[] {
  return digits.map((n) => n / 1e15);
}

function extend(from: Float64Array): Float64Array {
  const to = new Float64Array(2 * from.length);
  to.set(from);
  return to;
}

interface FacesAround {
  /** Faces around vertex i: face[start[i]] up to face[start[i + 1] − 1], in the order of their numbers. */
  readonly start: Int32Array;
  readonly face: Int32Array;
}

const facesAround = /* @__PURE__ */ new WeakMap<ConvexPolyhedron, FacesAround>();

/** The sides around each vertex, listed at the first use of a hull. */
export function listFacesAround(hull: ConvexPolyhedron): FacesAround {
  const known = facesAround.get(hull);
  if (known !== undefined) return known;
  const { vertices } = hull;
  const { faceStart, faceVertex } = findSides(hull);
  const start = new Int32Array(vertices.length / 3 + 1);
  for (const v of faceVertex) start[v + 1]++;
  for (let i = 1; i < start.length; i++) start[i] += start[i - 1];
  const next = start.slice();
  const face = new Int32Array(faceVertex.length);
  for (let f = 0; f + 1 < faceStart.length; f++) {
    for (let k = faceStart[f]; k < faceStart[f + 1]; k++) face[next[faceVertex[k]]++] = f;
  }
  const found = { start, face };
  facesAround.set(hull, found);
  return found;
}

function isAround(start: Int32Array, face: Int32Array, vertex: number, f: number): boolean {
  for (let i = start[vertex]; i < start[vertex + 1]; i++) if (face[i] === f) return true;
  return false;
}
