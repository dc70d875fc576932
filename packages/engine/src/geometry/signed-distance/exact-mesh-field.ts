/**
 * Exact signed distance of a closed mesh: the nearest triangle through a tree of boxes, the sign by the pseudo-normal of the
 * nearest feature.
 *
 *   φ(x) = ± |x − c|, + if (x − c) · N ≥ 0
 *
 * c the nearest surface point, N the normal of the face, the sum of the two face normals of an edge, or the sum of the face
 * normals at a vertex weighted by the angles of the faces there. With these weights the sign is right for every closed surface
 * that does not pass through itself, sharp spikes included.
 * Source: Bærentzen, Aanæs, Signed distance computation using the angle weighted pseudonormal (2005).
 */

import { atan2 } from '../../linear-algebra/elementary.ts';
import { findNearestOnTriangle, NearestOnTriangle } from '../triangle-distance.ts';
import type { ClosedMesh } from './closed-mesh.ts';
import type { SignedDistanceField } from './field.ts';
import { buildTriangleTree, type TriangleTree } from './triangle-tree.ts';

/** Depth of the tree's stack: the tree is balanced, so 64 levels hold any mesh. */
/** What is nearest on the triangle looked at last. */
const found = /* @__PURE__ */ new NearestOnTriangle();
const stackNode = /* @__PURE__ */ new Int32Array(128);
const stackBound = /* @__PURE__ */ new Float64Array(128);

export class ExactMeshField implements SignedDistanceField {
  readonly bounds: Float64Array;
  readonly errorBound: number = 0;
  readonly lipschitz: number = 1;
  /** Nine coordinates per triangle. */
  readonly corners: Float64Array;
  readonly #tree: TriangleTree;
  /** Pseudo-normals of the seven features of each triangle, 21 numbers. */
  readonly #normals: Float64Array;
  /** Around each triangle a disc: centre, unit normal, radius. */
  readonly #discs: Float64Array;
  /** Triangle found last. */
  #nearest = 0;

  constructor(mesh: ClosedMesh) {
    this.#tree = buildTriangleTree(gatherCorners(mesh.vertices, mesh.triangles));
    // renumbered in the order of the leaves, so that neighbours in space are neighbours in memory
    const { boxes, order } = this.#tree;
    const triangles = Int32Array.from(mesh.triangles, (_, i) => mesh.triangles[3 * order[Math.floor(i / 3)] + (i % 3)]);
    this.corners = gatherCorners(mesh.vertices, triangles);
    this.#normals = computePseudoNormals(mesh.vertices, triangles, this.corners);
    this.#discs = computeDiscs(this.corners, this.#normals);
    this.bounds = new Float64Array(6);
    for (let k = 0; k < 3; k++) {
      this.bounds[k] = boxes[k] - boxes[3 + k];
      this.bounds[3 + k] = boxes[k] + boxes[3 + k];
    }
  }

  distance(x: number, y: number, z: number): number {
    const squared = this.#search(-1, x, y, z);
    return this.#sideOf(x, y, z) < 0 ? -Math.sqrt(squared) : Math.sqrt(squared);
  }

  /** As `distance`, with a search that starts from a triangle known to be near. */
  distanceFrom(start: number, x: number, y: number, z: number): number {
    const squared = this.#search(start, x, y, z);
    return this.#sideOf(x, y, z) < 0 ? -Math.sqrt(squared) : Math.sqrt(squared);
  }

  /** As `distance`, for a point whose nearest triangle is in a list (nearby-triangles.ts) that begins at `o`. */
  distanceAmong(lists: Int32Array, o: number, x: number, y: number, z: number): number {
    const squared = this.#searchList(lists, o, x, y, z);
    return this.#sideOf(x, y, z) < 0 ? -Math.sqrt(squared) : Math.sqrt(squared);
  }

  gradient(out: Float64Array, x: number, y: number, z: number): number {
    return this.#pointAway(out, this.#search(-1, x, y, z), x, y, z);
  }

  /** As `gradient`, for a point whose nearest triangle is in a list that begins at `o`. */
  gradientAmong(out: Float64Array, lists: Int32Array, o: number, x: number, y: number, z: number): number {
    return this.#pointAway(out, this.#searchList(lists, o, x, y, z), x, y, z);
  }

  // the gradient and the signed distance, from the feature found last
  #pointAway(out: Float64Array, squared: number, x: number, y: number, z: number): number {
    const d = Math.sqrt(squared);
    const sign = this.#sideOf(x, y, z) < 0 ? -1 : 1;
    // on the surface itself: the normal of the feature
    const n = 21 * this.#nearest + 3 * found.feature;
    const isOn = d <= 1e-12 * this.#extent();
    const gx = isOn ? this.#normals[n] : sign * (x - found.point[0]);
    const gy = isOn ? this.#normals[n + 1] : sign * (y - found.point[1]);
    const gz = isOn ? this.#normals[n + 2] : sign * (z - found.point[2]);
    const length = Math.sqrt(gx * gx + gy * gy + gz * gz);
    const scale = length > 0 ? 1 / length : 0;
    out[0] = gx * scale;
    out[1] = gy * scale;
    out[2] = scale > 0 ? gz * scale : 1;
    return sign * d;
  }

  /** The triangle nearest to the point asked for last. */
  get nearest(): number {
    return this.#nearest;
  }

  #extent(): number {
    const b = this.bounds;
    return Math.max(b[3] - b[0], b[4] - b[1], b[5] - b[2]);
  }

  // squared distance, no triangle or one to start from given; leaves the triangle in #nearest, the feature and point in
  // those of triangle-distance.ts. Without a start the result depends on the point alone, whatever was asked before
  #search(start: number, x: number, y: number, z: number): number {
    const { boxes, children } = this.#tree;
    const corners = this.corners;
    const discs = this.#discs;
    let best = start < 0 ? Infinity : findNearestOnTriangle(found, corners, 9 * start, x, y, z);
    if (start >= 0) this.#nearest = start;
    let last = start;
    let depth = 0;
    let node = 0;
    while (true) {
      const left = children[2 * node];
      const right = children[2 * node + 1];
      let next = -1;
      if (left >= 0) {
        // down to the nearer child; the other waits
        const dl = boxDistance(boxes, 6 * left, x, y, z);
        const dr = boxDistance(boxes, 6 * right, x, y, z);
        const isLeftNearer = dl <= dr;
        if ((isLeftNearer ? dl : dr) < best) next = isLeftNearer ? left : right;
        if ((isLeftNearer ? dr : dl) < best) {
          stackNode[depth] = isLeftNearer ? right : left;
          stackBound[depth++] = isLeftNearer ? dr : dl;
        }
      } else {
        const first = -1 - left;
        for (let t = first; t < first + right; t++) {
          // no nearer than the disc around it: off its plane, and beyond its rim
          const o = 7 * t;
          const dx = x - discs[o];
          const dy = y - discs[o + 1];
          const dz = z - discs[o + 2];
          const height = discs[o + 3] * dx + discs[o + 4] * dy + discs[o + 5] * dz;
          const along = Math.sqrt(Math.max(dx * dx + dy * dy + dz * dz - height * height, 0));
          const beyond = Math.max(along - discs[o + 6], 0);
          if (height * height + beyond * beyond >= best) continue;
          last = t;
          const d = findNearestOnTriangle(found, corners, 9 * t, x, y, z);
          if (d < best) {
            best = d;
            this.#nearest = t;
          }
        }
      }
      // else back to the latest that may still be nearer
      while (next < 0 && depth > 0) if (stackBound[--depth] < best) next = stackNode[depth];
      if (next < 0) break;
      node = next;
    }
    // the feature of the winner, if another was checked after it
    if (last !== this.#nearest) findNearestOnTriangle(found, corners, 9 * this.#nearest, x, y, z);
    return best;
  }

  // as #search, over a list; an empty one is followed by a triangle to start from
  #searchList(lists: Int32Array, o: number, x: number, y: number, z: number): number {
    const count = lists[o];
    if (count === 0) return this.#search(lists[o + 1], x, y, z);
    const corners = this.corners;
    const discs = this.#discs;
    let nearest = lists[o + 1];
    let last = nearest;
    let best = findNearestOnTriangle(found, corners, 9 * nearest, x, y, z);
    for (let i = o + 2; i <= o + count; i++) {
      const t = lists[i];
      // by its disc, as above (its own function would box the numbers it is given)
      const c = 7 * t;
      const dx = x - discs[c];
      const dy = y - discs[c + 1];
      const dz = z - discs[c + 2];
      const height = discs[c + 3] * dx + discs[c + 4] * dy + discs[c + 5] * dz;
      const along = Math.sqrt(Math.max(dx * dx + dy * dy + dz * dz - height * height, 0));
      const beyond = Math.max(along - discs[c + 6], 0);
      if (height * height + beyond * beyond >= best) continue;
      last = t;
      const d = findNearestOnTriangle(found, corners, 9 * t, x, y, z);
      if (d < best) {
        best = d;
        nearest = t;
      }
    }
    this.#nearest = nearest;
    if (last !== nearest) findNearestOnTriangle(found, corners, 9 * nearest, x, y, z);
    return best;
  }

  /** The triangles within `reach` (m) of a point, the nearest first; undefined if there are more than `limit`. */
  collectNearby(limit: number, reach: number, x: number, y: number, z: number): number[] | undefined {
    const { boxes, children } = this.#tree;
    const near: { triangle: number; squared: number }[] = [];
    let depth = 0;
    stackNode[depth++] = 0;
    while (depth > 0) {
      const node = stackNode[--depth];
      if (boxDistance(boxes, 6 * node, x, y, z) > reach * reach) continue;
      const left = children[2 * node];
      const right = children[2 * node + 1];
      if (left >= 0) {
        stackNode[depth++] = right;
        stackNode[depth++] = left;
        continue;
      }
      const first = -1 - left;
      for (let t = first; t < first + right; t++) {
        const squared = findNearestOnTriangle(found, this.corners, 9 * t, x, y, z);
        if (squared > reach * reach) continue;
        if (near.length === limit) return undefined;
        near.push({ triangle: t, squared });
      }
    }
    return near.sort((a, b) => a.squared - b.squared).map(({ triangle }) => triangle);
  }

  // which side of the surface the point is on, from the feature found last
  #sideOf(x: number, y: number, z: number): number {
    const n = 21 * this.#nearest + 3 * found.feature;
    return (
      this.#normals[n] * (x - found.point[0]) +
      this.#normals[n + 1] * (y - found.point[1]) +
      this.#normals[n + 2] * (z - found.point[2])
    );
  }
}

// squared
function boxDistance(boxes: Float64Array, o: number, x: number, y: number, z: number): number {
  const dx = Math.max(Math.abs(x - boxes[o]) - boxes[o + 3], 0);
  const dy = Math.max(Math.abs(y - boxes[o + 1]) - boxes[o + 4], 0);
  const dz = Math.max(Math.abs(z - boxes[o + 2]) - boxes[o + 5], 0);
  return dx * dx + dy * dy + dz * dz;
}

function gatherCorners(vertices: Float64Array, triangles: Int32Array): Float64Array {
  const corners = new Float64Array(3 * triangles.length);
  for (let i = 0; i < triangles.length; i++) {
    for (let k = 0; k < 3; k++) corners[3 * i + k] = vertices[3 * triangles[i] + k];
  }
  return corners;
}

function computeDiscs(corners: Float64Array, normals: Float64Array): Float64Array {
  const count = corners.length / 9;
  const discs = new Float64Array(7 * count);
  for (let t = 0; t < count; t++) {
    for (let k = 0; k < 3; k++) {
      discs[7 * t + k] = (corners[9 * t + k] + corners[9 * t + 3 + k] + corners[9 * t + 6 + k]) / 3;
      discs[7 * t + 3 + k] = normals[21 * t + 18 + k];
    }
    for (let c = 0; c < 3; c++) {
      const dx = corners[9 * t + 3 * c] - discs[7 * t];
      const dy = corners[9 * t + 3 * c + 1] - discs[7 * t + 1];
      const dz = corners[9 * t + 3 * c + 2] - discs[7 * t + 2];
      discs[7 * t + 6] = Math.max(discs[7 * t + 6], Math.sqrt(dx * dx + dy * dy + dz * dz));
    }
    // room for rounding
    discs[7 * t + 6] *= 1 + 1e-12;
  }
  return discs;
}

function computePseudoNormals(vertices: Float64Array, triangles: Int32Array, corners: Float64Array): Float64Array {
  const count = triangles.length / 3;
  const vertexCount = vertices.length / 3;
  const atVertex = new Float64Array(vertices.length);
  const normals = new Float64Array(21 * count);
  const triangleOfEdge = new Map<number, number>();
  const n = new Float64Array(3);
  for (let t = 0; t < count; t++) {
    computeNormal(n, corners, 9 * t);
    normals.set(n, 21 * t + 18);
    for (let k = 0; k < 3; k++) {
      const vertex = triangles[3 * t + k];
      const angle = cornerAngle(corners, 9 * t, k);
      for (let i = 0; i < 3; i++) atVertex[3 * vertex + i] += angle * n[i];
      triangleOfEdge.set(vertex * vertexCount + triangles[3 * t + ((k + 1) % 3)], t);
    }
  }
  for (let t = 0; t < count; t++) {
    for (let k = 0; k < 3; k++) {
      const from = triangles[3 * t + k];
      const to = triangles[3 * t + ((k + 1) % 3)];
      const across = triangleOfEdge.get(to * vertexCount + from) ?? t;
      for (let i = 0; i < 3; i++) {
        normals[21 * t + 3 * k + i] = atVertex[3 * from + i];
        normals[21 * t + 9 + 3 * k + i] = normals[21 * t + 18 + i] + normals[21 * across + 18 + i];
      }
    }
  }
  return normals;
}

function computeNormal(out: Float64Array, c: Float64Array, o: number): void {
  const ux = c[o + 3] - c[o];
  const uy = c[o + 4] - c[o + 1];
  const uz = c[o + 5] - c[o + 2];
  const vx = c[o + 6] - c[o];
  const vy = c[o + 7] - c[o + 1];
  const vz = c[o + 8] - c[o + 2];
  const x = uy * vz - uz * vy;
  const y = uz * vx - ux * vz;
  const z = ux * vy - uy * vx;
  const length = Math.sqrt(x * x + y * y + z * z);
  const scale = length > 0 ? 1 / length : 0;
  out[0] = x * scale;
  out[1] = y * scale;
  out[2] = z * scale;
}

// angle of a triangle at its corner k, rad
function cornerAngle(c: Float64Array, o: number, k: number): number {
  const a = o + 3 * k;
  const b = o + 3 * ((k + 1) % 3);
  const d = o + 3 * ((k + 2) % 3);
  const ux = c[b] - c[a];
  const uy = c[b + 1] - c[a + 1];
  const uz = c[b + 2] - c[a + 2];
  const vx = c[d] - c[a];
  const vy = c[d + 1] - c[a + 1];
  const vz = c[d + 2] - c[a + 2];
  const x = uy * vz - uz * vy;
  const y = uz * vx - ux * vz;
  const z = ux * vy - uy * vx;
  return atan2(Math.sqrt(x * x + y * y + z * z), ux * vx + uy * vy + uz * vz);
}
