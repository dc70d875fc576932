/**
 * How far bodies come in a step at the velocities that they begin it with and that free fall adds, and which of them are fast: those that come farther than half
 * the thickness of their thinnest shape. A slower body cannot pass through another between two looks at the contacts.
 *
 * With the velocities that a solve has found, those are fast that come elsewhere than was foreseen: by h (|Δv| + r |Δω|) more than a share of
 * that thickness, r reach of the body, Δ to the nearer of its velocity at the start and that with free fall. Those that come elsewhere than contacts at
 * their arms and normals of the start foresee, by about h |ω| times their way, turn.
 */

import { listJointedBodies } from '../../dynamics/way-twists.ts';
import type { Workspace } from '../../dynamics/workspace.ts';
import { writeShapeBounds } from '../../geometry/bounds/shape-bounds.ts';
import type { Model } from '../../model/model.ts';
import type { State } from '../../state/state.ts';
import type { CollisionPlan } from '../collision-plan.ts';
import { measureShapeThickness } from '../shape-thickness.ts';
import { MovingShape } from './moving-shape.ts';

/** Share of its thickness that a body may come in a step without being fast. */
export const FAST_SHARE = 0.5;
/** Turn of a body in a step that is too small to matter, rad. */
const SLIGHT_TURN = 0.01;
/** Share of the thinner of two shapes by which they may lie in each other where nothing was foreseen to bring them together. */
export const UNFORESEEN_SHARE = 0.05;

export class BodyTravel {
  /** Per shape: thickness, m. */
  readonly thickness: Float64Array;
  /** Time for which ways are measured, s. */
  time = 0;
  /** Per body: how far its points come at most, m; fast ones have a 1 in `isFast`. */
  readonly distance: Float64Array;
  readonly isFast: Uint8Array;
  /** Per body, after a solve: whether it turns. */
  readonly turns: Uint8Array;
  /** Per body: velocity of its centre (m/s) and angular velocity (rad/s). */
  readonly #velocity: Float64Array;
  readonly #model: Model;
  /** m/s². */
  readonly #gravity: Float64Array;
  /** Bodies that move and have shapes that can touch, the thickness of each, and how far its shapes reach from its centre, m. */
  readonly #bodies: Int32Array;
  readonly #thinnest: Float64Array;
  readonly #reach: Float64Array;
  /** Of these, bodies in trees of joints. */
  readonly #jointed: Int32Array;
  /** How far their shapes reach from their origin, m. */
  readonly #arm: Float64Array;
  /** Per shape that was asked for since velocities were taken. */
  readonly #moving: (MovingShape | undefined)[] = [];

  constructor(model: Model, plan: CollisionPlan) {
    const { body, shape, size, options } = model;
    this.#model = model;
    this.#gravity = options.disabled.has('gravity') ? new Float64Array(3) : options.gravity;
    this.thickness = measureShapeThickness(model);
    this.distance = new Float64Array(size.body);
    this.isFast = new Uint8Array(size.body);
    this.turns = new Uint8Array(size.body);
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
    const jointed = new Set(listJointedBodies(model));
    this.#jointed = this.#bodies.filter((b) => jointed.has(b));
    this.#arm = this.#reach.map((reach, b) => reach + Math.hypot(...body.inertiaCenter.subarray(3 * b, 3 * b + 3)));
  }

  /** For a time of so many seconds; whether any body is fast. */
  measure(work: Workspace, time: number): boolean {
    this.time = time;
    this.#moving.length = 0;
    let hasFast = false;
    for (let n = 0; n < this.#bodies.length; n++) {
      const b = this.#bodies[n];
      const distance = this.#read(work, work.bodyTwist, b, time);
      const isFast = distance > FAST_SHARE * this.#thinnest[b];
      this.distance[b] = distance;
      this.isFast[b] = isFast ? 1 : 0;
      if (isFast) hasFast = true;
    }
    return hasFast;
  }

  /** Whether there are bodies in trees of joints. */
  get hasJoints(): boolean {
    return this.#jointed.length > 0;
  }

  /** Whether free bodies that nothing hangs on may come elsewhere or turn; by their accelerations, from above. */
  mayDepart({ velocity }: State, { acceleration, plan }: Workspace, time: number): boolean {
    const { loneFreeBodies } = plan;
    const { dofStart } = this.#model.body;
    const [gx, gy, gz] = this.#gravity;
    for (let n = 0; n < loneFreeBodies.length; n++) {
      const b = loneFreeBodies[n];
      const i = dofStart[b];
      const x = acceleration[i];
      const y = acceleration[i + 1];
      const z = acceleration[i + 2];
      const straight = x * x + y * y + z * z;
      const fallen = (x - gx) * (x - gx) + (y - gy) * (y - gy) + (z - gz) * (z - gz);
      const p = acceleration[i + 3];
      const q = acceleration[i + 4];
      const r = acceleration[i + 5];
      const reach = this.#arm[b];
      const push = Math.min(straight, fallen) + reach * reach * (p * p + q * q + r * r);
      const allowed = 0.5 * UNFORESEEN_SHARE * this.#thinnest[b];
      const square = time * time;
      if (2 * square * square * push > allowed * allowed) return true;
      const u = velocity[i + 3] + time * p;
      const v = velocity[i + 4] + time * q;
      const w = velocity[i + 5] + time * r;
      if (square * (u * u + v * v + w * w) > SLIGHT_TURN * SLIGHT_TURN) return true;
    }
    return false;
  }

  /**
   * The same as `measure` for the twists that a solve has led to, where `foreseen` has those before it: whether any body comes elsewhere or turns. All
   * bodies, or those alone that belong to trees of joints.
   */
  measureAfter(work: Workspace, twist: Float64Array, foreseen: BodyTravel, isTreeAlone: boolean): boolean {
    const { time } = foreseen;
    this.time = time;
    this.#moving.length = 0;
    let isAny = false;
    const bodies = isTreeAlone ? this.#jointed : this.#bodies;
    for (let n = 0; n < bodies.length; n++) {
      const b = bodies[n];
      this.distance[b] = this.#read(work, twist, b, 0);
      const allowed = 0.5 * UNFORESEEN_SHARE * this.#thinnest[b];
      const t = 6 * b;
      const angle = time * Math.sqrt(twist[t] * twist[t] + twist[t + 1] * twist[t + 1] + twist[t + 2] * twist[t + 2]);
      this.isFast[b] = this.#departure(b, foreseen) > allowed ? 1 : 0;
      this.turns[b] = angle * this.distance[b] > allowed ? 1 : 0;
      if (this.isFast[b] + this.turns[b] > 0) isAny = true;
    }
    return isAny;
  }

  // how far points of a body come from where they were foreseen to be at most, m
  #departure(b: number, foreseen: BodyTravel): number {
    const now = this.#velocity;
    const before = foreseen.#velocity;
    const t = 6 * b;
    let fallen = 0;
    let straight = 0;
    let turn = 0;
    for (let k = 0; k < 3; k++) {
      const change = now[t + k] - before[t + k];
      fallen += change * change;
      straight += (change + this.time * this.#gravity[k]) ** 2;
      turn += (now[t + 3 + k] - before[t + 3 + k]) ** 2;
    }
    return this.time * (Math.sqrt(Math.min(fallen, straight)) + this.#reach[b] * Math.sqrt(turn));
  }

  // velocities of a body with free fall for some time; how far its points come, m
  #read({ bodyCenter, treeCenter }: Workspace, twist: Float64Array, b: number, fall: number): number {
    const { root } = this.#model.body;
    const gravity = this.#gravity;
    const velocity = this.#velocity;
    const t = 6 * b;
    const c = 3 * root[b];
    const wx = twist[t];
    const wy = twist[t + 1];
    const wz = twist[t + 2];
    const dx = bodyCenter[3 * b] - treeCenter[c];
    const dy = bodyCenter[3 * b + 1] - treeCenter[c + 1];
    const dz = bodyCenter[3 * b + 2] - treeCenter[c + 2];
    const vx = twist[t + 3] + wy * dz - wz * dy + fall * gravity[0];
    const vy = twist[t + 4] + wz * dx - wx * dz + fall * gravity[1];
    const vz = twist[t + 5] + wx * dy - wy * dx + fall * gravity[2];
    velocity[t] = vx;
    velocity[t + 1] = vy;
    velocity[t + 2] = vz;
    velocity[t + 3] = wx;
    velocity[t + 4] = wy;
    velocity[t + 5] = wz;
    const shift = Math.sqrt(vx * vx + vy * vy + vz * vz);
    return this.time * (shift + this.#reach[b] * Math.sqrt(wx * wx + wy * wy + wz * wz));
  }

  /** The same of body b, once it was measured. */
  departure(b: number, foreseen: BodyTravel): number {
    return this.#model.body.lastDof[b] < 0 ? 0 : this.#departure(b, foreseen);
  }

  /** How fast the centres of two bodies move past each other at the start, without free fall, m/s; the world stands still. */
  measureDrift(one: number, two: number): number {
    let square = 0;
    for (let k = 0; k < 3; k++) square += (this.#start(one, k) - this.#start(two, k)) ** 2;
    return Math.sqrt(square);
  }

  /** How fast the centres of two bodies come towards each other along a normal at the start, without free fall, m/s. */
  measureClosing(one: number, two: number, normal: ArrayLike<number>): number {
    let closing = 0;
    for (let k = 0; k < 3; k++) closing += normal[k] * (this.#start(one, k) - this.#start(two, k));
    return closing;
  }

  #start(b: number, k: number): number {
    return this.#model.body.lastDof[b] < 0 ? 0 : this.#velocity[6 * b + k] - this.time * this.#gravity[k];
  }

  /** Velocity of the centre of a body, then its angular velocity. */
  velocityOf(b: number): Float64Array {
    return this.#velocity.subarray(6 * b, 6 * b + 6);
  }

  /** A shape with the motion of its body, the same one for all its pairs; the plan has the poses of the start. */
  follow(plan: CollisionPlan, { bodyCenter }: Workspace, s: number): MovingShape {
    const known = this.#moving[s];
    if (known) return known;
    const b = this.#model.shape.body[s];
    const moving = new MovingShape(plan.placed[s], this.#reach[b]);
    const velocity = this.velocityOf(b);
    for (let k = 0; k < 3; k++) {
      moving.center[k] = bodyCenter[3 * b + k];
      moving.velocity[k] = velocity[k];
      moving.spin[k] = velocity[3 + k];
    }
    this.#moving[s] = moving;
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
