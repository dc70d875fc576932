/**
 * The reverse of the end of a step of trees of joints, v⁺ = C(q, u) (dynamics/coriolis-transport.ts): from a gradient by v⁺ to those by u and
 * q, in a fixed number of sweeps over the bodies. In the symbols of that file, with p and x the changes of u that lead to v_P and v_E,
 * e = x − p, y = v_P + s e and v⁺ = σ y, these are the equations of the end:
 *   energy      ½ yᵀ M⁺ y = G tells s, or σ where s is at a bound;   G = ½ uᵀ M u + ½ h p · weight
 *   momentum    rows r of a free joint: (M⁺ e)_r = 0, and M⁺ v_P has the momentum of u at q there
 *   solves      M⁺ p = J⁺ᵀ 𝓜 (V̂ − J⁺ u),   M⁺ x = −h c(q⁺, u)
 * Each has a multiplier λ, and its derivative by q⁺ is that of a product λᵀ M⁺ a: one MotionAdjoint each. Those of e and v_P join with
 * that of the energy, since all of them have a = y. V̂: carried-bodies.ts; momentum: floating-adjoint.ts.
 * Where there is not energy for all of the momentum, its share α follows from the energy, and s from eᵀ M⁺ y = 0: that of least energy.
 * Trees that end in another way are left to differences (dynamics/carry-rate.ts).
 */
import { updateTwists } from '../../dynamics/bias-force.ts';
import { CarryRate } from '../../dynamics/carry-rate.ts';
import {
  carryVelocities,
  dotRange,
  FASTEST_GROWTH,
  findScale,
  findShare,
  floatsFreely,
  LEAST,
  MOST,
  MOST_LEAD,
  noticeLeaps,
} from '../../dynamics/coriolis-transport.ts';
import type { CoriolisTree } from '../../dynamics/inertial-plan.ts';
import { updateKinematics } from '../../dynamics/kinematics.ts';
import { MotionAdjoint } from '../../dynamics/motion-adjoint.ts';
import { integratePositions } from '../../dynamics/poses.ts';
import { createWorkspace, type Workspace } from '../../dynamics/workspace.ts';
import { Arena } from '../../kernels/arena.ts';
import { multiplyTree, solveRows } from '../../linear-algebra/tree-ldl.ts';
import type { Model } from '../../model/model.ts';
import { createState, type State } from '../../state/state.ts';
import { CarriedBodies } from './carried-bodies.ts';
import { FloatingAdjoint } from './floating-adjoint.ts';
import { reversePositionStep } from './rotation-step.ts';

/** Share of a number below which it is round-off. */
const SLIGHT = 1e-6;

/** How a tree ends its step. */
interface TreeEnd {
  readonly tree: CoriolisTree;
  readonly s: number;
  readonly scale: number;
  /** Derivative of the energy ½ yᵀ M⁺ y by s, or 0 where it does not follow from the energy. */
  readonly rate: number;
  /** Where the scale follows the energy: G and ½ yᵀ M⁺ y. */
  readonly goal: number;
  readonly reached: number;
  /** Derivative of G by the kinetic energy of u, and whether it has the work of weight. */
  readonly byEnergy: number;
  readonly hasLead: boolean;
  readonly floating: FloatingAdjoint | undefined;
  /** eᵀ M⁺ e where s is the one of least energy, infinity where that is at a bound; else 0. */
  readonly lowest: number;
}

/** Gradients behind the blend, and multipliers with the a that they belong to. */
interface BlendBars {
  readonly joined: Float64Array;
  readonly push: Float64Array;
  readonly pull: Float64Array;
  readonly across?: Float64Array;
  readonly blended?: Float64Array;
  readonly turned?: Float64Array;
  readonly kept?: Float64Array;
}

export class CarryAdjoint {
  readonly #model: Model;
  readonly #trees: readonly CoriolisTree[];
  readonly #state: State;
  /** At q with u, and at q⁺. */
  readonly #before: Workspace;
  readonly #after: Workspace;
  readonly #beforeSweep: MotionAdjoint;
  readonly #afterSweep: MotionAdjoint;
  readonly #bodies: CarriedBodies;
  readonly #floating: (FloatingAdjoint | undefined)[];
  readonly #u: Float64Array;
  /** y, M⁺ y, x/h, −(p + u), and the weight at q⁺. */
  readonly #end: Float64Array;
  readonly #endProduct: Float64Array;
  readonly #explicit: Float64Array;
  readonly #path: Float64Array;
  readonly #weight: Float64Array;
  readonly #zero: Float64Array;
  readonly #scratch: readonly Float64Array[];
  #ends: TreeEnd[] = [];
  #differences: CarryRate | undefined;
  #takesDifferences = false;
  #h = 1;

  constructor(model: Model, { plan }: Workspace) {
    const arena = new Arena();
    const nv = model.size.velocity;
    this.#model = model;
    this.#trees = plan.inertial.trees;
    this.#state = createState(model, arena);
    this.#before = createWorkspace(model, arena, this.#state.all.length);
    this.#after = createWorkspace(model, arena, this.#state.all.length);
    this.#beforeSweep = new MotionAdjoint(model, this.#before);
    this.#afterSweep = new MotionAdjoint(model, this.#after);
    this.#bodies = new CarriedBodies(model, this.#before, this.#after);
    this.#floating = this.#trees.map((tree) =>
      tree.isFree ? new FloatingAdjoint(model, tree, this.#before, this.#after) : undefined,
    );
    this.#u = new Float64Array(nv);
    this.#end = new Float64Array(nv);
    this.#endProduct = new Float64Array(nv);
    this.#explicit = new Float64Array(nv);
    this.#path = new Float64Array(nv);
    this.#weight = new Float64Array(nv);
    this.#zero = new Float64Array(nv);
    this.#scratch = Array.from({ length: 13 }, () => new Float64Array(nv));
  }

  /** Takes the start of a step and u; false where a tree is one whose end depends on more than these. */
  begin(state: State, work: Workspace, u: Float64Array, h: number): boolean {
    noticeLeaps(this.#model, u, work, h);
    const { isCarried } = work.coriolis;
    this.#ends = [];
    this.#takesDifferences = false;
    if (!isCarried.includes(1)) return true;
    if (work.tension.isActive) return false;
    this.#after.constraintForce.set(work.constraintForce);
    this.#h = h;
    this.#u.set(u);
    this.#takeStep(state, u, isCarried, h);
    const { coriolis } = this.#after;
    // what floats freely is turned as well
    const isTurned = this.#trees.some((tree, t) => isCarried[t] === 1 && floatsFreely(work, tree));
    const isKnown =
      !isTurned && !work.plan.hasTendonInertia && this.#trees.every((_, t) => isCarried[t] === 0 || this.#readEnd(t));
    if (!isKnown) {
      this.#takesDifferences = true;
      this.#differences ??= new CarryRate(this.#model, work);
      return this.#differences.begin(state, work, u, h);
    }
    const ranges = this.#ends.flatMap(({ tree }) => [tree.firstBody, tree.endBody]);
    this.#beforeSweep.ranges = ranges;
    this.#afterSweep.ranges = ranges;
    // a coarse turn also reads the velocity before
    return !coriolis.isCoarse.some((isCoarse, t) => isCoarse === 1 && isCarried[t] === 1);
  }

  /** Gradients by positions at the end without those of roots that are turned: `reverse` takes them. */
  leaveTurned(byEndPosition: Float64Array): Float64Array {
    if (!this.#takesDifferences) return byEndPosition;
    const left = byEndPosition.slice();
    for (const [t, { firstDof }] of this.#trees.entries())
      if (this.#differences!.isTurned(t)) left.fill(0, firstDof, firstDof + 6);
    return left;
  }

  /** Whether a tree of the last step ends in a way that is left to differences. */
  get takesDifferences(): boolean {
    return this.#takesDifferences;
  }

  // both workspaces as the step has them at its start and at its end
  #takeStep(from: State, u: Float64Array, isCarried: Uint8Array, h: number): void {
    const model = this.#model;
    const state = this.#state;
    state.position.set(from.position);
    state.mocapPosition.set(from.mocapPosition);
    state.mocapOrientation.set(from.mocapOrientation);
    state.velocity.set(u);
    updateKinematics(model, state, this.#before);
    updateTwists(model, state, this.#before);
    updateKinematics(model, state, this.#after);
    this.#after.coriolis.isCarried.set(isCarried);
    integratePositions(model, state.position, u, 0, h);
    carryVelocities(model, state, this.#after, h);
    this.#after.configuration.isKnown = false;
  }

  // the equations that the end of tree t fulfils; false where they are others than those above
  #readEnd(t: number): boolean {
    const tree = this.#trees[t];
    const h = this.#h;
    const { coriolis, massMatrix, biasForce } = this.#after;
    const { velocity: w, explicit: e, explicitProduct, projected, weightImpulse, energy } = coriolis;
    const product = this.#multiply(massMatrix, w, this.#scratch[0]);
    const slope = dotRange(w, explicitProduct, tree);
    const curvature = 0.5 * dotRange(e, explicitProduct, tree);
    const free = this.#floating[t];
    const rawLead = free ? 0 : -dotRange(weightImpulse, projected, tree);
    const most = MOST_LEAD * energy[t];
    const lead = Math.max(-most, Math.min(most, rawLead));
    const goal = energy[t] + lead;
    const room = goal - 0.5 * dotRange(w, product, tree);
    const share = free ? free.begin(t, this.#u, projected, w) : 1;
    let s = findShare(room, slope, curvature);
    // all energy that there is has gone into momentum
    const isLowest = share !== 1;
    if (isLowest) {
      const lowest = Math.max(LEAST, Math.min(MOST, (-0.5 * slope) / curvature));
      if (!(share > 0 && Math.abs(s - lowest) < SLIGHT)) return false;
      s = lowest;
    } else if (curvature > 0 && !(slope * slope + 4 * curvature * room > 0)) return false;
    const rest = room - s * (slope + s * curvature);
    if (isLowest && !(Math.abs(rest) < SLIGHT * SLIGHT * goal)) return false;
    const scale = free ? 1 : findScale(goal, rest, false);
    const isWithin = curvature > 0 && s > LEAST && s < MOST && !isLowest;
    const isScaled = scale !== 1 && scale !== FASTEST_GROWTH;
    this.#ends.push({
      tree,
      s,
      scale,
      rate: isWithin ? slope + 2 * s * curvature : 0,
      goal: isScaled ? goal : 0,
      reached: goal - rest,
      byEnergy: lead === rawLead ? 1 : 1 + MOST_LEAD * Math.sign(lead),
      hasLead: !free && lead === rawLead,
      floating: free,
      lowest: isLowest ? (s > LEAST && s < MOST ? 2 * curvature : Infinity) : 0,
    });
    for (let i = tree.firstDof; i < tree.endDof; i++) {
      this.#end[i] = w[i] + s * e[i];
      this.#endProduct[i] = product[i] + s * explicitProduct[i];
      this.#path[i] = -(projected[i] + this.#u[i]);
      this.#weight[i] = (-2 * weightImpulse[i]) / h;
      this.#explicit[i] = this.#weight[i] - biasForce[i];
    }
    this.#solve(this.#explicit, tree);
    return true;
  }

  #multiply(matrix: Float64Array, x: Float64Array, out: Float64Array): Float64Array {
    const { rowStart, column } = this.#model.massMatrix;
    multiplyTree(out, matrix, x, rowStart, column);
    return out;
  }

  // x ← (M⁺)⁻¹ x
  #solve(x: Float64Array, { firstDof, endDof }: CoriolisTree): void {
    const { factor, inverseDiagonal } = this.#after.coriolis;
    const { rowStart, column } = this.#after.plan;
    solveRows(x, 0, factor, inverseDiagonal, rowStart, column, firstDof, endDof);
  }

  /** Replaces gradients by v⁺ by those by u, and adds those by q. */
  reverse(bar: Float64Array, byPosition: Float64Array, byEndPosition: Float64Array): void {
    if (this.#takesDifferences) {
      this.#differences!.reverse(bar, byPosition, byEndPosition);
      return;
    }
    if (this.#ends.every(({ tree }) => isZero(bar, tree))) return;
    const h = this.#h;
    const model = this.#model;
    const bars = this.#scratch.map((values) => values.fill(0));
    const [joined, push, mu, nu, leads, start, byEnd, byU, pull, across, blended, turned, kept] = bars;
    const energyBars = this.#ends.map((end) =>
      end.lowest === 0
        ? this.#reverseBlend(end, bar, { joined, push, pull })
        : this.#reverseLowest(end, bar, { joined, push, pull, across, blended, turned, kept }),
    );
    const after = this.#afterSweep;
    for (const [n, { tree, hasLead }] of this.#ends.entries()) {
      for (let i = tree.firstDof; i < tree.endDof; i++) {
        byU[i] = push[i];
        nu[i] = pull[i];
        mu[i] = push[i] - pull[i];
        if (!hasLead) continue;
        mu[i] += 0.5 * h * energyBars[n] * this.#weight[i];
        leads[i] = 0.5 * h * energyBars[n] * this.#after.coriolis.projected[i];
      }
      this.#solve(mu, tree);
      this.#solve(nu, tree);
    }
    // λᵀ M⁺ y, and the momentum that v_P has from u
    const plain = { scale: 1, hasCoriolis: false, hasWeight: false };
    after.begin(joined, this.#zero, this.#u);
    after.addInertia({ ...plain, acceleration: this.#end });
    for (const { floating } of this.#ends) floating?.addAfter(after.wrench);
    after.finish(byEnd, byU);
    if (this.#ends.some(({ lowest }) => lowest !== 0)) {
      for (const [lambda, acceleration] of [
        [across, blended],
        [turned, kept],
      ]) {
        after.begin(lambda, this.#zero, this.#u, true);
        after.addInertia({ ...plain, acceleration });
        after.finish(byEnd, byU);
      }
    }
    // μᵀ (J⁺ᵀ 𝓜 (V̂ − J⁺ u) − M⁺ p)
    after.begin(mu, this.#zero, this.#u, true);
    after.addInertia({ ...plain, acceleration: this.#path });
    for (const { tree } of this.#ends) this.#bodies.addAfter(after, tree);
    after.finish(byEnd, byU);
    const product = this.#multiply(this.#after.massMatrix, mu, joined);
    for (const { tree } of this.#ends)
      for (let i = tree.firstDof; i < tree.endDof; i++) byU[i] += model.dof.armature[i] * mu[i] - product[i];
    // −νᵀ (h c(q⁺, u) + M⁺ x)
    after.begin(nu, this.#zero, this.#u, true);
    after.addInertia({ scale: -h, hasCoriolis: true, hasWeight: false, acceleration: this.#explicit });
    after.finish(byEnd, byU);
    if (this.#ends.some(({ hasLead }) => hasLead)) {
      after.begin(leads, this.#zero, this.#u, true);
      after.addInertia({ scale: 1, hasCoriolis: false, hasWeight: true, acceleration: this.#zero });
      after.finish(byEnd, byU);
    }
    this.#reverseStart(energyBars, start, byPosition, byU);
    // q⁺ = q ⊕ h u
    reversePositionStep(model, byEnd, this.#u, h, byPosition, byU);
    for (const { tree } of this.#ends) bar.set(byU.subarray(tree.firstDof, tree.endDof), tree.firstDof);
  }

  // to λ of a = y and the gradients by u + p and by x − p; the gradient by G
  #reverseBlend(end: TreeEnd, bar: Float64Array, out: BlendBars): number {
    const { tree, s, scale, rate, goal, reached, floating } = end;
    const { joined, push, pull } = out;
    const { explicit } = this.#after.coriolis;
    let reachedBar = 0;
    let goalBar = 0;
    if (rate !== 0) {
      goalBar = (scale * dotRange(bar, explicit, tree)) / rate;
      reachedBar = -goalBar;
    } else if (goal !== 0) {
      const scaleBar = 0.5 * scale * dotRange(bar, this.#end, tree);
      goalBar = scaleBar / goal;
      reachedBar = -scaleBar / reached;
    }
    for (let i = tree.firstDof; i < tree.endDof; i++) {
      push[i] = scale * bar[i] + reachedBar * this.#endProduct[i];
      joined[i] = 0.5 * reachedBar * this.#end[i];
    }
    // e, whose gradient is s times that by v_P, has the same equation with −s γ
    floating?.reverseKept(push, joined);
    for (let i = tree.firstDof; i < tree.endDof; i++) pull[i] = s * push[i];
    return goalBar;
  }

  // the same where the energy tells the share of momentum: also λ = e and λ = γ with their own a
  #reverseLowest(end: TreeEnd, bar: Float64Array, out: Required<BlendBars>): number {
    const { tree, s, lowest } = end;
    const { joined, push, pull, across, blended, turned, kept } = out;
    const { explicit: e, explicitProduct, velocity: w } = this.#after.coriolis;
    const floating = end.floating!;
    const { share } = floating;
    const along = floating.dotMotion(this.#endProduct);
    const goalBar = floating.dotMotion(bar) / along;
    const sideBar = dotRange(bar, e, tree) / lowest;
    const product = this.#multiply(this.#after.massMatrix, w, kept);
    for (let i = tree.firstDof; i < tree.endDof; i++) {
      const whole = bar[i] - goalBar * this.#endProduct[i];
      joined[i] = -0.5 * goalBar * this.#end[i];
      turned[i] = share * whole;
      push[i] = whole - sideBar * explicitProduct[i];
      pull[i] = s * whole - sideBar * (product[i] + 2 * s * explicitProduct[i]);
    }
    // M⁺ (u + p) is M⁺ v_P but for its share of the rigid motion
    floating.addProduct(pull, sideBar * share);
    floating.reverseLimited(push, turned);
    floating.removeMotion(pull, blended);
    for (let i = tree.firstDof; i < tree.endDof; i++) {
      across[i] = e[i];
      blended[i] -= sideBar * (w[i] + s * e[i]);
      kept[i] = w[i];
    }
    floating.addMotion(blended, sideBar * share);
    floating.addMotion(kept, 1 - share);
    return goalBar;
  }

  // what kinetic energy, momentum and V̂ are of u at q
  #reverseStart(
    energyBars: readonly number[],
    lambda: Float64Array,
    byPosition: Float64Array,
    byU: Float64Array,
  ): void {
    const before = this.#beforeSweep;
    const direct = this.#scratch[0].fill(0);
    for (const [n, { tree, byEnergy, floating }] of this.#ends.entries()) {
      for (let i = tree.firstDof; i < tree.endDof; i++) {
        lambda[i] = 0.5 * energyBars[n] * byEnergy * this.#u[i];
        direct[i] = 2 * lambda[i];
      }
      floating?.addRoot(lambda, direct);
    }
    const product = this.#multiply(this.#before.massMatrix, direct, this.#scratch[1]);
    before.begin(lambda, this.#zero, this.#u);
    before.addInertia({ scale: 1, hasCoriolis: false, hasWeight: false, acceleration: this.#u });
    for (const { tree, floating } of this.#ends) {
      floating?.addBefore(before.wrench);
      this.#bodies.addBefore(before, tree, this.#h);
      for (let i = tree.firstDof; i < tree.endDof; i++) byU[i] += product[i];
    }
    before.finish(byPosition, byU);
  }
}

function isZero(x: Float64Array, { firstDof, endDof }: CoriolisTree): boolean {
  for (let i = firstDof; i < endDof; i++) if (x[i] !== 0) return false;
  return true;
}
