/**
 * How far bodies come in a step at the velocities that they begin it with and that free fall adds, and which of them are fast: those that come farther than half
 * the thickness of their thinnest shape. A slower body cannot pass through another between two looks at the contacts.
 */
import type { Workspace } from '../../dynamics/workspace.ts';
import { writeShapeBounds } from '../../geometry/bounds/shape-bounds.ts';
import type { Model } from '../../model/model.ts';
import type { CollisionPlan } from '../collision-plan.ts';
import { measureShapeThickness } from '../shape-thickness.ts';
import { MovingShape } from './moving-shape.ts';

/** Share of its thickness that a body may come in a step without being fast. */
export const FAST_SHARE = 0.5;

export class BodyTravel {
  /** Per shape: thickness, m. */
  readonly thickness: Float64Array;
  /** Per body: how far its points come at most, m; fast ones have a 1 in `isFast`. */
  readonly distance: Float64Array;
  readonly isFast: Uint8Array;
  /** Per body: velocity of its centre (m/s) and angular velocity (rad/s). */
  readonly #velocity: Float64Array;
  readonly #model: Model;
  /** m/s². */
  readonly #gravity: Float64Array;
  /** Bodies that move and have shapes that can touch, the thickness of each, and how far its shapes reach from its centre, m. */
  readonly #bodies: Int32Array;
  readonly #thinnest: Float64Array;
  readonly #reach: Float64Array;

  constructor(model: Model, plan: CollisionPlan) {
    const { body, shape, size, options } = model;
    this.#model = model;
    this.#gravity = options.disabled.has('gravity') ? new Float64Array(3) : options.gravity;
    this.thickness = measureShapeThickness(model);
    this.distance = new Float64Array(size.body);
    this.isFast = new Uint8Array(size.body);
    this.#velocity = new Float64Array(6 * size.body);
    this.#thinnest = new Float64Array(size.body).fill(Infinity);
    this.#reach = new Float64Array(size.body);
    for (const s of plan.boxed) {
      const b = shape.body[s];
      if (body.lastDof[b] < 0) continue;
      this.#thinnest[b] = Math.min(this.#thinnest[b], this.thickness[s]);
      this.#reach[b] = Math.max(this.#reach[b], measureReach(model, plan, s));
    }
    this.#bodies = Int32Array.from(this.#thinnest.keys()).filter((b) => this.#thinnest[b] < Infinity);
  }

  /** For a time of so many seconds; whether any body is fast. */
  measure({ bodyTwist, bodyCenter, treeCenter }: Workspace, time: number): boolean {
    const { root } = this.#model.body;
    const gravity = this.#gravity;
    const velocity = this.#velocity;
    let hasFast = false;
    for (let n = 0; n < this.#bodies.length; n++) {
      const b = this.#bodies[n];
      const t = 6 * b;
      const c = 3 * root[b];
      const wx = bodyTwist[t];
      const wy = bodyTwist[t + 1];
      const wz = bodyTwist[t + 2];
      const dx = bodyCenter[3 * b] - treeCenter[c];
      const dy = bodyCenter[3 * b + 1] - treeCenter[c + 1];
      const dz = bodyCenter[3 * b + 2] - treeCenter[c + 2];
      const vx = bodyTwist[t + 3] + wy * dz - wz * dy + time * gravity[0];
      const vy = bodyTwist[t + 4] + wz * dx - wx * dz + time * gravity[1];
      const vz = bodyTwist[t + 5] + wx * dy - wy * dx + time * gravity[2];
      const shift = Math.sqrt(vx * vx + vy * vy + vz * vz);
      const swing = this.#reach[b] * Math.sqrt(wx * wx + wy * wy + wz * wz);
      const distance = time * (shift + swing);
      const isFast = distance > FAST_SHARE * this.#thinnest[b];
      this.distance[b] = distance;
      this.isFast[b] = isFast ? 1 : 0;
      if (isFast) hasFast = true;
      velocity[t] = vx;
      velocity[t + 1] = vy;
      velocity[t + 2] = vz;
      velocity[t + 3] = wx;
      velocity[t + 4] = wy;
      velocity[t + 5] = wz;
    }
    return hasFast;
  }

  /** Velocity of the centre of a body, then its angular velocity. */
  velocityOf(b: number): Float64Array {
    return this.#velocity.subarray(6 * b, 6 * b + 6);
  }

  /** A shape with the motion of its body; the plan has the poses of the start. */
  follow(plan: CollisionPlan, { bodyCenter }: Workspace, s: number): MovingShape {
    const b = this.#model.shape.body[s];
    const moving = new MovingShape(plan.placed[s], this.#reach[b]);
    const velocity = this.velocityOf(b);
    for (let k = 0; k < 3; k++) {
      moving.center[k] = bodyCenter[3 * b + k];
      moving.velocity[k] = velocity[k];
      moving.spin[k] = velocity[3 + k];
    }
    return moving;
  }
}

// the farthest corner of the box of a shape from the centre of its body
function measureReach(model: Model, plan: CollisionPlan, s: number): number {
  const { body, shape } = model;
  const box = new Float64Array(6);
  const placed = {
    ...plan.placed[s],
    position: new Float64Array(3),
    rotation: Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1),
  };
  writeShapeBounds(box, 0, placed, 0);
  let corner = 0;
  let offset = 0;
  for (let k = 0; k < 3; k++) {
    corner += Math.max(Math.abs(box[k]), Math.abs(box[3 + k])) ** 2;
    offset += (shape.position[3 * s + k] - body.inertiaCenter[3 * shape.body[s] + k]) ** 2;
  }
  return Math.sqrt(corner) + Math.sqrt(offset);
}
