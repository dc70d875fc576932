/**
 * The momentum of a tree that floats on a free joint, in the reverse of the end of a step (carry-adjoint.ts). v_P = u + p + g, where g moves the
 * tree as one rigid body so that it has at q⁺ the momentum (L, P) of u at q, L about the centre of mass c (where there is not energy for it, v_P = u + p + α g):
 *   (M⁺ v_P)_r = (P, R⁺ᵀ (L − a × P)),   a = o − c, o the origin of the root and R its rotation
 * With γ = M_rr⁻¹ v̄_r, the rigid motion of multiplier, the gradient by u + p is v̄ − M⁺ γ, and γ has the turn ω = R⁺ γ_ω and the velocity
 * γ_x − ω × a of c. The same turn and velocity at q is the multiplier of the momentum there.
 */
import { writeFloatingMomentum, writeRigidMotion } from '../../dynamics/floating-momentum.ts';
import type { CoriolisTree } from '../../dynamics/inertial-plan.ts';
import type { Workspace } from '../../dynamics/workspace.ts';
import { multiplyTree } from '../../linear-algebra/tree-ldl.ts';
import type { Model } from '../../model/model.ts';

/** Share of the rigid motion up to which all of it has been given. */
const ALL = 1e-6;
/** Share of the momentum below which its change is round-off. */
const ROUND_OFF = 1e-11;

export class FloatingAdjoint {
  readonly #model: Model;
  readonly #tree: CoriolisTree;
  readonly #before: Workspace;
  readonly #after: Workspace;
  /** L, P, and of γ the turn and the velocity of the centre of mass. */
  readonly #momentum = new Float64Array(6);
  readonly #motion = new Float64Array(6);
  readonly #rigid = new Float64Array(6);
  /** g, and the share of it that there is energy for. */
  readonly #keep = new Float64Array(6);
  #share = 1;
  readonly #vector: Float64Array;
  readonly #product: Float64Array;

  constructor(model: Model, tree: CoriolisTree, before: Workspace, after: Workspace) {
    this.#model = model;
    this.#tree = tree;
    this.#before = before;
    this.#after = after;
    this.#vector = new Float64Array(model.size.velocity);
    this.#product = new Float64Array(model.size.velocity);
  }

  /** Takes the momentum of u at q, and v_P as `velocity`; the share of g that it has been given. */
  begin(t: number, u: Float64Array, projected: Float64Array, velocity: Float64Array): number {
    const { massMatrix, coriolis } = this.#after;
    const { rowStart, column } = this.#model.massMatrix;
    const { firstDof } = this.#tree;
    const keep = this.#keep;
    const momentum = this.#momentum;
    momentum.set(coriolis.momentum.subarray(6 * t, 6 * t + 6));
    for (let i = 0; i < u.length; i++) this.#vector[i] = u[i] + projected[i];
    multiplyTree(this.#product, massMatrix, this.#vector, rowStart, column);
    writeFloatingMomentum(keep, 0, this.#product, this.#model, this.#after, this.#tree);
    let change = 0;
    let size = 0;
    for (let k = 0; k < 6; k++) {
      keep[k] = momentum[k] - keep[k];
      change = Math.max(change, Math.abs(keep[k]));
      size = Math.max(size, Math.abs(momentum[k]));
    }
    writeRigidMotion(keep, this.#model, this.#after, this.#tree);
    let given = 0;
    let square = 0;
    for (let k = 0; k < 6; k++) {
      given += keep[k] * (velocity[firstDof + k] - this.#vector[firstDof + k]);
      square += keep[k] * keep[k];
    }
    const share = square > 0 && change > ROUND_OFF * size ? given / square : 1;
    this.#share = Math.abs(share - 1) < ALL ? 1 : share;
    return this.#share;
  }

  /** α. */
  get share(): number {
    return this.#share;
  }

  /** g · x. */
  dotMotion(x: Float64Array): number {
    let sum = 0;
    for (let k = 0; k < 6; k++) sum += this.#keep[k] * x[this.#tree.firstDof + k];
    return sum;
  }

  /** x += scale g. */
  addMotion(x: Float64Array, scale: number): void {
    for (let k = 0; k < 6; k++) x[this.#tree.firstDof + k] += scale * this.#keep[k];
  }

  /** x += scale M⁺ g. */
  addProduct(x: Float64Array, scale: number): void {
    this.#addScaledProduct(x, this.#keep, scale);
  }

  #addScaledProduct(x: Float64Array, rigid: Float64Array, scale: number): void {
    const { firstDof, endDof } = this.#tree;
    const { rowStart, column } = this.#model.massMatrix;
    const motion = this.#vector.fill(0);
    motion.set(rigid, firstDof);
    multiplyTree(this.#product, this.#after.massMatrix, motion, rowStart, column);
    for (let i = firstDof; i < endDof; i++) x[i] += scale * this.#product[i];
  }

  // the rigid motion M_rr⁻¹ x_r
  #solveRigid(x: Float64Array): Float64Array {
    writeFloatingMomentum(this.#rigid, 0, x, this.#model, this.#after, this.#tree);
    writeRigidMotion(this.#rigid, this.#model, this.#after, this.#tree);
    return this.#rigid;
  }

  /** Takes γ of the gradient `push` by v_P, which becomes that by u + p; adds −γ to the multiplier of y. */
  reverseKept(push: Float64Array, joined: Float64Array): void {
    const rigid = this.#solveRigid(push);
    for (let k = 0; k < 6; k++) joined[this.#tree.firstDof + k] -= rigid[k];
    this.#addScaledProduct(push, rigid, -1);
    this.#takeMotion(rigid);
  }

  /** Takes γ of the gradient `bar` by g, which becomes −γ; adds what g depends on to that by u + p. */
  reverseLimited(push: Float64Array, bar: Float64Array): void {
    const { firstDof, endDof } = this.#tree;
    const rigid = this.#solveRigid(bar);
    bar.fill(0, firstDof, endDof);
    for (let k = 0; k < 6; k++) bar[firstDof + k] = -rigid[k];
    this.#addScaledProduct(push, rigid, -1);
    this.#takeMotion(rigid);
  }

  /** From a gradient by e to that by e and its rigid motion, which was taken out: adds the multiplier of (M⁺ e)_r = 0 to `out`. */
  removeMotion(bar: Float64Array, out: Float64Array): void {
    const rigid = this.#solveRigid(bar);
    for (let k = 0; k < 6; k++) out[this.#tree.firstDof + k] -= rigid[k];
    this.#addScaledProduct(bar, rigid, -1);
  }

  // the turn of γ and its velocity of the centre of mass
  #takeMotion(rigid: Float64Array): void {
    const { bodyRotation, arm, r } = this.#readRoot(this.#after);
    const turn = this.#motion;
    for (let k = 0; k < 3; k++) {
      const o = r + 3 * k;
      turn[k] = bodyRotation[o] * rigid[3] + bodyRotation[o + 1] * rigid[4] + bodyRotation[o + 2] * rigid[5];
    }
    const swing = cross(turn, arm);
    for (let k = 0; k < 3; k++) turn[3 + k] = rigid[k] - swing[k];
  }

  /** Adds the derivative of γ · (P, R⁺ᵀ (L − a × P)) by q⁺. */
  addAfter(wrench: Float64Array): void {
    const { arm } = this.#readRoot(this.#after);
    const linear = this.#momentum.subarray(3);
    const angular = cross(arm, linear).map((value, k) => this.#momentum[k] - value);
    this.#turnRoot(wrench, this.#after, cross(this.#motion, angular), cross(this.#motion, linear));
  }

  /** Adds the multiplier of the momentum at q to λ, and to the gradient by u but for M. */
  addRoot(lambda: Float64Array, direct: Float64Array): void {
    const { firstDof } = this.#tree;
    const { bodyRotation, arm, r } = this.#readRoot(this.#before);
    const turn = this.#motion;
    const swing = cross(turn, arm);
    for (let k = 0; k < 3; k++) {
      const spin =
        bodyRotation[r + k] * turn[0] + bodyRotation[r + 3 + k] * turn[1] + bodyRotation[r + 6 + k] * turn[2];
      lambda[firstDof + k] += turn[3 + k] + swing[k];
      lambda[firstDof + 3 + k] += spin;
      direct[firstDof + k] += turn[3 + k] + swing[k];
      direct[firstDof + 3 + k] += spin;
    }
  }

  /** Adds the derivative of the momentum at q by how R and a turn and move. */
  addBefore(wrench: Float64Array): void {
    const { arm } = this.#readRoot(this.#before);
    const linear = this.#momentum.subarray(3);
    const angular = cross(arm, linear).map((value, k) => this.#momentum[k] - value);
    this.#turnRoot(wrench, this.#before, cross(angular, this.#motion), cross(linear, this.#motion));
  }

  #readRoot({ bodyRotation, jointAnchor, treeCenter }: Workspace): {
    bodyRotation: Float64Array;
    arm: number[];
    r: number;
  } {
    const { dof, body } = this.#model;
    const b = dof.body[this.#tree.firstDof];
    const a = 3 * dof.joint[this.#tree.firstDof];
    const c = 3 * body.root[b];
    return { bodyRotation, r: 9 * b, arm: [0, 1, 2].map((k) => jointAnchor[a + k] - treeCenter[c + k]) };
  }

  // a torque on the root, a force at its origin, and the opposite force at the centre of mass, shared by mass
  #turnRoot(wrench: Float64Array, work: Workspace, torque: readonly number[], force: readonly number[]): void {
    const { body, dof } = this.#model;
    const { bodyInertia } = work;
    const { firstDof, firstBody, endBody } = this.#tree;
    const root = dof.body[firstDof];
    const moment = cross(this.#readRoot(work).arm, force);
    for (let k = 0; k < 3; k++) {
      wrench[6 * root + k] += torque[k] + moment[k];
      wrench[6 * root + 3 + k] += force[k];
    }
    let mass = 0;
    for (let b = firstBody; b < endBody; b++) mass += bodyInertia[10 * b + 9];
    for (let b = firstBody; b < endBody; b++) {
      const share = bodyInertia[10 * b + 9] / mass;
      const c = 3 * body.root[b];
      const x = [0, 1, 2].map((k) => work.bodyCenter[3 * b + k] - work.treeCenter[c + k]);
      const own = cross(x, force);
      for (let k = 0; k < 3; k++) {
        wrench[6 * b + k] -= share * own[k];
        wrench[6 * b + 3 + k] -= share * force[k];
      }
    }
  }
}

function cross(a: ArrayLike<number>, b: ArrayLike<number>): number[] {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}
