/**
 * What bodies carry, by inverse dynamics: with the accelerations a of a step at the poses it began from, and per body b,
 *   A_b = A_parent + Σ (ṡ_i v_i + s_i a_i),  A_world = [0; −g]         F_b = I_b A_b + V_b ×* (I_b V_b) − W_b
 * W_b being what acts on the body other than through its joints. Summed over a body and its descendants F is the wrench of the parent on
 * the body. In body coordinates the tree is that of the constraint joints; nothing else differs. Makes no objects.
 * A_b refers to the centre of mass of the tree, world axes; wrenches refer to the origin of the world.
 * Source: Featherstone, Rigid Body Dynamics Algorithms, section 5.3.
 */
import { CARRIER, type ContactSet } from '../collision/contact-set.ts';
import { FLUID } from '../dynamics/fluid-access.ts';
import type { Workspace } from '../dynamics/workspace.ts';
import { addScaled, copy6, inertialForce } from '../linear-algebra/spatial.ts';
import type { Model } from '../model/model.ts';
import type { State } from '../state/state.ts';
import type { ForceSize } from './term-forces.ts';

export class BodyLoads {
  /** Per body: spatial acceleration, gravity included, about the centre of mass of its tree. */
  readonly acceleration: Float64Array;
  /** Per body: torque about the origin of the world and force. */
  readonly wrench: Float64Array;
  /** Lengths of d(m v)/dt, N, and of d(I ω)/dt about centres of mass, N m, over all bodies. */
  readonly inertia: ForceSize = { force: 0, torque: 0 };
  /** Per body: the one that carries it by its joints, or its parent. */
  readonly carrier: Int32Array;
  readonly #model: Model;
  readonly #scratch = new Float64Array(6);

  constructor(model: Model) {
    this.#model = model;
    this.acceleration = new Float64Array(6 * model.size.body);
    this.wrench = new Float64Array(6 * model.size.body);
    this.carrier = Int32Array.from(model.body.parent);
    const { body1, body2 } = model.constraintJoint;
    for (let c = 0; c < body2.length; c++) this.carrier[body2[c]] = body1[c];
  }

  /** A of every body, for the accelerations a of dofs. */
  accelerate({ velocity: v }: Pick<State, 'velocity'>, work: Workspace, a: Float64Array): void {
    const { body, size } = this.#model;
    const { acceleration } = this;
    const { motionSubspace, motionSubspaceRate, plan } = work;
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
    }
  }

  /** Adds I A + V ×* I V of every body that can move to the wrenches; with `fixed` also of those that cannot. */
  addInertia(work: Workspace, fixed = false): void {
    const { body, size } = this.#model;
    const { bodyTwist, bodyInertia, treeCenter } = work;
    const scratch = this.#scratch;
    this.inertia.force = this.inertia.torque = 0;
    for (let b = 1; b < size.body; b++) {
      const isFixed = body.lastDof[b] < 0;
      if (isFixed && !fixed) continue;
      inertialForce(scratch, 0, bodyInertia, 10 * b, this.acceleration, 6 * b, bodyTwist, 6 * b);
      const c = 3 * body.root[b];
      if (!isFixed) this.#countInertia(work, b, c);
      this.add(b, treeCenter, c, scratch, 3, scratch, 0, 1);
    }
  }

  // the rate of momentum of a body, from a wrench about the centre of its tree that has gravity in it
  #countInertia({ bodyCenter, plan, treeCenter }: Workspace, b: number, c: number): void {
    const s = this.#scratch;
    const { gravity } = plan;
    const mass = this.#model.body.mass[b];
    const { inertia } = this;
    const x = bodyCenter[3 * b] - treeCenter[c];
    const y = bodyCenter[3 * b + 1] - treeCenter[c + 1];
    const z = bodyCenter[3 * b + 2] - treeCenter[c + 2];
    inertia.force = Math.hypot(
      inertia.force,
      s[3] + mass * gravity[0],
      s[4] + mass * gravity[1],
      s[5] + mass * gravity[2],
    );
    inertia.torque = Math.hypot(
      inertia.torque,
      s[0] - y * s[5] + z * s[4],
      s[1] - z * s[3] + x * s[5],
      s[2] - x * s[4] + y * s[3],
    );
  }

  /** Subtracts the user's wrenches, at centres of mass. */
  subtractApplied({ bodyWrench }: Pick<State, 'bodyWrench'>, { bodyCenter }: Workspace): void {
    for (let b = 1; b < this.#model.size.body; b++)
      this.add(b, bodyCenter, 3 * b, bodyWrench, 6 * b, bodyWrench, 6 * b + 3, -1);
  }

  /** Subtracts gravity compensation and drag, at centres of mass. */
  subtractPassive(work: Workspace): void {
    const model = this.#model;
    const { bodyCenter, plan } = work;
    const scratch = this.#scratch;
    for (let b = 1; b < model.size.body; b++) {
      const lift = -model.body.mass[b] * model.body.gravityCompensation[b];
      if (lift !== 0) {
        scratch.fill(0);
        for (let k = 0; k < 3; k++) scratch[3 + k] = lift * plan.gravity[k];
        this.add(b, bodyCenter, 3 * b, scratch, 3, scratch, 0, -1);
      }
      if (plan.fluid && FLUID.require().writeFluidWrench(scratch, model, work, b))
        this.add(b, bodyCenter, 3 * b, scratch, 3, scratch, 0, -1);
    }
  }

  /** Subtracts the forces of contacts, those on soft bodies aside. Bodies that are fixed to the world count: what they carry may touch them. */
  subtractContacts(contacts: ContactSet): void {
    const { frame, force, position, carrierKind1, carrierKind2, carrier1, carrier2 } = contacts;
    const scratch = this.#scratch;
    for (let i = 0; i < contacts.count; i++) {
      for (let k = 0; k < 3; k++) {
        const n = frame[9 * i + k];
        const t1 = frame[9 * i + 3 + k];
        const t2 = frame[9 * i + 6 + k];
        scratch[3 + k] = n * force[6 * i] + t1 * force[6 * i + 1] + t2 * force[6 * i + 2];
        scratch[k] = n * force[6 * i + 3] + t1 * force[6 * i + 4] + t2 * force[6 * i + 5];
      }
      if (carrierKind1[i] !== CARRIER.soft && carrier1[i] > 0)
        this.add(carrier1[i], position, 3 * i, scratch, 3, scratch, 0, 1);
      if (carrierKind2[i] !== CARRIER.soft && carrier2[i] > 0)
        this.add(carrier2[i], position, 3 * i, scratch, 3, scratch, 0, -1);
    }
  }

  /** From the wrench of each body to that of the parent on it: with all that it carries. The world has what it does to all bodies by joints. */
  sumTowardsRoots(): void {
    for (let b = this.#model.size.body - 1; b > 0; b--)
      addScaled(this.wrench, 6 * this.carrier[b], this.wrench, 6 * b, 1);
  }

  /** Adds scale × a force f and a torque t at the point x on body b; each is three numbers from a place in an array on. */
  add(
    b: number,
    points: Float64Array,
    x: number,
    forces: Float64Array,
    f: number,
    torques: Float64Array,
    t: number,
    scale: number,
  ): void {
    const { wrench } = this;
    const w = 6 * b;
    for (let k = 0; k < 3; k++) {
      const l = (k + 1) % 3;
      const m = (k + 2) % 3;
      wrench[w + k] += scale * (torques[t + k] + points[x + l] * forces[f + m] - points[x + m] * forces[f + l]);
      wrench[w + 3 + k] += scale * forces[f + k];
    }
  }
}
