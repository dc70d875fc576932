/**
 * What joints transmit, by inverse dynamics: with the accelerations a of a step at the poses it began from, and per body b, about the
 * origin of the world,
 *   A_b = A_parent + Σ (ṡ_i v_i + s_i a_i),  A_world = [0; −g]         F_b = I_b A_b + V_b ×* (I_b V_b) − W_b
 * W_b being what acts on the body other than through its joints: contacts, equalities that join points of bodies, wrenches and terms of the
 * user (terms where the step ends, as they are implicit), gravity compensation, drag. The joints of a body transmit the sum of F
 * over the body and its descendants: the wrench of the parent on the child. Drives, springs, dampers, limits and dry friction of the joint are part of it, as its component along the axis.
 * In body coordinates the tree is that of the constraint joints; nothing else differs, so that formulations and coordinates are
 * measured alike. Forces are those of the whole step: exact where M a = f holds with the poses of its start, else to the order of h.
 * Pulls of spatial tendons, of drives on sites and of soft bodies are not among W: they count as carried by the joints they bypass.
 * Source: Featherstone, Rigid Body Dynamics Algorithms, section 5.3.
 */
import { CARRIER, type ContactSet } from '../collision/contact-set.ts';
import { updateTwists } from '../dynamics/bias-force.ts';
import { writeFluidWrench } from '../dynamics/fluid-force.ts';
import { updateKinematics } from '../dynamics/kinematics.ts';
import { integratePositions } from '../dynamics/poses.ts';
import { createWorkspace, type Workspace } from '../dynamics/workspace.ts';
import { addEqualityWrench } from '../joint/equality-wrench.ts';
import { updateJointCoordinates } from '../joint/joint-coordinate.ts';
import { placeConstraintJoint } from '../joint/joint-placement.ts';
import { createJointWorkspace, type JointWorkspace } from '../joint/joint-workspace.ts';
import { Arena } from '../kernels/arena.ts';
import { addScaled, copy6, inertialForce } from '../linear-algebra/spatial.ts';
import { JOINT, type Model } from '../model/model.ts';
import type { Vec3 } from '../scene/pose.ts';
import { createState, type State } from '../state/state.ts';
import { TermGradient } from '../term/term-gradient.ts';
import type { TermList } from '../term/term-list.ts';
import type { ForceSize } from './term-forces.ts';

/** What a joint transmits: the force and torque of the parent on the child, world axes. */
export interface JointForce {
  /** Name of the joint, empty where it has none. */
  joint: string;
  /** What kind of joint it is. */
  kind: 'hinge' | 'slide' | 'ball';
  /** Name of the body that carries the joint, `world` among them; empty where it has none. */
  parent: string;
  /** Name of the body that the joint moves. */
  child: string;
  /** Where the force acts: the anchor of the joint at the start of the step, m. */
  anchor: Vec3;
  /** N. */
  force: Vec3;
  /** About the anchor, N m. */
  torque: Vec3;
  /**
   * Along the axis of a hinge (N m) or slide (N): drives, springs, dampers, limits and dry friction together. 0 for a ball.
   */
  axial: number;
}

/** The last solve, as a simulation has it. */
export interface SolvedStep {
  /** The whole state before it. */
  readonly before: Float64Array;
  readonly acceleration: Float64Array;
  readonly contacts: ContactSet;
  /** Along the rows of equalities, six numbers each, N and N m. */
  readonly equalityForce: Float64Array;
  /** The user's energies. */
  readonly terms: TermList;
  /** Gravity times its weight, m/s². */
  readonly gravity: Float64Array;
  /** Length of the step, s. */
  readonly h: number;
  /** Coriolis forces that are not in the acceleration, see coriolis-transport.ts; none where there are no trees. */
  readonly coriolisForce: Float64Array;
}

const KINDS = ['free', 'ball', 'slide', 'hinge'] as const;

export class JointForces {
  readonly #model: Model;
  readonly #state: State;
  readonly #work: Workspace;
  readonly #joints: JointWorkspace;
  /** Per body: torque about the origin of the world and force. */
  readonly #wrench: Float64Array;
  readonly #acceleration: Float64Array;
  /** Per body: the one that carries it by joints of body coordinates, or −1. */
  readonly #carrier: Int32Array;
  readonly #scratch = new Float64Array(6);
  /** Lengths of d(m v)/dt, N, and of d(I ω)/dt about centres of mass, N m, over all bodies of the step measured last. */
  readonly inertia: ForceSize = { force: 0, torque: 0 };
  readonly #place = new Float64Array(6);

  constructor(model: Model) {
    const arena = new Arena({ initialBytes: 1_310_720, maximumBytes: 536_870_912 });
    this.#model = model;
    this.#state = createState(model, arena);
    this.#work = createWorkspace(model, arena, 0);
    this.#joints = createJointWorkspace(model, arena);
    this.#joints.coordinates.near = this.#state.hingeAngle;
    this.#wrench = new Float64Array(6 * model.size.body);
    this.#acceleration = new Float64Array(6 * model.size.body);
    this.#carrier = new Int32Array(model.size.body).fill(-1);
    const { body1, body2 } = model.constraintJoint;
    for (let c = 0; c < body2.length; c++) this.#carrier[body2[c]] = body1[c];
  }

  /** One entry per joint that is not free, in the order of the scene. */
  measure(step: SolvedStep): JointForce[] {
    const model = this.#model;
    const work = this.#work;
    this.#wrench.fill(0);
    work.plan.gravity.set(step.gravity);
    if (!step.terms.isEmpty) this.#subtractTerms(step);
    this.#state.all.set(step.before);
    updateKinematics(model, this.#state, work);
    updateTwists(model, this.#state, work);
    this.#addInertia(this.#completeAcceleration(step));
    this.#subtractBodyForces();
    this.#subtractContacts(step.contacts);
    for (let e = 0; e < model.size.equality; e++) {
      if (this.#state.equalityActive[e] === 0) continue;
      addEqualityWrench(this.#wrench, model, work, e, step.equalityForce, 6 * e, -1);
    }
    this.#sumTowardsRoots();
    return model.constraintJoint.kind.length > 0 ? this.#readConstraintJoints() : this.#readTreeJoints();
  }

  // with −M⁻¹ c
  #completeAcceleration({ acceleration, coriolisForce }: SolvedStep): Float64Array {
    if (!coriolisForce.some((force) => force !== 0)) return acceleration;
    const { factor, inverseDiagonal, massMatrix, plan, row } = this.#work;
    factor.set(massMatrix);
    plan.kernels.factorTree(factor, inverseDiagonal, plan.rowStart, plan.column);
    row.set(coriolisForce);
    plan.kernels.solveTree(row, factor, inverseDiagonal, plan.rowStart, plan.column);
    const whole = acceleration.map((value, i) => value - row[i]);
    row.fill(0);
    return whole;
  }

  // I A + V ×* I V of every body, moved to the origin
  #addInertia(a: Float64Array): void {
    const { body, size } = this.#model;
    const { bodyTwist, bodyInertia, motionSubspace, motionSubspaceRate, plan, treeCenter } = this.#work;
    const acceleration = this.#acceleration;
    const scratch = this.#scratch;
    const v = this.#state.velocity;
    this.inertia.force = this.inertia.torque = 0;
    for (let k = 0; k < 3; k++) {
      acceleration[k] = 0;
      acceleration[3 + k] = -plan.gravity[k];
    }
    for (let b = 1; b < size.body; b++) {
      copy6(acceleration, 6 * b, acceleration, 6 * body.parent[b]);
      for (let i = body.dofStart[b]; i < body.dofStart[b] + body.dofCount[b]; i++) {
        addScaled(acceleration, 6 * b, motionSubspaceRate, 6 * i, v[i]);
        addScaled(acceleration, 6 * b, motionSubspace, 6 * i, a[i]);
      }
      if (body.lastDof[b] < 0) continue;
      inertialForce(scratch, 0, bodyInertia, 10 * b, acceleration, 6 * b, bodyTwist, 6 * b);
      const [tx, ty, tz, fx, fy, fz] = scratch;
      const c = 3 * body.root[b];
      this.#countInertia(b, c, fx, fy, fz, tx, ty, tz);
      this.#add(b, treeCenter[c], treeCenter[c + 1], treeCenter[c + 2], fx, fy, fz, tx, ty, tz, 1);
    }
  }

  // the rate of momentum of a body, from a wrench about the centre of its tree that has gravity in it
  #countInertia(b: number, c: number, fx: number, fy: number, fz: number, tx: number, ty: number, tz: number): void {
    const { bodyCenter, plan, treeCenter } = this.#work;
    const mass = this.#model.body.mass[b];
    const [gx, gy, gz] = plan.gravity;
    const [ax, ay, az] = [0, 1, 2].map((k) => bodyCenter[3 * b + k] - treeCenter[c + k]);
    const { inertia } = this;
    inertia.force = Math.hypot(inertia.force, fx + mass * gx, fy + mass * gy, fz + mass * gz);
    inertia.torque = Math.hypot(inertia.torque, tx - ay * fz + az * fy, ty - az * fx + ax * fz, tz - ax * fy + ay * fx);
  }

  // the user's wrenches, gravity compensation and drag, all at centres of mass
  #subtractBodyForces(): void {
    const model = this.#model;
    const { bodyCenter, plan } = this.#work;
    const { bodyWrench } = this.#state;
    const scratch = this.#scratch;
    for (let b = 1; b < model.size.body; b++) {
      const [x, y, z] = bodyCenter.subarray(3 * b, 3 * b + 3);
      const [fx, fy, fz, tx, ty, tz] = bodyWrench.subarray(6 * b, 6 * b + 6);
      this.#add(b, x, y, z, fx, fy, fz, tx, ty, tz, -1);
      const lift = -model.body.mass[b] * model.body.gravityCompensation[b];
      this.#add(b, x, y, z, lift * plan.gravity[0], lift * plan.gravity[1], lift * plan.gravity[2], 0, 0, 0, -1);
      if (!plan.hasFluid || !writeFluidWrench(scratch, model, this.#work, b)) continue;
      this.#add(b, x, y, z, scratch[3], scratch[4], scratch[5], scratch[0], scratch[1], scratch[2], -1);
    }
  }

  // minus their gradients, at the poses to which the step leads
  #subtractTerms({ before, acceleration, terms, h }: SolvedStep): void {
    const model = this.#model;
    const state = this.#state;
    const work = this.#work;
    state.all.set(before);
    updateKinematics(model, state, work);
    terms.begin({ model, h, time: state.time[0], start: work });
    for (let i = 0; i < acceleration.length; i++) state.velocity[i] += h * acceleration[i];
    integratePositions(model, state.position, state.velocity, 0, h);
    updateKinematics(model, state, work);
    const gradient = new TermGradient(model.size);
    terms.addGradient(work, gradient);
    for (let b = 1; b < model.size.body; b++) {
      const [x, y, z] = work.bodyPosition.subarray(3 * b, 3 * b + 3);
      const [fx, fy, fz, tx, ty, tz] = gradient.body.subarray(6 * b, 6 * b + 6);
      this.#add(b, x, y, z, fx, fy, fz, tx, ty, tz, 1);
    }
  }

  #subtractContacts(contacts: ContactSet): void {
    const { frame, force, position, carrierKind1, carrierKind2, carrier1, carrier2 } = contacts;
    for (let i = 0; i < contacts.count; i++) {
      const along = (at: number, k: number): number =>
        frame[9 * i + k] * force[at] + frame[9 * i + 3 + k] * force[at + 1] + frame[9 * i + 6 + k] * force[at + 2];
      const [x, y, z] = position.subarray(3 * i, 3 * i + 3);
      const [fx, fy, fz] = [along(6 * i, 0), along(6 * i, 1), along(6 * i, 2)];
      const [tx, ty, tz] = [along(6 * i + 3, 0), along(6 * i + 3, 1), along(6 * i + 3, 2)];
      if (carrierKind1[i] === CARRIER.body) this.#add(carrier1[i], x, y, z, fx, fy, fz, tx, ty, tz, 1);
      if (carrierKind2[i] === CARRIER.body) this.#add(carrier2[i], x, y, z, fx, fy, fz, tx, ty, tz, -1);
    }
  }

  #sumTowardsRoots(): void {
    const { body, size } = this.#model;
    for (let b = size.body - 1; b > 0; b--) {
      const carrier = this.#carrier[b] >= 0 ? this.#carrier[b] : body.parent[b];
      if (carrier > 0) addScaled(this.#wrench, 6 * carrier, this.#wrench, 6 * b, 1);
    }
  }

  #readTreeJoints(): JointForce[] {
    const { joint, body, size } = this.#model;
    const { jointAnchor, jointAxis } = this.#work;
    const out: JointForce[] = [];
    for (let j = 0; j < size.joint; j++) {
      if (joint.kind[j] === JOINT.free) continue;
      const b = joint.body[j];
      this.#place.set(jointAnchor.subarray(3 * j, 3 * j + 3));
      this.#place.set(jointAxis.subarray(3 * j, 3 * j + 3), 3);
      out.push(this.#read(joint.name[j], joint.kind[j], body.parent[b], b));
    }
    return out;
  }

  #readConstraintJoints(): JointForce[] {
    const { name, kind, body1, body2 } = this.#model.constraintJoint;
    const { coordinates } = this.#joints;
    updateJointCoordinates(this.#model, this.#work, coordinates);
    return Array.from(kind, (_, c) => {
      placeConstraintJoint(this.#place, this.#model, this.#work, coordinates, c);
      return this.#read(name[c], kind[c], body1[c], body2[c]);
    });
  }

  // the wrench of a body at the anchor in `place`, which the axis follows
  #read(name: string, kind: number, parent: number, child: number): JointForce {
    const [ox, oy, oz, fx, fy, fz] = this.#wrench.subarray(6 * child, 6 * child + 6);
    const [x, y, z, ux, uy, uz] = this.#place;
    const torque: Vec3 = [ox - (y * fz - z * fy), oy - (z * fx - x * fz), oz - (x * fy - y * fx)];
    const isTurning = kind === JOINT.hinge;
    const axial = isTurning ? ux * torque[0] + uy * torque[1] + uz * torque[2] : ux * fx + uy * fy + uz * fz;
    const names = this.#model.body.name;
    return {
      joint: name,
      kind: KINDS[kind] as JointForce['kind'],
      parent: names[parent],
      child: names[child],
      anchor: [x, y, z],
      force: [fx, fy, fz],
      torque,
      axial: kind === JOINT.ball ? 0 : axial,
    };
  }

  // scale × a force f and a torque t at the point x on body b
  #add(
    b: number,
    x: number,
    y: number,
    z: number,
    fx: number,
    fy: number,
    fz: number,
    tx: number,
    ty: number,
    tz: number,
    scale: number,
  ): void {
    const wrench = this.#wrench;
    const w = 6 * b;
    wrench[w] += scale * (tx + y * fz - z * fy);
    wrench[w + 1] += scale * (ty + z * fx - x * fz);
    wrench[w + 2] += scale * (tz + x * fy - y * fx);
    wrench[w + 3] += scale * fx;
    wrench[w + 4] += scale * fy;
    wrench[w + 5] += scale * fz;
  }
}
