/**
 * The first touch of a vertex with a rigid shape on its way through a step. Contacts are found where a step begins: a vertex that comes
 * farther than half the thickness of a shape in a step would pass through it between two looks, or come out on its far side. For such
 * vertices the touch is found by conservative advancement in the frame of the shape,
 *   t ← t + φ(x + t u)/|u|
 * with the gap φ, m, of the ball of the vertex at x + t u, and the velocity u of the vertex against the point of the shape that it is at, m/s: no
 * gap shrinks faster than the ball moves. The contact then has the normal of the touch, and the gap φ + t u·n up to which the row
 *   v_n ≥ −(φ + t u·n)/h
 * lets the vertex come. Source: Mirtich, Impulse-based dynamic simulation (1996), section 2.3.
 */
import type { Workspace } from '../../dynamics/workspace.ts';
import type { Model } from '../../model/model.ts';
import { FAST_SHARE } from '../ahead/body-travel.ts';
import { measureShapeThickness } from '../shape-thickness.ts';

/** Time looked ahead, in steps: more than one, since forces change velocities. */
export const HORIZON = 1.25;
/** Part of the way up to which a gap counts as a touch, and most steps towards it. */
export const TOUCH = 0.01;
export const MOST_STEPS = 16;

/** A ball at a place against the shape: its gap, and the normal from the ball to the shape in `normal`; Infinity beyond `reach`. */
export type MeasureGap = (x: number, y: number, z: number, reach: number, normal: Float64Array) => number;

export class VertexSweep {
  /** Velocity of the vertex against the shape, m/s; how far it comes in the time looked ahead, m. */
  readonly velocity: Float64Array = new Float64Array(3);
  way = 0;
  /** Of the touch that was found last, from the vertex to the shape. */
  readonly normal: Float64Array = new Float64Array(3);
  readonly #thickness: Float64Array;

  constructor(model: Model) {
    this.#thickness = measureShapeThickness(model);
  }

  /** Way beyond which vertices are fast to shape s, m. */
  slowestOf(s: number): number {
    return FAST_SHARE * this.#thickness[s];
  }

  /** Takes the motion of vertex v against the body of a shape in a step of length h; how far it comes. */
  follow({ body }: Model, work: Workspace, b: number, v: number, h: number): number {
    const { softPosition: x, softVelocity, bodyTwist: twist, treeCenter } = work;
    const c = 3 * body.root[b];
    const t = 6 * b;
    const u = this.velocity;
    const dx = x[3 * v] - treeCenter[c];
    const dy = x[3 * v + 1] - treeCenter[c + 1];
    const dz = x[3 * v + 2] - treeCenter[c + 2];
    u[0] = softVelocity[3 * v] - twist[t + 3] - twist[t + 1] * dz + twist[t + 2] * dy;
    u[1] = softVelocity[3 * v + 1] - twist[t + 4] - twist[t + 2] * dx + twist[t] * dz;
    u[2] = softVelocity[3 * v + 2] - twist[t + 5] - twist[t] * dy + twist[t + 1] * dx;
    this.way = HORIZON * h * Math.sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
    return this.way;
  }

  /** Speed of the vertex along a normal, m/s. */
  measureClosing(normal: Float64Array): number {
    const u = this.velocity;
    return u[0] * normal[0] + u[1] * normal[1] + u[2] * normal[2];
  }

  /** The gap φ + t u·n of the first touch from x on; Infinity where there is none on the way, or the vertex is in touch already. */
  find(x: ArrayLike<number>, v: number, h: number, measureGap: MeasureGap): number {
    const [ux, uy, uz] = this.velocity;
    const horizon = HORIZON * h;
    const speed = this.way / horizon;
    let t = 0;
    for (let k = 0; k < MOST_STEPS; k++) {
      const left = this.way - t * speed;
      const gap = measureGap(x[3 * v] + t * ux, x[3 * v + 1] + t * uy, x[3 * v + 2] + t * uz, left, this.normal);
      if (gap > left) return Infinity;
      if (gap <= TOUCH * this.way) {
        const closing = this.measureClosing(this.normal);
        return closing > 0 ? gap + t * closing : Infinity;
      }
      t += gap / speed;
    }
    return Infinity;
  }
}
