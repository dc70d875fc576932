/**
 * Newton's method with line search: x ← x + α p, H p = −∇E, α from the free part of the path (CCD) halved until E falls.
 * H is the exact Hessian where it has a Cholesky factor, else that with each contact projected to be positive semidefinite.
 * The first step follows free flight instead where nothing is near or a body turns far: half a turn away the energy is flat.
 * Converged: the last full step p moves no point faster than the tolerance (m/s), was free as a whole, and has been taken.
 * Source: Li et al. (2020), algorithm 1; the test on world points: Ferguson et al. (2021), section 5.
 */
import { OUTCOME, type SolveTrace } from '../../minimize/solve-trace.ts';
import type { IpcObjective } from './ipc-objective.ts';

const HALVINGS = 60;
/** Share of the fall by the slope that a step has to reach. Without one, steps over a kink of friction go to and fro for ever. */
const LEAST_FALL = 1e-4;

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
  freeStep = 1;
  readonly #objective: IpcObjective;
  /** Iterations for which the exact Hessian is not tried, and how many they were last. */
  #wait = 0;
  #pause = 1;

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
    if (isFresh && objective.writeFlight(h)) this.#fly(trace, h);
    for (let n = this.iterations; n < budget; n++) {
      if (!this.#solve()) {
        this.outcome = OUTCOME.stalled;
        return;
      }
      this.iterations++;
      this.residual = this.#measureSpeed(h);
      this.freeStep = objective.limitStep();
      const alpha = this.#search(this.freeStep, objective.matrix.slope);
      trace.add(this.energy, this.residual, alpha);
      // a step that had to be halved was too bold about friction
      objective.setBounding(alpha < this.freeStep);
      if (alpha === 0) {
        // no step lowers E: at the minimum to round-off, or stuck
        objective.evaluate(frames.current);
        this.outcome = this.residual <= options.tolerance && this.freeStep === 1 ? OUTCOME.converged : OUTCOME.stalled;
        return;
      }
      frames.accept();
      candidates.move(alpha);
      if (objective.stiffen()) {
        // another objective from here on
        this.energy = objective.evaluate(frames.current);
        continue;
      }
      if (this.residual <= options.tolerance && this.freeStep === 1) {
        this.outcome = OUTCOME.converged;
        return;
      }
    }
  }

  // the first step goes along free flight as far as it is free
  #fly(trace: SolveTrace, h: number): void {
    const objective = this.#objective;
    this.residual = this.#measureSpeed(h);
    this.freeStep = objective.limitStep();
    const alpha = this.#search(this.freeStep, 0);
    if (alpha === 0) {
      objective.evaluate(objective.frames.current);
      return;
    }
    this.iterations = 1;
    trace.add(this.energy, this.residual, alpha);
    objective.frames.accept();
    objective.candidates.move(alpha);
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
      const goal = this.energy + LEAST_FALL * alpha * slope;
      if (energy <= goal + 1e-14 * (Math.abs(this.energy) + Math.abs(energy)) + elastic.rounding) {
        this.energy = energy;
        return alpha;
      }
      alpha *= 0.5;
    }
    return 0;
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
