/**
 * The incremental potential E along the path from the current poses by α p, p the step of the frames: step limit by CCD, trial poses,
 * and the step itself.
 *
 * In scenes with many edges CCD is expensive. If only a small part of the last step was taken, CCD checks the first part of the next
 * one, and more as long as that is free and E falls enough at its end: p is shortened to `part` of the Newton step. Steps shorter than
 * the range of the barrier are checked whole.
 *
 * A modified Hessian is stiffer than the energy. Where the whole step lowers E by almost as much as the slope says, or more, there
 * is little or negative curvature along p, as where a shell buckles: steps of 4, 16, ... times p are tried while E falls.
 *
 * A Hessian with an eigenvalue near zero makes steps of many turns and many metres. CCD of such a path takes seconds and finds next to
 * nothing of it free, so that p is shortened until no body goes farther than the largest body is wide, or turns by more than a radian,
 * unless twice its free flight is more.
 */
import { ARMIJO, type BacktrackingLine, backtrack } from '../../minimize/armijo-line-search.ts';
import type { LineSearch, NewtonObjective } from '../../minimize/newton.ts';
import { checkDeadline } from '../../step-deadline.ts';
import type { IpcObjective } from './ipc-objective.ts';

const HALVINGS = 60;
/** How many times the last part that was taken CCD looks at. */
const LOOKAHEAD = 4;
/** Ends of edges that make many. */
const MANY_ENDS = 1000;
/** Part of the slope that the decrease of a whole step has without curvature, nearly; how much longer a step is tried then, how often. */
const STRAIGHT = 0.75;
const LONGER = 4;
const LENGTHENINGS = 4;
/** rad. */
const WIDEST_TURN = 1;

export class DescentLine implements NewtonObjective, LineSearch, BacktrackingLine {
  /** E at the current poses. */
  value = 0;
  /** Part of the Newton step that is free of collisions. */
  collisionFreeStep = 1;
  /** Whether p may be too short: the Hessian was modified. */
  isModified = false;
  readonly #objective: IpcObjective;
  /** Part of the Newton step that the step of the frames is. */
  #part = 1;
  #trialValue = 0;
  /** gᵀp, and the part of the last Newton step that was taken. */
  #slope = 0;
  #taken = 1;
  /** Squares of the farthest that a body may go, m, and turn, rad, in an iteration. */
  #farthest = 0;
  #widest = 0;

  constructor(objective: IpcObjective) {
    this.#objective = objective;
  }

  get size(): number {
    const { frames } = this.#objective;
    return 6 * frames.moving + 3 * frames.isFree.length;
  }

  /** E at the current poses, where a descent begins. */
  begin(): void {
    this.value = this.#objective.evaluate(this.#objective.frames.current);
    this.collisionFreeStep = this.#taken = 1;
    this.#measureBounds();
  }

  #measureBounds(): void {
    const { frames, inertia, surfaces, scale } = this.#objective;
    const { velocity } = inertia;
    let size = 0;
    let speed = 0;
    let spin = 0;
    for (let g = 0; g < frames.moving; g++) {
      const i = 6 * g;
      size = Math.max(size, 2 * surfaces.reach[g]);
      speed = Math.max(speed, velocity[i] ** 2 + velocity[i + 1] ** 2 + velocity[i + 2] ** 2);
      spin = Math.max(spin, velocity[i + 3] ** 2 + velocity[i + 4] ** 2 + velocity[i + 5] ** 2);
    }
    // scale is h²; bodies without shapes have no size
    this.#farthest = size > 0 ? Math.max(size * size, 4 * scale * speed) : Infinity;
    this.#widest = Math.max(WIDEST_TURN * WIDEST_TURN, 4 * scale * spin);
  }

  // the part of the Newton step that is no wider than the bounds
  #measureBoundedPart(): number {
    const { step, moving } = this.#objective.frames;
    let excess = 1;
    for (let i = 0; i < 6 * moving; i += 6) {
      excess = Math.max(excess, (step[i] ** 2 + step[i + 1] ** 2 + step[i + 2] ** 2) / this.#farthest);
      excess = Math.max(excess, (step[i + 3] ** 2 + step[i + 4] ** 2 + step[i + 5] ** 2) / this.#widest);
    }
    return 1 / Math.sqrt(excess);
  }

  search(slope: number): number {
    this.#slope = slope;
    const alpha = backtrack(this, slope, HALVINGS);
    this.#taken = alpha;
    // contacts of the current poses, not of the last trial
    if (alpha === 0) this.#objective.evaluate(this.#objective.frames.current);
    const isStraight = this.value - this.#trialValue > -STRAIGHT * slope;
    return alpha === 1 && this.#part === 1 && this.isModified && isStraight ? this.#lengthen() : alpha;
  }

  // the longest of p, 4 p, 16 p, ... up to which all is free and E falls
  #lengthen(): number {
    const objective = this.#objective;
    const { step } = objective.frames;
    let alpha = 1;
    for (let k = 0; k < LENGTHENINGS; k++) {
      const lowest = this.#trialValue;
      for (let i = 0; i < step.length; i++) step[i] *= LONGER;
      this.#part = LONGER * alpha;
      const isFree = this.#measureBoundedPart() === 1 && objective.limitStep() === 1;
      if (isFree && this.evaluate(this.#part) < lowest) {
        alpha = this.#part;
        continue;
      }
      for (let i = 0; i < step.length; i++) step[i] /= LONGER;
      this.#part = alpha;
      objective.frames.writePaths();
      this.evaluate(alpha);
      break;
    }
    return alpha;
  }

  maxStep(): number {
    const objective = this.#objective;
    const { step } = objective.frames;
    const most = this.#measureBoundedPart();
    // a direction that has overflowed leads nowhere
    if (!(most > 0)) return 0;
    let part = this.#isExpensive(most) ? LOOKAHEAD * this.#taken : 1;
    if (part > 0.5 * most || !(part > 0)) part = most;
    if (part < 1) for (let i = 0; i < step.length; i++) step[i] *= part;
    for (;;) {
      checkDeadline('collision detection');
      this.#part = part;
      this.collisionFreeStep = part * objective.limitStep();
      if (this.collisionFreeStep < part || part === most || !this.#fallsEnough(part)) return this.collisionFreeStep;
      const more = Math.min(most / part, LOOKAHEAD);
      for (let i = 0; i < step.length; i++) step[i] *= more;
      part = more * part > 0.999 * most ? most : more * part;
    }
  }

  // whether CCD of a part of the Newton step takes long: many edges, and points that go farther than the barrier reaches
  #isExpensive(part: number): boolean {
    const { surfaces, frames, range } = this.#objective;
    if (surfaces.edge.length <= MANY_ENDS) return false;
    const { step, moving } = frames;
    for (let f = 0, i = 0; f < moving; f++, i += 6) {
      const move = Math.sqrt(step[i] ** 2 + step[i + 1] ** 2 + step[i + 2] ** 2);
      const turn = Math.sqrt(step[i + 3] ** 2 + step[i + 4] ** 2 + step[i + 5] ** 2);
      if (part * (move + turn * surfaces.reach[f]) > range) return true;
    }
    return frames.isFree.length > 0;
  }

  #fallsEnough(alpha: number): boolean {
    return this.evaluate(alpha) <= this.value + ARMIJO * alpha * this.#slope;
  }

  evaluate(alpha: number): number {
    const { frames } = this.#objective;
    frames.move(alpha / this.#part);
    this.#trialValue = this.#objective.evaluate(frames.trial);
    return this.#trialValue;
  }

  // differences below round-off are no rise
  acceptsRounding(next: number, goal: number): boolean {
    const { elastic } = this.#objective;
    const most = goal + 1e-14 * (Math.abs(this.value) + Math.abs(next)) + elastic.rounding;
    return next <= most || next <= most + this.#objective.measureContactRounding();
  }

  move(alpha: number): number {
    const { frames, candidates } = this.#objective;
    const decrease = this.value - this.#trialValue;
    this.value = this.#trialValue;
    frames.accept();
    candidates.move(alpha / this.#part);
    return decrease;
  }

  // stiffer barriers make another objective
  revise(): boolean {
    if (!this.#objective.stiffen()) return false;
    this.value = this.#objective.evaluate(this.#objective.frames.current);
    return true;
  }
}
