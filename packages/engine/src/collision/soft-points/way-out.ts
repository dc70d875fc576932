/**
 * The way out of a shape for a point inside it. The nearest face is the usual one, but not where another shape lies behind it: a vertex at the foot
 * of a box on the floor would be pushed into the floor, which pushes back. There the shape is looked at from places farther in, until
 * another face is the nearest:
 *   x′ = x + s n,   s = d, 2 d, 4 d, …        gap = φ(x′) + g′·(x − x′) − r
 * with the depth d of x, the normal n into the shape, and φ and its gradient g′ at x′. A convex shape is behind the plane that belongs to g′, so
 * that the gap is that along g′. Lengths in m; r is the radius of the vertex.
 */
import { ContactPoints } from '../../geometry/contact-points.ts';
import { type PlacedShape, placeShape } from '../../geometry/placed-shape.ts';
import { numberKind } from '../../geometry/shapes/shape-table.ts';
import { sphere } from '../../geometry/shapes/sphere.ts';
import type { Model } from '../../model/model.ts';
import type { CollisionPlan } from '../collision-plan.ts';
import { findPairTest } from '../narrow-phase.ts';
import type { MeasureGap } from './vertex-sweep.ts';

const BALL = /* @__PURE__ */ numberKind(sphere);
/** Looks from farther in at most, and cosine of two normals up to which they belong to different faces. */
const MOST_LOOKS = 12;
const OTHER_FACE = 0.7;
/** How much longer another way out may be: what is pressed flat between two bodies stays there. */
const LONGEST = 4;

export class WayOut {
  /** Of the way that was found last: from the vertex into the shape. */
  readonly normal: Float64Array = new Float64Array(3);
  readonly #ball: PlacedShape = placeShape(BALL, [0, 0, 0]);
  readonly #points: ContactPoints = new ContactPoints();

  /**
   * Whether the way out of shape s from x against the normal leads into another shape, for a ball of a radius at the depth of a
   * gap; shapes that the soft body n does not touch do not count.
   */
  isBlocked(
    model: Model,
    plan: CollisionPlan,
    s: number,
    n: number,
    x: Float64Array,
    at: number,
    normal: Float64Array,
    gap: number,
    radius: number,
  ): boolean {
    const { shape, soft } = model;
    const ball = this.#ball;
    // beyond the surface by as much as the vertex is inside
    const way = -gap + Math.max(0, -gap - radius);
    for (let c = 0; c < 3; c++) ball.position[c] = x[at + c] - way * normal[c];
    ball.size[0] = radius;
    for (let k = 0; k < model.size.shape; k++) {
      if (k === s || ((shape.groups[k] & soft.mask[n]) | (soft.groups[n] & shape.mask[k])) === 0) continue;
      const kind = shape.kind[k];
      const points = this.#points;
      points.clear();
      if (BALL <= kind) findPairTest(BALL, kind)?.(points, ball, plan.placed[k], 0);
      else findPairTest(kind, BALL)?.(points, plan.placed[k], ball, 0);
      for (let p = 0; p < points.count; p++) if (points.gap[p] < 0) return true;
    }
    return false;
  }

  /** Another way out of the shape that `measureGap` measures: its gap, with the direction in `normal`; Infinity where there is none that is not much longer. */
  findOther(
    measureGap: MeasureGap,
    x: Float64Array,
    at: number,
    normal: Float64Array,
    gap: number,
    radius: number,
  ): number {
    const out = this.normal;
    let s = -gap - radius;
    for (let k = 0; k < MOST_LOOKS; k++, s *= 2) {
      const [nx, ny, nz] = normal;
      const other = measureGap(x[at] + s * nx, x[at + 1] + s * ny, x[at + 2] + s * nz, 0, out);
      // out at the far side
      if (other + radius >= 0) return Infinity;
      const cosine = nx * out[0] + ny * out[1] + nz * out[2];
      if (cosine < -OTHER_FACE) return Infinity;
      const along = other + s * cosine;
      if (cosine < OTHER_FACE) return along > LONGEST * (gap - radius) ? along : Infinity;
    }
    return Infinity;
  }
}
