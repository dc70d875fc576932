/**
 * Triangles around the vertices of solids, and whether a direction leads out of the body at a vertex. A vertex of a flat side that is inside a box
 * near its edge is not pushed along that side, however near the side of the box is. A direction n leads out where it is near the outward normal of a
 * triangle around the vertex, or points away from all neighbours, n·(x_j − x) ≤ 0, as at the tip of a needle.
 */
import type { Model } from '../../model/model.ts';

/** Least cosine of a direction and the outward normal of a triangle: 73°. */
const LEAST = 0.3;

export class SurfaceCorners {
  readonly #triangle: Int32Array;
  /** Per vertex of all bodies: its first number in `#of`, and one more at the end. */
  readonly #start: Int32Array;
  /** Triangles around vertices. */
  readonly #of: Int32Array;

  constructor({ soft, size }: Model) {
    this.#triangle = soft.triangle;
    const start = new Int32Array(size.softVertex + 1);
    for (const v of soft.triangle) start[v + 1]++;
    for (let v = 0; v < size.softVertex; v++) start[v + 1] += start[v];
    this.#start = start;
    this.#of = new Int32Array(soft.triangle.length);
    const next = start.slice();
    soft.triangle.forEach((v, k) => {
      this.#of[next[v]++] = Math.trunc(k / 3);
    });
  }

  /** Whether a direction leads out of the surface with vertices at x at vertex v. */
  leadsOut(x: Float64Array, v: number, direction: Float64Array): boolean {
    const triangle = this.#triangle;
    let isTip = true;
    for (let k = this.#start[v]; k < this.#start[v + 1]; k++) {
      const t = 3 * this.#of[k];
      const [a, b, c] = [3 * triangle[t], 3 * triangle[t + 1], 3 * triangle[t + 2]];
      for (let n = t; n < t + 3; n++) if (isAhead(x, v, triangle[n], direction)) isTip = false;
      const [ux, uy, uz] = [x[b] - x[a], x[b + 1] - x[a + 1], x[b + 2] - x[a + 2]];
      const [wx, wy, wz] = [x[c] - x[a], x[c + 1] - x[a + 1], x[c + 2] - x[a + 2]];
      const nx = uy * wz - uz * wy;
      const ny = uz * wx - ux * wz;
      const nz = ux * wy - uy * wx;
      const along = nx * direction[0] + ny * direction[1] + nz * direction[2];
      if (along > LEAST * Math.sqrt(nx * nx + ny * ny + nz * nz)) return true;
    }
    return isTip;
  }
}

// whether vertex w is on the side of vertex v where a direction points
function isAhead(x: Float64Array, v: number, w: number, direction: Float64Array): boolean {
  let sum = 0;
  for (let c = 0; c < 3; c++) sum += (x[3 * w + c] - x[3 * v + c]) * direction[c];
  return sum > 0;
}
