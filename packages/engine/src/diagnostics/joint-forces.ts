/**
 * What joints transmit, by inverse dynamics with the accelerations of a step at the poses it began from (body-loads.ts): the sum over a
 * body and its descendants of what moves them, less contacts, equalities that join points of bodies, wrenches and terms of the
 * user (terms where the step ends, as they are implicit), gravity compensation, drag. Drives, springs, dampers, limits and dry friction of
 * the joint are part of it, as its component along the axis. Formulations and coordinates are
 * measured alike. Forces are those of the whole step: exact where M a = f holds with the poses of its start, else to the order of h.
 * Pulls of spatial tendons, of drives on sites and of soft bodies are not subtracted: they count as carried by the joints they bypass.
 */
import type { ContactSet } from '../collision/contact-set.ts';
import { updateTwists } from '../dynamics/bias-force.ts';
import { updateKinematics } from '../dynamics/kinematics.ts';
import { integratePositions } from '../dynamics/poses.ts';
import { createWorkspace, type Workspace } from '../dynamics/workspace.ts';
import { addEqualityWrench } from '../joint/equality-wrench.ts';
import { updateJointCoordinates } from '../joint/joint-coordinate.ts';
import { placeConstraintJoint } from '../joint/joint-placement.ts';
import { createJointWorkspace, type JointWorkspace } from '../joint/joint-workspace.ts';
import { Arena } from '../kernels/arena.ts';
import { JOINT, type Model } from '../model/model.ts';
import type { Vec3 } from '../scene/pose.ts';
import { createState, type State } from '../state/state.ts';
import { TermGradient } from '../term/term-gradient.ts';
import type { TermList } from '../term/term-list.ts';
import { BodyLoads } from './body-loads.ts';
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
  readonly #loads: BodyLoads;
  readonly #place = new Float64Array(6);

  constructor(model: Model) {
    const arena = new Arena({ initialBytes: 1_310_720, maximumBytes: 536_870_912 });
    this.#model = model;
    this.#state = createState(model, arena);
    this.#work = createWorkspace(model, arena, 0);
    this.#joints = createJointWorkspace(model, arena);
    this.#joints.coordinates.near = this.#state.hingeAngle;
    this.#loads = new BodyLoads(model);
  }

  /** Lengths of d(m v)/dt, N, and of d(I ω)/dt about centres of mass, N m, over all bodies of the step measured last. */
  get inertia(): ForceSize {
    return this.#loads.inertia;
  }

  /** One entry per joint that is not free, in the order of the scene. */
  measure(step: SolvedStep): JointForce[] {
    const model = this.#model;
    const work = this.#work;
    const loads = this.#loads;
    loads.wrench.fill(0);
    work.plan.gravity.set(step.gravity);
    if (!step.terms.isEmpty) this.#subtractTerms(step);
    this.#state.all.set(step.before);
    updateKinematics(model, this.#state, work);
    updateTwists(model, this.#state, work);
    loads.accelerate(this.#state, work, this.#completeAcceleration(step));
    loads.addInertia(work);
    loads.subtractApplied(this.#state, work);
    loads.subtractPassive(work);
    loads.subtractContacts(step.contacts);
    for (let e = 0; e < model.size.equality; e++) {
      if (this.#state.equalityActive[e] === 0) continue;
      addEqualityWrench(loads.wrench, model, work, e, step.equalityForce, 6 * e, -1);
    }
    loads.sumTowardsRoots();
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
      this.#loads.add(b, work.bodyPosition, 3 * b, gradient.body, 6 * b, gradient.body, 6 * b + 3, 1);
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
    const [ox, oy, oz, fx, fy, fz] = this.#loads.wrench.subarray(6 * child, 6 * child + 6);
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
}
