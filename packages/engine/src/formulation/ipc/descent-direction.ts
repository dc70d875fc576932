/**
 * Directions of the descent on the incremental potential, H p = −∇E, six numbers per frame (m, rad):
 *   predictor   the first step follows the motion without forces where nothing is near or a body turns far: half a turn away the
 *               energy is flat
 *   Hessian     the true one H where it has a Cholesky factor, else H⁺, with each contact and element projected to be positive
 *               semidefinite. Of soft bodies H⁺ is much stiffer than H: means of both, (1 − s) H + s H⁺, are tried before it.
 *               Of joints it is stiffer still: in a chain under the force F the curvatures of neighbours cancel, and each projected
 *               by itself leaves h² F l where H has h² F l/n² or less. There, H with contacts alone projected, + τ M, comes before it:
 *               M the masses, τ = 0, 1, 4, 16, ... from a quarter of the last one on
 *   friction    after a step that had to be cut, friction enters with an upper bound of its curvature, for shorter and surer steps
 *   kinks       distances to signed-distance fields have kinks, where ∇E jumps. A minimum at a kink has no zero gradient, but a mean
 *               of those of its sides that is zero. After a step of no use, p is the direction of the mean whose step is shortest:
 *               g ← (1 − t) g + t ḡ,   t = (a − b)/(a − 2 b + c),   a, b, c = gᵀH⁻¹g, gᵀH⁻¹ḡ, ḡᵀH⁻¹ḡ
 *               g the gradient at the iterate, ḡ the one before that step. Two gradients of a bundle method.
 */
import type { NewtonDirection } from '../../minimize/newton.ts';
import { ModifiedDirection, type ModifiedHessian } from '../../minimize/newton-direction.ts';
import type { IpcObjective } from './ipc-objective.ts';

/** Share of the collision-free step below which a step was of no use. */
const USELESS = 1e-6;
/** Share of the collision-free step below which friction was too optimistic. */
const CUT = 0.75;
/** s of levels 1, 2, ...: (1 − s) H + s H⁺, where soft bodies take part. */
const SHARES = [0.01, 0.05, 0.25];
/** The least τ, what the next one is times the last, and how many are tried. */
const LEAST_SHIFT = 1;
const SHIFT_GROWTH = 4;
const SHIFTS = 12;

/** What the line search has found. */
interface SearchedLine {
  collisionFreeStep: number;
  isModified: boolean;
}

export class DescentDirection implements NewtonDirection, ModifiedHessian {
  readonly levels: number;
  /** Speed of the fastest point if all of p is gone in the step, by a bound: (|dx| + |dθ| r)/h, m/s. */
  speed = 0;
  readonly #objective: IpcObjective;
  readonly #line: SearchedLine;
  readonly #hessians: ModifiedDirection;
  /** Whether there are joints and no soft bodies, and τ. */
  readonly #isJointed: boolean;
  #shift = 0;
  #h = 0;
  #isFresh = false;
  /** Whether the last step was of no use; the gradient before it, on one side of a kink. */
  #isAtKink = false;
  #sideGradient = new Float64Array(0);
  #tookMean = false;

  constructor(objective: IpcObjective, line: SearchedLine) {
    this.#objective = objective;
    this.#line = line;
    // where soft bodies take part the true Hessian often has no factor
    const isSoft = !objective.elastic.isEmpty;
    this.#isJointed = !isSoft && !objective.joints.isEmpty;
    this.levels = isSoft ? 2 + SHARES.length : this.#isJointed ? 3 : 2;
    this.#hessians = new ModifiedDirection(this, isSoft);
  }

  /** Before a descent in a step of length h; `isFresh`: from the poses at its start. */
  enter(h: number, isFresh: boolean): void {
    this.#h = h;
    this.#isFresh = isFresh;
  }

  predict(): boolean {
    if (!this.#isFresh || !this.#objective.writeInertialPredictor(this.#h)) return false;
    this.speed = this.#measureSpeed();
    return true;
  }

  begin(): void {
    this.#objective.setBounding(false);
    this.#hessians.begin();
    this.#shift = 0;
    this.#line.collisionFreeStep = 1;
    this.#isAtKink = this.#tookMean = false;
  }

  /** Whether the iterate is at a kink of a field: no side of it has a gradient of zero. */
  get isAtKink(): boolean {
    return this.#isAtKink || this.#tookMean;
  }

  find(): number {
    if (this.#objective.joints.hasRunAway) return Number.NaN;
    let slope = this.#hessians.find();
    this.#tookMean = this.#isAtKink && !Number.isNaN(slope);
    if (this.#tookMean) slope = this.#averageAtKink(slope);
    this.speed = this.#measureSpeed();
    return slope;
  }

  solve(level: number): number {
    const { matrix, frames } = this.#objective;
    if (level === 1 && this.#isJointed) return this.#solveShifted();
    if (level === 0 || level === this.levels - 1) this.#objective.assemble(frames.current, level > 0);
    else this.#assembleMean(SHARES[level - 1]);
    this.#line.isModified = level > 0 && !this.#objective.elastic.isEmpty;
    return matrix.solve(frames.step) ? matrix.slope : Number.NaN;
  }

  // (H, contacts projected) + τ M; leaves the factor of the least τ of a sequence that has one
  #solveShifted(): number {
    const { matrix, frames, inertia } = this.#objective;
    this.#objective.assemble(frames.current, true, true);
    this.#shift = this.#shift > LEAST_SHIFT ? this.#shift / SHIFT_GROWTH : 0;
    let added = 0;
    for (let k = 0; k < SHIFTS; k++) {
      inertia.addMass(matrix, frames.current, this.#shift - added);
      if (matrix.solve(frames.step)) return matrix.slope;
      added = this.#shift;
      this.#shift = Math.max(LEAST_SHIFT, SHIFT_GROWTH * added);
    }
    return Number.NaN;
  }

  #assembleMean(share: number): void {
    const { matrix, frames } = this.#objective;
    this.#objective.assemble(frames.current, false);
    matrix.keepValues();
    this.#objective.assemble(frames.current, true);
    matrix.blendValues(share);
  }

  adapt(alpha: number): boolean {
    const { matrix, fields } = this.#objective;
    const { collisionFreeStep } = this.#line;
    const wasAtKink = this.#isAtKink;
    this.#objective.setBounding(alpha < CUT * collisionFreeStep);
    // only fields have kinks
    this.#isAtKink = fields.count > 0 && alpha < USELESS * collisionFreeStep;
    if (!this.#isAtKink) return false;
    if (this.#sideGradient.length !== matrix.gradient.length)
      this.#sideGradient = new Float64Array(matrix.gradient.length);
    this.#sideGradient.set(matrix.gradient);
    return !wasAtKink;
  }

  // p of the mean of both gradients whose step is the shortest; returns its slope
  #averageAtKink(slope: number): number {
    const { matrix, frames } = this.#objective;
    const { step } = frames;
    const { gradient } = matrix;
    const here = gradient.slice();
    const direction = step.slice();
    const a = -slope;
    gradient.set(this.#sideGradient);
    if (!matrix.solve(step)) return Number.NaN;
    const c = -matrix.slope;
    const b = -matrix.measureSlope(here);
    const t = a - 2 * b + c > 0 ? Math.min(1, Math.max(0, (a - b) / (a - 2 * b + c))) : 0;
    for (let i = 0; i < step.length; i++) step[i] = (1 - t) * direction[i] + t * step[i];
    for (let i = 0; i < here.length; i++) gradient[i] = (1 - t) * here[i] + t * this.#sideGradient[i];
    // a mean of zero is what a minimum at a kink looks like: cancellation must not turn it into a direction of ascent
    return Math.min(-((1 - t) * (1 - t) * a + 2 * t * (1 - t) * b + t * t * c), -Number.MIN_VALUE);
  }

  #measureSpeed(): number {
    const { frames, surfaces } = this.#objective;
    const { step, moving } = frames;
    let most = 0;
    for (let f = 0; f < moving; f++) {
      const i = 6 * f;
      const move = Math.sqrt(step[i] ** 2 + step[i + 1] ** 2 + step[i + 2] ** 2);
      const turn = Math.sqrt(step[i + 3] ** 2 + step[i + 4] ** 2 + step[i + 5] ** 2);
      most = Math.max(most, move + turn * surfaces.reach[f]);
    }
    // those of mocap bodies are measured at their origins
    const first = frames.isPulled ? moving + 1 : frames.firstSoft;
    for (let i = 6 * first; i < step.length; i += 6)
      most = Math.max(most, Math.sqrt(step[i] ** 2 + step[i + 1] ** 2 + step[i + 2] ** 2));
    return most / this.#h;
  }
}
