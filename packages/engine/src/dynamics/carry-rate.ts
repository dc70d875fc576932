/**
 * How the velocity at the end of a step of trees of joints, v⁺ = C(q, u) (coriolis-transport.ts), depends on where the step starts and by which
 * velocity u it moves, for derivatives. By centred differences of C alone, no solve: one dof of every tree at a time, since trees do not know
 * each other. Where a tree is carried to does not matter, so translations of a free root are left out.
 */
import { Arena } from '../kernels/arena.ts';
import { JOINT, type Model } from '../model/model.ts';
import { createState, type State } from '../state/state.ts';
import { carryVelocities } from './coriolis-transport.ts';
import type { CoriolisTree } from './inertial-plan.ts';
import { updateKinematics } from './kinematics.ts';
import { integratePositions } from './poses.ts';
import { createWorkspace, type Workspace } from './workspace.ts';

/** Lengths of differences: of positions, m or rad, and of velocities, m/s or rad/s. */
const POSITION = 1e-6;
const VELOCITY = 1e-5;

export class CarryRate {
  readonly #model: Model;
  readonly #trees: readonly CoriolisTree[];
  readonly #state: State;
  readonly #work: Workspace;
  readonly #unit: Float64Array;
  /** Per tree: ∂v⁺/∂q and ∂v⁺/∂u, row by row; empty where its velocities are not carried. */
  readonly #byPosition: Float64Array[] = [];
  readonly #byVelocity: Float64Array[] = [];

  constructor(model: Model, { plan }: Workspace) {
    const arena = new Arena();
    this.#model = model;
    this.#trees = plan.inertial.trees;
    this.#state = createState(model, arena);
    this.#work = createWorkspace(model, arena, this.#state.all.length);
    this.#unit = new Float64Array(model.size.velocity);
  }

  /** Takes the start of a step and u; false where a tree is one whose end depends on more than these. */
  begin(state: State, work: Workspace, u: Float64Array, h: number): boolean {
    const { isCarried } = work.coriolis;
    const trees = this.#trees;
    for (let t = 0; t < trees.length; t++) {
      const n = isCarried[t] === 1 ? trees[t].endDof - trees[t].firstDof : 0;
      this.#byPosition[t] = new Float64Array(n * n);
      this.#byVelocity[t] = new Float64Array(n * n);
    }
    if (!isCarried.includes(1)) return true;
    if (work.tension.isActive) return false;
    this.#work.coriolis.isCarried.set(isCarried);
    const most = Math.max(...trees.map(({ firstDof, endDof }) => endDof - firstDof));
    for (let k = 0; k < most; k++) {
      for (const sign of [1, -1]) {
        if (!this.#isFixed(k)) {
          this.#evaluate(state, u, k, sign * POSITION, 0, h);
          this.#add(this.#byPosition, k, (0.5 * sign) / POSITION);
        }
        this.#evaluate(state, u, k, 0, sign * VELOCITY, h);
        this.#add(this.#byVelocity, k, (0.5 * sign) / VELOCITY);
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

  /** Replaces gradients by v⁺ by those by u, and adds those by q. */
  reverse(bar: Float64Array, byPosition: Float64Array): void {
    for (const [t, { firstDof, endDof }] of this.#trees.entries()) {
      const n = endDof - firstDof;
      if (this.#byVelocity[t].length === 0) continue;
      const end = bar.slice(firstDof, endDof);
      bar.fill(0, firstDof, endDof);
      for (let r = 0; r < n; r++) {
        if (end[r] === 0) continue;
        for (let c = 0; c < n; c++) {
          bar[firstDof + c] += end[r] * this.#byVelocity[t][n * r + c];
          byPosition[firstDof + c] += end[r] * this.#byPosition[t][n * r + c];
        }
      }
    }
  }
}
