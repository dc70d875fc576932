/**
 * Derivatives by positions and velocities of a number that depends on how bodies move, in one sweep towards the root. The number is
 *   Φ = σ λᵀ ID(q, v, a) + (what contacts and others add),     ID = M(q) a + c(q, v)
 * and the fields over the bodies, in world axes about the fixed centre of each tree, are
 *   Λ = Σ s λ     X = Σ s x     V = Σ s v     A = −g + Σ (s a + ṡ v),   ṡ = V × s
 * A change δq displaces the bodies by δX_b = Σ s δq, and everything fixed to them turns with them:
 *   δs = δX × s     δI = δX ×* I − I δX×
 * so Φ has the derivatives F̄ by the fields and a wrench W by the displacement of each body. Both are summed towards the root:
 *   s̄ = λ Λ̄ + x X̄ + v V̄ + a Ā − v V ×* Ā      W ← W + s ×* s̄      ∂Φ/∂q = s · W      ∂Φ/∂v = s · V̄ + ṡ · Ā
 * Translations of free bodies are along fixed axes. Cost: that of three passes of the recursive Newton-Euler algorithm.
 * Source: Featherstone, Rigid Body Dynamics Algorithms; Carpentier, Mansard, Analytical derivatives of rigid body dynamics algorithms (2018).
 */
import { addScaled, copy6, crossForce, crossMotion, dot6, multiplyInertia } from '../linear-algebra/spatial.ts';
import { JOINT, type Model } from '../model/model.ts';
import type { Workspace } from './workspace.ts';

/** How the inertia of the bodies enters. */
export interface InertialPart {
  /** Joint accelerations a. */
  readonly acceleration: Float64Array;
  /** σ. */
  readonly scale: number;
  /** Whether c has Coriolis and centrifugal forces, and whether it has weight. */
  readonly hasCoriolis: boolean;
  readonly hasWeight: boolean;
}

export class MotionAdjoint {
  /** Λ, X and V̄, Λ̄, X̄, and W: per body six numbers, angular part first. */
  readonly virtual: Float64Array;
  readonly motion: Float64Array;
  readonly virtualBar: Float64Array;
  readonly motionBar: Float64Array;
  readonly twistBar: Float64Array;
  readonly wrench: Float64Array;
  readonly #acceleration: Float64Array;
  readonly #accelerationBar: Float64Array;
  readonly #model: Model;
  readonly #work: Workspace;
  readonly #scratch = new Float64Array(48);
  #inertial: InertialPart | undefined;
  #lambda: Float64Array = new Float64Array(0);
  #unknown: Float64Array = new Float64Array(0);
  #velocity: Float64Array = new Float64Array(0);
  /** First body and end of the runs of bodies that it goes through, whole trees. */
  ranges: readonly number[];

  constructor(model: Model, work: Workspace) {
    const n = 6 * model.size.body;
    this.#model = model;
    this.#work = work;
    this.ranges = [1, model.size.body];
    this.virtual = new Float64Array(n);
    this.motion = new Float64Array(n);
    this.virtualBar = new Float64Array(n);
    this.motionBar = new Float64Array(n);
    this.twistBar = new Float64Array(n);
    this.wrench = new Float64Array(n);
    this.#acceleration = new Float64Array(n);
    this.#accelerationBar = new Float64Array(n);
  }

  /** Fields of λ and x; the workspace has the poses and twists of v. */
  begin(lambda: Float64Array, unknown: Float64Array, velocity: Float64Array): void {
    this.#lambda = lambda;
    this.#unknown = unknown;
    this.#velocity = velocity;
    this.#inertial = undefined;
    this.#spread(this.virtual, lambda);
    this.#spread(this.motion, unknown);
    for (let n = 0; n < this.ranges.length; n += 2) {
      const first = 6 * this.ranges[n];
      const end = 6 * this.ranges[n + 1];
      this.virtualBar.fill(0, first, end);
      this.motionBar.fill(0, first, end);
      this.twistBar.fill(0, first, end);
      this.wrench.fill(0, first, end);
      this.#accelerationBar.fill(0, first, end);
    }
  }

  /** Adds σ λᵀ ID; once between `begin` and `finish`. */
  addInertia(part: InertialPart): void {
    this.#inertial = part;
    const { plan } = this.#work;
    const acceleration = this.#acceleration;
    acceleration.fill(0, 0, 6);
    if (part.hasWeight) for (let k = 0; k < 3; k++) acceleration[3 + k] = -plan.gravity[k];
    for (let n = 0; n < this.ranges.length; n += 2) this.#addInertiaOf(part, this.ranges[n], this.ranges[n + 1]);
  }

  #addInertiaOf(part: InertialPart, firstBody: number, endBody: number): void {
    const { body } = this.#model;
    const { motionSubspace, motionSubspaceRate, bodyTwist, bodyInertia } = this.#work;
    const { virtual, virtualBar, twistBar, wrench } = this;
    const acceleration = this.#acceleration;
    const accelerationBar = this.#accelerationBar;
    const { scale, hasCoriolis } = part;
    const v = this.#velocity;
    const s = this.#scratch;
    for (let b = firstBody; b < endBody; b++) {
      const t = 6 * b;
      copy6(acceleration, t, acceleration, 6 * body.parent[b]);
      const end = body.dofStart[b] + body.dofCount[b];
      for (let i = body.dofStart[b]; i < end; i++) {
        addScaled(acceleration, t, motionSubspace, 6 * i, part.acceleration[i]);
        if (hasCoriolis) addScaled(acceleration, t, motionSubspaceRate, 6 * i, v[i]);
      }
      // I A at 0, I Λ at 6
      multiplyInertia(s, 0, bodyInertia, 10 * b, acceleration, t);
      multiplyInertia(s, 6, bodyInertia, 10 * b, virtual, t);
      addScaled(virtualBar, t, s, 0, scale);
      addScaled(accelerationBar, t, s, 6, scale);
      crossForce(s, 12, virtual, t, s, 0);
      addScaled(wrench, t, s, 12, -scale);
      crossForce(s, 12, acceleration, t, s, 6);
      addScaled(wrench, t, s, 12, -scale);
      if (!hasCoriolis) continue;
      // P = I V at 12, Y = V × Λ at 18, I Y at 24
      multiplyInertia(s, 12, bodyInertia, 10 * b, bodyTwist, t);
      crossMotion(s, 18, bodyTwist, t, virtual, t);
      multiplyInertia(s, 24, bodyInertia, 10 * b, s, 18);
      crossForce(s, 30, bodyTwist, t, s, 12);
      addScaled(virtualBar, t, s, 30, scale);
      crossForce(s, 30, virtual, t, s, 12);
      addScaled(twistBar, t, s, 30, -scale);
      addScaled(twistBar, t, s, 24, -scale);
      crossForce(s, 30, s, 18, s, 12);
      addScaled(wrench, t, s, 30, scale);
      crossForce(s, 30, bodyTwist, t, s, 24);
      addScaled(wrench, t, s, 30, scale);
    }
  }

  /** Adds ∂Φ/∂q and ∂Φ/∂v. */
  finish(byPosition: Float64Array, byVelocity: Float64Array): void {
    for (let n = 0; n < this.ranges.length; n += 2)
      this.#finishBodies(this.ranges[n], this.ranges[n + 1], byPosition, byVelocity);
  }

  #finishBodies(firstBody: number, endBody: number, byPosition: Float64Array, byVelocity: Float64Array): void {
    const { body, joint } = this.#model;
    const { virtualBar, motionBar, twistBar, wrench } = this;
    const accelerationBar = this.#accelerationBar;
    for (let b = endBody - 1; b >= firstBody; b--) {
      const t = 6 * b;
      copy6(this.#scratch, 0, this.#work.bodyTwist, t);
      for (let j = body.jointStart[b] + body.jointCount[b] - 1; j >= body.jointStart[b]; j--) {
        const kind = joint.kind[j];
        const first = joint.dofStart[j];
        if (kind === JOINT.hinge || kind === JOINT.slide) this.#passJoint(t, first, 1, byPosition, byVelocity);
        else this.#passJoint(t, kind === JOINT.free ? first + 3 : first, 3, byPosition, byVelocity);
        if (kind !== JOINT.free) continue;
        const { motionSubspace } = this.#work;
        for (let i = first; i < first + 3; i++) {
          byPosition[i] += dot6(motionSubspace, 6 * i, wrench, t);
          byVelocity[i] += dot6(motionSubspace, 6 * i, twistBar, t);
        }
      }
      const p = 6 * body.parent[b];
      if (p === 0) continue;
      addScaled(virtualBar, p, virtualBar, t, 1);
      addScaled(motionBar, p, motionBar, t, 1);
      addScaled(twistBar, p, twistBar, t, 1);
      addScaled(accelerationBar, p, accelerationBar, t, 1);
      addScaled(wrench, p, wrench, t, 1);
    }
  }

  // dofs that turn together: V before them is at 0 of the scratch afterwards
  #passJoint(t: number, first: number, count: number, byPosition: Float64Array, byVelocity: Float64Array): void {
    const { motionSubspace, motionSubspaceRate } = this.#work;
    const { virtualBar, motionBar, twistBar, wrench } = this;
    const accelerationBar = this.#accelerationBar;
    const inertial = this.#inertial;
    const hasCoriolis = inertial?.hasCoriolis === true;
    const s = this.#scratch;
    const v = this.#velocity;
    const end = first + count;
    for (let i = first; i < end; i++) addScaled(s, 0, motionSubspace, 6 * i, -v[i]);
    if (hasCoriolis) crossForce(s, 6, s, 0, accelerationBar, t);
    for (let i = first; i < end; i++) {
      s.fill(0, 12, 18);
      addScaled(s, 12, virtualBar, t, this.#lambda[i]);
      addScaled(s, 12, motionBar, t, this.#unknown[i]);
      addScaled(s, 12, twistBar, t, v[i]);
      if (inertial) addScaled(s, 12, accelerationBar, t, inertial.acceleration[i]);
      if (hasCoriolis) addScaled(s, 12, s, 6, -v[i]);
      crossForce(s, 18, motionSubspace, 6 * i, s, 12);
      addScaled(wrench, t, s, 18, 1);
      byVelocity[i] += dot6(motionSubspace, 6 * i, twistBar, t);
      if (hasCoriolis) byVelocity[i] += dot6(motionSubspaceRate, 6 * i, accelerationBar, t);
    }
    for (let i = first; i < end; i++) {
      byPosition[i] += dot6(motionSubspace, 6 * i, wrench, t);
      if (!hasCoriolis) continue;
      crossForce(s, 18, motionSubspace, 6 * i, accelerationBar, t);
      addScaled(twistBar, t, s, 18, v[i]);
    }
  }

  #spread(field: Float64Array, x: Float64Array): void {
    const { body } = this.#model;
    const { motionSubspace } = this.#work;
    field.fill(0, 0, 6);
    for (let n = 0; n < this.ranges.length; n += 2) {
      for (let b = this.ranges[n]; b < this.ranges[n + 1]; b++) {
        copy6(field, 6 * b, field, 6 * body.parent[b]);
        const end = body.dofStart[b] + body.dofCount[b];
        for (let i = body.dofStart[b]; i < end; i++) addScaled(field, 6 * b, motionSubspace, 6 * i, x[i]);
      }
    }
  }
}
