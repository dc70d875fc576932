/**
 * Which bodies take a step of order two (bdf2.ts), and what that changes: predictions, weights and velocities. A group that is touched
 * at the start or the end of the step takes backward Euler instead; if that is found out at its end, the step is done again.
 */
import { FLUID } from '../../dynamics/fluid-access.ts';
import type { Workspace } from '../../dynamics/workspace.ts';
import { matrixFromQuaternion } from '../../linear-algebra/quaternion.ts';
import type { Model } from '../../model/model.ts';
import type { State } from '../../state/state.ts';
import { Bdf2, createFormula, type StepFormula } from './bdf2.ts';
import type { IpcObjective } from './ipc-objective.ts';
import { StepHistory } from './step-history.ts';
import { TouchingGroups } from './touching-groups.ts';

/** Turn against free flight in a step from which it is too coarse for an order of two, rad. */
const FAR_TURN = 0.5;
/** Turn in a step from which joints make velocities of order two drift apart, since free flight is cut at 2 rad (spin-step.ts), rad. */
const WIDE_TURN = 1.5;
/** Largest ratio of two steps for which the formula is stable is 1 + √2. */
const LARGEST_RATIO = 2.4;

const vector = /* @__PURE__ */ new Float64Array(3);

export class SecondOrder {
  /** Per node, frames first and soft bodies then: 1 where it takes a step of order two. */
  readonly isActive: Uint8Array;
  readonly history: StepHistory;
  formula: StepFormula = { share: 0, reach: 0, weight: 1, before: 0 };
  readonly #model: Model;
  readonly #objective: IpcObjective;
  readonly #bdf2: Bdf2;
  readonly #groups: TouchingGroups;
  readonly #isTouched: Uint8Array;
  #isAny = false;

  constructor(model: Model, objective: IpcObjective, softBodyOf: ArrayLike<number>) {
    this.#model = model;
    this.#objective = objective;
    this.history = new StepHistory(model, objective);
    this.#bdf2 = new Bdf2(model, objective);
    this.#groups = new TouchingGroups(objective, softBodyOf, model.size.softBody);
    this.isActive = new Uint8Array(this.#groups.count);
    this.#isTouched = new Uint8Array(this.#groups.count);
  }

  /** Whether anything takes a step of order two. */
  get isAny(): boolean {
    return this.#isAny;
  }

  /** Chooses who takes one; the frames have begun the step. `isMoved`: whether mocap bodies or held vertices are moved in it. */
  choose(state: State, work: Workspace, h: number, isMoved: boolean): void {
    const { history, isActive } = this;
    const { moving, firstSoft, start } = this.#objective.frames;
    this.#groups.clear();
    history.read(state);
    const { before } = history;
    if (!(before > 0) || h > LARGEST_RATIO * before || isMoved) isActive.fill(0);
    else isActive.set(history.isKnown);
    this.#isAny = isActive.includes(1);
    if (!this.#isAny) return;
    this.formula = createFormula(h, before);
    for (let g = 0; g < moving && this.#isAny; g++) {
      if (isActive[g] === 0) for (let k = 0; k < 4; k++) history.orientation[4 * g + k] = start.orientation[4 * g + k];
      // where one part turns too far, none of this step is smooth
      else if (this.#bdf2.measureDeviation(g, history, work, before) > FAR_TURN || this.#isWide(g, state, h))
        isActive.fill(0);
    }
    this.#isAny = isActive.includes(1);
    // what does not move is where it was
    for (let g = moving; g < firstSoft; g++) {
      for (let k = 0; k < 3; k++) history.position[3 * g + k] = start.position[3 * g + k];
      for (let k = 0; k < 4; k++) history.orientation[4 * g + k] = start.orientation[4 * g + k];
    }
    for (let f = 0; f < firstSoft; f++) matrixFromQuaternion(history.rotation, 9 * f, history.orientation, 4 * f);
  }

  #isWide(g: number, { velocity }: State, h: number): boolean {
    const i = 6 * g + 3;
    const turn = h * Math.sqrt(velocity[i] ** 2 + velocity[i + 1] ** 2 + velocity[i + 2] ** 2);
    return turn > WIDE_TURN && !this.#objective.joints.isEmpty;
  }

  /** Takes the predictions of order two, after those of backward Euler. */
  predict(state: State, work: Workspace, h: number): void {
    const { inertia, frames, elastic } = this.#objective;
    if (work.plan.fluid) {
      work.forceRate.fill(0);
      FLUID.require().addFluidRate(this.#model, work, 1);
    }
    for (let g = 0; g < frames.moving; g++) {
      if (this.isActive[g] === 0) continue;
      inertia.weight[g] = this.formula.weight;
      this.#bdf2.predict(g, this.history, this.formula, state, work, h);
    }
    for (let n = 0; n < this.#model.size.softBody; n++)
      if (this.isActive[frames.moving + n] === 1) elastic.raiseOrder(n, this.history, this.formula);
  }

  /** The same of one frame, where the others have theirs; without fluid. */
  predictFrame(g: number, state: State, work: Workspace, h: number): void {
    this.#bdf2.predict(g, this.history, this.formula, state, work, h);
  }

  /** Velocity at the accepted pose of frame g, which takes a step of order two. */
  writeEndVelocity(out: Float64Array, g: number, state: State, work: Workspace): void {
    this.#bdf2.writeVelocity(out, g, this.formula, state, work);
  }

  /** Per node: whether something has touched its group in the step, at its start or at the accepted poses. */
  findTouched(): Uint8Array {
    this.#findTouched();
    return this.#isTouched;
  }

  /** Marks what is touched at the start, where contacts and joints have begun. */
  markStart(): void {
    this.#groups.mark();
  }

  /** After a minimisation: takes groups that were touched back to order one. Whether there were any. */
  demote(): boolean {
    const { isActive } = this;
    this.#findTouched();
    let hasChanged = false;
    for (let n = 0; n < isActive.length; n++) {
      if (isActive[n] === 0 || this.#isTouched[n] === 0) continue;
      isActive[n] = 0;
      hasChanged = true;
    }
    this.#isAny = isActive.includes(1);
    return hasChanged;
  }

  #findTouched(): void {
    const { frames } = this.#objective;
    this.#objective.place(frames.current);
    this.#groups.group();
    this.#groups.mark();
    this.#groups.spread(this.#isTouched);
  }

  /** Leaves order two to those that are asked for; whether fewer take it than before. */
  restrict(wanted: ArrayLike<number>): boolean {
    const { isActive } = this;
    let hasChanged = false;
    for (let n = 0; n < isActive.length; n++) {
      if (isActive[n] === 0 || wanted[n] === 1) continue;
      isActive[n] = 0;
      hasChanged = true;
    }
    this.#isAny = isActive.includes(1);
    return hasChanged;
  }

  /** All bodies take backward Euler. */
  giveUp(): void {
    this.isActive.fill(0);
    this.#isAny = false;
  }

  /** Velocity and acceleration at the accepted pose of frame g; positions advance as written before. */
  writeMotion(g: number, state: State, work: Workspace, h: number): void {
    const { acceleration, advanceShift, endVelocity, hasEndVelocity, smoothForce, constraintForce } = work;
    const { share, reach, before } = this.formula;
    const v = state.velocity;
    this.#bdf2.writeVelocity(endVelocity, g, this.formula, state, work);
    this.#bdf2.accountDrag(g, this.history, state, endVelocity, h / before, work);
    this.#bdf2.writeAcceleration(vector, smoothForce, constraintForce, work, g);
    for (let i = 6 * g, k = 0; k < 6; i++, k++) {
      const by = v[i] + h * acceleration[i] + advanceShift[i];
      const change = endVelocity[i] - v[i] - share * (v[i] - this.history.velocity[i]);
      acceleration[i] = k < 3 ? change / reach : vector[k - 3];
      advanceShift[i] = by - v[i] - h * acceleration[i];
      hasEndVelocity[i] = 1;
    }
  }

  /** After the state has advanced: keeps that of the start for the next step, unless this one was not smooth. */
  keep(state: State, work: Workspace, h: number, isSmooth: boolean): void {
    if (isSmooth) this.#findTouched();
    else this.#isTouched.fill(1);
    this.history.write(work.impulses, state, this.#isTouched, this.#groups, h);
  }
}
