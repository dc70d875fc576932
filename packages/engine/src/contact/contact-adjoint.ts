/**
 * Derivatives by the motion of bodies of a number that depends on a contact,
 *   ψ = Σ_T Σ_k ω_Tk u_Tk + ḡ φ,     u_T = velocity of side 2 minus that of side 1 in the directions of the contact, for a field T of motions
 * with T the fields λ, x and v of a MotionAdjoint and fixed weights ω. Velocities u depend on the fields, on the point p and on the
 * directions d_k; point, normal and gap φ move with the shapes (collision/contact-motion.ts), tangents with the normal:
 *   t₁ = (e − n n·e)/m,   t₂ = n × t₁      e the direction that the tangent is laid along, m = |e − n n·e|
 */
import type { CollisionPlan } from '../collision/collision-plan.ts';
import type { ContactMotion } from '../collision/contact-motion.ts';
import { type ContactSet, isSoftContact } from '../collision/contact-set.ts';
import type { MotionAdjoint } from '../dynamics/motion-adjoint.ts';
import type { Workspace } from '../dynamics/workspace.ts';
import { CORE } from '../geometry/convex/core-kind.ts';
import { SHAPE } from '../geometry/shape-kind.ts';
import type { Model } from '../model/model.ts';

/** Weights of the rows of a contact, by field. */
export interface RowWeights {
  readonly virtual: Float64Array;
  readonly motion: Float64Array;
  readonly twist: Float64Array;
}

export class ContactAdjoint {
  readonly #model: Model;
  readonly #work: Workspace;
  readonly #plan: CollisionPlan;
  readonly #point = new Float64Array(3);
  readonly #directions = new Float64Array(9);
  readonly #relative = new Float64Array(6);
  /** Motions of side 2 against side 1 for the fields x and v, six numbers per contact, and whose they are. */
  #kept: Float64Array = new Float64Array(0);
  #keptFor: MotionAdjoint | undefined;
  readonly #motion = new Float64Array(6);

  constructor(model: Model, work: Workspace, plan: CollisionPlan) {
    this.#model = model;
    this.#work = work;
    this.#plan = plan;
  }

  /** Keeps how contacts of rigid bodies move by x and v of a MotionAdjoint, which stay the same for many λ. */
  keep(motion: MotionAdjoint, contacts: ContactSet): void {
    const { count } = contacts;
    if (this.#kept.length < 12 * count) this.#kept = new Float64Array(12 * count);
    for (let i = 0; i < count; i++) {
      if (isSoftContact(contacts, i)) continue;
      this.#readRelative(this.#kept, 12 * i, motion.motion, contacts, i);
      this.#readRelative(this.#kept, 12 * i + 6, this.#work.bodyTwist, contacts, i);
    }
    this.#keptFor = motion;
  }

  /** u of contact i in the field λ: as many numbers as it has rows. */
  readVirtual(out: Float64Array, { virtual }: MotionAdjoint, contacts: ContactSet, i: number, dimension: number): void {
    this.#readRelative(this.#relative, 0, virtual, contacts, i);
    projectRows(out, this.#relative, 0, contacts, i, dimension);
  }

  /** Whether neither side of contact i moves in the field λ. */
  isStill({ virtual }: MotionAdjoint, { carrier1, carrier2 }: ContactSet, i: number): boolean {
    for (let k = 0; k < 6; k++)
      if (virtual[6 * carrier1[i] + k] !== 0 || virtual[6 * carrier2[i] + k] !== 0) return false;
    return true;
  }

  /** u of contact i in the field v, which was kept. */
  readSpeed(out: Float64Array, contacts: ContactSet, i: number, dimension: number): void {
    projectRows(out, this.#kept, 12 * i + 6, contacts, i, dimension);
  }

  /** Adds the derivatives of ψ of contact i to the fields and wrenches. */
  add(
    motion: MotionAdjoint,
    rates: ContactMotion,
    contacts: ContactSet,
    i: number,
    dimension: number,
    weights: RowWeights,
    gapBar: number,
  ): void {
    this.#point.fill(0);
    this.#directions.fill(0);
    const { bodyTwist } = this.#work;
    this.#readRelative(this.#relative, 0, motion.virtual, contacts, i);
    this.#addField(motion.virtual, this.#relative, 0, motion.virtualBar, weights.virtual, contacts, i, dimension);
    // others than the one that was kept weigh λ alone
    if (motion === this.#keptFor) {
      this.#addField(motion.motion, this.#kept, 12 * i, motion.motionBar, weights.motion, contacts, i, dimension);
      this.#addField(bodyTwist, this.#kept, 12 * i + 6, motion.twistBar, weights.twist, contacts, i, dimension);
    }
    this.#addGeometry(motion.wrench, rates, contacts, i, gapBar);
  }

  /** Adds to wrenches what a number with given derivatives by the point and by the directions of contact i, row by row, has by the bodies. */
  addPointBars(wrench: Float64Array, rates: ContactMotion, contacts: ContactSet, i: number, bars: Float64Array): void {
    for (let k = 0; k < 3; k++) this.#point[k] = bars[k];
    for (let k = 0; k < 9; k++) this.#directions[k] = bars[3 + k];
    this.#addGeometry(wrench, rates, contacts, i, 0);
  }

  #readRelative(
    u: Float64Array,
    o: number,
    field: Float64Array,
    { carrier1, carrier2, position }: ContactSet,
    i: number,
  ): void {
    const { treeCenter } = this.#work;
    const { root } = this.#model.body;
    for (let k = 0; k < 6; k++) u[o + k] = 0;
    for (let side = 0; side < 2; side++) {
      const b = side === 0 ? carrier1[i] : carrier2[i];
      const sign = side === 0 ? -1 : 1;
      const c = 3 * root[b];
      const t = 6 * b;
      const x = position[3 * i] - treeCenter[c];
      const y = position[3 * i + 1] - treeCenter[c + 1];
      const z = position[3 * i + 2] - treeCenter[c + 2];
      const wx = field[t];
      const wy = field[t + 1];
      const wz = field[t + 2];
      u[o] += sign * wx;
      u[o + 1] += sign * wy;
      u[o + 2] += sign * wz;
      u[o + 3] += sign * (field[t + 3] + wy * z - wz * y);
      u[o + 4] += sign * (field[t + 4] + wz * x - wx * z);
      u[o + 5] += sign * (field[t + 5] + wx * y - wy * x);
    }
  }

  #addField(
    field: Float64Array,
    u: Float64Array,
    at: number,
    bar: Float64Array,
    weight: Float64Array,
    contacts: ContactSet,
    i: number,
    dimension: number,
  ): void {
    const { frame, carrier1, carrier2, position } = contacts;
    const { treeCenter } = this.#work;
    const { root } = this.#model.body;
    let fx = 0;
    let fy = 0;
    let fz = 0;
    let mx = 0;
    let my = 0;
    let mz = 0;
    for (let k = 0; k < dimension; k++) {
      const w = weight[k];
      if (w === 0) continue;
      const r = 3 * (k % 3);
      const d = 9 * i + r;
      const o = k < 3 ? at + 3 : at;
      for (let c = 0; c < 3; c++) this.#directions[r + c] += w * u[o + c];
      if (k < 3) {
        fx += w * frame[d];
        fy += w * frame[d + 1];
        fz += w * frame[d + 2];
      } else {
        mx += w * frame[d];
        my += w * frame[d + 1];
        mz += w * frame[d + 2];
      }
    }
    if (fx === 0 && fy === 0 && fz === 0 && mx === 0 && my === 0 && mz === 0) return;
    for (let side = 0; side < 2; side++) {
      const b = side === 0 ? carrier1[i] : carrier2[i];
      const sign = side === 0 ? -1 : 1;
      const c = 3 * root[b];
      const t = 6 * b;
      const x = position[3 * i] - treeCenter[c];
      const y = position[3 * i + 1] - treeCenter[c + 1];
      const z = position[3 * i + 2] - treeCenter[c + 2];
      bar[t] += sign * (y * fz - z * fy + mx);
      bar[t + 1] += sign * (z * fx - x * fz + my);
      bar[t + 2] += sign * (x * fy - y * fx + mz);
      bar[t + 3] += sign * fx;
      bar[t + 4] += sign * fy;
      bar[t + 5] += sign * fz;
      // f · (ω × r) by r
      this.#point[0] += sign * (fy * field[t + 2] - fz * field[t + 1]);
      this.#point[1] += sign * (fz * field[t] - fx * field[t + 2]);
      this.#point[2] += sign * (fx * field[t + 1] - fy * field[t]);
    }
  }

  #addGeometry(wrench: Float64Array, rates: ContactMotion, contacts: ContactSet, i: number, gapBar: number): void {
    const { frame, carrier1, carrier2 } = contacts;
    const n = 9 * i;
    const normal = this.#directions;
    const turn2 = this.#turnTangents(contacts, i);
    const relative = this.#motion;
    for (let c = 0; c < 6; c++) {
      let sum = gapBar * rates.gapRate[6 * i + c];
      for (let r = 0; r < 3; r++) {
        const o = 18 * i + 6 * r + c;
        sum += this.#point[r] * rates.pointRate[o] + normal[r] * rates.normalRate[o];
      }
      relative[c] = sum;
    }
    // a common motion carries point and normal along
    const nx = frame[n];
    const ny = frame[n + 1];
    const nz = frame[n + 2];
    this.#push(
      wrench,
      carrier1[i],
      contacts,
      i,
      this.#point[0] - relative[0],
      this.#point[1] - relative[1],
      this.#point[2] - relative[2],
      ny * normal[2] - nz * normal[1] - relative[3],
      nz * normal[0] - nx * normal[2] - relative[4],
      nx * normal[1] - ny * normal[0] - relative[5],
    );
    this.#push(
      wrench,
      carrier2[i],
      contacts,
      i,
      relative[0],
      relative[1],
      relative[2],
      relative[3] + turn2[0],
      relative[4] + turn2[1],
      relative[5] + turn2[2],
    );
  }

  readonly #turn = new Float64Array(3);

  // from the derivatives by n, t₁, t₂ to that by n, in their place, and by the rotation of side 2, which e may be fixed to
  #turnTangents({ frame, shape1, shape2 }: ContactSet, i: number): Float64Array {
    const d = this.#directions;
    const f = 9 * i;
    const turn = this.#turn;
    turn.fill(0);
    const nx = frame[f];
    const ny = frame[f + 1];
    const nz = frame[f + 2];
    const tx = frame[f + 3];
    const ty = frame[f + 4];
    const tz = frame[f + 5];
    const { kind } = this.#model.shape;
    const b = shape2[i];
    const rotation = this.#plan.shapeRotation;
    let isRod = kind[shape1[i]] === SHAPE.plane && this.#plan.placed[b].core === CORE.segment;
    const isSteep = ny < 0.5 && ny > -0.5;
    let ex = isRod ? rotation[9 * b + 2] : 0;
    let ey = isRod ? rotation[9 * b + 5] : isSteep ? 1 : 0;
    let ez = isRod ? rotation[9 * b + 8] : isSteep ? 0 : 1;
    if (isRod) {
      const along = ex * nx + ey * ny + ez * nz;
      if ((ex - along * nx) ** 2 + (ey - along * ny) ** 2 + (ez - along * nz) ** 2 < 1e-20) {
        isRod = false;
        ex = 0;
        ey = isSteep ? 1 : 0;
        ez = isSteep ? 0 : 1;
      }
    }
    const en = ex * nx + ey * ny + ez * nz;
    const m = Math.sqrt((ex - en * nx) ** 2 + (ey - en * ny) ** 2 + (ez - en * nz) ** 2);
    // T = d₁ + d₂ × n, b = (1 − t₁ t₁ᵀ) T/m
    let x = d[3] + d[7] * nz - d[8] * ny;
    let y = d[4] + d[8] * nx - d[6] * nz;
    let z = d[5] + d[6] * ny - d[7] * nx;
    const along = x * tx + y * ty + z * tz;
    x = (x - along * tx) / m;
    y = (y - along * ty) / m;
    z = (z - along * tz) / m;
    const bn = x * nx + y * ny + z * nz;
    d[0] += ty * d[8] - tz * d[7] - bn * ex - en * x;
    d[1] += tz * d[6] - tx * d[8] - bn * ey - en * y;
    d[2] += tx * d[7] - ty * d[6] - bn * ez - en * z;
    if (!isRod) return turn;
    const hx = x - bn * nx;
    const hy = y - bn * ny;
    const hz = z - bn * nz;
    turn[0] = ey * hz - ez * hy;
    turn[1] = ez * hx - ex * hz;
    turn[2] = ex * hy - ey * hx;
    return turn;
  }

  // force and torque at the point, to the centre of the tree
  #push(
    wrench: Float64Array,
    body: number,
    { position }: ContactSet,
    i: number,
    fx: number,
    fy: number,
    fz: number,
    mx: number,
    my: number,
    mz: number,
  ): void {
    const c = 3 * this.#model.body.root[body];
    const { treeCenter } = this.#work;
    const x = position[3 * i] - treeCenter[c];
    const y = position[3 * i + 1] - treeCenter[c + 1];
    const z = position[3 * i + 2] - treeCenter[c + 2];
    const t = 6 * body;
    wrench[t] += mx + y * fz - z * fy;
    wrench[t + 1] += my + z * fx - x * fz;
    wrench[t + 2] += mz + x * fy - y * fx;
    wrench[t + 3] += fx;
    wrench[t + 4] += fy;
    wrench[t + 5] += fz;
  }
}

// a motion, angular part first, along the rows of a contact
function projectRows(
  out: Float64Array,
  u: Float64Array,
  at: number,
  { frame }: ContactSet,
  i: number,
  dimension: number,
): void {
  for (let k = 0; k < dimension; k++) {
    const d = 9 * i + 3 * (k % 3);
    const o = k < 3 ? at + 3 : at;
    out[k] = frame[d] * u[o] + frame[d + 1] * u[o + 1] + frame[d + 2] * u[o + 2];
  }
}
