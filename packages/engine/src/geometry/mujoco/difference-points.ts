/** Points w = a − b of the Minkowski difference of two shapes with the points they come from, nine numbers each, and the two corners. */
import { copyInto } from '../../linear-algebra/growth.ts';
import type { ConvexObject } from './convex-object.ts';

export class DifferencePoints {
  /** w, a and b of each point, m. */
  values: Float64Array;
  /** Corners of a and of b, −1 where the shape is round. */
  corners: Int32Array;
  count = 0;

  constructor(capacity: number) {
    this.values = new Float64Array(9 * capacity);
    this.corners = new Int32Array(2 * capacity);
  }

  /** Writes the farthest point along d, a unit vector, at number i. */
  support(i: number, a: ConvexObject, b: ConvexObject, dx: number, dy: number, dz: number): void {
    const v = this.values;
    const o = 9 * i;
    a.support(v, o + 3, dx, dy, dz);
    b.support(v, o + 6, -dx, -dy, -dz);
    v[o] = v[o + 3] - v[o + 6];
    v[o + 1] = v[o + 4] - v[o + 7];
    v[o + 2] = v[o + 5] - v[o + 8];
    this.corners[2 * i] = a.corner;
    this.corners[2 * i + 1] = b.corner;
  }

  /** Appends a support point and returns its number. */
  addSupport(a: ConvexObject, b: ConvexObject, dx: number, dy: number, dz: number): number {
    const i = this.#next();
    this.support(i, a, b, dx, dy, dz);
    return i;
  }

  /** Appends point j of another list and returns its number here. */
  add(from: DifferencePoints, j: number): number {
    const i = this.#next();
    this.copy(i, from, j);
    return i;
  }

  copy(i: number, from: DifferencePoints, j: number): void {
    for (let k = 0; k < 9; k++) this.values[9 * i + k] = from.values[9 * j + k];
    this.corners[2 * i] = from.corners[2 * j];
    this.corners[2 * i + 1] = from.corners[2 * j + 1];
  }

  #next(): number {
    const i = this.count++;
    if (9 * this.count > this.values.length) {
      this.values = copyInto(this.values, new Float64Array(2 * this.values.length));
      this.corners = copyInto(this.corners, new Int32Array(2 * this.corners.length));
    }
    return i;
  }
}
