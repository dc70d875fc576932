/**
 * Energy that joints and equalities would give to an island with bodies that spin. Over a step they do the work
 *   W = h f · (v + P/2),   P = h a − Δ
 * f their generalised forces, P what all forces have pushed, Δ of inertial-motion.ts. Joints that hold bodies together, or to the world, do no
 * work; W > 0 comes from Δ that a row stops half way. Bodies that spin get shares of it, by the work of f along their Δ, and end without it.
 * Islands with anything else that pushes, as contacts, limits or drives, are left alone, and so are scenes with mocap bodies.
 */
import type { Workspace } from '../../dynamics/workspace.ts';
import type { Model } from '../../model/model.ts';
import { type ConvexProblem, SOURCE } from '../../objective/convex-problem.ts';
import type { Islands } from '../../objective/islands.ts';
import type { State } from '../../state/state.ts';

/** Turn of a body in a step from which it gets a share, rad: below, W changes its sign from step to step. */
const WIDE = 0.3;

export class SpinGain {
  readonly #model: Model;
  readonly #problem: ConvexProblem;
  readonly #islands: Islands;
  /** Per dof: the body on its own that it moves, where that turns widely, or 0. */
  readonly #body: Int32Array;

  constructor(model: Model, problem: ConvexProblem, islands: Islands) {
    this.#model = model;
    this.#problem = problem;
    this.#islands = islands;
    this.#body = new Int32Array(model.size.velocity);
  }

  /** After the motion of the step is in the workspace: writes `spinGain` of every body. */
  measure(state: State, work: Workspace, h: number): void {
    const { spinningBodies, takesMeanVelocity } = work.plan.inertial;
    work.spinGain.fill(0);
    if (!takesMeanVelocity || spinningBodies.length === 0 || this.#model.size.mocap > 0) return;
    const { dofStart, dofCount } = this.#model.body;
    const v = state.velocity;
    let isAny = false;
    for (let n = 0; n < spinningBodies.length; n++) {
      const b = spinningBodies[n];
      const end = dofStart[b] + dofCount[b];
      const turn = h * Math.sqrt(v[end - 3] ** 2 + v[end - 2] ** 2 + v[end - 1] ** 2);
      this.#body.fill(turn > WIDE ? b : 0, dofStart[b], end);
      if (turn > WIDE) isAny = true;
    }
    if (!isAny) return;
    for (let island = 0; island < this.#islands.count; island++)
      if (this.#isJointed(island)) this.#share(state, work, island, h);
  }

  #isJointed(island: number): boolean {
    const { block, blockStart } = this.#islands;
    const { source, regularization, rows } = this.#problem;
    for (let s = blockStart[island]; s < blockStart[island + 1]; s++) {
      const b = block[s];
      const isBilateral = source[b] === SOURCE.constraintJoint || source[b] === SOURCE.equality;
      if (!isBilateral || regularization[rows.rowStart[b]] > 0) return false;
    }
    return blockStart[island + 1] > blockStart[island];
  }

  #share({ velocity }: State, work: Workspace, island: number, h: number): void {
    const { dof, dofStart } = this.#islands;
    const { constraintForce, acceleration, inertialChange, spinGain } = work;
    let gain = 0;
    let sum = 0;
    for (let s = dofStart[island]; s < dofStart[island + 1]; s++) {
      const i = dof[s];
      // vertices of soft bodies
      if (i >= velocity.length) return;
      const push = h * acceleration[i] - inertialChange[i];
      gain += h * constraintForce[i] * (velocity[i] + 0.5 * push);
    }
    if (!(gain > 0)) return;
    for (let s = dofStart[island]; s < dofStart[island + 1]; s++) {
      const b = this.#body[dof[s]];
      if (b > 0) spinGain[b] += h * constraintForce[dof[s]] * inertialChange[dof[s]];
    }
    for (let s = dofStart[island]; s < dofStart[island + 1]; s++) {
      const b = this.#body[dof[s]];
      if (b > 0 && dof[s] === this.#model.body.dofStart[b]) sum += spinGain[b] * spinGain[b];
    }
    for (let s = dofStart[island]; s < dofStart[island + 1]; s++) {
      const b = this.#body[dof[s]];
      if (b > 0 && dof[s] === this.#model.body.dofStart[b]) spinGain[b] = sum > 0 ? (gain * spinGain[b] ** 2) / sum : 0;
    }
  }
}
