/**
 * Contacts at a gap that joints keep as it is: a wheel beside its chassis, a disc beside its housing, a door above the floor. The cone of
 * what slides asks for a gap of μ h |u_t| (Anitescu 2006). A free body rises to it; surfaces that joints guide cannot give way, and the cone
 * would stop them across the gap instead. Such a contact has no rows while its gap is open.
 *   guided:  |n · s_k(x)| ≤ ε |s_k(x)|   for all joints k between the two bodies
 * n normal, x place of the contact, s_k(x) velocity there per unit of the joint's. Free bodies have no joint to another body or the world, and
 * of several joints in series at a body, in body coordinates, none is known to guide.
 */
import { CARRIER, type ContactSet } from '../collision/contact-set.ts';
import type { Workspace } from '../dynamics/workspace.ts';
import { JOINT, type Model } from '../model/model.ts';

/** ε: what slides past by a metre may come a millimetre nearer. */
const STRAIGHT = 1e-3;
/** No joint leads on from here. */
const FREE = -1;

export class GuidedContacts {
  readonly #model: Model;
  /** Per body: what its joints connect it to; the world is 0. */
  readonly #above: Int32Array;
  /** Per body: its constraint joint, in body coordinates, or −1. */
  readonly #joint: Int32Array;
  /** Of the contact that is looked at: normal and place. */
  readonly #n = new Float64Array(3);
  readonly #x = new Float64Array(3);
  /** Axis of a joint, and from its anchor to the contact. */
  readonly #axis = new Float64Array(3);
  readonly #arm = new Float64Array(3);

  constructor(model: Model) {
    const { body, joint, constraintJoint, size } = model;
    this.#model = model;
    this.#above = new Int32Array(size.body);
    this.#joint = new Int32Array(size.body).fill(-1);
    for (let b = 1; b < size.body; b++) {
      const isFree = body.jointCount[b] > 0 && joint.kind[body.jointStart[b]] === JOINT.free;
      this.#above[b] = isFree ? FREE : body.lastDof[b] < 0 ? 0 : body.parent[b];
    }
    for (let c = 0; c < constraintJoint.kind.length; c++) {
      const b = constraintJoint.body2[c];
      const isAlone = this.#joint[b] < 0;
      this.#joint[b] = c;
      this.#above[b] = isAlone ? constraintJoint.body1[c] : FREE;
    }
  }

  /** Whether joints keep the gap of contact i, of rigid bodies, as it is. */
  has(work: Workspace, contacts: ContactSet, i: number): boolean {
    const { carrierKind1, carrierKind2, frame, position } = contacts;
    if (carrierKind1[i] === CARRIER.soft || carrierKind2[i] === CARRIER.soft) return false;
    for (let k = 0; k < 3; k++) {
      this.#n[k] = frame[9 * i + k];
      this.#x[k] = position[3 * i + k];
    }
    let a = this.#findMoving(contacts.carrier1[i]);
    let b = this.#findMoving(contacts.carrier2[i]);
    // parents have lower numbers
    while (a !== b) {
      const c = Math.max(a, b);
      if (this.#above[c] === FREE || !this.#isAcross(work, c)) return false;
      const above = this.#findMoving(this.#above[c]);
      if (a > b) a = above;
      else b = above;
    }
    return true;
  }

  // what does not move is the world
  #findMoving(b: number): number {
    return this.#model.body.lastDof[b] < 0 ? 0 : b;
  }

  /** Whether the joints of body b move the place of the contact across its normal. */
  #isAcross(work: Workspace, b: number): boolean {
    if (this.#joint[b] >= 0) return this.#isAcrossConstraint(work, b);
    const { body } = this.#model;
    const { motionSubspace: s, treeCenter } = work;
    const c = 3 * body.root[b];
    const x = this.#x[0] - treeCenter[c];
    const y = this.#x[1] - treeCenter[c + 1];
    const z = this.#x[2] - treeCenter[c + 2];
    for (let i = body.dofStart[b]; i < body.dofStart[b] + body.dofCount[b]; i++) {
      const o = 6 * i;
      const vx = s[o + 3] + s[o + 1] * z - s[o + 2] * y;
      const vy = s[o + 4] + s[o + 2] * x - s[o] * z;
      const vz = s[o + 5] + s[o] * y - s[o + 1] * x;
      if (!this.#isTangent(vx, vy, vz)) return false;
    }
    return true;
  }

  #isAcrossConstraint(work: Workspace, b: number): boolean {
    const { kind, anchor2, axis2 } = this.#model.constraintJoint;
    const c = this.#joint[b];
    if (kind[c] !== JOINT.hinge && kind[c] !== JOINT.slide) return false;
    const { bodyRotation, bodyPosition } = work;
    const axis = this.#axis;
    const arm = this.#arm;
    for (let k = 0; k < 3; k++) {
      const r = 9 * b + 3 * k;
      axis[k] = rotate(bodyRotation, r, axis2, 3 * c);
      arm[k] = this.#x[k] - bodyPosition[3 * b + k] - rotate(bodyRotation, r, anchor2, 3 * c);
    }
    if (kind[c] === JOINT.slide) return this.#isTangent(axis[0], axis[1], axis[2]);
    return this.#isTangent(
      axis[1] * arm[2] - axis[2] * arm[1],
      axis[2] * arm[0] - axis[0] * arm[2],
      axis[0] * arm[1] - axis[1] * arm[0],
    );
  }

  #isTangent(x: number, y: number, z: number): boolean {
    const along = this.#n[0] * x + this.#n[1] * y + this.#n[2] * z;
    return Math.abs(along) <= STRAIGHT * Math.sqrt(x * x + y * y + z * z);
  }
}

// a row of R times a vector of the body
function rotate(rotation: Float64Array, o: number, vector: Float64Array, v: number): number {
  return rotation[o] * vector[v] + rotation[o + 1] * vector[v + 1] + rotation[o + 2] * vector[v + 2];
}
