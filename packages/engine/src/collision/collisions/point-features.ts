/**
 * What a point near a surface of triangles sees: its nearest features by inclusion and exclusion,
 *   Σ triangles − Σ inner edges + Σ inner points,
 * each at its own distance. Over a flat or bent sheet the features that two triangles see twice cancel, so that a point that slides
 * over inner edges meets the same barrier everywhere. Equal features are one with the sum of their weights.
 * Source: Li et al., Convergent Incremental Potential Contact (2023), section 4.
 */
import { locateOnSegment, measurePointSegment } from '../../geometry/distance/point-edge.ts';
import { measurePointPoint } from '../../geometry/distance/point-point.ts';
import { POINT_TRIANGLE } from '../../geometry/distance/point-triangle.ts';
import { copyInto } from '../../linear-algebra/growth.ts';
import type { SurfaceSet } from '../surface/surface-set.ts';

/** Values of `kind`. */
export const FEATURE = { face: 0, edge: 1, point: 2 } as const;

export class PointFeatures {
  count = 0;
  kind: Int32Array = new Int32Array(64);
  /** Of the triangle, edge or point. */
  number: Int32Array = new Int32Array(64);
  /** How often it counts, 0 where it cancels. */
  weight: Float64Array = new Float64Array(64);
  /** d², m². */
  square: Float64Array = new Float64Array(64);

  clear(): void {
    this.count = 0;
  }

  /** The feature that triangle t shows, by the type of its distance. */
  addNearest({ triangle, triangleEdge }: SurfaceSet, t: number, type: number, square: number): void {
    if (type === POINT_TRIANGLE.face) this.#add(FEATURE.face, t, 1, square);
    else if (type >= POINT_TRIANGLE.edge0) this.#add(FEATURE.edge, triangleEdge[3 * t + type - 3], 1, square);
    else this.#add(FEATURE.point, triangle[3 * t + type], 1, square);
  }

  /** Inner edges and points that triangle t owns: the owner of a near edge is near itself. x holds the point and the corners of t, limit is a d² (m²). */
  addInner(set: SurfaceSet, t: number, x: Float64Array, limit: number): void {
    const { triangle, triangleEdge, edgeOwner, edgeTriangles, pointOwner, isInner } = set;
    for (let k = 0; k < 3; k++) {
      const e = triangleEdge[3 * t + k];
      const a = 3 + 3 * k;
      if (edgeOwner[e] === t && edgeTriangles[e] === 2) {
        const b = k < 2 ? a + 3 : 3;
        const s = locateOnSegment(x, 0, a, b);
        const far = measurePointSegment(x, 0, a, b, s);
        if (far < limit) {
          const inside = s > 0 && s < 1;
          const number = inside ? e : triangle[3 * t + (s > 0 ? (k + 1) % 3 : k)];
          this.#add(inside ? FEATURE.edge : FEATURE.point, number, -1, far);
        }
      }
      const v = triangle[3 * t + k];
      if (pointOwner[v] === t && isInner[v] === 1) {
        const far = measurePointPoint(x, 0, a);
        if (far < limit) this.#add(FEATURE.point, v, 1, far);
      }
    }
  }

  // equal features add up
  #add(kind: number, number: number, weight: number, square: number): void {
    for (let f = 0; f < this.count; f++) {
      if (this.kind[f] !== kind || this.number[f] !== number) continue;
      this.weight[f] += weight;
      return;
    }
    const f = this.count++;
    if (f === this.kind.length) this.#grow();
    this.kind[f] = kind;
    this.number[f] = number;
    this.weight[f] = weight;
    this.square[f] = square;
  }

  #grow(): void {
    const n = 2 * this.kind.length;
    this.kind = copyInto(this.kind, new Int32Array(n));
    this.number = copyInto(this.number, new Int32Array(n));
    this.weight = copyInto(this.weight, new Float64Array(n));
    this.square = copyInto(this.square, new Float64Array(n));
  }
}
