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
  /** Per body: 1 where c has none of these forces all the same; whole trees. */
  readonly isCarried?: Uint8Array;
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
  /** I A, P = I V, and I A + V ×* P. */
  readonly #push: Float64Array;
  readonly #momentum: Float64Array;
  readonly #force: Float64Array;
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
    this.#push = new Float64Array(n);
    this.#momentum = new Float64Array(n);
    this.#force = new Float64Array(n);
  }

  /** Fields of λ and x; the workspace has the poses and twists of v. `isAgain`: x is that of the call before. */
  begin(lambda: Float64Array, unknown: Float64Array, velocity: Float64Array, isAgain = false): void {
    this.#lambda = lambda;
    this.#unknown = unknown;
    this.#velocity = velocity;
    this.#inertial = undefined;
    this.#spread(this.virtual, lambda);
    if (!isAgain) this.#spread(this.motion, unknown);
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

  /** Adds σ λᵀ ID; once between `begin` and `finish`. `isAgain`: a is that of the call before. */
  addInertia(part: InertialPart, isAgain = false): void {
    this.#inertial = part;
    const { ranges } = this;
    if (!isAgain) {
      const { plan } = this.#work;
      this.#acceleration.fill(0, 0, 6);
      if (part.hasWeight) for (let k = 0; k < 3; k++) this.#acceleration[3 + k] = -plan.gravity[k];
      for (let n = 0; n < ranges.length; n += 2) this.#moveBodies(part, ranges[n], ranges[n + 1]);
    }
    for (let n = 0; n < ranges.length; n += 2) this.#addInertiaOf(part, ranges[n], ranges[n + 1]);
  }

  // A, I A, and with Coriolis forces P = I V and I A + V ×* P: the same for all λ
  #moveBodies(part: InertialPart, firstBody: number, endBody: number): void {
    const { body } = this.#model;
    const { motionSubspace, motionSubspaceRate, bodyTwist, bodyInertia } = this.#work;
    const acceleration = this.#acceleration;
    const v = this.#velocity;
    for (let b = firstBody; b < endBody; b++) {
      const t = 6 * b;
      copy6(acceleration, t, acceleration, 6 * body.parent[b]);
      const hasCoriolis = part.hasCoriolis && part.isCarried?.[b] !== 1;
      const end = body.dofStart[b] + body.dofCount[b];
      for (let i = body.dofStart[b]; i < end; i++) {
        addScaled(acceleration, t, motionSubspace, 6 * i, part.acceleration[i]);
        if (hasCoriolis) addScaled(acceleration, t, motionSubspaceRate, 6 * i, v[i]);
      }
      multiplyInertia(this.#push, t, bodyInertia, 10 * b, acceleration, t);
      copy6(this.#force, t, this.#push, t);
      if (!hasCoriolis) continue;
      multiplyInertia(this.#momentum, t, bodyInertia, 10 * b, bodyTwist, t);
      crossForce(this.#scratch, 0, bodyTwist, t, this.#momentum, t);
      addScaled(this.#force, t, this.#scratch, 0, 1);
    }
  }

  #addInertiaOf({ scale, hasCoriolis, isCarried }: InertialPart, firstBody: number, endBody: number): void {
    const { bodyTwist, bodyInertia } = this.#work;
    const { virtual, virtualBar, twistBar, wrench } = this;
    const accelerationBar = this.#accelerationBar;
    const s = this.#scratch;
    for (let b = firstBody; b < endBody; b++) {
      const t = 6 * b;
      addScaled(virtualBar, t, this.#force, t, scale);
      multiplyInertia(s, 0, bodyInertia, 10 * b, virtual, t);
      addScaled(accelerationBar, t, s, 0, scale);
      subtractCross(wrench, t, scale, virtual, t, this.#push, t);
      subtractCross(wrench, t, scale, this.#acceleration, t, s, 0);
      if (!hasCoriolis || isCarried?.[b] === 1) continue;
      // Y = V × Λ at 6, I Y at 12
      crossMotion(s, 6, bodyTwist, t, virtual, t);
      multiplyInertia(s, 12, bodyInertia, 10 * b, s, 6);
      subtractCross(twistBar, t, scale, virtual, t, this.#momentum, t);
      addScaled(twistBar, t, s, 12, -scale);
      subtractCross(wrench, t, -scale, s, 6, this.#momentum, t);
      subtractCross(wrench, t, -scale, bodyTwist, t, s, 12);
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
    const hasCoriolis = inertial?.hasCoriolis === true && inertial.isCarried?.[t / 6] !== 1;
    const s = this.#scratch;
    const v = this.#velocity;
    const end = first + count;
    for (let i = first; i < end; i++) addScaled(s, 0, motionSubspace, 6 * i, -v[i]);
    if (hasCoriolis) crossForce(s, 6, s, 0, accelerationBar, t);
    for (let i = first; i < end; i++) {
      const l = this.#lambda[i];
      const x = this.#unknown[i];
      const speed = v[i];
      const a = inertial ? inertial.acceleration[i] : 0;
      const c = hasCoriolis ? speed : 0;
      for (let k = 0; k < 6; k++)
        s[12 + k] =
          l * virtualBar[t + k] +
          x * motionBar[t + k] +
          speed * twistBar[t + k] +
          a * accelerationBar[t + k] -
          c * s[6 + k];
      subtractCross(wrench, t, -1, motionSubspace, 6 * i, s, 12);
      byVelocity[i] += dot6(motionSubspace, 6 * i, twistBar, t);
      if (hasCoriolis) byVelocity[i] += dot6(motionSubspaceRate, 6 * i, accelerationBar, t);
    }
    for (let i = first; i < end; i++) {
      byPosition[i] += dot6(motionSubspace, 6 * i, wrench, t);
      if (!hasCoriolis) continue;
      subtractCross(twistBar, t, -v[i], motionSubspace, 6 * i, accelerationBar, t);
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

/** out −= scale · a ×* f. */
function subtractCross(
  out: Float64Array,
  o: number,
  scale: number,
  a: Float64Array,
  ia: number,
  f: Float64Array,
  i: number,
): void {
  const wx = scale * a[ia];
  const wy = scale * a[ia + 1];
  const wz = scale * a[ia + 2];
  const vx = scale * a[ia + 3];
  const vy = scale * a[ia + 4];
  const vz = scale * a[ia + 5];
  const tx = f[i];
  const ty = f[i + 1];
  const tz = f[i + 2];
  const fx = f[i + 3];
  const fy = f[i + 4];
  const fz = f[i + 5];
  out[o] -= wy * tz - wz * ty + vy * fz - vz * fy;
  out[o + 1] -= wz * tx - wx * tz + vz * fx - vx * fz;
  out[o + 2] -= wx * ty - wy * tx + vx * fy - vy * fx;
  out[o + 3] -= wy * fz - wz * fy;
  out[o + 4] -= wz * fx - wx * fz;
  out[o + 5] -= wx * fy - wy * fx;
}
