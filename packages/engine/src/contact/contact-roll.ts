/**
 * How far the place of contact of a body that turns has moved on in the middle of a step. With ρ from the centre of the body to the
 * contact, its slip v + ω × ρ changes by then by
 *   b = ½ h ω × ρ̇,   ρ̇ = ω × ρ + r
 * r the velocity of the contact over the surface of the shape (surface-roll.ts), zero for a corner. ω rad/s; ρ, r m and m/s in world axes.
 */
import type { ContactSet } from '../collision/contact-set.ts';
import type { Workspace } from '../dynamics/workspace.ts';
import { SHAPE_TABLE } from '../geometry/shapes/shape-table.ts';
import { matrixFromQuaternion } from '../linear-algebra/quaternion.ts';
import { JOINT, type Model } from '../model/model.ts';

export class ContactRoll {
  /** b of the contact that was measured last, of side 2 against side 1, m/s in world axes. */
  readonly slip: Float64Array = new Float64Array(3);
  readonly #model: Model;
  readonly #contact = {
    size: new Float64Array(3),
    place: new Float64Array(3),
    direction: new Float64Array(3),
    spin: new Float64Array(3),
  };
  readonly #rotation = new Float64Array(9);
  readonly #arm = new Float64Array(3);
  readonly #roll = new Float64Array(3);

  constructor(model: Model) {
    this.#model = model;
  }

  /**
   * Measures contact i of a body, side 2 or side 1, that turns by its ω in `spin` (three numbers per body, world axes) on a side that does
   * not turn. False where b is not known.
   */
  measure(work: Workspace, contacts: ContactSet, i: number, isSecond: boolean, spin: Float64Array, h: number): boolean {
    const { shape } = this.#model;
    const s = isSecond ? contacts.shape2[i] : contacts.shape1[i];
    const other = SHAPE_TABLE[shape.kind[isSecond ? contacts.shape1[i] : contacts.shape2[i]]];
    const { roll } = SHAPE_TABLE[shape.kind[s]];
    if (!roll || !other.isFlat) return false;
    const b = shape.body[s];
    const sign = isSecond ? -1 : 1;
    this.#place(work, contacts, i, s, sign, spin);
    if (!roll(this.#roll, this.#contact, h)) return false;
    this.#turnBack(work.bodyRotation, 9 * b);
    this.#writeSlip(work, contacts, i, b, spin, -0.5 * sign * h);
    return true;
  }

  // the contact, its direction and ω in the frame of shape s
  #place(
    { bodyRotation, bodyPosition }: Workspace,
    { position, frame }: ContactSet,
    i: number,
    s: number,
    sign: number,
    spin: Float64Array,
  ): void {
    const { shape } = this.#model;
    const { size, place, direction, spin: own } = this.#contact;
    const b = shape.body[s];
    const r = 9 * b;
    matrixFromQuaternion(this.#rotation, 0, shape.orientation, 4 * s);
    for (let k = 0; k < 3; k++) {
      size[k] = shape.size[3 * s + k];
      this.#arm[k] = position[3 * i + k] - bodyPosition[3 * b + k];
    }
    turnInto(place, bodyRotation, r, this.#arm, 0);
    for (let k = 0; k < 3; k++) place[k] -= shape.position[3 * s + k];
    turnInto(place, this.#rotation, 0, place, 0);
    turnInto(direction, bodyRotation, r, frame, 9 * i);
    turnInto(direction, this.#rotation, 0, direction, 0);
    for (let k = 0; k < 3; k++) direction[k] *= sign;
    turnInto(own, bodyRotation, r, spin, 3 * b);
    turnInto(own, this.#rotation, 0, own, 0);
  }

  // r to world axes
  #turnBack(bodyRotation: Float64Array, r: number): void {
    turnOut(this.#arm, this.#rotation, 0, this.#roll);
    turnOut(this.#roll, bodyRotation, r, this.#arm);
  }

  // ρ from the centre of a free body, from the anchor of a ball
  #writeSlip(
    { bodyCenter, jointAnchor }: Workspace,
    { position }: ContactSet,
    i: number,
    b: number,
    spin: Float64Array,
    half: number,
  ): void {
    const { body, joint } = this.#model;
    const j = body.jointStart[b];
    const isFree = joint.kind[j] === JOINT.free;
    const origin = isFree ? bodyCenter : jointAnchor;
    const c = isFree ? 3 * b : 3 * j;
    const arm = this.#arm;
    for (let k = 0; k < 3; k++) arm[k] = position[3 * i + k] - origin[c + k];
    const wx = spin[3 * b];
    const wy = spin[3 * b + 1];
    const wz = spin[3 * b + 2];
    const x = wy * arm[2] - wz * arm[1] + this.#roll[0];
    const y = wz * arm[0] - wx * arm[2] + this.#roll[1];
    const z = wx * arm[1] - wy * arm[0] + this.#roll[2];
    this.slip[0] = half * (wy * z - wz * y);
    this.slip[1] = half * (wz * x - wx * z);
    this.slip[2] = half * (wx * y - wy * x);
  }
}

// out = Rᵀ v; out may be v
function turnInto(out: Float64Array, matrix: Float64Array, r: number, v: Float64Array, o: number): void {
  const x = v[o];
  const y = v[o + 1];
  const z = v[o + 2];
  for (let k = 0; k < 3; k++) out[k] = matrix[r + k] * x + matrix[r + 3 + k] * y + matrix[r + 6 + k] * z;
}

// out = R v
function turnOut(out: Float64Array, matrix: Float64Array, r: number, v: Float64Array): void {
  for (let k = 0; k < 3; k++)
    out[k] = matrix[r + 3 * k] * v[0] + matrix[r + 3 * k + 1] * v[1] + matrix[r + 3 * k + 2] * v[2];
}
