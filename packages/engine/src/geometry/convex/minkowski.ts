/**
 * The Minkowski difference of two placed cores, M = { b − a }, seen through its support points. The origin lies in M exactly
 * when the cores overlap; the point of M nearest to the origin is the shortest vector from A to B.
 *
 * For a unit direction n from A to B, g(n) = min over M of n·x = n·(s_B(−n) − s_A(n)) is the gap left between the cores by
 * two planes across n. The signed distance of the cores is the largest g(n) over all n, also in penetration; so every n gives
 * a bound that a search may trust: distance ≥ g(n), depth ≤ −g(n).
 */
import type { PlacedShape } from '../placed-shape.ts';
import { getCoreRadius, isCurvedCore, supportAlong } from './support.ts';

/** Most points that a search may keep; there are a few places more for trials. */
export const MOST_VERTICES = 256;
const PLACES = MOST_VERTICES + 4;

export class MinkowskiDifference {
  /** Points b − a of M, in the order in which a search keeps them, m. */
  readonly w: Float64Array = new Float64Array(3 * PLACES);
  /** Their points on A, relative to the position of A. */
  readonly a: Float64Array = new Float64Array(3 * PLACES);
  /** Their points on B, relative to the position of A. */
  readonly b: Float64Array = new Float64Array(3 * PLACES);
  /** Vertices of A and B, −1 on curved surfaces. */
  readonly vertexA: Int32Array = new Int32Array(PLACES);
  readonly vertexB: Int32Array = new Int32Array(PLACES);
  /** n·x of the last support point, m. */
  readonly height: Float64Array = new Float64Array(1);
  /** Position of B relative to that of A, m. */
  readonly offset: Float64Array = new Float64Array(3);
  /** r_A, r_B around the cores, m. */
  readonly radii: Float64Array = new Float64Array(2);
  isCurved = false;
  shapeA: PlacedShape | undefined;
  shapeB: PlacedShape | undefined;
  #hintA = 0;
  #hintB = 0;

  set(a: PlacedShape, b: PlacedShape): void {
    this.shapeA = a;
    this.shapeB = b;
    this.offset[0] = b.position[0] - a.position[0];
    this.offset[1] = b.position[1] - a.position[1];
    this.offset[2] = b.position[2] - a.position[2];
    this.radii[0] = getCoreRadius(a);
    this.radii[1] = getCoreRadius(b);
    this.isCurved = isCurvedCore(a.core) || isCurvedCore(b.core);
    this.#hintA = 0;
    this.#hintB = 0;
  }

  /** Writes the point of M with the least n·x, n = sign · d, at place i, and n·x as `height`. d need not be a unit vector. */
  support(i: number, d: Float64Array, sign: number): void {
    const { w, a, b, offset } = this;
    const k = 3 * i;
    const vertexA = supportAlong(a, k, this.shapeA as PlacedShape, d, sign, this.#hintA);
    const vertexB = supportAlong(b, k, this.shapeB as PlacedShape, d, -sign, this.#hintB);
    this.#hintA = vertexA;
    this.#hintB = vertexB;
    this.vertexA[i] = vertexA;
    this.vertexB[i] = vertexB;
    b[k] += offset[0];
    b[k + 1] += offset[1];
    b[k + 2] += offset[2];
    w[k] = b[k] - a[k];
    w[k + 1] = b[k + 1] - a[k + 1];
    w[k + 2] = b[k + 2] - a[k + 2];
    this.height[0] = sign * (d[0] * w[k] + d[1] * w[k + 1] + d[2] * w[k + 2]);
  }

  /** Copies a point from one place to another. */
  copy(to: number, from: number): void {
    if (to === from) return;
    const t = 3 * to;
    const f = 3 * from;
    for (let k = 0; k < 3; k++) {
      this.w[t + k] = this.w[f + k];
      this.a[t + k] = this.a[f + k];
      this.b[t + k] = this.b[f + k];
    }
    this.vertexA[to] = this.vertexA[from];
    this.vertexB[to] = this.vertexB[from];
  }

  /** Whether two places hold the same point. */
  isSame(i: number, j: number): boolean {
    const { w } = this;
    return w[3 * i] === w[3 * j] && w[3 * i + 1] === w[3 * j + 1] && w[3 * i + 2] === w[3 * j + 2];
  }
}
