/**
 * How the velocity at the end of a step of trees of joints, v⁺ = C(q, u) (coriolis-transport.ts), depends on where the step starts and by which
 * velocity u it moves, for derivatives. By centred differences of C alone, no solve: one dof of every tree at a time, since trees do not know
 * each other. Where a tree is carried to does not matter, so translations of a free root are left out. The pose of the root of a tree that floats
 * freely is a part of C as well: it is turned where velocities are carried.
 */
import { Arena } from '../kernels/arena.ts';
import { relativeQuaternion, rotationVector } from '../linear-algebra/quaternion.ts';
import { JOINT, type Model } from '../model/model.ts';
import { createState, type State } from '../state/state.ts';
import { carryVelocities, floatsFreely, noticeLeaps } from './coriolis-transport.ts';
import type { CoriolisTree } from './inertial-plan.ts';
import { updateKinematics } from './kinematics.ts';
import { integratePositions } from './poses.ts';
import { createWorkspace, type Workspace } from './workspace.ts';

/** Lengths of differences: of positions, m or rad, and of velocities, m/s or rad/s. */
const POSITION = 1e-6;
const VELOCITY = 1e-5;

const turn = /* @__PURE__ */ new Float64Array(4);
const vector = /* @__PURE__ */ new Float64Array(3);

export class CarryRate {
  readonly #model: Model;
  readonly #trees: readonly CoriolisTree[];
  readonly #state: State;
  readonly #work: Workspace;
  readonly #unit: Float64Array;
  /** Per tree: ∂v⁺/∂q and ∂v⁺/∂u, row by row; empty where its velocities are not carried. */
  readonly #byPosition: Float64Array[] = [];
  readonly #byVelocity: Float64Array[] = [];
  /** The same of the pose of its root at the end, six rows: along world axes and about those of the body; empty where it is not turned. */
  readonly #poseByPosition: Float64Array[] = [];
  readonly #poseByVelocity: Float64Array[] = [];
  readonly #poses: Float64Array;

  constructor(model: Model, { plan }: Workspace) {
    const arena = new Arena();
    this.#model = model;
    this.#trees = plan.inertial.trees;
    this.#state = createState(model, arena);
    this.#work = createWorkspace(model, arena, this.#state.all.length);
    this.#unit = new Float64Array(model.size.velocity);
    this.#poses = new Float64Array(model.size.position);
  }

  /** Takes the start of a step and u; false where a tree is one whose end depends on more than these. */
  begin(state: State, work: Workspace, u: Float64Array, h: number): boolean {
    noticeLeaps(this.#model, u, work, h);
    const { isCarried } = work.coriolis;
    const trees = this.#trees;
    for (let t = 0; t < trees.length; t++) {
      const n = isCarried[t] === 1 ? trees[t].endDof - trees[t].firstDof : 0;
      this.#byPosition[t] = new Float64Array(n * n);
      this.#byVelocity[t] = new Float64Array(n * n);
      const turned = n > 0 && floatsFreely(work, trees[t]) ? 6 * n : 0;
      this.#poseByPosition[t] = new Float64Array(turned);
      this.#poseByVelocity[t] = new Float64Array(turned);
    }
    if (!isCarried.includes(1)) return true;
    if (work.tension.isActive) return false;
    this.#work.coriolis.isCarried.set(isCarried);
    this.#work.constraintForce.set(work.constraintForce);
    const isTurned = trees.some((_, t) => this.isTurned(t));
    if (isTurned) {
      this.#evaluate(state, u, 0, 0, 0, h);
      this.#poses.set(this.#state.position);
    }
    const most = Math.max(...trees.map(({ firstDof, endDof }) => endDof - firstDof));
    for (let k = 0; k < most; k++) {
      for (const sign of [1, -1]) {
        if (isTurned || !this.#isFixed(k)) {
          this.#evaluate(state, u, k, sign * POSITION, 0, h);
          this.#add(this.#byPosition, k, (0.5 * sign) / POSITION);
          this.#addPoses(this.#poseByPosition, k, (0.5 * sign) / POSITION);
        }
        this.#evaluate(state, u, k, 0, sign * VELOCITY, h);
        this.#add(this.#byVelocity, k, (0.5 * sign) / VELOCITY);
        this.#addPoses(this.#poseByVelocity, k, (0.5 * sign) / VELOCITY);
      }
    }
    // a coarse turn also reads the velocity before
    return !this.#work.coriolis.isCoarse.some((isCoarse, t) => isCoarse === 1 && isCarried[t] === 1);
  }

  // whether dof k of no tree matters
  #isFixed(k: number): boolean {
    const { dof, joint } = this.#model;
    return k < 3 && this.#trees.every(({ firstDof }) => joint.kind[dof.joint[firstDof]] === JOINT.free);
  }

  // v⁺ with dof k of every tree shifted, in the velocities of the own state
  #evaluate(from: State, u: Float64Array, k: number, shift: number, push: number, h: number): void {
    const state = this.#state;
    const unit = this.#unit.fill(0);
    for (const { firstDof, endDof } of this.#trees) if (firstDof + k < endDof) unit[firstDof + k] = 1;
    state.position.set(from.position);
    state.mocapPosition.set(from.mocapPosition);
    state.mocapOrientation.set(from.mocapOrientation);
    if (shift !== 0) integratePositions(this.#model, state.position, unit, 0, shift);
    for (let i = 0; i < u.length; i++) state.velocity[i] = u[i] + push * unit[i];
    updateKinematics(this.#model, state, this.#work);
    integratePositions(this.#model, state.position, state.velocity, 0, h);
    carryVelocities(this.#model, state, this.#work, h);
    this.#work.configuration.isKnown = false;
  }

  #add(out: readonly Float64Array[], k: number, weight: number): void {
    const { velocity } = this.#state;
    for (const [t, { firstDof, endDof }] of this.#trees.entries()) {
      const n = endDof - firstDof;
      if (k >= n || out[t].length === 0) continue;
      for (let r = 0; r < n; r++) out[t][n * r + k] += weight * velocity[firstDof + r];
    }
  }

  /** Whether the pose of the root of tree t at the end is a part of the rates. */
  isTurned(t: number): boolean {
    return this.#poseByPosition[t].length > 0;
  }

  #addPoses(out: readonly Float64Array[], k: number, weight: number): void {
    const { dof, joint } = this.#model;
    const { position } = this.#state;
    for (const [t, { firstDof, endDof }] of this.#trees.entries()) {
      const n = endDof - firstDof;
      if (k >= n || out[t].length === 0) continue;
      const q = joint.positionStart[dof.joint[firstDof]];
      relativeQuaternion(turn, 0, this.#poses, q + 3, position, q + 3);
      rotationVector(vector, 0, turn, 0);
      for (let r = 0; r < 3; r++) {
        out[t][n * r + k] += weight * (position[q + r] - this.#poses[q + r]);
        out[t][n * (3 + r) + k] += weight * vector[r];
      }
    }
  }

  /** Replaces gradients by v⁺, and by the poses of roots that are turned, by those by u, and adds those by q. */
  reverse(bar: Float64Array, byPosition: Float64Array, byEndPosition: Float64Array): void {
    for (const [t, { firstDof, endDof }] of this.#trees.entries()) {
      if (this.#byVelocity[t].length === 0) continue;
      const end = bar.slice(firstDof, endDof);
      bar.fill(0, firstDof, endDof);
      const to = { bar, byPosition, firstDof, n: endDof - firstDof };
      addRows(to, end, this.#byVelocity[t], this.#byPosition[t]);
      if (!this.isTurned(t)) continue;
      addRows(to, byEndPosition.subarray(firstDof, firstDof + 6), this.#poseByVelocity[t], this.#poseByPosition[t]);
    }
  }
}

/** Gradients of a tree of n dofs. */
interface TreeBars {
  readonly bar: Float64Array;
  readonly byPosition: Float64Array;
  readonly firstDof: number;
  readonly n: number;
}

function addRows(
  { bar, byPosition, firstDof, n }: TreeBars,
  end: Float64Array,
  byVelocity: Float64Array,
  byStart: Float64Array,
): void {
  for (let r = 0; r < end.length; r++) {
    if (end[r] === 0) continue;
    for (let c = 0; c < n; c++) {
      bar[firstDof + c] += end[r] * byVelocity[n * r + c];
      byPosition[firstDof + c] += end[r] * byStart[n * r + c];
    }
  }
}
