/**
 * Newton's method with line search: x ← x + α p, H p = −∇E, α from the free part of the path (CCD) halved until E falls.
 * E has to fall by a share of what its slope says: α ∇E·p 1e-4 (Armijo).
 * H is the exact Hessian where it has a Cholesky factor, else that with each contact projected to be positive semidefinite.
 * The first step follows free flight instead where nothing is near or a body turns far: half a turn away the energy is flat.
 * Converged: the last full step p moves no point faster than the tolerance (m/s), was free as a whole, and has been taken.
 * Source: Li et al. (2020), algorithm 1; the test on world points: Ferguson et al. (2021), section 5.
 */
import { OUTCOME, type SolveTrace } from '../../minimize/solve-trace.ts';
import type { IpcObjective } from './ipc-objective.ts';

const HALVINGS = 60;
/** How many times as far as the last step could go the next is looked at where there is much to look at. */
const AHEAD = 4;
/** Ends of edges that are much to look at. */
const MANY_ENDS = 1000;
/** Share of the tolerance below which a step is not worth taking, m/s and rad/s alike. */
const NEGLIGIBLE = 1e-9;
/** Share of the free part of a step below which it was good for nothing. */
const KINK = 1e-6;
/** Share of the fall by the slope that a step has to reach. Without one, steps over a kink of friction go to and fro for ever. */
const ARMIJO = 1e-4;

export interface DescentOptions {
  /** m/s. */
  readonly tolerance: number;
  readonly iterations: number;
}

export class NewtonDescent {
  /** Outcome, E, and speed of the last step (m/s). */
  outcome: number = OUTCOME.converged;
  energy = 0;
  residual = 0;
  iterations = 0;
  /** Free part of the last path. */
  collisionFreeStep = 1;
  readonly #objective: IpcObjective;
  /** Iterations for which the exact Hessian is not tried, and how many they were last. */
  #wait = 0;
  #pause = 1;
  /** ∇E along the step. */
  #slope = 0;
  /** Whether the last step was good for nothing, and the gradient behind it: one side of a kink. */
  #isAtKink = false;
  #side = new Float64Array(0);

  constructor(objective: IpcObjective) {
    this.#objective = objective;
  }

  /** Minimises E from the current poses, those at the start of the step where `isFresh`; `budget` iterations at most. */
  run(options: DescentOptions, h: number, trace: SolveTrace, budget: number, isFresh: boolean): void {
    const objective = this.#objective;
    const { frames, candidates } = objective;
    this.energy = objective.evaluate(frames.current);
    this.outcome = OUTCOME.iterationLimit;
    this.iterations = 0;
    this.#wait = 0;
    this.#pause = 1;
    objective.setBounding(false);
    if (isFresh && objective.writeInertialPredictor(h)) this.#fly(trace, h);
    // what came before does not count: a restored state goes on with the same bytes
    this.collisionFreeStep = 1;
    this.#isAtKink = false;
    for (let n = this.iterations; n < budget; n++) {
      const isAtKink = this.#isAtKink;
      if (!this.#solve() || (isAtKink && !this.#mixStep())) {
        this.outcome = OUTCOME.stalled;
        return;
      }
      if (!isAtKink) this.#slope = objective.matrix.slope;
      this.iterations++;
      this.residual = this.#measureSpeed(h);
      // nothing to be gained beyond round-off
      if (this.#isNegligible(NEGLIGIBLE * options.tolerance * h)) {
        this.collisionFreeStep = 1;
        this.outcome = OUTCOME.converged;
        trace.add(this.energy, this.residual, 0);
        return;
      }
      const part = this.#limitStep();
      const alpha = part * this.#search(this.collisionFreeStep / part, part * this.#slope);
      trace.add(this.energy, this.residual, alpha);
      // a step that had to be halved was too bold about friction
      objective.setBounding(alpha < 0.75 * this.collisionFreeStep);
      this.#noticeKink(alpha);
      if (alpha === 0) {
        // no step lowers E: at the minimum to round-off, at a kink, or stuck
        objective.evaluate(frames.current);
        const isMet = this.residual <= options.tolerance && this.collisionFreeStep === 1;
        if (!isMet && this.#isAtKink && !isAtKink) continue;
        this.outcome = isMet ? OUTCOME.converged : OUTCOME.stalled;
        return;
      }
      frames.accept();
      candidates.move(alpha / part);
      if (objective.stiffen()) {
        // another objective from here on
        this.energy = objective.evaluate(frames.current);
        continue;
      }
      if (this.residual <= options.tolerance && this.collisionFreeStep === 1) {
        this.outcome = OUTCOME.converged;
        return;
      }
    }
  }

  // the first step goes along free flight as far as it is free
  #fly(trace: SolveTrace, h: number): void {
    const objective = this.#objective;
    this.residual = this.#measureSpeed(h);
    this.collisionFreeStep = objective.limitStep();
    const alpha = this.#search(this.collisionFreeStep, 0);
    if (alpha === 0) {
      objective.evaluate(objective.frames.current);
      return;
    }
    this.iterations = 1;
    trace.add(this.energy, this.residual, alpha);
    objective.frames.accept();
    objective.candidates.move(alpha);
  }

  /**
   * Finds the free part of the step. Where the last steps could go but a little of their way and there is much to look at on the rest
   * of it, only a part of the step is looked at, more where all of it is free; the step is then that part.
   */
  #limitStep(): number {
    const objective = this.#objective;
    const { step } = objective.frames;
    let part = objective.surfaces.edge.length > MANY_ENDS ? Math.min(1, AHEAD * this.collisionFreeStep) : 1;
    if (part > 0.5) part = 1;
    if (part < 1) for (let i = 0; i < step.length; i++) step[i] *= part;
    for (;;) {
      this.collisionFreeStep = part * objective.limitStep();
      if (this.collisionFreeStep < part || part === 1) return part;
      const more = Math.min(1 / part, AHEAD);
      for (let i = 0; i < step.length; i++) step[i] *= more;
      part = more * part > 0.999 ? 1 : more * part;
    }
  }

  // the gradient behind a step that was good for nothing is one side of a kink
  #noticeKink(alpha: number): void {
    const { matrix, fields } = this.#objective;
    const { gradient } = matrix;
    // only fields have kinks
    this.#isAtKink = fields.count > 0 && alpha < KINK * this.collisionFreeStep;
    if (!this.#isAtKink) return;
    if (this.#side.length !== gradient.length) this.#side = new Float64Array(gradient.length);
    this.#side.set(gradient);
  }

  /**
   * At a kink a minimum has no gradient that is zero, but a mean of those of its sides that is: the step of the mean of both whose
   * step is the shortest, g ← (1 − t) g + t ḡ with t = (a − b)/(a − 2 b + c), a, b, c = gᵀH⁻¹g, gᵀH⁻¹ḡ, ḡᵀH⁻¹ḡ.
   */
  #mixStep(): boolean {
    const { matrix, frames } = this.#objective;
    const { step } = frames;
    const { gradient } = matrix;
    const own = gradient.slice();
    const way = step.slice();
    const a = -matrix.slope;
    gradient.set(this.#side);
    if (!matrix.solve(step)) return false;
    const c = -matrix.slope;
    const b = -matrix.measureSlope(own);
    const t = a - 2 * b + c > 0 ? Math.min(1, Math.max(0, (a - b) / (a - 2 * b + c))) : 0;
    for (let i = 0; i < step.length; i++) step[i] = (1 - t) * way[i] + t * step[i];
    for (let i = 0; i < own.length; i++) gradient[i] = (1 - t) * own[i] + t * this.#side[i];
    this.#slope = -((1 - t) * (1 - t) * a + 2 * t * (1 - t) * b + t * t * c);
    return true;
  }

  #solve(): boolean {
    const { matrix, frames } = this.#objective;
    // where soft bodies take part the exact Hessian often has no factor: it is tried again after a while, and a longer one
    if (this.#wait > 0) this.#wait--;
    else {
      this.#objective.assemble(frames.current, false);
      if (matrix.solve(frames.step)) return true;
      if (!this.#objective.elastic.isEmpty) this.#wait = this.#pause *= 2;
    }
    this.#objective.assemble(frames.current, true);
    return matrix.solve(frames.step);
  }

  // the largest part of the step, halved from the free part on, that lowers E by a share of what its slope says; 0 where none does
  #search(free: number, slope: number): number {
    const { frames, elastic } = this.#objective;
    let alpha = free;
    for (let k = 0; k < HALVINGS && alpha > 0; k++) {
      frames.move(alpha);
      const energy = this.#objective.evaluate(frames.trial);
      // differences below round-off are no rise
      const goal = this.energy + ARMIJO * alpha * slope;
      if (energy <= goal + 1e-14 * (Math.abs(this.energy) + Math.abs(energy)) + elastic.rounding) {
        this.energy = energy;
        return alpha;
      }
      alpha *= 0.5;
    }
    return 0;
  }

  // whether no number of the step, m or rad, is above a limit: bodies without shapes turn, too
  #isNegligible(limit: number): boolean {
    const { step } = this.#objective.frames;
    for (let i = 0; i < step.length; i++) if (!(Math.abs(step[i]) <= limit)) return false;
    return true;
  }

  // the fastest point, by a bound: (|dx| + |dθ| r)/h
  #measureSpeed(h: number): number {
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
    return most / h;
  }
}
